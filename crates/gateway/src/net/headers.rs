//! Headers that are forwarded.

use http::header::{
    ACCEPT_ENCODING, CONNECTION, HOST, HeaderName, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE,
    TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderValue};

/// The headers of a request as the server gets them. A compressed body could not be looked at, so
/// none is asked for.
pub(crate) fn to_server(headers: &HeaderMap, host: &HeaderValue) -> HeaderMap {
    let left_out = |name: &HeaderName| *name == ACCEPT_ENCODING || is_hop(name);
    let mut sent = if headers.keys().any(left_out) {
        end_to_end(headers, left_out)
    } else {
        headers.clone()
    };
    sent.insert(HOST, host.clone());
    sent
}

/// The headers of a response as the client gets them.
pub(crate) fn to_client(headers: HeaderMap) -> HeaderMap {
    if headers.keys().any(is_hop) {
        end_to_end(&headers, is_hop)
    } else {
        headers
    }
}

/// The first value of a header. Heads are short: to look through one takes less time than to
/// compute where it would be.
pub(crate) fn first<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h HeaderValue> {
    let mut found = headers.iter().filter(|(other, _)| *other == name);
    found.next().map(|(_, value)| value)
}

/// How often a header is there.
pub(crate) fn count(headers: &HeaderMap, name: &HeaderName) -> usize {
    headers.iter().filter(|(other, _)| *other == name).count()
}

/// Whether it is said between neighbours only. There are others, but `Connection` names them.
fn is_hop(name: &HeaderName) -> bool {
    const NAMES: [HeaderName; 6] = [
        CONNECTION,
        PROXY_AUTHENTICATE,
        PROXY_AUTHORIZATION,
        TE,
        TRANSFER_ENCODING,
        UPGRADE,
    ];
    NAMES.contains(name) || matches!(name.as_str(), "keep-alive" | "proxy-connection")
}

/// The headers for the other end. Built anew, because taking one out changes the order of the
/// rest.
fn end_to_end(headers: &HeaderMap, left_out: impl Fn(&HeaderName) -> bool) -> HeaderMap {
    let named = headers.get_all(CONNECTION).into_iter();
    let named: Vec<&str> = named
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let is_named = |name: &HeaderName| {
        named
            .iter()
            .any(|named| named.eq_ignore_ascii_case(name.as_str()))
    };
    let mut kept = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        if !left_out(name) && !is_named(name) {
            kept.append(name.clone(), value.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(headers: &HeaderMap) -> Vec<String> {
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            format!("{name}={}", value.to_str().unwrap())
        };
        headers.iter().map(text).collect()
    }

    fn map(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn neighbours_keep_their_headers_to_themselves() {
        let headers = map(&[
            ("host", "localhost"),
            ("connection", "keep-alive, X-Hop"),
            ("x-hop", "1"),
            ("keep-alive", "timeout=5"),
            ("b", "1"),
            ("accept-encoding", "gzip"),
            ("a", "1"),
            ("a", "2"),
            ("transfer-encoding", "chunked"),
        ]);
        let host = HeaderValue::from_static("server:1");
        let sent = texts(&to_server(&headers, &host));
        assert_eq!(sent, ["host=server:1", "b=1", "a=1", "a=2"]);
        let got = texts(&to_client(headers));
        assert_eq!(
            got,
            [
                "host=localhost",
                "b=1",
                "accept-encoding=gzip",
                "a=1",
                "a=2"
            ]
        );
    }

    #[test]
    fn what_has_none_goes_as_it_is() {
        let headers = map(&[("b", "1"), ("host", "localhost"), ("a", "1"), ("b", "2")]);
        let host = HeaderValue::from_static("server:1");
        let sent = texts(&to_server(&headers, &host));
        assert_eq!(sent, ["b=1", "b=2", "host=server:1", "a=1"]);
        assert_eq!(to_client(headers.clone()), headers);
    }
}
