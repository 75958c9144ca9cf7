//! Headers that are forwarded.

use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, HeaderName,
    ORIGIN, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderValue};

/// The headers of a request as the server gets them. A compressed body takes time to look at, so
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

/// The headers of a head without those that `Connection` names: nobody else gets them.
pub(crate) fn without_named(headers: HeaderMap) -> HeaderMap {
    let named = named_by_connection(&headers);
    if headers.keys().any(|name| is_named(&named, name)) {
        end_to_end(&headers, |_| false)
    } else {
        headers
    }
}

/// Whether a body is framed in a way that the other end could read differently: with a transfer
/// coding other than `chunked`, which is undone here.
pub(crate) fn is_framed_oddly(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    match codings.next() {
        None => false,
        Some(first) => {
            codings.next().is_some()
                || !first
                    .as_bytes()
                    .trim_ascii()
                    .eq_ignore_ascii_case(b"chunked")
        }
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
    let named = named_by_connection(headers);
    // A transfer coding says how long the body is; a length beside it may be wrong (RFC 9112, 6.3).
    let is_coded = first(headers, &TRANSFER_ENCODING).is_some();
    let mut kept = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        let is_void = is_coded && *name == CONTENT_LENGTH;
        if !left_out(name) && !is_named(&named, name) && !is_void {
            kept.append(name.clone(), value.clone());
        }
    }
    kept
}

/// The names in `Connection`.
fn named_by_connection(headers: &HeaderMap) -> Vec<&str> {
    if first(headers, &CONNECTION).is_none() {
        return Vec::new();
    }
    let named = headers.get_all(CONNECTION).into_iter();
    named
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect()
}

/// Whether `Connection` names a header that may be left out. The meaning of a message is not one of
/// its neighbours' affairs.
fn is_named(named: &[&str], name: &HeaderName) -> bool {
    const MEANING: [HeaderName; 6] = [ACCEPT, AUTHORIZATION, CONNECTION, COOKIE, HOST, ORIGIN];
    let text = name.as_str();
    !MEANING.contains(name)
        && !["content-", "mcp-", "last-event-id", "transfer-encoding"]
            .iter()
            .any(|beginning| text.starts_with(beginning))
        && named.iter().any(|named| named.eq_ignore_ascii_case(text))
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
    fn what_connection_names_is_left_out_unless_it_has_a_meaning() {
        let headers = map(&[
            (
                "connection",
                "x-hop, Mcp-Session-Id, content-type, content-length",
            ),
            ("mcp-session-id", "s"),
            ("x-hop", "1"),
            ("content-type", "application/json"),
            ("content-length", "2"),
        ]);
        let left = texts(&without_named(headers));
        let expected = [
            "connection=x-hop, Mcp-Session-Id, content-type, content-length",
            "mcp-session-id=s",
            "content-type=application/json",
            "content-length=2",
        ];
        assert_eq!(left, expected);
    }

    #[test]
    fn a_transfer_coding_voids_the_length() {
        let headers = map(&[("transfer-encoding", "chunked"), ("content-length", "2")]);
        assert!(!is_framed_oddly(&headers));
        assert_eq!(texts(&to_client(headers)), Vec::<String>::new());
        for odd in ["gzip, chunked", "identity", "chunked, chunked"] {
            let mut headers = HeaderMap::new();
            headers.insert(TRANSFER_ENCODING, HeaderValue::from_static(odd));
            assert!(is_framed_oddly(&headers), "{odd}");
        }
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
