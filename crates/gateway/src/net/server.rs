//! The address of a server.

use http::Uri;
use rustls::pki_types::ServerName;

/// The address of a server: its name and port, and whether it speaks TLS.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Server {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The name that its certificate must have; without it, it speaks no TLS.
    pub(crate) tls: Option<ServerName<'static>>,
}

impl Server {
    /// The server that a URL names, if it is one of HTTP.
    pub(crate) fn new(url: &Uri) -> Option<Self> {
        let host = url.host()?;
        // An IPv6 address stands in brackets.
        let host = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .unwrap_or(host);
        let (tls, port) = match url.scheme_str()? {
            "http" => (None, 80),
            "https" => (Some(ServerName::try_from(host.to_owned()).ok()?), 443),
            _ => return None,
        };
        Some(Self {
            host: host.to_owned(),
            port: url.port_u16().unwrap_or(port),
            tls,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_name_servers() {
        for (url, host, port, is_tls) in [
            ("http://a/mcp", "a", 80, false),
            ("https://a.example", "a.example", 443, true),
            ("https://[::1]:8443/", "::1", 8443, true),
            ("http://127.0.0.1:1", "127.0.0.1", 1, false),
        ] {
            let server = Server::new(&url.parse().unwrap()).unwrap();
            assert_eq!((&*server.host, server.port), (host, port), "{url}");
            assert_eq!(server.tls.is_some(), is_tls, "{url}");
        }
        for url in ["/mcp", "ftp://a/", "a:1"] {
            assert_eq!(Server::new(&url.parse().unwrap()), None, "{url}");
        }
    }
}
