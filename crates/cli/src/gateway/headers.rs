//! Headers, as they are told to the check.

use std::borrow::Cow;

use http::header::{CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue};
use mcp_assay_relay::headers::first;

/// What names the session.
pub(super) static SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// What names the revision.
pub(super) static REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");

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
pub(super) fn texts(headers: &HeaderMap) -> Vec<(&str, Cow<'_, str>)> {
    headers
        .iter()
        .map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes())))
        .collect()
}

/// The value of a header as a text.
pub(super) fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    first(headers, name)?.to_str().ok().map(str::trim_ascii)
}

/// Whether a body is of this media type.
pub(super) fn is_media(headers: &HeaderMap, wanted: &str) -> bool {
    let media = text(headers, &CONTENT_TYPE).unwrap_or_default();
    let essence = media.split(';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(wanted)
}
