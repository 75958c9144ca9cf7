//! `schema verify`: compares the built-in model with an official document: its definitions,
//! statement by statement, then the verdicts on messages.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, bail};
use mcp_assay::invent::Cases;
use mcp_assay::json_schema::SchemaDefinitions;
use mcp_assay::{Frame, Revision, schema};
use mcp_assay_report::visible;

use super::compare::{Comparer, Comparison, Question};
use super::errata::Side;
use super::load::{describe, load};
use super::structure::{Definer, Side as StructureSide, Structure};
use crate::exit::Exit;
use crate::output;

/// The number of random messages after every form of a message and every change of every place.
const RANDOM: usize = 5_000;

/// Below this share of common names a document belongs to no known revision.
const ALIKE: f64 = 0.3;

/// Compares the built-in model of a revision with a document, and prints the disagreements.
pub(crate) fn verify(file: &Path, revision: Option<Revision>) -> anyhow::Result<Exit> {
    let name = file
        .to_str()
        .context("failed to read the schema: its name is not UTF-8")?;
    let definitions = load(name).map_err(|error| describe(name, &error))?;
    let Some(revision) = revision.or_else(|| guess(&definitions)) else {
        bail!("{name}: failed to guess the revision: give it with --revision");
    };
    let structure = Definer::new(revision).compare(definitions.value());
    let comparison = compare(&definitions, revision, RANDOM);
    let mut text = report_structure(&structure);
    text += &report(&definitions, revision, &comparison);
    output::print(text.as_bytes())?;
    let is_same = structure.differences.is_empty() && comparison.disagreements.is_empty();
    Ok(if is_same {
        Exit::Clean
    } else {
        Exit::Violations
    })
}

pub(super) fn compare(
    definitions: &SchemaDefinitions,
    revision: Revision,
    random: usize,
) -> Comparison {
    let mut comparer = Comparer::new(definitions, revision);
    let mut cases = Cases::new(revision, 1);
    let mut left = random;
    while !cases.is_random() || left > 0 {
        left -= usize::from(cases.is_random());
        let Some(case) = cases.next() else { break };
        comparer.ask(&Question {
            frame: Frame::of_invented(&case),
            method: case.method.name,
            kind: case.kind,
        });
    }
    comparer.finish()
}

/// The revision whose definitions have most names in common with the document.
pub(super) fn guess(definitions: &SchemaDefinitions) -> Option<Revision> {
    let theirs: BTreeSet<_> = definitions.names().collect();
    let alike = |revision: Revision| {
        let ours = schema::definition_names(revision);
        let common = ours
            .iter()
            .filter(|name| theirs.contains(name.as_str()))
            .count();
        #[expect(clippy::cast_precision_loss, reason = "a few hundred names")]
        let share = common as f64 / (ours.len() + theirs.len() - common) as f64;
        (revision, share)
    };
    let best = Revision::ALL
        .into_iter()
        .map(alike)
        .max_by(|left, right| left.1.total_cmp(&right.1));
    best.filter(|(_, share)| *share >= ALIKE)
        .map(|(revision, _)| revision)
}

fn report_structure(structure: &Structure) -> String {
    let mut text = String::new();
    for difference in &structure.differences {
        let place = match &*difference.place {
            "" => String::new(),
            place => format!(" at {place}"),
        };
        let side = match difference.side {
            StructureSide::Model => "model",
            StructureSide::Document => "document",
        };
        let (definition, statement) = (&difference.definition, &difference.text);
        let sentence = format!("{definition}{place}: only in the {side}: {statement}");
        line(&mut text, &sentence);
    }
    let (differing, explained) = (structure.differences.len(), structure.explained);
    line(
        &mut text,
        &format!(
            "{} definitions compared: {differing} unlisted differences, {explained} explained by known errata",
            structure.compared
        ),
    );
    text
}

fn report(definitions: &SchemaDefinitions, revision: Revision, comparison: &Comparison) -> String {
    let mut text = String::new();
    let Comparison {
        compared,
        not_defined,
        disagreements,
        known,
    } = comparison;
    for (kind, example) in disagreements {
        let sides = match kind.side {
            Side::Stricter => "the model refuses, the document accepts",
            Side::Looser => "the model accepts, the document refuses",
        };
        let place = if kind.pointer.is_empty() {
            "the whole message"
        } else {
            &kind.pointer
        };
        line(
            &mut text,
            &format!(
                "{} at {place}: {sides} ({})",
                kind.definition,
                messages(example.count)
            ),
        );
        line(&mut text, &format!("  {}", example.message));
    }
    for (id, (count, reason)) in known {
        line(
            &mut text,
            &format!(
                "known erratum {id}: {}: {}",
                messages(*count),
                reason.trim()
            ),
        );
    }
    for (method, count) in not_defined {
        line(
            &mut text,
            &format!(
                "not in the document: {method} ({} left out)",
                messages(*count)
            ),
        );
    }
    let names = definitions.names().count();
    line(
        &mut text,
        &format!(
            "{revision}: {names} definitions, {} compared",
            messages(*compared)
        ),
    );
    let explained: usize = known.values().map(|(count, _)| count).sum();
    line(
        &mut text,
        &format!(
            "{} unlisted disagreements, {explained} explained by known errata",
            disagreements.len()
        ),
    );
    text
}

fn messages(count: usize) -> String {
    if count == 1 {
        "1 message".to_owned()
    } else {
        format!("{count} messages")
    }
}

/// Names come from the document: nothing in them may act on the terminal.
fn line(text: &mut String, content: &str) {
    text.push_str(&visible(content));
    text.push('\n');
}
