//! Finds and reads the document.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use mcp_assay::json_schema::{SchemaDefinitions, SchemaError};

use super::fetch::Client;
use crate::output;

/// The largest document. The official ones have less than a tenth of it.
pub(super) const MAX_BYTES: u64 = 8 << 20;

/// The reason why a document could not be loaded. The text fits after "failed to".
#[derive(Debug)]
pub(crate) enum Error {
    /// The file cannot be read.
    File(io::Error),
    /// It is larger than [`MAX_BYTES`].
    TooLarge,
    /// The address is not one of http or https.
    Address,
    /// The server refused.
    Status(u16),
    /// The server did not deliver in time.
    TimedOut,
    /// The server redirects too often.
    TooManyRedirects,
    /// The server redirects to an address of a private network.
    PrivateRedirect {
        /// The host it names.
        host: String,
    },
    /// The server redirects from https to http.
    InsecureRedirect,
    /// Another failure of the network.
    Network(String),
    /// It is no document to check messages with.
    Schema(SchemaError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "read the schema: {error}"),
            Self::TooLarge => write!(
                f,
                "read the schema: it is larger than {} MiB",
                MAX_BYTES >> 20
            ),
            Self::Address => {
                f.write_str("fetch the schema: the address is not one of http or https")
            }
            Self::Status(status) => write!(
                f,
                "fetch the schema: the server answered with status {status}"
            ),
            Self::TimedOut => f.write_str("fetch the schema: the server took too long"),
            Self::TooManyRedirects => {
                f.write_str("fetch the schema: the server redirected too often")
            }
            Self::PrivateRedirect { host } => write!(
                f,
                "fetch the schema: the server redirected to `{host}`, which is in a private network; give that address itself if \
                 you mean it"
            ),
            Self::InsecureRedirect => {
                f.write_str("fetch the schema: the server redirected from https to http")
            }
            Self::Network(reason) => write!(f, "fetch the schema: {reason}"),
            Self::Schema(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// The behaviour without the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnFailure {
    /// Report it, and use the built-in definitions.
    FallBack,
    /// Refuse to run.
    Refuse,
}

/// The definitions of a file or URL; `None` to use the built-in ones, after the reason was
/// reported.
pub(crate) fn definitions(
    source: &str,
    on_failure: OnFailure,
) -> anyhow::Result<Option<Arc<SchemaDefinitions>>> {
    match (load(source), on_failure) {
        (Ok(definitions), _) => Ok(Some(definitions)),
        (Err(error), OnFailure::Refuse) => Err(describe(source, &error)),
        (Err(error), OnFailure::FallBack) => {
            output::complain(&describe(source, &error).context("using the built-in definitions"));
            Ok(None)
        }
    }
}

/// The definitions of a file or URL.
pub(crate) fn load(source: &str) -> Result<Arc<SchemaDefinitions>, Error> {
    load_with(source, &Client::default())
}

pub(super) fn load_with(source: &str, client: &Client) -> Result<Arc<SchemaDefinitions>, Error> {
    let bytes = if is_url(source) {
        client.fetch(source)?
    } else {
        read(source)?
    };
    SchemaDefinitions::new(&bytes)
        .map(Arc::new)
        .map_err(Error::Schema)
}

pub(super) fn describe(source: &str, error: &Error) -> anyhow::Error {
    anyhow::anyhow!("{}: failed to {error}", without_credentials(source))
}

fn is_url(source: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        source
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

fn read(path: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::File)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(Error::File)?;
    if bytes.len() as u64 > MAX_BYTES {
        Err(Error::TooLarge)
    } else {
        Ok(bytes)
    }
}

/// A URL as it may be shown: the part before `@` can be a password.
fn without_credentials(source: &str) -> String {
    if let Some((scheme, rest)) = source.split_once("://").filter(|_| is_url(source)) {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some(at) = authority.rfind('@') {
            return format!("{scheme}://{}", &rest[at + 1..]);
        }
    }
    source.to_owned()
}
