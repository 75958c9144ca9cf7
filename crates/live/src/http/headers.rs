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

/// Whether a value of `Accept` names a stream of events.
#[must_use]
pub fn accepts_events(value: &[u8]) -> bool {
    memchr::memmem::find(&value.to_ascii_lowercase(), b"event-stream").is_some()
}

/// Whether a value of `Location` leads to another server than the one with this `Host`. Readers
/// take a backslash for a slash, and leave out control characters.
#[must_use]
pub fn leads_elsewhere(location: &[u8], host: Option<&[u8]>) -> bool {
    let plain = |byte: &u8| if *byte == b'\\' { b'/' } else { *byte };
    let location: Vec<u8> = location
        .iter()
        .filter(|byte| **byte > b' ')
        .map(plain)
        .collect();
    let rest = if let Some(rest) = location.strip_prefix(b"//") {
        rest
    } else {
        let scheme = location
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        let rest = location.get(scheme.count()..).unwrap_or_default();
        let Some(rest) = rest.strip_prefix(b":") else {
            return false;
        };
        let slashes = rest.iter().take_while(|byte| **byte == b'/').count();
        rest.get(slashes..).unwrap_or_default()
    };
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let authority = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    !host.is_some_and(|host| host.trim_ascii().eq_ignore_ascii_case(authority))
}

/// The reason to refuse a request whose head says something of MCP twice: receivers disagree on
/// which of them counts.
pub fn contradiction<'h>(names: impl IntoIterator<Item = &'h str>) -> Option<&'static str> {
    let mut seen = [false; ONCE.len()];
    for name in names {
        let known = ONCE
            .iter()
            .position(|(once, _)| once.eq_ignore_ascii_case(name));
        if let Some(at) = known
            && std::mem::replace(&mut seen[at], true)
        {
            return Some(ONCE[at].1);
        }
    }
    None
}

/// The headers that a request has once, and the reason to refuse a second one.
const ONCE: [(&str, &str); 4] = [
    (SESSION_ID, "the head names several sessions"),
    (PROTOCOL_VERSION, "the head names several protocol versions"),
    ("mcp-method", "the head names several methods"),
    ("mcp-name", "the head names several names"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_elsewhere_are_found() {
        let leads = |location: &str| leads_elsewhere(location.as_bytes(), Some(b"localhost:80"));
        for here in [
            "/mcp/",
            "mcp?x=http://evil/",
            "",
            "http://LOCALHOST:80/a",
            "//localhost:80",
        ] {
            assert!(!leads(here), "{here}");
        }
        for elsewhere in [
            "http://evil.example/mcp",
            "//evil.example/mcp",
            "/\\evil.example",
            "\thttp:/evil.example",
            "http://localhost:80@evil.example/",
            "http://localhost/",
            "HTTPS:evil.example",
        ] {
            assert!(leads(elsewhere), "{elsewhere}");
        }
        assert!(leads_elsewhere(b"http://a/", None));
    }

    #[test]
    fn headers_of_mcp_stand_once() {
        assert_eq!(
            contradiction(["a", "a", "mcp-session-id", "mcp-name"]),
            None
        );
        let twice = contradiction(["mcp-session-id", "b", "Mcp-Session-Id"]);
        assert_eq!(twice, Some("the head names several sessions"));
    }
}
