//! Every text again at every distance from a border of the scanner's 64-byte blocks.

use mcp_assay::Limits;
use mcp_assay::syntax::FaultKind::UnterminatedString;
use mcp_assay::syntax::{Tape, scan};

use crate::accept::TEXTS;
use crate::reject::{IN_STRING, LOCAL};
use crate::support::{accepts, refuses};

/// Two blocks and a little.
const FARTHEST: usize = 130;

#[test]
fn spaces_before_json_change_nothing() {
    for text in TEXTS {
        for distance in 0..=FARTHEST {
            accepts(&[&vec![b' '; distance], text.as_bytes()].concat());
        }
    }
}

#[test]
fn a_string_before_json_changes_nothing() {
    for text in TEXTS {
        for distance in 0..=FARTHEST {
            accepts(format!("[\"{}\",{text}]", "x".repeat(distance)).as_bytes());
            accepts(format!("{{\"{}\":{text}}}", "é".repeat(distance / 2)).as_bytes());
        }
    }
}

#[test]
fn spaces_before_a_fault_only_move_it() {
    for &(text, kind, start, end) in LOCAL.iter().chain(IN_STRING) {
        for distance in 0..=FARTHEST {
            refuses(
                &[&vec![b' '; distance], text].concat(),
                kind,
                start + distance,
                end + distance,
            );
        }
    }
}

#[test]
fn a_string_before_a_fault_only_moves_it() {
    for &(text, kind, start, end) in LOCAL.iter().chain(IN_STRING) {
        for distance in 0..=FARTHEST {
            let before = format!("[\"{}\",", "x".repeat(distance));
            let moved = before.len();
            refuses(
                &[before.as_bytes(), text, b"]"].concat(),
                kind,
                start + moved,
                end + moved,
            );
        }
    }
}

#[test]
fn a_longer_string_only_moves_the_fault_in_it() {
    for &(text, kind, start, end) in IN_STRING {
        for filler in ["x", "\\n", "\\\\", "é"] {
            for count in 0..=FARTHEST / filler.len() {
                let before = filler.repeat(count);
                let moved = before.len();
                refuses(
                    &[b"\"", before.as_bytes(), &text[1..]].concat(),
                    kind,
                    start + moved,
                    end + moved,
                );
            }
        }
    }
}

#[test]
fn runs_of_backslashes_across_borders() {
    for distance in 0..=FARTHEST {
        for run in 0..=70 {
            let text = format!("\"{}{}\"", "x".repeat(distance), "\\".repeat(run));
            if run % 2 == 0 {
                accepts(text.as_bytes());
                accepts(format!("[{text},1]").as_bytes());
            } else {
                // The last backslash escapes the closing quote.
                refuses(text.as_bytes(), UnterminatedString, 0, text.len());
                accepts(format!("{text}\"").as_bytes());
            }
        }
    }
}

#[test]
fn text_that_ends_in_a_string_is_told_from_its_opening_quote() {
    for before in ["", " ", "[1,"] {
        for inside in ["x", "\\n", "\\\\", "\\u0041", "é"] {
            for count in 0..=FARTHEST {
                for last in ["", "\\"] {
                    let text = format!("{before}\"{}{last}", inside.repeat(count));
                    refuses(
                        text.as_bytes(),
                        UnterminatedString,
                        before.len(),
                        text.len(),
                    );
                }
            }
        }
    }
}

#[test]
fn surrogate_pairs_across_borders() {
    for filler in ["x", "\\n", "\\\\"] {
        for count in 0..=FARTHEST {
            let before = filler.repeat(count);
            let at = before.len() as u32 + 1;
            for (escapes, place) in [
                (r"\ud83e\udd80", None),
                (r"\u0041\u0042", None),
                (r"\ud83e", Some((at, at + 6))),
                (r"\udd80", Some((at, at + 6))),
                (r"\ud83e\ud83e\udd80", Some((at, at + 6))),
                (r"\ud83e\udd80\udd80", Some((at + 12, at + 18))),
                (r"\\ud83e\udd80", Some((at + 7, at + 13))),
            ] {
                let text = format!("\"{before}{escapes}\"");
                let mut tape = Tape::new();
                scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
                assert_eq!(tape.lone_surrogate(), place, "for {text}");
            }
        }
    }
}

#[test]
fn tokens_stay_in_place_at_every_border() {
    for distance in 0..=FARTHEST {
        let pad = " ".repeat(distance);
        let text = format!("{pad}{{\"key\":[\"va\\\"lue\",-1.5e3,{{}}],\"\\u006b\":null}}{pad}");
        let mut tape = Tape::new();
        scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
        let raw: Vec<_> = tape
            .tokens()
            .iter()
            .map(|token| &text[token.start as usize..token.end as usize])
            .collect();
        let expected = [
            text.trim(),
            "\"key\"",
            "[\"va\\\"lue\",-1.5e3,{}]",
            "\"va\\\"lue\"",
            "-1.5e3",
            "{}",
            "\"\\u006b\"",
            "null",
        ];
        assert_eq!(raw, expected, "at {distance}");
        let root = tape.root(text.as_bytes()).expect("a value");
        assert!(
            root.get("k").is_some() && root.get("key").is_some(),
            "at {distance}"
        );
    }
}
