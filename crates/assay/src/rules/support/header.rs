//! Heads of HTTP, and values that are mirrored into them.

use crate::envelope::MessageKind;
use crate::frame::{Headers, Part};
use crate::message::{Message, Transfer};

/// The method, path and headers of a request.
pub(crate) fn request_head<'a>(transfer: &Transfer<'a>) -> Option<(&'a str, &'a str, Headers<'a>)> {
    match transfer.http.part {
        Part::Request {
            method,
            path,
            headers,
        } => Some((method, path, headers)),
        _ => None,
    }
}

/// The status and headers of a response.
pub(crate) fn response_head<'a>(transfer: &Transfer<'a>) -> Option<(u16, Headers<'a>)> {
    match transfer.http.part {
        Part::Response {
            status, headers, ..
        } => Some((status, headers)),
        _ => None,
    }
}

/// A `POST` with a JSON-RPC request: its headers and the request.
pub(crate) fn posted_request<'a>(
    transfer: &Transfer<'a>,
) -> Option<(Headers<'a>, &'a Message<'a>)> {
    let (method, _, headers) = request_head(transfer)?;
    let message = transfer
        .message
        .filter(|message| message.kind() == MessageKind::Request)?;
    (method == "POST").then_some((headers, message))
}

/// A value that is mirrored into a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mirror<'a> {
    /// As it is.
    Plain(&'a str),
    /// In the base64 form.
    Encoded(String),
    /// As it is, although it cannot be.
    Unsafe,
    /// In the base64 form, but not well.
    Malformed,
}

impl<'a> Mirror<'a> {
    /// Reads the value of a header.
    pub(crate) fn read(value: &'a str) -> Self {
        let inner = value
            .strip_prefix("=?base64?")
            .and_then(|rest| rest.strip_suffix("?="));
        if let Some(inner) = inner {
            let decoded = base64_simd::STANDARD.decode_to_vec(inner.as_bytes()).ok();
            let text = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
            return text.map_or(Self::Malformed, Self::Encoded);
        }
        let looks_encoded = value
            .get(..9)
            .is_some_and(|head| head.eq_ignore_ascii_case("=?base64?"))
            || (value.starts_with("=?base64") && value.ends_with("?="));
        if looks_encoded {
            return Self::Malformed;
        }
        let plain = value
            .bytes()
            .all(|byte| matches!(byte, 0x20..=0x7e | b'\t'));
        if plain && value.trim() == value {
            Self::Plain(value)
        } else {
            Self::Unsafe
        }
    }

    /// The value, if it can be told.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Plain(text) => Some(text),
            Self::Encoded(text) => Some(text),
            Self::Unsafe | Self::Malformed => None,
        }
    }
}

/// Every header into which something is mirrored: position and value.
pub(crate) fn mirrors<'a>(headers: Headers<'a>) -> impl Iterator<Item = (u16, &'a str)> {
    headers
        .iter()
        .filter(|(_, name, _)| {
            name.eq_ignore_ascii_case("mcp-name")
                || name
                    .get(..10)
                    .is_some_and(|head| head.eq_ignore_ascii_case("mcp-param-"))
        })
        .map(|(position, _, value)| (position, value))
}

/// A parameter of a challenge in `WWW-Authenticate`.
pub(crate) fn challenge_parameter<'a>(challenge: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = challenge;
    while let Some(at) = rest.find('=') {
        let (before, after) = rest.split_at(at);
        let key = before.rsplit([' ', ',', '\t']).next().unwrap_or_default();
        let after = after.get(1..).unwrap_or_default().trim_start();
        let (value, behind) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_at(after.find([',', ' ']).unwrap_or(after.len())),
        };
        if key.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = behind;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_values_are_plain_or_in_base64() {
        assert_eq!(Mirror::read("search"), Mirror::Plain("search"));
        assert_eq!(
            Mirror::read("=?base64?Zm9v?="),
            Mirror::Encoded("foo".to_owned())
        );
        for malformed in [
            "=?BASE64?Zm9v?=",
            "=?base64?Zm9?=",
            "=?base64?/w==?=",
            "=?base64?Zm9v",
        ] {
            assert_eq!(Mirror::read(malformed), Mirror::Malformed, "{malformed}");
        }
        for unsafe_value in ["Grüße", " x", "a\u{1}"] {
            assert_eq!(Mirror::read(unsafe_value), Mirror::Unsafe, "{unsafe_value}");
        }
    }

    #[test]
    fn parameters_of_a_challenge_are_found_with_and_without_quotes() {
        let challenge =
            r#"Bearer error="insufficient_scope", scope="a b", resource_metadata=https://x/y"#;
        assert_eq!(
            challenge_parameter(challenge, "error"),
            Some("insufficient_scope")
        );
        assert_eq!(challenge_parameter(challenge, "scope"), Some("a b"));
        assert_eq!(
            challenge_parameter(challenge, "resource_metadata"),
            Some("https://x/y")
        );
        assert_eq!(challenge_parameter("Bearer", "scope"), None);
    }
}
