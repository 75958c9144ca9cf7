//! Whole dialogues, with the expected violations drawn in.
//!
//! The files beside this one hold them, one heading each, in blocks ` ```mcp,<revision>,<options>
//! `; behind the carets stands the name of the rule. `UPDATE=1` is not offered: what is expected is
//! for people to say.

mod directions;
mod faults;

use std::collections::BTreeSet;
use std::fs;

use mcp_assay::Revision;
use mcp_assay_testkit::dialogue::Dialogue;
use mcp_assay_testkit::pages;
use mcp_assay_testkit::sections::sections;

/// A dialogue with its place.
struct Conversation {
    name: String,
    dialogue: Dialogue,
}

#[test]
fn every_dialogue_raises_what_is_drawn_and_nothing_else() {
    let mut wrong = Vec::new();
    for Conversation { name, dialogue } in conversations() {
        let outcome = dialogue.run(dialogue.revision, None);
        if !outcome.agrees() {
            wrong.push(format!(
                "{name}\n  drawn {:?}\n  found {:?}",
                outcome.drawn, outcome.found
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_sixty_over_all_revisions_and_both_carriers() {
    let all = conversations();
    assert!(all.len() >= 60, "{} dialogues", all.len());
    for revision in Revision::ALL {
        for http in [false, true] {
            let found = all.iter().any(|conversation| {
                let dialogue = &conversation.dialogue;
                dialogue.revision == revision && dialogue.uses_http() == http
            });
            assert!(found, "{revision}, over HTTP: {http}");
        }
    }
    let names: BTreeSet<_> = all.iter().map(|conversation| &conversation.name).collect();
    assert_eq!(names.len(), all.len(), "two dialogues have the same name");
}

fn conversations() -> Vec<Conversation> {
    let paths = pages("conversations");
    let mut all = Vec::new();
    for path in paths {
        let file = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        let file = file.expect("files have names");
        let text = fs::read_to_string(&path).expect("a file of this test can be read");
        for section in sections(&text).unwrap_or_else(|error| panic!("{file}: {error}")) {
            let name = format!("{file}: {}", section.heading);
            let [block] = &section.blocks[..] else {
                panic!("{name}: one dialogue is expected");
            };
            let options = block
                .info
                .strip_prefix("mcp,")
                .unwrap_or_else(|| panic!("{name}: `{}` is not run", block.info));
            let dialogue = Dialogue::read(&name, options, block.lines.iter().copied());
            for option in &dialogue.options {
                assert!(option == "raw", "{name}: unknown option `{option}`");
            }
            all.push(Conversation { name, dialogue });
        }
    }
    all
}
