//! Workflow commands of GitHub Actions: annotations at the lines of the captures, the gravest
//! first.
//!
//! GitHub shows ten annotations of each level for a step. A repeated fault of a source is reported
//! once, and if ten do not suffice the tenth counts the rest.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::Level;

use crate::document::{Gather, Lines};
use crate::finding::{Finding, level};
use crate::groups::{Entry, Group, Grouping};
use crate::{Collector, Context, Totals, human, visible};

/// Annotations of a level.
const MAX_ANNOTATIONS: usize = 10;

pub(crate) const GROUPING: Grouping = Grouping::ByPlace {
    groups: MAX_ANNOTATIONS,
};

pub(crate) fn collector(context: Arc<Context>) -> Box<dyn Collector> {
    Box::new(Lines::new(Github::new(context)))
}

/// Writes the given findings, and the reason for an incomplete run.
pub(crate) fn write(
    findings: impl Iterator<Item = Finding>,
    context: Arc<Context>,
    trouble: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut github = Github::new(context);
    findings.for_each(|finding| github.add(Group::of(finding)));
    if let Some(trouble) = trouble {
        writeln!(out, "::error title=mcp-assay::{}", data(trouble))?;
    }
    github.write(out)
}

struct Github {
    context: Arc<Context>,
    /// The gravest first.
    levels: [Annotations; 3],
}

/// The annotations of a level.
struct Annotations {
    level: Level,
    /// One more than is shown, in case it is the last; with the count of each.
    shown: Vec<(Finding, u64)>,
    known: HashMap<[String; 5], usize>,
    /// Findings that are not shown, by rule.
    more: BTreeMap<String, u64>,
}

impl Gather for Github {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        match Entry::read(line)? {
            Entry::Group(group) => self.add(group),
            Entry::LeftOut {
                level: number,
                rule,
                count,
            } => {
                if let Some(annotations) = self.annotations(level(number)) {
                    *annotations.more.entry(rule).or_default() += count;
                }
            }
            Entry::Source(_) => {}
        }
        Ok(())
    }

    fn finish(self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)?;
        if let Some(sentence) = totals.empty_sentence() {
            writeln!(out, "::warning title=mcp-assay::{}", data(&sentence))?;
        }
        human::summary::write(totals, out)
    }
}

impl Github {
    fn new(context: Arc<Context>) -> Self {
        Self {
            context,
            levels: [Level::Error, Level::Warning, Level::Note].map(Annotations::new),
        }
    }

    fn add(&mut self, group: Group) {
        if let Some(annotations) = self.annotations(group.level()) {
            annotations.add(group);
        }
    }

    fn annotations(&mut self, level: Level) -> Option<&mut Annotations> {
        self.levels.iter_mut().find(|known| known.level == level)
    }

    fn write(self, out: &mut dyn Write) -> io::Result<()> {
        for annotations in self.levels {
            annotations.write(&self.context, out)?;
        }
        Ok(())
    }
}

impl Annotations {
    fn new(level: Level) -> Self {
        Self {
            level,
            shown: Vec::new(),
            known: HashMap::new(),
            more: BTreeMap::new(),
        }
    }

    fn add(&mut self, group: Group) {
        let count = group.count;
        let Some(finding) = group.findings.into_iter().next() else {
            return;
        };
        let key = finding.key();
        if let Some(&index) = self.known.get(&key) {
            self.shown[index].1 += count;
        } else if self.shown.len() < MAX_ANNOTATIONS {
            self.known.insert(key, self.shown.len());
            self.shown.push((finding, count));
        } else {
            *self.more.entry(finding.rule).or_default() += count;
        }
    }

    fn write(mut self, context: &Context, out: &mut dyn Write) -> io::Result<()> {
        let command = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        if !self.more.is_empty()
            && let Some((last, count)) = self.shown.pop()
        {
            *self.more.entry(last.rule).or_default() += count;
        }
        for (finding, count) in &self.shown {
            write_annotation(command, finding, *count, context, out)?;
        }
        if self.more.is_empty() {
            return Ok(());
        }
        let total: u64 = self.more.values().sum();
        let rules: Vec<_> = self
            .more
            .iter()
            .map(|(rule, count)| format!("{rule} ({count})"))
            .collect();
        writeln!(
            out,
            "::{command} title={total} more of level {}::{}",
            self.level.name(),
            data(&rules.join(", "))
        )
    }
}

fn write_annotation(
    command: &str,
    finding: &Finding,
    count: u64,
    context: &Context,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "::{command} ")?;
    if finding.line > 0 {
        let path = property(&context.path(&finding.source));
        write!(out, "file={path},line={},", finding.line)?;
    }
    if let Some(columns) = finding.columns {
        write!(out, "col={},", columns.start)?;
        if columns.end_line == finding.line {
            // Ours excludes the end, GitHub's includes it.
            let end = columns.end.saturating_sub(1).max(columns.start);
            write!(out, "endColumn={end},")?;
        } else {
            write!(out, "endLine={},", columns.end_line)?;
        }
    }
    let mut text = format!("{}\n{}", finding.message, finding.what);
    if !finding.place.is_empty() {
        text = format!("{text}, at {}", finding.place);
    }
    if count > 1 {
        text = format!("{text}; {count} times in this file");
    }
    if let Some(schema) = &finding.schema {
        text = format!("{text}\nschema: {schema}");
    }
    text = format!("{text}\nhelp: {}", finding.help);
    writeln!(out, "title={}::{}", property(&finding.rule), data(&text))
}

/// The text of a command. Its own line ends stay; those of the traffic were made visible before.
fn data(text: &str) -> String {
    text.split('\n')
        .map(|line| visible::text(line).replace('%', "%25"))
        .collect::<Vec<_>>()
        .join("%0A")
}

/// A property of a command.
fn property(text: &str) -> String {
    visible::text(text)
        .replace('%', "%25")
        .replace(':', "%3A")
        .replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_cannot_be_smuggled_in() {
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25␊");
        assert_eq!(data("100%\r\n::error::x"), "100%25␍%0A::error::x");
    }
}
