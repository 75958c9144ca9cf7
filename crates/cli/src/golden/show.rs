//! The difference, for people and for programs.

use std::io::{self, Write};
use std::path::PathBuf;

use mcp_assay_report::visible;

use super::align::Step;
use super::event::{Change, Event};
use crate::json::push_text;

/// What the comparison comes to.
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

/// So much of a value is shown.
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

impl Json {
    /// The members that every difference has.
    fn difference(
        &mut self,
        kind: &str,
        lines: [Option<u64>; 2],
        title: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let comma = if self.comma { ",\n" } else { "\n" };
        self.comma = true;
        let line = |line: Option<u64>| line.map_or("null".to_owned(), |line| line.to_string());
        let [golden, new] = lines.map(line);
        write!(
            out,
            "{comma}{{\"kind\":\"{kind}\",\"goldenLine\":{golden},\"newLine\":{new},\"title\":"
        )?;
        write_text(title, out)?;
        out.write_all(b",\"fields\":[")
    }

    fn field(
        first: bool,
        pointer: &str,
        old: Option<&str>,
        new: Option<&str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(if first {
            b"{\"pointer\":"
        } else {
            b",{\"pointer\":"
        })?;
        write_text(pointer, out)?;
        // What is absent has no member; null is a value.
        if let Some(old) = old {
            write!(out, ",\"old\":{old}")?;
        }
        if let Some(new) = new {
            write!(out, ",\"new\":{new}")?;
        }
        out.write_all(b"}")
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
        write_text(&golden_name, out)?;
        write!(out, ",\"events\":{golden}}},\"new\":{{\"file\":")?;
        write_text(&new_name, out)?;
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
        let lines = [Some(old_line), Some(new_line)];
        self.difference("changed", lines, &new.title(), out)?;
        for (index, change) in old.changes(new).iter().enumerate() {
            let Change { pointer, old, new } = change;
            Self::field(index == 0, pointer, old.as_deref(), new.as_deref(), out)?;
        }
        out.write_all(b"]}")
    }

    fn removed(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        self.difference("removed", [Some(line), None], &event.title(), out)?;
        for (index, leaf) in event.leaves.iter().enumerate() {
            Self::field(index == 0, &leaf.pointer, Some(&leaf.value), None, out)?;
        }
        out.write_all(b"]}")
    }

    fn added(&mut self, line: u64, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        self.difference("added", [None, Some(line)], &event.title(), out)?;
        for (index, leaf) in event.leaves.iter().enumerate() {
            Self::field(index == 0, &leaf.pointer, None, Some(&leaf.value), out)?;
        }
        out.write_all(b"]}")
    }

    fn finish(&mut self, _: &Totals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.comma { b"\n]}\n" } else { b"]}\n" })
    }
}

fn write_text(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut quoted = Vec::new();
    push_text(text, &mut quoted);
    out.write_all(&quoted)
}
