//! Failures to set up or to serve. Traffic causes none.

use std::fmt;
use std::io;
use std::path::PathBuf;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// The reason why a gateway cannot serve.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A server cannot be behind a gateway, in words.
    Upstream(String),
    /// Certificates could not be read.
    Certificates(PathBuf, Source),
    /// TLS could not be set up.
    Tls(Source),
    /// The socket cannot be listened on.
    Listen(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upstream(wrong) => formatter.write_str(wrong),
            Self::Certificates(path, _) => {
                write!(
                    formatter,
                    "failed to read certificates from {}",
                    path.display()
                )
            }
            Self::Tls(_) => formatter.write_str("failed to set up TLS"),
            Self::Listen(_) => formatter.write_str("failed to listen"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Upstream(_) => None,
            Self::Certificates(_, source) | Self::Tls(source) => Some(&**source),
            Self::Listen(source) => Some(source),
        }
    }
}
