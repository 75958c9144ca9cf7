//! The table of what covers each requirement, row by row.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use mcp_assay::rules;
use serde::Deserialize;

use crate::table::{Row, rows};

/// Requirements that may be left out, each with its reason.
const MOST_LEFT_OUT: usize = 20;

/// Requirements that no rule can see, with the reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftOut {
    requirement: String,
    clause: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    left_out: Vec<LeftOut>,
}

#[test]
fn every_requirement_that_traffic_shows_is_covered() {
    let left_out = left_out();
    assert!(left_out.len() <= MOST_LEFT_OUT);
    let mut missing = Vec::new();
    for row in rows().iter().filter(|row| row.passive) {
        match (covering(row), left_out.get(row.id)) {
            (None, None) => missing.push(row.id),
            (Some(by), Some(_)) => panic!("{} is left out, but {by} covers it", row.id),
            _ => {}
        }
    }
    assert!(missing.is_empty(), "not covered:\n{}", missing.join("\n"));
}

/// Rules that go beyond their requirement: a version that is no date is graver than a date that is
/// not known, and names of versions exist in all revisions; an empty array and one of requests and
/// responses are no batch of JSON-RPC, whether the revision mentions batches or not.
const BEYOND: [&str; 3] = [
    "version/known-revision",
    "jsonrpc/batch-not-empty",
    "jsonrpc/batch-one-kind",
];

#[test]
fn a_rule_is_as_strict_as_its_requirement_in_the_same_revisions_for_the_same_party() {
    let mut wrong = Vec::new();
    for row in rows() {
        let Some(rule) = rules::find(row.id) else {
            continue;
        };
        let revisions: Vec<_> = rule.revisions.iter().collect();
        if BEYOND.contains(&rule.name) {
            continue;
        }
        if rule.level != row.level || revisions != row.revisions || rule.party != row.party {
            wrong.push(format!(
                "{}: {} {} {}, expected {:?}",
                rule.name,
                rule.level.name(),
                rule.revisions,
                rule.party,
                row.columns
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `UPDATE=1 cargo test -p mcp-assay-tests --test covered` writes the table anew.
#[test]
fn the_table_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("covered/COVERAGE.md");
    let text = table();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, text).expect("the table can be written");
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "tests/covered/COVERAGE.md is stale: run with UPDATE=1"
    );
}

fn table() -> String {
    let left_out = left_out();
    let rows = rows();
    let mut text = String::from(
        "<!-- Written by `UPDATE=1 cargo test -p mcp-assay-tests --test covered`: do not edit. -->\n\
         # What covers each requirement of the specification\n\n\
         Requirements that recorded traffic can show. A rule of the same name has a page with examples (`mcp-assay explain`); \
         of those that the model covers, the examples are in the file of the family beside this one.\n\n\
         | requirement | level | revisions | party | covered by |\n|---|---|---|---|---|\n",
    );
    let mut counts = [0; 3];
    for row in rows.iter().filter(|row| row.passive) {
        let [id, level, revisions, party, _] = row.columns;
        let by = match (covering(row), left_out.get(id)) {
            (Some(by), _) => {
                counts[usize::from(!by.starts_with("a rule of its own"))] += 1;
                by
            }
            (None, Some(left_out)) => {
                counts[2] += 1;
                format!("left out: {}", left_out.reason)
            }
            (None, None) => "nothing".to_owned(),
        };
        let _ = writeln!(text, "| `{id}` | {level} | {revisions} | {party} | {by} |");
    }
    let [own, model, out] = counts;
    let _ = writeln!(
        text,
        "\n{} requirements: {own} with a rule of their own, {model} covered by others, {out} left out.",
        own + model + out
    );
    text
}

/// The rule, examples or reason that covers a requirement.
fn covering(row: &Row) -> Option<String> {
    let own = rules::find(row.id).map(|_| "a rule of its own".to_owned());
    let by: Vec<String> = rules::all()
        .filter(|rule| rule.covers.contains(&row.id))
        .map(|rule| format!("`{}`", rule.name))
        .collect();
    let by: Vec<String> = own.into_iter().chain(by).collect();
    (!by.is_empty()).then(|| by.join(", "))
}

fn left_out() -> BTreeMap<String, LeftOut> {
    let file: File = toml::from_str(include_str!("left-out.toml")).expect("left-out.toml is TOML");
    let ids: Vec<_> = rows().iter().map(|row| row.id).collect();
    file.left_out
        .into_iter()
        .map(|left_out| {
            let id = left_out.requirement.clone();
            assert!(ids.contains(&id.as_str()), "no such requirement: {id}");
            assert!(
                !left_out.clause.is_empty() && !left_out.reason.is_empty(),
                "{id}: clause and reason are needed"
            );
            (id, left_out)
        })
        .collect()
}
