//! Heads of HTTP messages, as far as they are looked at.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use mcp_assay::Revision;

/// The header that names a session.
pub(crate) const SESSION: &str = "mcp-session-id";

/// Headers as text; a value may be any bytes.
pub(crate) fn pairs(headers: &HeaderMap) -> Vec<(&str, Cow<'_, str>)> {
    let pairs = headers.iter();
    pairs
        .map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes())))
        .collect()
}

/// The same, borrowed.
pub(crate) fn borrowed<'p>(pairs: &'p [(&'p str, Cow<'p, str>)]) -> Vec<(&'p str, &'p str)> {
    pairs
        .iter()
        .map(|(name, value)| (*name, &**value))
        .collect()
}

/// The session that a head names.
pub(crate) fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}

/// The revision that a head names.
pub(crate) fn revision(headers: &HeaderMap) -> Option<Revision> {
    let value = headers.get("mcp-protocol-version")?;
    Revision::from_bytes(value.as_bytes().trim_ascii())
}

/// Whether a body is a stream of events.
pub(crate) fn is_event_stream(headers: &HeaderMap) -> bool {
    media_type(headers).is_some_and(|kind| kind.eq_ignore_ascii_case("text/event-stream"))
}

/// Whether a body may be a message: it says so, or it says nothing.
pub(crate) fn may_be_json(headers: &HeaderMap) -> bool {
    media_type(headers).is_none_or(|kind| kind.eq_ignore_ascii_case("application/json"))
}

fn media_type(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    value.split(';').next().map(str::trim)
}
