//! The reporter of formats that group findings: renders findings as lines, and has a collector for
//! them.

use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::{Checked, Ending};

use crate::finding::{write_ending, write_message, write_record_fault, write_source};
use crate::{Collector, Context, Origin, RecordFault, Reporter, Totals};

/// The formats that are made of findings.
pub(crate) struct Gathered {
    pub(crate) context: Arc<Context>,
    pub(crate) collector: fn(Arc<Context>) -> Box<dyn Collector>,
}

impl Reporter for Gathered {
    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write_message(origin, checked, out)
    }

    fn ending(&self, origin: &Origin<'_>, ending: &Ending, out: &mut dyn Write) -> io::Result<()> {
        write_ending(origin, ending, out)
    }

    fn record_fault(&self, fault: &RecordFault<'_>, out: &mut dyn Write) -> io::Result<()> {
        write_record_fault(fault, out)
    }

    fn source(
        &self,
        source: &str,
        totals: &Totals,
        failure: Option<&str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write_source(source, totals, failure, out)
    }

    fn collector(&self) -> Option<Box<dyn Collector>> {
        Some((self.collector)(Arc::clone(&self.context)))
    }
}
