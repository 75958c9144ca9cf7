//! Headers, as the check gets them.

use std::borrow::Cow;

use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue};
use mcp_assay::Revision;
use mcp_assay_live::http::{
    self as live, ClientHead, Coding, Identity, Representation, Unreadable,
};

use crate::net::headers::first;

/// The header that names the session.
pub(crate) static SESSION_ID: HeaderName = HeaderName::from_static(live::SESSION_ID);

/// The header that names the revision.
static REVISION: HeaderName = HeaderName::from_static(live::PROTOCOL_VERSION);

/// The headers that tell the server who asks, and in which session.
pub(crate) fn credentials(sent: &HeaderMap) -> HeaderMap {
    const NAMES: [&str; 3] = ["host", "mcp-session-id", "mcp-protocol-version"];
    let mut kept = HeaderMap::new();
    for name in NAMES.into_iter().chain(live::CREDENTIALS) {
        // Copied: values as they come hold on to all that was read with them, for as long as a
        // stream may last.
        let value = sent.get(name).map(HeaderValue::as_bytes);
        if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            kept.insert(name, value);
        }
    }
    kept
}

/// Headers as texts, in their order.
pub(crate) fn texts(headers: &HeaderMap) -> Vec<(&str, Cow<'_, str>)> {
    let headers = headers.iter();
    live::header_texts(headers.map(|(name, value)| (name.as_str(), value.as_bytes())))
}

/// The revision that a head names.
pub(crate) fn revision(headers: &HeaderMap) -> Option<Revision> {
    live::header_revision(first(headers, &REVISION)?.as_bytes())
}

/// The value of a header as a text.
pub(crate) fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    first(headers, name)?.to_str().ok().map(str::trim_ascii)
}

/// The client that sends these headers.
pub(crate) fn identity(upstream: usize, headers: &HeaderMap) -> Identity {
    let headers = headers.iter();
    Identity::new(
        upstream,
        headers.map(|(name, value)| (name.as_str(), value.as_bytes())),
    )
}

/// The client that sends these headers, with the software and the addresses that they name.
pub(crate) fn client(identity: Identity, headers: &HeaderMap) -> ClientHead {
    let headers = headers.iter();
    ClientHead::new(
        identity,
        headers.map(|(name, value)| (name.as_str(), value.as_bytes())),
    )
}

/// The form of a body, as its head names it.
pub(crate) fn form(headers: &HeaderMap) -> Result<Representation, Unreadable> {
    Representation::new(
        headers
            .get_all(CONTENT_TYPE)
            .iter()
            .map(HeaderValue::as_bytes),
        headers
            .get_all(CONTENT_ENCODING)
            .iter()
            .map(HeaderValue::as_bytes),
    )
}

/// The content codings of a body; `None` if one of them cannot be decoded.
pub(crate) fn codings(headers: &HeaderMap) -> Option<Vec<Coding>> {
    live::codings(
        headers
            .get_all(CONTENT_ENCODING)
            .iter()
            .map(HeaderValue::as_bytes),
    )
}

/// Makes a head true again after the codings of its body were undone.
pub(crate) fn decoded(headers: &mut HeaderMap) {
    for name in live::CODED_HEADERS {
        headers.remove(name);
    }
}

/// Whether a request accepts a stream of events.
pub(crate) fn accepts_events(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(ACCEPT).iter();
    values.any(|value| live::accepts_events(value.as_bytes()))
}

/// Whether a body is of this media type.
pub(crate) fn is_media(headers: &HeaderMap, wanted: &str) -> bool {
    let media = first(headers, &CONTENT_TYPE);
    media.is_some_and(|media| live::is_media_type(media.as_bytes(), wanted))
}
