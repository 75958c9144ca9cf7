//! Helpers for rules about bodies and streams: media types, and whether a part has a message.

use crate::rules::prelude::*;

pub(super) const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";

/// Whether a `Content-Type` is this one, with any parameters.
pub(super) fn is_type(value: &str, wanted: &str) -> bool {
    essence(value).eq_ignore_ascii_case(wanted)
}

/// Whether `Accept` lists a type by name.
pub(super) fn names(headers: Headers<'_>, wanted: &str) -> bool {
    listed(headers).any(|range| range.eq_ignore_ascii_case(wanted))
}

/// Whether `Accept` lists a type, by name or by a range.
pub(super) fn accepts(headers: Headers<'_>, wanted: &str) -> bool {
    let family = wanted.split('/').next().unwrap_or_default();
    listed(headers).any(|range| match range.strip_suffix("/*") {
        Some(any) => any == "*" || any.eq_ignore_ascii_case(family),
        None => range.eq_ignore_ascii_case(wanted),
    })
}

/// The headers of a POST of Streamable HTTP with a message. In revisions without a handshake the
/// headers of notifications are not specified.
pub(super) fn posted<'a>(transfer: &Transfer<'a>, session: &Session) -> Option<Headers<'a>> {
    let Part::Request {
        method: "POST",
        headers,
        ..
    } = transfer.http.part
    else {
        return None;
    };
    let is_judged = match transfer.message {
        Some(message) if transfer.revision.has(Fact::Stateless) => {
            message.kind() == MessageKind::Request
        }
        Some(_) => is_message(transfer),
        None => {
            transfer.revision.has(Fact::Batches)
                && transfer.body.trim_ascii_start().starts_with(b"[")
        }
    };
    // A source without headers shows none.
    let http = &session.state.http;
    let is_known = !headers.0.is_empty()
        && !http.has_two_endpoints()
        && !http.goes_to_second_endpoint(transfer);
    (is_judged && is_known).then_some(headers)
}

/// Whether the part has a JSON-RPC message.
pub(super) fn is_message(transfer: &Transfer<'_>) -> bool {
    transfer.message.is_some_and(|message| {
        matches!(
            message.kind(),
            MessageKind::Request
                | MessageKind::Notification
                | MessageKind::Response
                | MessageKind::Error
        )
    })
}

/// Whether a fault of the content was already reported.
pub(super) fn is_faulty(transfer: &Transfer<'_>) -> bool {
    !transfer.frame.empty && transfer.message.is_none_or(|message| !message.sound)
}

/// Whether an event that clients do not read as a message has one all the same.
pub(super) fn hides_message(transfer: &Transfer<'_>) -> bool {
    let member = b"\"jsonrpc\"";
    let Part::Event { name, .. } = transfer.http.part else {
        return false;
    };
    name.is_some_and(|name| !matches!(name, "" | "message"))
        && transfer
            .body
            .windows(member.len())
            .any(|window| window == member)
}

fn listed(headers: Headers<'_>) -> impl Iterator<Item = &str> {
    headers
        .all("accept")
        .flat_map(|(_, value)| value.split(','))
        .map(essence)
}

fn essence(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_name_their_types() {
        for (accept, json, events) in [
            ("application/json, text/event-stream", true, true),
            ("Application/JSON;q=0.9,text/event-stream;q=0.1", true, true),
            ("*/*", true, true),
            ("application/*, text/*;q=0.5", true, true),
            ("application/json", true, false),
            ("text/plain", false, false),
            ("", false, false),
        ] {
            let pairs = [("Accept", accept)];
            let headers = Headers(&pairs);
            assert_eq!(accepts(headers, JSON), json, "{accept}");
            assert_eq!(accepts(headers, EVENTS), events, "{accept}");
        }
        assert!(!names(Headers(&[("accept", "*/*")]), EVENTS));
    }
}
