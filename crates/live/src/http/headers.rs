//! Headers as the check reads them, whatever crate an adapter has them from.

use std::borrow::Cow;

use mcp_assay::Revision;

/// The header that names a session.
pub const SESSION_ID: &str = "mcp-session-id";

/// The header that names a revision.
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";

/// Headers as texts, in their order; a value may be any bytes.
pub fn header_texts<'h>(
    headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
) -> Vec<(&'h str, Cow<'h, str>)> {
    headers
        .into_iter()
        .map(|(name, value)| (name, String::from_utf8_lossy(value)))
        .collect()
}

/// The same, borrowed, for [`mcp_assay::Headers`].
pub fn header_pairs<'t>(texts: &'t [(&'t str, Cow<'t, str>)]) -> Vec<(&'t str, &'t str)> {
    texts
        .iter()
        .map(|(name, value)| (*name, &**value))
        .collect()
}

/// The revision that a value of [`PROTOCOL_VERSION`] names.
#[must_use]
pub fn header_revision(value: &[u8]) -> Option<Revision> {
    Revision::from_bytes(value.trim_ascii())
}

/// Whether a value of `Content-Type` is of this media type.
#[must_use]
pub fn is_media_type(value: &[u8], wanted: &str) -> bool {
    let essence = value.split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes())
}
