//! Attacks by streams of events.

use super::table::{Attack, BAD_RESULT, Over, STRAY_RESULT, STREAM};
use crate::table::Sender;

const GOOD_LIST: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#;
const SECOND: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"evil","inputSchema":{"type":"object"}}]}}"#;

pub(super) fn attacks() -> Vec<Attack> {
    let (head, tail) = BAD_RESULT.split_at(25);
    let spelt = SECOND.replace("\"id\":2", "\"id\":2.0");
    let streams = [
        (
            "lines that end in carriage returns",
            format!("event: message\rdata: {BAD_RESULT}\r\r"),
        ),
        (
            "lines that end in several ways",
            format!("event: message\r\ndata: {BAD_RESULT}\n\r\n"),
        ),
        (
            "data in two lines",
            format!("data: {head}\ndata: {tail}\n\n"),
        ),
        ("data without a space", format!("data:{BAD_RESULT}\n\n")),
        ("data behind a tab", format!("data:\t{BAD_RESULT}\n\n")),
        (
            "a byte order mark",
            format!("\u{feff}data: {BAD_RESULT}\n\n"),
        ),
        (
            "an id with a NUL",
            format!("id: a\0b\ndata: {BAD_RESULT}\n\n"),
        ),
        (
            "an event without its end",
            format!("data: {GOOD_LIST}\n\ndata: {SECOND}\n"),
        ),
        (
            "a line without its end",
            format!("data: {GOOD_LIST}\n\ndata: {SECOND}"),
        ),
        (
            "two answers with one id",
            format!("data: {GOOD_LIST}\n\ndata: {SECOND}\n\n"),
        ),
        (
            "a second spelling of an id",
            format!("data: {GOOD_LIST}\n\ndata: {spelt}\n\n"),
        ),
        (
            "an answer to nobody",
            format!("data: {STRAY_RESULT}\n\ndata: {GOOD_LIST}\n\n"),
        ),
        (
            "an answer behind an unreadable event",
            format!("data: {{\n\ndata: {BAD_RESULT}\n\n"),
        ),
        (
            "an event behind comments",
            format!(": a\n:\n\n: b\ndata: {BAD_RESULT}\n\n"),
        ),
        ("a message that is no event", BAD_RESULT.to_owned()),
        (
            "a name of another event behind the data",
            format!("data: {BAD_RESULT}\nevent: ping\n\n"),
        ),
    ];
    streams
        .map(|(name, text)| Attack {
            name,
            sender: Sender::Server,
            over: Over::Http,
            headers: STREAM,
            bytes: text.into_bytes(),
            rule: None,
        })
        .into()
}
