//! The list of rules.

use std::collections::BTreeMap;
use std::io::{self, Write};

use mcp_assay::{Layer, Policy, Revision, RevisionSet, Rule, rules};
use serde::Serialize;

use crate::explain::broken_by;
use crate::page::{self, Example, Part};
use crate::paint::Paint;
use crate::{Style, explain, levels, wrap, write_json};

/// Writes the rules that are on under a policy as a table, by layer: those that traffic shows, and
/// `probed`, which only probing shows.
pub fn rules_human(
    policy: &Policy,
    probed: &[&'static Rule],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paint = Paint::new(style);
    let listed = by_layer(policy, probed);
    let names = listed.iter().map(|rule| rule.name.len());
    let name_width = names.max().unwrap_or_default();
    let mut layer: Option<Layer> = None;
    for rule in &listed {
        if layer != Some(rule.layer) {
            if layer.is_some() {
                writeln!(out)?;
            }
            layer = Some(rule.layer);
            writeln!(out, "{}", paint.bold(rule.layer.name()))?;
        }
        let level = levels::gravest(rule, policy);
        let level = paint.level(level, &format!("{:<7}", level.name()));
        let beside = 2 + name_width + 2 + 7 + 2;
        write!(out, "  {:<name_width$}  {level}", rule.name)?;
        // A narrow terminal has no room beside the name.
        let (begin, indent) = match style.width.checked_sub(beside) {
            Some(30..) => ("  ", beside),
            _ => ("\n      ", 6),
        };
        let lines = wrap::lines(
            &about(rule, policy),
            style.width.saturating_sub(indent).max(20),
        );
        for (index, line) in lines.iter().enumerate() {
            match index {
                0 => writeln!(out, "{begin}{line}")?,
                _ => writeln!(out, "{:indent$}{line}", "")?,
            }
        }
    }
    if layer.is_some() {
        writeln!(out)?;
    }
    let all = all(probed).count();
    match listed.len() {
        count if count == all => write!(out, "{count} rules")?,
        count => write!(out, "{count} of {all} rules are on")?,
    }
    writeln!(out, "; `mcp-assay explain RULE` prints the page of one")
}

/// Writes the pages of the rules that are on under a policy, by layer.
pub fn rules_pages(
    policy: &Policy,
    probed: &[&'static Rule],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = style.width.clamp(40, 100);
    for (index, rule) in by_layer(policy, probed).into_iter().enumerate() {
        if index > 0 {
            writeln!(out, "\n{}\n", "-".repeat(columns))?;
        }
        explain(rule, policy, style, out)?;
    }
    Ok(())
}

/// Writes the rules that are on under a policy as a JSON array, one rule a line.
pub fn rules_json(
    policy: &Policy,
    probed: &[&'static Rule],
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"[")?;
    let listed = all(probed).filter(|rule| policy.wants(rule));
    for (index, rule) in listed.enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        write_rule(rule, policy, out)?;
    }
    out.write_all(b"\n]\n")
}

/// The rules that traffic shows, and those that only probing shows.
fn all(probed: &[&'static Rule]) -> impl Iterator<Item = &'static Rule> {
    rules::all().chain(probed.iter().copied())
}

fn by_layer(policy: &Policy, probed: &[&'static Rule]) -> Vec<&'static Rule> {
    let mut listed: Vec<_> = all(probed).filter(|rule| policy.wants(rule)).collect();
    listed.sort_by_key(|rule| (rule.layer, rule.name));
    listed
}

/// The fault, and the scope of the rule: "(since 2025-06-18; server;
/// basic/lifecycle#initialization)".
fn about(rule: &Rule, policy: &Policy) -> String {
    let levels = levels::of(rule, policy);
    let mut facts = Vec::new();
    if levels.len() > 1 {
        facts.push(levels::in_words(rule, policy));
    } else if rule.revisions != RevisionSet::ALL {
        facts.push(rule.revisions.to_string());
    }
    facts.push(broken_by(rule).to_owned());
    facts.push(rule.spec.to_owned());
    format!("{} ({})", rule.summary(), facts.join("; "))
}

/// The order and the names of the members are part of the format.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    layer: &'a str,
    level: &'a str,
    revisions: Vec<&'static str>,
    party: String,
    summary: &'a str,
    spec: &'a str,
    covers: &'a [&'static str],
    code: Option<i32>,
    levels: BTreeMap<&'static str, &'static str>,
    why: String,
    help: &'a str,
    examples: Vec<ListedExample>,
    seen_by: &'static str,
}

#[derive(Serialize)]
struct ListedExample {
    kind: String,
    revision: Option<String>,
    text: String,
}

fn write_rule(rule: &Rule, policy: &Policy, out: &mut dyn Write) -> io::Result<()> {
    let level = |revision| policy.level(rule, Some(revision)).name();
    let example = |part| match part {
        Part::Example(Example {
            kind,
            revision,
            lines,
            ..
        }) => Some(ListedExample {
            kind,
            revision,
            text: lines.join("\n"),
        }),
        Part::Prose(_) => None,
    };
    let listed = Listed {
        name: rule.name,
        layer: rule.layer.name(),
        level: levels::gravest(rule, policy).name(),
        revisions: rule.revisions.iter().map(Revision::name).collect(),
        party: rule.party.to_string(),
        summary: rule.summary(),
        spec: rule.spec,
        covers: rule.covers,
        code: Some(rule.code).filter(|code| *code != 0),
        // Dates sort as texts.
        levels: rule
            .revisions
            .iter()
            .map(|revision| (revision.name(), level(revision)))
            .collect(),
        why: page::why(rule),
        help: rule.help,
        examples: page::of(rule).into_iter().filter_map(example).collect(),
        seen_by: match rules::find(rule.name) {
            Some(_) => "check",
            None => "probe",
        },
    };
    write_json(&listed, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_array_names_every_rule_once() {
        let mut out = Vec::new();
        rules_json(&Policy::default(), &[], &mut out).unwrap();
        let listed: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();
        let names: Vec<_> = listed
            .iter()
            .map(|rule| rule["name"].as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            rules::all().map(|rule| rule.name).collect::<Vec<_>>()
        );
        let missing = listed
            .iter()
            .find(|rule| rule["name"] == "schema/missing-member")
            .unwrap();
        assert_eq!(missing["layer"], "schema");
        assert_eq!(missing["level"], "error");
        assert_eq!(missing["party"], "both");
        assert_eq!(missing["code"], -32602);
        assert_eq!(
            missing["revisions"].as_array().unwrap().len(),
            mcp_assay::Revision::COUNT
        );
        assert!(
            missing["covers"]
                .as_array()
                .unwrap()
                .iter()
                .any(|name| name == "schema/result")
        );
    }

    #[test]
    fn everything_is_said_of_every_rule() {
        let mut out = Vec::new();
        rules_json(&Policy::default(), &[], &mut out).unwrap();
        let listed: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();
        for rule in listed {
            let name = &rule["name"];
            for member in ["layer", "level", "party", "summary", "spec", "why", "help"] {
                let text = rule[member].as_str();
                assert!(
                    text.is_some_and(|text| !text.is_empty()),
                    "{name}: {member}"
                );
            }
            let revisions = rule["revisions"].as_array().unwrap();
            let levels = rule["levels"].as_object().unwrap();
            assert!(
                !revisions.is_empty() && revisions.len() == levels.len(),
                "{name}"
            );
            for kind in ["good", "bad"] {
                let examples = rule["examples"].as_array().unwrap();
                let example = examples.iter().find(|example| example["kind"] == kind);
                let text = example.unwrap_or_else(|| panic!("{name}: {kind}"))["text"].as_str();
                assert!(!text.unwrap().is_empty(), "{name}: {kind}");
            }
        }
    }

    #[test]
    fn only_what_is_on_is_listed_at_its_level() {
        let mut policy = Policy::default();
        policy.selection.select("schema/wrong-type").unwrap();
        let level = mcp_assay::LevelOverride::Note;
        policy.selection.set_level("schema", level).unwrap();
        let mut out = Vec::new();
        rules_json(&policy, &[], &mut out).unwrap();
        let listed: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0]["name"], "schema/wrong-type");
        assert_eq!(listed[0]["level"], "note");
        let mut out = Vec::new();
        rules_human(&policy, &[], Style::PLAIN, &mut out).unwrap();
        let table = String::from_utf8(out).unwrap();
        assert!(table.contains("  schema/wrong-type  note "), "{table}");
        assert!(table.contains("\n1 of "), "{table}");
    }

    #[test]
    fn the_table_names_every_rule_and_keeps_to_the_width() {
        let mut out = Vec::new();
        rules_human(&Policy::default(), &[], Style::PLAIN, &mut out).unwrap();
        let table = String::from_utf8(out).unwrap();
        for rule in rules::all() {
            assert!(
                table.contains(&format!("  {} ", rule.name)),
                "{} is not listed",
                rule.name
            );
        }
        for line in table.lines() {
            // A single word is not cut.
            let one_word = !line.trim().contains(' ');
            assert!(
                one_word || line.chars().count() <= Style::PLAIN.width,
                "too long: {line}"
            );
        }
    }
}
