//! The list of rules.

use std::io::{self, Write};

use mcp_assay::{Layer, RevisionSet, Rule, rules};

use crate::ndjson::write_text;
use crate::paint::Paint;
use crate::{Style, wrap};

/// Writes the rules as a table, by layer.
pub fn rules_human(style: Style, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint::new(style);
    let name_width = rules::all()
        .map(|rule| rule.name.len())
        .max()
        .unwrap_or_default();
    let mut count = 0;
    for layer in Layer::ALL {
        let mut rules: Vec<&Rule> = rules::all().filter(|rule| rule.layer == layer).collect();
        if rules.is_empty() {
            continue;
        }
        rules.sort_by_key(|rule| rule.name);
        writeln!(out, "{}", paint.bold(layer.name()))?;
        for rule in &rules {
            let level = paint.level(rule.level, &format!("{:<7}", rule.level.name()));
            let text = match rule.revisions {
                RevisionSet::ALL => rule.summary().to_owned(),
                some => format!("{} ({some})", rule.summary()),
            };
            let indent = 2 + name_width + 2 + 7 + 2;
            let lines = wrap::lines(&text, style.width.saturating_sub(indent).max(30));
            write!(out, "  {:<name_width$}  {level}", rule.name)?;
            for (index, line) in lines.iter().enumerate() {
                match index {
                    0 => writeln!(out, "  {line}")?,
                    _ => writeln!(out, "{:indent$}{line}", "")?,
                }
            }
        }
        count += rules.len();
        writeln!(out)?;
    }
    writeln!(
        out,
        "{count} rules; `mcp-assay explain RULE` prints the page of one"
    )
}

/// Writes the rules as a JSON array, one rule a line.
pub fn rules_json(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, rule) in rules::all().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        write_rule(rule, out)?;
    }
    out.write_all(b"\n]\n")
}

/// The order and the names of the members are part of the format.
fn write_rule(rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
    let (layer, level) = (rule.layer.name(), rule.level.name());
    write!(
        out,
        "{{\"name\":\"{}\",\"layer\":\"{layer}\",\"level\":\"{level}\",\"revisions\":",
        rule.name
    )?;
    write_list(rule.revisions.iter().map(mcp_assay::Revision::name), out)?;
    write!(out, ",\"party\":\"{}\",\"summary\":", rule.party)?;
    write_text(rule.summary(), out)?;
    out.write_all(b",\"spec\":")?;
    write_text(rule.spec, out)?;
    out.write_all(b",\"covers\":")?;
    write_list(rule.covers.iter().copied(), out)?;
    match rule.code {
        0 => out.write_all(b",\"code\":null}"),
        code => write!(out, ",\"code\":{code}}}"),
    }
}

fn write_list<'n>(names: impl Iterator<Item = &'n str>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, name) in names.enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        write_text(name, out)?;
    }
    out.write_all(b"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_array_names_every_rule_once() {
        let mut out = Vec::new();
        rules_json(&mut out).unwrap();
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
    fn the_table_names_every_rule_and_keeps_to_the_width() {
        let mut out = Vec::new();
        rules_human(Style::PLAIN, &mut out).unwrap();
        let table = String::from_utf8(out).unwrap();
        for rule in rules::all() {
            assert!(
                table.contains(&format!("  {} ", rule.name)),
                "{} is not listed",
                rule.name
            );
        }
        for line in table.lines() {
            assert!(
                line.chars().count() <= Style::PLAIN.width,
                "too long: {line}"
            );
        }
    }
}
