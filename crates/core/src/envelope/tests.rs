//! Tests that the scanner and the key-by-key reader find the same envelope.

use super::{Envelope, Member};
use crate::syntax::{ScanLimits, Tape, scan};

const MESSAGES: [&str; 12] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":12345678,"method":"ping","params":{"a":{"b":[1,"c"]}},"id":7}"#,
    r#"{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/\u0070rogress","params":{"progress":1}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":50,"total":100,"_meta":{}}}"#,
    r#"{"jsonrpc":"2.0","id":"1","method":"ping","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"é"}]},"jsonrpc":"1.0"}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
    r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no","data":null},"method":"x"}"#,
    r#"{"jsonrpc":"2.0","id":5,"method":"ping","result":{"a":1}}"#,
    r#"{"jsonrpc":"2.0","params":{"a":1}}"#,
    r#"{"jsonrpc":"2.0","result":{"a":1}}"#,
];

/// Compares the envelope from the scanner's head with the one from reading every key.
fn agrees(bytes: &[u8], tape: &mut Tape) {
    let text = String::from_utf8_lossy(bytes);
    if scan(bytes, &ScanLimits::DEFAULT, tape).is_err() {
        return;
    }
    let Some(root) = tape.root(bytes) else {
        return;
    };
    let mut seen = Envelope::unread(root);
    seen.find_members(tape.head());
    let read = Envelope::read(root);
    assert_eq!(seen.kind, read.kind, "{text}");
    assert_eq!(seen.is_sound(), read.is_sound(), "{text}");
    let members = [
        Member::Version,
        Member::Id,
        Member::Method,
        Member::Params,
        Member::Result,
        Member::Error,
    ];
    for member in members {
        let (seen, read) = (seen.position(member).get(), read.position(member).get());
        assert_eq!(seen, read, "{text}");
    }
    if let Some(digits) = seen.known_id() {
        let id = seen.id().expect("it was seen");
        let known = digits.to_le_bytes();
        let length = known.iter().take_while(|digit| **digit != 0).count();
        assert_eq!(id.raw(), &known[..length], "{text}");
    }
}

#[test]
fn an_envelope_seen_is_the_envelope_read() {
    let mut tape = Tape::new();
    for message in MESSAGES {
        let message = message.as_bytes();
        for end in 0..=message.len() {
            agrees(&message[..end], &mut tape);
        }
        for at in 0..message.len() {
            for byte in *b"\"\\,:{}[] 0a.-\n\x00\x7f\xff" {
                let mut changed = message.to_vec();
                changed[at] = byte;
                agrees(&changed, &mut tape);
                changed[at] = message[at];
                changed.insert(at, byte);
                agrees(&changed, &mut tape);
            }
            let mut changed = message.to_vec();
            changed.remove(at);
            agrees(&changed, &mut tape);
        }
    }
}
