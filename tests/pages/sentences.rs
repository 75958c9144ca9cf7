//! Every sentence that a rule can show: its title, its remedy, and the messages of its examples.
//! They are kept in `sentences.txt`, so that a change of wording is read by somebody;
//! `UPDATE=1 cargo test -p mcp-assay-tests --test pages sentences` writes it.

use std::fmt::Write;
use std::fs;

use mcp_assay_testkit::sentences::faults;

use super::{pairs, rules};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pages/sentences.txt");

#[test]
fn sentences_are_those_that_were_read() {
    let mut text = String::new();
    let mut wrong = Vec::new();
    for rule in rules::all() {
        let _ = writeln!(
            text,
            "{}\n  {}\n  fix: {}",
            rule.name,
            rule.summary(),
            rule.help
        );
        let mut shown = Vec::new();
        for (_, bad) in pairs(rule) {
            for sentence in bad.run(bad.dialogue.revision, rule).sentences {
                if !shown.contains(&sentence) {
                    let _ = writeln!(text, "  - {sentence}");
                    shown.push(sentence);
                }
            }
        }
        shown.extend([rule.summary().to_owned(), rule.help.to_owned()]);
        for sentence in shown {
            for fault in faults(&sentence) {
                wrong.push(format!("{}: {fault}: {sentence}", rule.name));
            }
        }
        text.push('\n');
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(KEPT, &text).unwrap();
    }
    let kept = fs::read_to_string(KEPT).unwrap();
    let changed: Vec<_> = text
        .lines()
        .filter(|line| !kept.contains(line))
        .take(20)
        .collect();
    assert!(
        kept == text,
        "sentences changed; read them, then run with UPDATE=1:\n{}",
        changed.join("\n")
    );
}
