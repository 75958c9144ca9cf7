//! Heads of HTTP.

use crate::envelope::MessageKind;
use crate::frame::{Headers, Part};
use crate::session::message::{Message, Transfer};

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

/// A `POST` with a JSON-RPC request: its headers and the request. A source without headers shows
/// none.
pub(crate) fn posted_request<'a>(
    transfer: &Transfer<'a>,
) -> Option<(Headers<'a>, &'a Message<'a>)> {
    let (method, _, headers) = request_head(transfer)?;
    let message = transfer
        .message
        .filter(|message| message.kind() == MessageKind::Request)?;
    (method == "POST" && !headers.0.is_empty()).then_some((headers, message))
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
