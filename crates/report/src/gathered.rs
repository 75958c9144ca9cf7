//! The reporter of formats that group findings: keeps the groups of a source, and has a collector
//! for those of all sources.

use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::{Checked, Ending, Level, Place, Violation};

use crate::finding::{
    BROKEN_RECORD, BROKEN_RECORD_HELP, BROKEN_RECORD_SUMMARY, Columns, Finding, SchemaMember,
    position, record_fault_message,
};
use crate::groups::{Grouping, Groups, Key, write_source};
use crate::human::{describe, describe_ending, place};
use crate::ndjson::clause;
use crate::{Collector, Context, Origin, RecordFault, Reporter, SourceState, Totals};

/// Characters of a method's name.
const MAX_METHOD: usize = 200;

/// The formats that are made of findings.
pub(crate) struct Gathered {
    pub(crate) context: Arc<Context>,
    pub(crate) grouping: Grouping,
    pub(crate) collector: fn(Arc<Context>) -> Box<dyn Collector>,
}

impl Gathered {
    /// The groups of a source.
    fn groups<'s>(
        &self,
        source: &str,
        state: &'s mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<&'s mut Groups> {
        let groups = state
            .groups
            .get_or_insert_with(|| Groups::new(self.grouping));
        groups.enter(source, out)?;
        Ok(groups)
    }
}

impl Reporter for Gathered {
    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !checked.violations().is_empty() {
            add_message(origin, checked, self.groups(origin.source, state, out)?);
        }
        Ok(())
    }

    fn ending(
        &self,
        origin: &Origin<'_>,
        ending: &Ending,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        add_ending(origin, ending, self.groups(origin.source, state, out)?);
        Ok(())
    }

    fn record_fault(
        &self,
        fault: &RecordFault<'_>,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        add_record_fault(fault, self.groups(fault.source, state, out)?);
        Ok(())
    }

    fn source(
        &self,
        source: &str,
        totals: &Totals,
        failure: Option<&str>,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.flush(state, out)?;
        write_source(source, totals, failure, out)
    }

    fn flush(&self, state: &mut SourceState, out: &mut dyn Write) -> io::Result<()> {
        match &mut state.groups {
            Some(groups) => groups.write(out),
            None => Ok(()),
        }
    }

    fn collector(&self) -> Option<Box<dyn Collector>> {
        Some((self.collector)(Arc::clone(&self.context)))
    }
}

/// Adds the findings of a message.
fn add_message(origin: &Origin<'_>, checked: &Checked<'_>, groups: &mut Groups) {
    let has_places = matches!(groups.grouping(), Grouping::ByPlace { .. });
    let method = checked.method().filter(|_| has_places);
    for violation in checked.violations() {
        let (line, columns) = position(origin, checked, violation);
        let pointer = if has_places {
            checked.pointer(violation)
        } else {
            String::new()
        };
        let key = Key {
            level: checked.level(violation),
            rule: violation.rule.name,
            method: method.as_deref().map(shortened),
            pointer: &pointer,
        };
        groups.add(key, line, || {
            of_violation(origin, checked, violation, (line, columns))
        });
    }
}

fn of_violation(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    violation: &Violation,
    (line, columns): (u64, Option<Columns>),
) -> Finding {
    Finding {
        source: origin.source.to_owned(),
        line,
        columns,
        level: checked.level(violation) as u8,
        rule: violation.rule.name.to_owned(),
        summary: violation.rule.summary().to_owned(),
        message: checked.message(violation),
        help: checked.help(violation),
        clause: clause(violation.rule, checked.revision()),
        what: describe(origin, checked),
        place: place(checked, violation),
        method: checked
            .method()
            .as_deref()
            .map(shortened)
            .map(str::to_owned),
        pointer: checked.pointer(violation),
        span: (violation.place == Place::Message)
            .then_some((violation.span.start, violation.span.end)),
        schema: SchemaMember::new(checked, violation),
        detail: String::new(),
    }
}

/// Adds a finding at the end of a session.
fn add_ending(origin: &Origin<'_>, ending: &Ending, groups: &mut Groups) {
    let method = ending.method.as_deref().map(shortened);
    let key = Key {
        level: ending.level,
        rule: ending.rule.name,
        method,
        pointer: "",
    };
    groups.add(key, origin.line, || Finding {
        source: origin.source.to_owned(),
        line: origin.line,
        columns: None,
        level: ending.level as u8,
        rule: ending.rule.name.to_owned(),
        summary: ending.rule.summary().to_owned(),
        message: ending.message.to_owned(),
        help: ending.rule.help.to_owned(),
        clause: clause(ending.rule, ending.revision),
        what: describe_ending(origin, ending),
        place: String::new(),
        method: method.map(str::to_owned),
        pointer: String::new(),
        span: None,
        schema: None,
        detail: String::new(),
    });
}

/// Adds a broken record.
fn add_record_fault(fault: &RecordFault<'_>, groups: &mut Groups) {
    let key = Key {
        level: Level::Error,
        rule: BROKEN_RECORD,
        method: None,
        pointer: "",
    };
    groups.add(key, fault.line, || Finding {
        source: fault.source.to_owned(),
        line: fault.line,
        columns: None,
        level: Level::Error as u8,
        rule: BROKEN_RECORD.to_owned(),
        summary: BROKEN_RECORD_SUMMARY.to_owned(),
        message: record_fault_message(fault),
        help: BROKEN_RECORD_HELP.to_owned(),
        clause: String::new(),
        what: "a record of the capture".to_owned(),
        place: String::new(),
        method: None,
        pointer: String::new(),
        span: None,
        schema: None,
        detail: String::new(),
    });
}

/// The beginning of a method's name, which may be long.
fn shortened(method: &str) -> &str {
    match method.char_indices().nth(MAX_METHOD) {
        Some((end, _)) => &method[..end],
        None => method,
    }
}
