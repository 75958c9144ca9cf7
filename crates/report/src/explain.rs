//! The page of a rule.

use std::io::{self, Write};

use mcp_assay::{Policy, Rule};

use crate::page::{self, Example, Part};
use crate::paint::Paint;
use crate::sarif::clause_address;
use crate::{Style, levels, site, wrap};

/// Writes the page of a rule: the fault, its consequences, examples, the remedy, and the facts
/// about the rule. Its levels are those under the policy.
pub fn explain(rule: &Rule, policy: &Policy, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint::new(style);
    let width = style.width.clamp(40, 100);
    let level = levels::gravest(rule, policy);
    writeln!(
        out,
        "{} ({})\n",
        paint.bold(rule.name),
        paint.level(level, level.name())
    )?;
    write_page(&page::of(rule), Style { width, ..style }, out)?;
    writeln!(out, "{}", paint.bold("How to fix"))?;
    write_indented(&sentence(rule.help), width, out)?;
    writeln!(out, "\n{}", paint.bold("About the rule"))?;
    let mut facts = vec![
        ("layer", rule.layer.name().to_owned()),
        ("level", levels::in_words(rule, policy)),
        ("broken by", broken_by(rule).to_owned()),
        ("clause", rule.spec.to_owned()),
    ];
    facts.extend(clause_address(rule, &rule.clause(None)).map(|address| ("", address)));
    facts.push(("page", site::rule_page(rule)));
    if rule.code != 0 {
        facts.push(("code", format!("{}, if the message is refused", rule.code)));
    }
    if !rule.covers.is_empty() {
        facts.push(("covers", rule.covers.join(", ")));
    }
    for (name, text) in facts {
        for (index, line) in wrap::lines(&text, width - 13).iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            writeln!(out, "  {name:<9}  {line}")?;
        }
    }
    let silences = rule.silences();
    if !silences.is_empty() {
        writeln!(out, "\n{}", paint.bold("Silent if"))?;
        for silence in silences {
            for (index, line) in wrap::lines(&silence, width - 4).iter().enumerate() {
                writeln!(out, "  {} {line}", if index == 0 { '-' } else { ' ' })?;
            }
        }
    }
    if !policy.wants(rule) {
        writeln!(out, "\nThis rule is off here.")?;
    }
    Ok(())
}

/// The parties that can break a rule, in words.
pub(crate) fn broken_by(rule: &Rule) -> &'static str {
    match rule.party {
        mcp_assay::rules::Parties::Both => "client or server",
        mcp_assay::rules::Parties::Only(party) => party.name(),
    }
}

/// Paragraphs are wrapped. Examples stay as they are, under a heading; on a terminal, their long
/// lines are folded.
fn write_page(page: &[Part], style: Style, out: &mut dyn Write) -> io::Result<()> {
    let (paint, width) = (Paint::new(style), style.width);
    for part in page {
        match part {
            Part::Prose(text) => {
                for line in wrap::lines(text, width) {
                    writeln!(out, "{line}")?;
                }
            }
            Part::Example(example) => {
                writeln!(out, "{}", paint.bold(&heading(example)))?;
                let lines = if style.fold {
                    example.folded(width - 2)
                } else {
                    example.lines.clone()
                };
                for line in lines {
                    writeln!(out, "  {line}")?;
                }
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_indented(text: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    wrap::lines(text, width - 2)
        .iter()
        .try_for_each(|line| writeln!(out, "  {line}"))
}

/// "Good (2025-06-18)".
fn heading(example: &Example) -> String {
    let kind = match example.kind.as_str() {
        "" => "Example".to_owned(),
        kind => capital(kind),
    };
    match &example.revision {
        Some(revision) => format!("{kind} ({revision})"),
        None => kind,
    }
}

fn sentence(text: &str) -> String {
    let text = capital(text);
    if text.ends_with(['.', '?', '!']) {
        text
    } else {
        text + "."
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        let mut out = Vec::new();
        let parts = page::parts(text.lines());
        let narrow = Style {
            width: 40,
            ..Style::PLAIN
        };
        write_page(&parts, narrow, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn examples_stay_as_they_are() {
        let text = "What is wrong.\n\nWhy it hurts, in a sentence that is\nlonger than a line.\n\n```mcp,bad,2025-06-18\n\
                    --> {\"id\":1}\n         ^ no version\n```\n```mcp,good\n--> {}\n```";
        let expected = [
            "What is wrong.\n\nWhy it hurts, in a sentence that is\nlonger than a line.\n\n",
            "Bad (2025-06-18)\n  --> {\"id\":1}\n           ^ no version\n\nGood\n  --> {}\n\n",
        ];
        assert_eq!(page(text), expected.concat());
    }

    #[test]
    fn every_rule_has_a_page() {
        for rule in mcp_assay::rules::all() {
            let mut out = Vec::new();
            explain(rule, &Policy::default(), Style::PLAIN, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.starts_with(rule.name), "{text}");
            let parts = [
                rule.summary(),
                rule.spec,
                "How to fix",
                rule.layer.name(),
                &levels::in_words(rule, &Policy::default()),
                broken_by(rule),
                "\nGood",
                "\nBad",
            ];
            // A fact may be wrapped, a summary may be too.
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in parts {
                assert!(
                    words(&text).contains(&words(part)),
                    "{} lacks {part}",
                    rule.name
                );
            }
            assert!(!page::why(rule).is_empty(), "why does {} hurt?", rule.name);
            let terminal = Style {
                width: 60,
                fold: true,
                ..Style::PLAIN
            };
            let mut folded = Vec::new();
            explain(rule, &Policy::default(), terminal, &mut folded).unwrap();
            let folded = String::from_utf8(folded).unwrap();
            // Addresses and the names of clauses stay whole, to be copied.
            let may_be_long =
                |line: &str| line.contains("https://") || line.starts_with("  clause ");
            let is_folded = |line: &str| line.chars().count() <= 60 || may_be_long(line);
            assert!(folded.lines().all(is_folded), "{folded}");
            let prose = text.lines().filter(|line| !line.starts_with("  "));
            assert!(
                prose
                    .map(|line| line.chars().count())
                    .all(|columns| columns <= 100),
                "{text}"
            );
        }
    }
}
