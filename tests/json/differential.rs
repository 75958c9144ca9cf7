//! The scanner and `serde_json` on random texts: both accept, or both refuse.

use mcp_assay::Limits;
use mcp_assay::syntax::{Kind, Tape, scan};
use mcp_assay_testkit::Random;
use serde_json::Value;

use crate::accept::TEXTS;
use crate::reject::{IN_STRING, LOCAL};
use crate::support::show;

const ROUNDS: usize = 200_000;

#[test]
fn agrees_with_serde_json() {
    let seeds: Vec<&[u8]> = TEXTS
        .iter()
        .map(|text| text.as_bytes())
        .chain(LOCAL.iter().chain(IN_STRING).map(|case| case.0))
        .collect();
    let mut random = Random::new(1);
    let mut tape = Tape::new();
    let mut accepted = 0;
    for _ in 0..ROUNDS {
        let mut text = grow(&mut random, &seeds);
        for _ in 0..random.below(4) {
            damage(&mut random, &mut text);
        }
        accepted += usize::from(compare(&text, &mut tape));
    }
    // A generator that makes only rubbish, or only JSON, tests nothing.
    assert!(
        (ROUNDS / 10..ROUNDS * 9 / 10).contains(&accepted),
        "{accepted} of {ROUNDS} are JSON"
    );
}

/// Joins a few seeds to a larger text.
fn grow(random: &mut Random, seeds: &[&[u8]]) -> Vec<u8> {
    let seed = |random: &mut Random| seeds[random.below(seeds.len())].to_vec();
    let mut text = seed(random);
    for _ in 0..random.below(4) {
        let other = seed(random);
        let pad = vec![b' '; random.below(70)];
        text = match random.below(4) {
            0 => [b"[", &pad[..], &text, b",", &other, b"]"].concat(),
            1 => [
                b"{\"key\":",
                &text[..],
                b",",
                &pad,
                b"\"k\\u0065y\":",
                &other,
                b"}",
            ]
            .concat(),
            2 => [
                b"[\"",
                &vec![b'x'; random.below(70)][..],
                b"\",",
                &text,
                b"]",
            ]
            .concat(),
            _ => [&pad[..], &text].concat(),
        };
    }
    text
}

fn damage(random: &mut Random, text: &mut Vec<u8>) {
    const BYTES: &[u8] =
        b"\"\\/[]{},:0123456789-+.eEtrufalsn \n\t\x00\x1f\x7f\x80\xc3\xa9\xed\xf0\xff'";
    let byte = BYTES[random.below(BYTES.len())];
    let at = random.below(text.len() + 1);
    match random.below(4) {
        0 => text.insert(at, byte),
        1 if at < text.len() => text[at] = byte,
        2 if at < text.len() => drop(text.remove(at)),
        _ => text.truncate(at),
    }
}

/// Whether both accept.
fn compare(text: &[u8], tape: &mut Tape) -> bool {
    let ours = scan(text, &Limits::DEFAULT.for_scan(), tape);
    let theirs = serde_json::from_slice::<Value>(text);
    match (&ours, &theirs) {
        (Ok(()), Ok(value)) => {
            let root = tape.root(text).expect("a scanned value");
            assert_eq!(kind_of(value), root.kind(), "for {}", show(text));
            true
        }
        (Err(_), Err(_)) => false,
        // JSON allows both; serde_json cannot hold them.
        (Ok(()), Err(_)) if tape.lone_surrogate().is_some() || has_huge_number(text, tape) => false,
        _ => panic!("for {}\nours: {ours:?}\nserde_json: {theirs:?}", show(text)),
    }
}

fn has_huge_number(text: &[u8], tape: &Tape) -> bool {
    let mut numbers = (0..)
        .zip(tape.tokens())
        .filter(|(_, token)| token.kind == Kind::Number);
    numbers.any(|(index, _)| tape.node(text, index).as_f64().is_infinite())
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(true) => Kind::True,
        Value::Bool(false) => Kind::False,
        Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    }
}
