//! The findings of one source, grouped while they are found: a repeated one is counted, and nothing
//! of it is put into words.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, Write};

use mcp_assay::Level;
use serde::{Deserialize, Serialize};

use crate::Totals;
use crate::finding::{Finding, level};

/// Lines that a group names.
pub(crate) const MAX_LINES: usize = 20;

/// The findings that count as the same fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grouping {
    /// Those of one rule, of which the first `kept` are put into words.
    ByRule { kept: usize },
    /// Those of one rule, level, method and pointer. Of each level the first `groups` are kept,
    /// with one finding each.
    ByPlace { groups: usize },
}

/// A line.
#[derive(Serialize, Deserialize)]
pub(crate) enum Entry {
    /// Findings that are the same fault.
    Group(Group),
    /// Findings that are only counted, by level and rule.
    LeftOut { level: u8, rule: String, count: u64 },
    /// A source is at its end.
    Source(SourceEnd),
}

/// A source is at its end.
#[derive(Serialize, Deserialize)]
pub(crate) struct SourceEnd {
    pub(crate) source: String,
    pub(crate) messages: u64,
    pub(crate) pass: u64,
    pub(crate) not_judged: u64,
    /// The reason why it could not be read to its end.
    pub(crate) failure: Option<String>,
}

/// Findings of one source that count as the same fault.
#[derive(Serialize, Deserialize)]
pub(crate) struct Group {
    /// The first ones, at least one.
    pub(crate) findings: Vec<Finding>,
    pub(crate) count: u64,
    /// The gravest level.
    level: u8,
    /// The lines of the first ones.
    pub(crate) lines: Vec<u64>,
}

/// The parts of a finding that identify its group.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) level: Level,
    pub(crate) rule: &'static str,
    pub(crate) method: Option<&'a str>,
    pub(crate) pointer: &'a str,
}

/// The groups of one source.
pub(crate) struct Groups {
    grouping: Grouping,
    source: String,
    /// In the order of their first findings.
    found: Vec<Group>,
    known: HashMap<String, usize>,
    /// The number of groups of each level.
    of_level: [usize; 3],
    /// Findings that are in no group, by level and rule.
    left_out: BTreeMap<(u8, &'static str), u64>,
    /// The key of the last finding, as text.
    key: String,
}

impl Group {
    pub(crate) fn level(&self) -> Level {
        level(self.level)
    }

    /// A group of one finding.
    pub(crate) fn of(finding: Finding) -> Self {
        Self {
            count: 1,
            level: finding.level() as u8,
            lines: vec![finding.line],
            findings: vec![finding],
        }
    }
}

impl Groups {
    pub(crate) fn new(grouping: Grouping) -> Self {
        Self {
            grouping,
            source: String::new(),
            found: Vec::new(),
            known: HashMap::new(),
            of_level: [0; 3],
            left_out: BTreeMap::new(),
            key: String::new(),
        }
    }

    pub(crate) fn grouping(&self) -> Grouping {
        self.grouping
    }

    /// Begins a source, and writes the findings of another.
    pub(crate) fn enter(&mut self, source: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.source != source {
            self.write(out)?;
            source.clone_into(&mut self.source);
        }
        Ok(())
    }

    /// Adds a finding; its words are asked for only if they are kept.
    pub(crate) fn add(&mut self, key: Key<'_>, line: u64, finding: impl FnOnce() -> Finding) {
        self.write_key(key);
        let level = key.level as u8;
        let kept = match self.grouping {
            Grouping::ByRule { kept } => kept,
            Grouping::ByPlace { .. } => 1,
        };
        if let Some(&index) = self.known.get(&self.key) {
            let group = &mut self.found[index];
            group.count += 1;
            group.level = group.level.max(level);
            if group.lines.len() < MAX_LINES {
                group.lines.push(line);
            }
            if group.findings.len() < kept {
                group.findings.push(finding());
            }
            return;
        }
        let of_level = &mut self.of_level[usize::from(level.min(2))];
        if let Grouping::ByPlace { groups } = self.grouping
            && *of_level >= groups
        {
            *self.left_out.entry((level, key.rule)).or_default() += 1;
            return;
        }
        *of_level += 1;
        self.known.insert(self.key.clone(), self.found.len());
        self.found.push(Group::of(finding()));
    }

    /// Writes all groups, and forgets them.
    pub(crate) fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.known.clear();
        self.of_level = [0; 3];
        for group in self.found.drain(..) {
            Entry::Group(group).write(out)?;
        }
        for ((level, rule), count) in std::mem::take(&mut self.left_out) {
            let rule = rule.to_owned();
            Entry::LeftOut { level, rule, count }.write(out)?;
        }
        Ok(())
    }

    fn write_key(&mut self, key: Key<'_>) {
        self.key.clear();
        self.key.push_str(key.rule);
        if let Grouping::ByPlace { .. } = self.grouping {
            let method = key.method.unwrap_or_default();
            // Writing to a string cannot fail. No pointer or method is confused with another: the
            // length ends the method.
            let _ = write!(
                self.key,
                "\0{}\0{}\0{method}{}",
                key.level as u8,
                method.len(),
                key.pointer
            );
        }
    }
}

impl Entry {
    pub(crate) fn read(line: &[u8]) -> io::Result<Self> {
        // We wrote it: a failure is a defect of ours.
        serde_json::from_slice(line).map_err(io::Error::other)
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self).map_err(io::Error::from)?;
        out.write_all(b"\n")
    }
}

/// The end of a source.
pub(crate) fn write_source(
    source: &str,
    totals: &Totals,
    failure: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    Entry::Source(SourceEnd {
        source: source.to_owned(),
        messages: totals.messages,
        pass: totals.pass,
        not_judged: totals.not_judged,
        failure: failure.map(str::to_owned),
    })
    .write(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Told;

    fn finding() -> Finding {
        Finding::told(Told {
            source: Some("a"),
            level: Level::Error,
            rule: "json/no-bom",
            summary: "",
            message: "",
            help: String::new(),
            clause: String::new(),
            what: String::new(),
            method: None,
            pointer: "",
            schema: None,
            detail: String::new(),
        })
    }

    /// Adds findings with these pointers and returns how many were put into words, and the entries.
    fn grouped(grouping: Grouping, pointers: &[&str]) -> (usize, Vec<Entry>) {
        let (mut groups, mut worded, mut out) = (Groups::new(grouping), 0, Vec::new());
        for (line, pointer) in (1..).zip(pointers) {
            let key = Key {
                level: Level::Error,
                rule: "json/no-bom",
                method: None,
                pointer,
            };
            groups.add(key, line, || {
                worded += 1;
                finding()
            });
        }
        groups.write(&mut out).unwrap();
        let lines = out.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.is_empty());
        (
            worded,
            lines.map(|line| Entry::read(line).unwrap()).collect(),
        )
    }

    #[test]
    fn a_finding_that_is_not_kept_is_not_put_into_words() {
        let many = vec!["/a"; 1000];
        let (worded, entries) = grouped(Grouping::ByPlace { groups: 5 }, &many);
        assert_eq!(worded, 1);
        let [Entry::Group(group)] = &entries[..] else {
            panic!("one group");
        };
        assert_eq!((group.count, group.lines.len()), (1000, MAX_LINES));

        let (worded, entries) = grouped(Grouping::ByRule { kept: 20 }, &many);
        assert_eq!((worded, entries.len()), (20, 1));

        let names: Vec<String> = (0..1000).map(|number| format!("/{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (worded, entries) = grouped(Grouping::ByPlace { groups: 5 }, &names);
        assert_eq!((worded, entries.len()), (5, 6));
        let Some(Entry::LeftOut { count, .. }) = entries.last() else {
            panic!("the rest is counted");
        };
        assert_eq!(*count, 995);
    }
}
