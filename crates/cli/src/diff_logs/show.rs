//! The difference, for people and for programs.

use std::io::{self, Write};
use std::path::PathBuf;

use mcp_assay_report::{visible, write_json};
use serde::Serialize;
use serde_json::value::RawValue;

use super::align::Step;
use super::event::{Change, Event};

/// The result of the comparison.
pub(super) struct Totals {
    golden: usize,
    new: usize,
    equal: usize,
    changed: usize,
    removed: usize,
    added: usize,
}

impl Totals {
    pub(super) fn of(steps: &[Step], golden: usize, new: usize) -> Self {
        let mut totals = Self {
            golden,
            new,
            equal: 0,
            changed: 0,
            removed: 0,
            added: 0,
        };
        for step in steps {
            match step {
                Step::Equal(count) => totals.equal += count,
                Step::Changed { .. } => totals.changed += 1,
                Step::Removed(_) => totals.removed += 1,
                Step::Added(_) => totals.added += 1,
            }
        }
        totals
    }

    pub(super) fn are_different(&self) -> bool {
        self.changed + self.removed + self.added > 0
    }
}

/// Shows a difference, from the first event to the last.
pub(super) trait Show {
    /// The names are those of the golden and the new log.
    fn begin(
        &mut self,
        names: &[PathBuf; 2],
        totals: &Totals,
        out: &mut dyn Write,
    ) -> io::Result<()>;
    fn equal(&mut self, count: usize, out: &mut dyn Write) -> io::Result<()>;
    fn changed(
        &mut self,
        golden: (u64, &Event),
        new: (u64, &Event),
        out: &mut dyn Write,
    ) -> io::Result<()>;
    fn removed(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()>;
    fn added(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()>;
    fn finish(&mut self, totals: &Totals, out: &mut dyn Write) -> io::Result<()>;
}

/// For people.
#[derive(Default)]
pub(super) struct Human {
    different: bool,
}

/// The part of a value that is shown.
const MAX_SHOWN: usize = 120;

impl Human {
    fn event(sign: char, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{sign} {line:>5}  {}", visible(&event.title()))?;
        let leaves: Vec<_> = event.leaves.iter().collect();
        let width = width(leaves.iter().map(|leaf| leaf.pointer.as_str()));
        for leaf in leaves {
            let (pointer, value) = (visible(&leaf.pointer), shortened(&leaf.value));
            writeln!(out, "{sign}          {pointer:width$}  {value}")?;
        }
        Ok(())
    }
}

impl Show for Human {
    fn begin(
        &mut self,
        names: &[PathBuf; 2],
        totals: &Totals,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.different = totals.are_different();
        if self.different {
            let [golden, new] = names.each_ref().map(|name| name.display().to_string());
            writeln!(out, "--- {}", visible(&golden))?;
            writeln!(out, "+++ {}", visible(&new))?;
        }
        Ok(())
    }

    fn equal(&mut self, count: usize, out: &mut dyn Write) -> io::Result<()> {
        if self.different {
            writeln!(out, "         {count} equal")?;
        }
        Ok(())
    }

    fn changed(
        &mut self,
        (old_line, old): (u64, &Event),
        (new_line, new): (u64, &Event),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let lines = if old_line == new_line {
            String::new()
        } else {
            format!(" (golden line {old_line})")
        };
        writeln!(out, "~ {new_line:>5}  {}{lines}", visible(&new.title()))?;
        let changes = old.changes(new);
        let width = width(changes.iter().map(|change| change.pointer.as_str()));
        for Change { pointer, old, new } in &changes {
            let value = |value: &Option<String>| {
                value
                    .as_deref()
                    .map_or_else(|| "(absent)".to_owned(), shortened)
            };
            let (pointer, old, new) = (visible(pointer), value(old), value(new));
            writeln!(out, "~          {pointer:width$}  {old} -> {new}")?;
        }
        Ok(())
    }

    fn removed(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        Self::event('-', line, event, out)
    }

    fn added(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        Self::event('+', line, event, out)
    }

    fn finish(&mut self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        let Totals {
            golden,
            new,
            equal,
            changed,
            removed,
            added,
        } = totals;
        if self.different {
            writeln!(
                out,
                "\n{changed} changed, {removed} removed, {added} added, {equal} equal: {golden} events became {new}"
            )
        } else {
            writeln!(out, "equal: {new} events")
        }
    }
}

/// The longest of some pointers, unless it is too long to align the others with.
fn width<'p>(pointers: impl Iterator<Item = &'p str>) -> usize {
    let widths = pointers.map(|pointer| pointer.chars().count());
    widths.max().unwrap_or(0).min(40)
}

fn shortened(value: &str) -> String {
    let mut characters = value.chars();
    let beginning: String = characters.by_ref().take(MAX_SHOWN).collect();
    let rest = characters.count();
    let shown = visible(&beginning);
    if rest == 0 {
        shown
    } else {
        format!("{shown}… ({rest} more)")
    }
}

/// For programs: one document.
#[derive(Default)]
pub(super) struct Json {
    comma: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Difference<'a> {
    kind: &'a str,
    golden_line: Option<u64>,
    new_line: Option<u64>,
    title: &'a str,
    fields: Vec<Field<'a>>,
}

/// A value that is absent has no member; null is a value.
#[derive(Serialize)]
struct Field<'a> {
    pointer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'a RawValue>,
}

impl<'a> Field<'a> {
    /// Values are JSON already.
    fn new(pointer: &'a str, old: Option<&'a str>, new: Option<&'a str>) -> Self {
        let raw = |value| serde_json::from_str(value).ok();
        Self {
            pointer,
            old: old.and_then(raw),
            new: new.and_then(raw),
        }
    }
}

impl Json {
    fn difference(&mut self, difference: &Difference<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.comma { b",\n" } else { b"\n" })?;
        self.comma = true;
        write_json(difference, out)
    }
}

impl Show for Json {
    fn begin(
        &mut self,
        names: &[PathBuf; 2],
        totals: &Totals,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Totals {
            golden,
            new,
            equal,
            changed,
            removed,
            added,
        } = totals;
        let same = !totals.are_different();
        let [golden_name, new_name] = names.each_ref().map(|name| name.display().to_string());
        write!(out, "{{\"equal\":{same},\"golden\":{{\"file\":")?;
        write_json(&golden_name, out)?;
        write!(out, ",\"events\":{golden}}},\"new\":{{\"file\":")?;
        write_json(&new_name, out)?;
        write!(
            out,
            ",\"events\":{new}}},\"summary\":{{\"equal\":{equal},\"changed\":{changed},\"removed\":{removed},\"added\":{added}}},\"differences\":["
        )
    }

    fn equal(&mut self, _: usize, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn changed(
        &mut self,
        (old_line, old): (u64, &Event),
        (new_line, new): (u64, &Event),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let changes = old.changes(new);
        let fields = changes.iter().map(|Change { pointer, old, new }| {
            Field::new(pointer, old.as_deref(), new.as_deref())
        });
        let difference = Difference {
            kind: "changed",
            golden_line: Some(old_line),
            new_line: Some(new_line),
            title: &new.title(),
            fields: fields.collect(),
        };
        self.difference(&difference, out)
    }

    fn removed(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        let leaves = event.leaves.iter();
        let difference = Difference {
            kind: "removed",
            golden_line: Some(line),
            new_line: None,
            title: &event.title(),
            fields: leaves
                .map(|leaf| Field::new(&leaf.pointer, Some(&leaf.value), None))
                .collect(),
        };
        self.difference(&difference, out)
    }

    fn added(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        let leaves = event.leaves.iter();
        let difference = Difference {
            kind: "added",
            golden_line: None,
            new_line: Some(line),
            title: &event.title(),
            fields: leaves
                .map(|leaf| Field::new(&leaf.pointer, None, Some(&leaf.value)))
                .collect(),
        };
        self.difference(&difference, out)
    }

    fn finish(&mut self, _: &Totals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.comma { b"\n]}\n" } else { b"]}\n" })
    }
}
