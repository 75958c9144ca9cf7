//! What the fuzz targets and their stable twin in `tests/fuzz.rs` run. Not part of the interface.
//!
//! Each function takes any bytes and panics only where a promise of the crate is broken.

use std::collections::BTreeSet;

use crate::syntax::{self, Kind, Node, Tape, scan};
use crate::{Direction, Frame, Limits, Policy, Revision, Session, Validator, Verdict};

/// Scans bytes and reads everything that the tape offers.
///
/// # Panics
///
/// If a span leaves the message, the tape does not hang together, or a repeated key is missed.
pub fn scan_never_panics(bytes: &[u8]) {
    let mut tape = Tape::new();
    for limits in [
        Limits::DEFAULT,
        Limits {
            bytes: 4096,
            depth: 3,
            tokens: 24,
            ..Limits::DEFAULT
        },
    ] {
        if let Err(fault) = scan(bytes, &limits, &mut tape) {
            assert!(
                fault.start <= fault.end && fault.end as usize <= bytes.len(),
                "{fault:?} leaves the message"
            );
            continue;
        }
        assert!(
            core::str::from_utf8(bytes).is_ok(),
            "accepted, but not UTF-8"
        );
        let count = tape.tokens().len() as u32;
        let root = tape.root(bytes).expect("a scanned message has a value");
        assert_eq!(root.end(), count, "the value does not span the tape");
        for index in 0..count {
            let node = tape.node(bytes, index);
            assert!(!node.raw().is_empty(), "a token without bytes");
            let children = match node.kind() {
                Kind::Object => node
                    .members()
                    .map(|(key, value)| key.raw().len() + value.raw().len())
                    .sum(),
                Kind::Array => node.items().map(|item| item.raw().len()).sum::<usize>(),
                _ => 0,
            };
            assert!(
                children <= node.raw().len(),
                "children outgrow their container"
            );
            assert_eq!(
                node.text().is_some(),
                matches!(node.kind(), Kind::String | Kind::Key)
            );
            if node.is_exact_integer() {
                assert!(node.is_integer() && node.as_i64().is_some());
            }
        }
        assert_eq!(tape.repeated_keys(), repeated_by_hand(&tape, bytes));
        // The last token has the longest way from the root; one is enough, for each walks the whole tape.
        let _ = tape.node(bytes, count - 1).pointer();
    }
}

/// The keys that repeat an earlier one of their object, by comparing their texts.
fn repeated_by_hand(tape: &Tape, bytes: &[u8]) -> Vec<u32> {
    let mut repeated = Vec::new();
    for object in (0..tape.tokens().len() as u32).map(|index| tape.node(bytes, index)) {
        let mut seen = BTreeSet::new();
        let keys = object.members().map(|(key, _)| key);
        repeated.extend(keys.filter(|key| !seen.insert(key.text())).map(Node::index));
    }
    repeated.sort_unstable();
    repeated
}

/// Checks each line as a message of one session and words all that is found.
///
/// # Panics
///
/// If a span leaves the message, a sentence is empty, or stopping and collecting disagree.
pub fn check_never_panics(bytes: &[u8]) {
    let forced = Revision::ALL
        .get(bytes.len() % (Revision::COUNT + 1))
        .copied();
    for revision in [None, forced] {
        let mut policy = Policy {
            revision,
            ..Policy::default()
        };
        policy.limits.open_requests = 2;
        let mut validator = Validator::new(policy);
        let mut session = Session::new();
        for (line, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let frame = match line % 3 {
                0 => Frame::new(bytes).direction(Direction::ClientToServer),
                1 => Frame::new(bytes).direction(Direction::ServerToClient),
                _ => Frame::new(bytes),
            };
            let first = validator.first_violation(&session, frame);
            let checked = validator.check(&mut session, frame);
            let same = match (first, checked.violations().first()) {
                (None, None) => true,
                (Some(first), Some(found)) => first.rule == found.rule && first.span == found.span,
                _ => false,
            };
            assert!(same, "stopping and collecting disagree");
            assert_eq!(
                checked.verdict() == Verdict::Pass,
                checked.violations().is_empty()
            );
            let _ = (
                checked.kind(),
                checked.method(),
                checked.id().map(|id| id.text().is_some()),
            );
            // Hostile lines have thousands; each pointer walks the tape.
            for violation in checked.violations().iter().take(32) {
                let span = violation.span;
                assert!(
                    span.start <= span.end && span.end as usize <= bytes.len(),
                    "{span:?} leaves the message"
                );
                let (message, help) = (checked.message(violation), checked.help(violation));
                assert!(
                    !message.is_empty() && !help.is_empty(),
                    "{} has no words",
                    violation.rule.name
                );
                assert!(
                    !message.chars().any(char::is_control),
                    "a control character in: {message:?}"
                );
                let _ = (checked.level(violation), checked.pointer(violation));
            }
        }
    }
}

/// Holds the lanes of this CPU against the portable ones.
///
/// # Panics
///
/// If they disagree.
pub fn lanes_agree(bytes: &[u8]) {
    assert!(
        syntax::lanes_agree(bytes),
        "the lanes of this CPU differ from the portable ones"
    );
}
