//! The dialogues and examples of the repository as inputs of the fuzz target `session`.
//!
//! Inputs are derived, so none of them is part of the repository: `cargo xtask fuzz-corpus FOLDER`
//! writes them. `mcp_assay_live::fuzzing` has the notation.

mod script;

use std::fs;

use mcp_assay::rules;

use self::script::{interleaved, script};
use crate::dialogue::Dialogue;
use crate::pages;
use crate::sections::{Block, blocks, sections};

/// An input, and where it comes from.
pub struct Seed {
    /// A name for its file.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// The rule on whose page it stands, and whether it keeps to it.
    pub example: Option<Example>,
}

impl Seed {
    fn new(name: String, bytes: Vec<u8>) -> Self {
        Self {
            name,
            bytes,
            example: None,
        }
    }
}

/// An example on the page of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Example {
    /// It keeps to the rule.
    Good(&'static str),
    /// It violates the rule.
    Bad(&'static str),
}

/// Every dialogue and every example, and neighbours among the dialogues as two sessions at once.
///
/// # Panics
///
/// If one of them cannot be read: they are parts of tests.
#[must_use]
pub fn seeds() -> Vec<Seed> {
    let mut seeds = examples_of_rules();
    for (position, dialogue) in dialogues_in("covered").iter().enumerate() {
        seeds.push(Seed::new(format!("covered-{position}"), script(dialogue)));
    }
    let dialogues = dialogues_in("conversations");
    for (position, dialogue) in dialogues.iter().enumerate() {
        seeds.push(Seed::new(
            format!("conversation-{position}"),
            script(dialogue),
        ));
    }
    for (position, pair) in dialogues.windows(2).enumerate() {
        let name = format!("conversations-{position}-{}", position + 1);
        seeds.push(Seed::new(name, interleaved(&pair[0], &pair[1])));
    }
    seeds
}

fn examples_of_rules() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for rule in rules::all() {
        let blocks = blocks(rule.page()).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
        for (position, block) in blocks.iter().enumerate() {
            let Some(dialogue) = dialogue(rule.name, block) else {
                continue;
            };
            // A schema of one's own is no part of a script.
            let has_own_schema = dialogue.options.iter().any(|option| option != "raw");
            let example = if block.info.starts_with("mcp,good,") {
                Example::Good(rule.name)
            } else {
                Example::Bad(rule.name)
            };
            seeds.push(Seed {
                name: format!("{}-{position}", rule.name.replace('/', "-")),
                bytes: script(&dialogue),
                example: Some(example).filter(|_| !has_own_schema),
            });
        }
    }
    seeds
}

fn dialogues_in(folder: &str) -> Vec<Dialogue> {
    let mut dialogues = Vec::new();
    for path in pages(folder) {
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).expect("a file of this test can be read");
        for section in sections(&text).unwrap_or_else(|error| panic!("{name}: {error}")) {
            let blocks = section.blocks.iter();
            dialogues.extend(blocks.filter_map(|block| dialogue(&name, block)));
        }
    }
    dialogues
}

/// The dialogue of a block, if it is one.
fn dialogue(name: &str, block: &Block<'_>) -> Option<Dialogue> {
    let options = block.info.strip_prefix("mcp,")?;
    let options = options.strip_prefix("good,").unwrap_or(options);
    let options = options.strip_prefix("bad,").unwrap_or(options);
    Some(Dialogue::read(name, options, block.lines.iter().copied()))
}
