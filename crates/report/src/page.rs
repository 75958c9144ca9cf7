//! The parts of a rule's page: prose, and examples between fences.

use std::ops::Range;

use mcp_assay::Rule;

use crate::wrap;

/// A part of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A paragraph, as one line.
    Prose(String),
    /// An example, as it is written.
    Example(Example),
}

/// An example between fences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Example {
    /// `good` or `bad`; empty if the fence has neither.
    pub(crate) kind: String,
    /// The revision it is written for.
    pub(crate) revision: Option<String>,
    /// Its lines.
    pub(crate) lines: Vec<String>,
}

impl Example {
    /// The lines folded to some columns, with the carets below what they mark.
    pub(crate) fn folded(&self, columns: usize) -> Vec<String> {
        let mut folded = Vec::new();
        let mut lines = self.lines.iter().peekable();
        while let Some(line) = lines.next() {
            let mut marks = Vec::new();
            while let Some(mark) = lines.peek().and_then(|line| Mark::read(line)) {
                marks.push(mark);
                lines.next();
            }
            fold(line, marks, columns, &mut folded);
        }
        folded
    }
}

/// Carets below a line, and the words after them.
struct Mark<'a> {
    /// In characters.
    carets: Range<usize>,
    label: &'a str,
}

impl<'a> Mark<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let marked = line.trim_start();
        let start = line.len() - marked.len();
        let label = marked.trim_start_matches('^');
        let end = line.len() - label.len();
        (start < end).then(|| Self {
            carets: start..end,
            label: label.trim(),
        })
    }
}

/// Columns by which the further pieces of a folded line are indented.
const FOLD_INDENT: usize = 4;

fn fold(line: &str, mut marks: Vec<Mark<'_>>, columns: usize, folded: &mut Vec<String>) {
    let characters: Vec<char> = line.chars().collect();
    let (mut start, mut indent) = (0, 0);
    loop {
        let end = characters.len().min(start + columns - indent);
        let piece: String = characters[start..end].iter().collect();
        folded.push(format!("{:indent$}{piece}", ""));
        let is_last = end == characters.len();
        for mark in &mut marks {
            let shown = mark.carets.start.max(start)..mark.carets.end.min(end);
            // A caret may stand after the end of the line.
            let shown = if is_last {
                shown.start..mark.carets.end
            } else {
                shown
            };
            if shown.is_empty() {
                continue;
            }
            let before = indent + shown.start - start;
            let carets = "^".repeat(shown.len().min(columns.saturating_sub(before).max(1)));
            let mut below = format!("{:before$}{carets}", "");
            if shown.end == mark.carets.end {
                let label = std::mem::take(&mut mark.label);
                if before + carets.len() + 1 + label.chars().count() <= columns {
                    below.extend([" ", label]);
                    folded.push(below.trim_end().to_owned());
                } else {
                    folded.push(below);
                    let lines = wrap::lines(label, columns);
                    let longest = lines.iter().map(|line| line.chars().count()).max();
                    let before = before.min(columns - longest.unwrap_or_default().min(columns));
                    folded.extend(lines.iter().map(|line| format!("{:before$}{line}", "")));
                }
            } else {
                folded.push(below);
            }
        }
        if is_last {
            return;
        }
        (start, indent) = (end, FOLD_INDENT);
    }
}

/// The page of a rule.
pub(crate) fn of(rule: &Rule) -> Vec<Part> {
    parts(rule.page())
}

/// The paragraphs after the first, which names the fault: its consequences.
pub(crate) fn why(rule: &Rule) -> String {
    let prose = of(rule).into_iter().filter_map(|part| match part {
        Part::Prose(text) => Some(text),
        Part::Example(_) => None,
    });
    prose.skip(1).collect::<Vec<_>>().join(" ")
}

/// The lines of a page in parts.
pub(crate) fn parts<'p>(page: impl Iterator<Item = &'p str>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut example: Option<Example> = None;
    for line in page {
        if let Some(fence) = line.trim().strip_prefix("```") {
            end_paragraph(&mut paragraph, &mut parts);
            match example.take() {
                Some(example) => parts.push(Part::Example(example)),
                None => example = Some(begin(fence)),
            }
        } else if let Some(example) = &mut example {
            example.lines.push(line.to_owned());
        } else if line.trim().is_empty() {
            end_paragraph(&mut paragraph, &mut parts);
        } else {
            paragraph.push(line.trim());
        }
    }
    end_paragraph(&mut paragraph, &mut parts);
    parts.extend(example.map(Part::Example));
    parts
}

fn end_paragraph(paragraph: &mut Vec<&str>, parts: &mut Vec<Part>) {
    if !paragraph.is_empty() {
        parts.push(Part::Prose(paragraph.join(" ")));
        paragraph.clear();
    }
}

/// Reads `mcp,good,2025-06-18`; the rest is for the tests that run it.
fn begin(fence: &str) -> Example {
    let mut words = fence
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty() && *word != "mcp");
    Example {
        kind: words.next().unwrap_or_default().to_owned(),
        revision: words.next().map(str::to_owned),
        lines: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let example = Example {
            kind: String::new(),
            revision: None,
            lines: text.lines().map(str::to_owned).collect(),
        };
        assert_eq!(example.folded(20).join("\n"), expected);
    }

    #[test]
    fn carets_stay_below_what_they_mark() {
        check(
            "--> {\"id\":1}\n          ^ one",
            "--> {\"id\":1}\n          ^ one",
        );
        check(
            "--> 0123456789abcdefghijklmnop\n            ^^^^^^^^^^^^ long",
            "--> 0123456789abcdef\n            ^^^^^^^^\n    ghijklmnop\n    ^^^^ long",
        );
        check(
            "--> {}\n    ^^ a label that is too long",
            "--> {}\n    ^^\n a label that is too\n long",
        );
        // A caret after the end of the line, and two marks.
        check(
            "--> {\n     ^ end\n    ^ begin",
            "--> {\n     ^ end\n    ^ begin",
        );
    }
}
