//! One page for a browser: a timeline of the sessions with every violation at its bytes, readable
//! without a network.
//!
//! Everything from outside passes through [`escape`]; the page forbids everything except its own
//! script and style, by their hashes. Rows are rendered on the threads that check messages; the
//! page is assembled in the end. Without JavaScript the whole page can be read; filters and jumps
//! need it.

mod escape;
mod page;
mod probe_report;
mod raw;
mod row;
mod section;
mod summary;

use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::{Checked, Ending};

pub use self::probe_report::Timeline;
use self::row::Entry;
pub use self::row::Remark;
use crate::document::Lines;
use crate::{Collector, Context, Origin, RecordFault, Reporter, SourceState, Totals};

/// The format.
pub(crate) struct Html {
    context: Arc<Context>,
}

impl Html {
    pub(crate) fn new(context: Arc<Context>) -> Self {
        Self { context }
    }
}

impl Reporter for Html {
    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let all: Vec<_> = checked.violations().iter().collect();
        let is_faulty = usize::from(!all.is_empty());
        let rows = &mut state.rows[is_faulty];
        *rows += 1;
        // A page has no room for further rows: they are counted only.
        let row = if *rows > [page::MAX_PASSING, page::MAX_FAULTY][is_faulty] {
            row::without_body(origin, checked, &all)
        } else {
            row::of_message(origin, checked, &all, &[], &self.context)
        };
        Entry::Row(row).write(out)
    }

    fn ending(
        &self,
        origin: &Origin<'_>,
        ending: &Ending,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Entry::Row(row::of_ending(origin, ending, &self.context)).write(out)
    }

    fn record_fault(
        &self,
        fault: &RecordFault<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Entry::Row(row::of_record_fault(fault, &self.context)).write(out)
    }

    fn source(
        &self,
        source: &str,
        _: &Totals,
        failure: Option<&str>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Entry::Source {
            source: source.to_owned(),
            failure: failure.map(str::to_owned),
        }
        .write(out)
    }

    fn collector(&self) -> Option<Box<dyn Collector>> {
        Some(Box::new(Lines::new(page::Page::default())))
    }
}
