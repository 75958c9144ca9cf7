//! Access by `Host` and `Origin`: a web page that a browser shows must not reach a local server by
//! a name of its own (DNS rebinding).

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Uri};

use crate::net::headers::{count, first};

/// Hosts and origins that are allowed.
#[derive(Debug)]
pub(crate) struct Access {
    listen: IpAddr,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Access {
    pub(crate) fn new(listen: SocketAddr, hosts: &[String], origins: &[String]) -> Self {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_ascii_lowercase()).collect();
        Self {
            listen: listen.ip(),
            hosts: lower(hosts),
            origins: lower(origins),
        }
    }

    /// Says why a request is not allowed.
    pub(crate) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), &'static str> {
        let host = first(headers, &HOST).map(|host| text(host).unwrap_or_default());
        // Two hosts are an attempt to make somebody read the other one.
        if count(headers, &HOST) > 1 {
            return Err("several hosts are named");
        }
        let named = uri.authority().map(Authority::as_str);
        let is_allowed = |host: Option<&str>| host.is_none_or(|host| self.allows_host(host));
        if named.or(host).is_none() || !is_allowed(named) || !is_allowed(host) {
            return Err("this host is not allowed; see --allow-host");
        }
        if first(headers, &ORIGIN).is_none() {
            return Ok(());
        }
        for origin in headers.get_all(ORIGIN) {
            if !text(origin).is_some_and(|origin| self.allows_origin(origin)) {
                return Err("this origin is not allowed; see --allow-origin");
            }
        }
        Ok(())
    }

    fn allows_host(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let Some(host) = without_port(&authority) else {
            return false;
        };
        let is_ours = match host.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || address == self.listen,
            Err(_) => {
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
                let is_below = host.ends_with(".localhost") && host.bytes().all(is_name);
                host == "localhost" || is_below
            }
        };
        let is_named = |named: &String| named == "*" || *named == authority || named == host;
        is_ours || self.hosts.iter().any(is_named)
    }

    fn allows_origin(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        if self
            .origins
            .iter()
            .any(|named| named == "*" || *named == origin)
        {
            return true;
        }
        // Every host being allowed says nothing about the pages that may ask.
        let host = origin.split_once("://").map(|(_, host)| host);
        host.is_some_and(|host| !host.contains('/') && self.without_star().allows_host(host))
    }

    fn without_star(&self) -> Self {
        Self {
            listen: self.listen,
            hosts: self
                .hosts
                .iter()
                .filter(|host| *host != "*")
                .cloned()
                .collect(),
            origins: Vec::new(),
        }
    }
}

fn text(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok()
}

/// The host of an authority; of an IPv6 address what is in the brackets. `None` if it is none: what
/// stands behind a host is a port, which is a number.
fn without_port(authority: &str) -> Option<&str> {
    let (host, rest) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            host.parse::<Ipv6Addr>().ok()?;
            (host, rest)
        }
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let port = rest.strip_prefix(':').unwrap_or(rest);
    let is_port = rest.len() != port.len() && port.bytes().all(|byte| byte.is_ascii_digit());
    (rest.is_empty() || is_port).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_origins() {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let access = Access::new(
            "10.0.0.1:8808".parse().unwrap(),
            &texts(&["Gate.example"]),
            &texts(&["https://app.example"]),
        );
        let check = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            access.check(&headers, &Uri::from_static("/mcp")).is_ok()
        };
        for host in [
            "127.0.0.1:8808",
            "LOCALHOST:1",
            "[::1]:8808",
            "10.0.0.1",
            "gate.example:80",
        ] {
            assert!(check(host, None), "{host}");
        }
        for host in [
            "evil.example",
            "10.0.0.2:8808",
            "127.0.0.1.evil.example",
            "",
            "localhost.evil",
            "[::1]evil.example",
            "[::1].evil.example",
            "[::1]:80evil",
            "[::1",
            "[localhost]",
            "localhost:80@evil.example",
            "localhost:evil",
            "127.0.0.1:8808:evil.example",
            "user@localhost",
        ] {
            assert!(!check(host, None), "{host}");
        }
        for origin in [
            "http://localhost:5173",
            "https://app.example",
            "http://gate.example",
        ] {
            assert!(check("localhost", Some(origin)), "{origin}");
        }
        for origin in [
            "null",
            "https://evil.example",
            "https://app.example.evil",
            "http://localhost/x",
            "http://[::1]evil.example",
            "http://localhost:1@evil.example",
        ] {
            assert!(!check("localhost", Some(origin)), "{origin}");
        }
        assert!(
            access
                .check(&HeaderMap::new(), &Uri::from_static("/"))
                .is_err()
        );
        let mut other = HeaderMap::new();
        other.insert(HOST, HeaderValue::from_static("evil.example"));
        let absolute = Uri::from_static("http://localhost/mcp");
        assert!(access.check(&other, &absolute).is_err());
        let mut two = HeaderMap::new();
        two.append(HOST, HeaderValue::from_static("localhost"));
        two.append(HOST, HeaderValue::from_static("evil.example"));
        assert!(access.check(&two, &Uri::from_static("/")).is_err());
    }
}
