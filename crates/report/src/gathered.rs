//! The reporter of formats that group findings: keeps the groups of a source, and has a collector
//! for those of all sources.

use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::{Checked, Ending};

use crate::finding::{add_ending, add_message, add_record_fault, write_source};
use crate::groups::{Grouping, Groups};
use crate::{Collector, Context, Origin, RecordFault, Reporter, SourceState, Totals};

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
        let groups = state.0.get_or_insert_with(|| Groups::new(self.grouping));
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
        match &mut state.0 {
            Some(groups) => groups.write(out),
            None => Ok(()),
        }
    }

    fn collector(&self) -> Option<Box<dyn Collector>> {
        Some((self.collector)(Arc::clone(&self.context)))
    }
}
