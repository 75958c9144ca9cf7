//! The parts of a rule's page: prose, and examples between fences.

use mcp_assay::Rule;

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
