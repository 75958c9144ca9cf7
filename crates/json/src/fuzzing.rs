//! Checks that the fuzz targets `scan` and `simd` run, and their stable twins. Not part of the
//! interface.
//!
//! Each function takes any bytes and panics only if a promise of the crate is broken.

use std::collections::BTreeSet;

use super::differential;
use super::limits::ScanLimits;
use super::node::Node;
use super::scan::scan;
use super::tape::Tape;
use super::token::Kind;

/// Scans bytes and reads everything that the tape offers.
///
/// # Panics
///
/// If a span leaves the message, the tape does not hang together, or a repeated key is missed.
pub fn scan_never_panics(bytes: &[u8]) {
    let mut tape = Tape::new();
    for limits in [
        ScanLimits::DEFAULT,
        ScanLimits {
            bytes: 4096,
            depth: 3,
            tokens: 24,
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
        // The last token has the longest way from the root; one is enough, for each walks the whole
        // tape.
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

/// Holds the lanes of this CPU against the portable ones.
///
/// # Panics
///
/// If they disagree.
pub fn lanes_agree(bytes: &[u8]) {
    assert!(
        differential::lanes_agree(bytes),
        "the lanes of this CPU differ from the portable ones"
    );
}
