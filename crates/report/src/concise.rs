//! The format for agents, editors and `grep`: one line a finding, and one line of totals.
//!
//! A finding is `source:line:column: level[rule] message`. The column counts characters from 1. It
//! is 1 where the line is a record around the message, where a head of HTTP is at fault, and for a
//! finding at the end of a session.

use std::io::{self, Write};

use mcp_assay::{Checked, Ending, Level};

use crate::finding::{BROKEN_RECORD, position, record_fault_message};
use crate::human::summary;
use crate::{Origin, RecordFault, Reporter, SourceState, Totals, visible};

/// The format.
pub(crate) struct Concise;

impl Reporter for Concise {
    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for violation in checked.violations() {
            let (line, columns) = position(origin, checked, violation);
            FindingLine {
                source: origin.source,
                line,
                column: columns.map_or(1, |columns| columns.start),
                level: checked.level(violation),
                rule: violation.rule.name,
            }
            .write(&checked.message(violation), out)?;
        }
        Ok(())
    }

    fn ending(
        &self,
        origin: &Origin<'_>,
        ending: &Ending,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        FindingLine {
            source: origin.source,
            line: origin.line,
            column: 1,
            level: ending.level,
            rule: ending.rule.name,
        }
        .write(ending.message, out)
    }

    fn record_fault(
        &self,
        fault: &RecordFault<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        FindingLine {
            source: fault.source,
            line: fault.line,
            column: 1,
            level: Level::Error,
            rule: BROKEN_RECORD,
        }
        .write(&record_fault_message(fault), out)
    }

    fn finish(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        let counts = summary::counts(totals);
        let found: u64 = totals.violations.values().sum();
        let found = match found {
            0 => String::new(),
            1 => "; 1 violation".to_owned(),
            many => format!("; {many} violations"),
        };
        let remedy = match totals.not_judged {
            0 => "",
            _ => "; `check --answers METHOD` gives the method of a lone response",
        };
        writeln!(out, "{counts}{found}{remedy}")
    }
}

/// A finding without its message.
pub(crate) struct FindingLine<'a> {
    pub(crate) source: &'a str,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) level: Level,
    pub(crate) rule: &'a str,
}

impl FindingLine<'_> {
    /// Writes the line with its message.
    pub(crate) fn write(&self, message: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            visible::text(self.source),
            self.line,
            self.column,
            self.level.name(),
            visible::text(self.rule),
            visible::text(message)
        )
    }
}
