//! Pairs of transcripts: one that keeps to a requirement, and one that breaks it and nothing else.
//!
//! A block is ` ```mcp,good,<revision> `, followed by ` ```mcp,bad,<revision>,<rule> `. Either may
//! end in `only`: the pair is about this revision alone. Otherwise it is tried in every revision
//! that its messages belong to.

use std::fs;
use std::path::Path;

use mcp_assay::{Direction, Layer, Level, Party, Revision, rules};
use mcp_assay_testkit::dialogue::{Dialogue, Found, Outcome};
use mcp_assay_testkit::pages;
use mcp_assay_testkit::sections::{Block, sections};

/// A requirement that the model covers.
pub(crate) struct Covered {
    pub(crate) id: String,
    pub(crate) sentence: String,
    pub(crate) pairs: Vec<Pair>,
}

/// Examples that keep to a requirement, and that break it.
pub(crate) struct Pair {
    pub(crate) revision: Revision,
    /// Whether it is tried in its own revision alone.
    pub(crate) only: bool,
    /// The rule that the bad one raises.
    pub(crate) rule: String,
    good: Dialogue,
    bad: Dialogue,
}

/// The requirements of all files in this folder.
pub(crate) fn covered() -> Vec<Covered> {
    let paths = pages("covered");
    paths.iter().flat_map(|path| read(path)).collect()
}

fn read(path: &Path) -> Vec<Covered> {
    let family = path.file_stem().and_then(|name| name.to_str());
    let family = family.expect("files have names of families");
    let text = fs::read_to_string(path).expect("a file of this test can be read");
    let sections = sections(&text).unwrap_or_else(|error| panic!("{family}: {error}"));
    let covered = sections.iter().map(|section| {
        let id = section.heading.to_owned();
        assert_eq!(
            id.split_once('/').map(|(family, _)| family),
            Some(family),
            "{id} is in the file of another family"
        );
        assert!(
            section.blocks.len().is_multiple_of(2),
            "{id}: a good example without a bad one"
        );
        let pairs = section.blocks.chunks_exact(2);
        Covered {
            sentence: section.prose.join(" "),
            pairs: pairs
                .map(|pair| Pair::read(&id, &pair[0], &pair[1]))
                .collect(),
            id,
        }
    });
    covered.collect()
}

impl Pair {
    fn read(id: &str, good: &Block<'_>, bad: &Block<'_>) -> Self {
        let words: Vec<_> = good.info.split(',').collect();
        let ["mcp", "good", good_revision, good_options @ ..] = &words[..] else {
            panic!("{id}: `{}` is not a good example", good.info);
        };
        let words: Vec<_> = bad.info.split(',').collect();
        let ["mcp", "bad", bad_revision, bad_options @ .., rule] = &words[..] else {
            panic!("{id}: `{}` is not a bad example", bad.info);
        };
        assert_eq!(
            (good_revision, good_options),
            (bad_revision, bad_options),
            "{id}: the examples of a pair are about the same"
        );
        let only = match good_options {
            [] => false,
            ["only"] => true,
            _ => panic!("{id}: unknown option in `{}`", good.info),
        };
        let dialogue = |block: &Block<'_>| {
            let mut dialogue = Dialogue::read(id, good_revision, block.lines.iter().copied());
            // What one message shows, with the request it answers: examples begin where they have
            // to, not with a handshake.
            let own = rules::find(rule).map(|rule| rule.layer);
            dialogue.policy.layers = [Layer::Framing, Layer::Json, Layer::Jsonrpc, Layer::Schema]
                .into_iter()
                .chain(own)
                .collect();
            dialogue
        };
        let pair = Self {
            revision: good_revision
                .parse()
                .unwrap_or_else(|error| panic!("{id}: {error}")),
            only,
            rule: (*rule).to_owned(),
            good: dialogue(good),
            bad: dialogue(bad),
        };
        assert_eq!(pair.good.marks(), 0, "{id}: carets in a good example");
        assert_eq!(pair.bad.marks(), 1, "{id}: a bad example has one fault");
        pair
    }

    /// The party at fault in the bad one.
    pub(crate) fn party(&self) -> Option<Party> {
        self.bad.marked_direction().map(Direction::sender)
    }

    /// The fault of the good one.
    pub(crate) fn good_in(&self, revision: Revision) -> Vec<Found> {
        errors(self.good.run(revision, None)).found
    }

    /// The place where the bad one raises anything but its rule at its carets.
    pub(crate) fn disagreement(&self, revision: Revision) -> Option<String> {
        let outcome = errors(self.bad.run(revision, Some(&self.rule)));
        (!outcome.agrees()).then(|| format!("drawn {:?}, found {:?}", outcome.drawn, outcome.found))
    }
}

/// Without warnings and notes.
fn errors(mut outcome: Outcome) -> Outcome {
    outcome
        .found
        .retain(|found| rules::find(&found.rule).is_some_and(|rule| rule.level == Level::Error));
    outcome
}
