//! The page of a rule.

use std::io::{self, Write};

use mcp_assay::Rule;

use crate::paint::Paint;
use crate::{Style, wrap};

/// Writes the page of a rule: what is wrong, why it hurts, examples, how to fix it, and the facts about the rule.
pub fn explain(rule: &Rule, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint::new(style);
    let width = style.width.clamp(40, 100);
    writeln!(
        out,
        "{} ({})\n",
        paint.bold(rule.name),
        paint.level(rule.level, rule.level.name())
    )?;
    write_page(rule.page(), paint, width, out)?;
    writeln!(out, "{}", paint.bold("How to fix"))?;
    write_indented(&sentence(rule.help), width, out)?;
    writeln!(out, "\n{}", paint.bold("About the rule"))?;
    let mut facts = vec![
        ("layer", rule.layer.name().to_owned()),
        ("stated", rule.revisions.to_string()),
        ("broken by", broken_by(rule)),
        ("clause", rule.spec.to_owned()),
    ];
    if rule.code != 0 {
        facts.push(("code", format!("{}, if the message is refused", rule.code)));
    }
    if !rule.covers.is_empty() {
        facts.push(("covers", rule.covers.join(", ")));
    }
    for (name, text) in facts {
        for (index, line) in wrap::lines(&text, width - 13).iter().enumerate() {
            writeln!(out, "  {:<9}  {line}", if index == 0 { name } else { "" })?;
        }
    }
    Ok(())
}

fn broken_by(rule: &Rule) -> String {
    match rule.party {
        mcp_assay::rules::Parties::Both => "client or server".to_owned(),
        party @ mcp_assay::rules::Parties::Only(_) => party.to_string(),
    }
}

/// Paragraphs are wrapped; examples between fences (`mcp,good,2025-06-18`) stay as they are, under a heading.
fn write_page<'p>(
    page: impl Iterator<Item = &'p str>,
    paint: Paint,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut paragraph = String::new();
    let mut in_example = false;
    for line in page {
        match line.trim().strip_prefix("```") {
            Some(_) if in_example => {
                in_example = false;
                writeln!(out)?;
            }
            Some(fence) => {
                write_paragraph(&mut paragraph, width, out)?;
                in_example = true;
                writeln!(out, "{}", paint.bold(&heading(fence)))?;
            }
            None if in_example => writeln!(out, "  {line}")?,
            None if line.trim().is_empty() => write_paragraph(&mut paragraph, width, out)?,
            None => {
                paragraph.push_str(line);
                paragraph.push(' ');
            }
        }
    }
    write_paragraph(&mut paragraph, width, out)
}

fn write_paragraph(paragraph: &mut String, width: usize, out: &mut dyn Write) -> io::Result<()> {
    if paragraph.trim().is_empty() {
        return Ok(());
    }
    for line in wrap::lines(paragraph, width) {
        writeln!(out, "{line}")?;
    }
    paragraph.clear();
    writeln!(out)
}

fn write_indented(text: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    wrap::lines(text, width - 2)
        .iter()
        .try_for_each(|line| writeln!(out, "  {line}"))
}

/// `mcp,good,2025-06-18` becomes "Good (2025-06-18)".
fn heading(fence: &str) -> String {
    let mut words = fence
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty() && *word != "mcp");
    match (words.next(), words.next()) {
        (None, _) => "Example".to_owned(),
        (Some(word), None) => capital(word),
        (Some(word), Some(revision)) => format!("{} ({revision})", capital(word)),
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
        write_page(text.lines(), Paint::new(Style::PLAIN), 40, &mut out).unwrap();
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
            explain(rule, Style::PLAIN, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.starts_with(rule.name), "{text}");
            for part in [rule.summary(), rule.spec, "How to fix", rule.layer.name()] {
                assert!(text.contains(part), "{} lacks {part}", rule.name);
            }
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
