//! Headers: which go on, and how they are told to the check.

use http::header::{
    ACCEPT_ENCODING, CONNECTION, HOST, HeaderName, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE,
    TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderValue};

/// What is said between neighbours only, besides what `Connection` names.
const HOP_BY_HOP: [HeaderName; 6] = [
    CONNECTION,
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// The headers of a request as the server gets them. A compressed body could not be checked, so none is asked for.
pub(super) fn to_server(headers: &HeaderMap, host: &HeaderValue) -> HeaderMap {
    let mut sent = end_to_end(headers, |name| *name == ACCEPT_ENCODING);
    sent.insert(HOST, host.clone());
    sent
}

/// The headers of a response as the client gets them.
pub(super) fn to_client(headers: &HeaderMap) -> HeaderMap {
    end_to_end(headers, |_| false)
}

/// What tells the server who asks, and in which session.
pub(super) fn credentials(sent: &HeaderMap) -> HeaderMap {
    const NAMES: [&str; 4] = [
        "host",
        "authorization",
        "mcp-session-id",
        "mcp-protocol-version",
    ];
    let mut kept = HeaderMap::new();
    for name in NAMES {
        // Copied: values as they come hold on to all that was read with them, for as long as a stream may last.
        let value = sent.get(name).map(HeaderValue::as_bytes);
        if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            kept.insert(name, value);
        }
    }
    kept
}

/// Headers as texts, in their order.
pub(super) fn pairs(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), value)
        })
        .collect()
}

/// The value of a header as a text.
pub(super) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Whether a body is of this media type.
pub(super) fn is_media(headers: &HeaderMap, wanted: &str) -> bool {
    let media = text(headers, "content-type").unwrap_or_default();
    let essence = media.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(wanted)
}

/// What is meant for the other end. Built anew, because taking one out changes the order of the rest.
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
        let hop =
            HOP_BY_HOP.contains(name) || matches!(name.as_str(), "keep-alive" | "proxy-connection");
        if !hop && !is_named(name) && !left_out(name) {
            kept.append(name.clone(), value.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_their_headers_to_themselves() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("host", "localhost"),
            ("connection", "keep-alive, X-Hop"),
            ("x-hop", "1"),
            ("keep-alive", "timeout=5"),
            ("b", "1"),
            ("accept-encoding", "gzip"),
            ("a", "1"),
            ("a", "2"),
            ("transfer-encoding", "chunked"),
        ] {
            headers.append(name, HeaderValue::from_static(value));
        }
        let host = HeaderValue::from_static("server:1");
        let sent = pairs(&to_server(&headers, &host));
        let names: Vec<_> = sent
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(names, ["host=server:1", "b=1", "a=1", "a=2"]);
        let got = pairs(&to_client(&headers));
        assert!(got.iter().any(|(name, _)| name == "accept-encoding"));
    }
}
