//! One document: the messages of [`ndjson`](crate::ndjson) in an array, and the summary.

use std::io::{self, Write};

use mcp_assay::{Checked, Ending};

use crate::ndjson::{is_silent, write_ending, write_message, write_record_fault, write_totals};
use crate::{Origin, RecordFault, Reporter, SourceState, Totals};

/// The format.
pub(crate) struct Json;

impl Reporter for Json {
    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"{\"messages\":[\n")
    }

    fn separator(&self) -> &'static str {
        ",\n"
    }

    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if is_silent(checked) {
            return Ok(());
        }
        write_message(origin, checked, out)
    }

    fn ending(
        &self,
        origin: &Origin<'_>,
        ending: &Ending,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write_ending(origin, ending, out)
    }

    fn record_fault(
        &self,
        fault: &RecordFault<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write_record_fault(fault, out)
    }

    fn finish(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\n],\"summary\":")?;
        write_totals(totals, out)?;
        out.write_all(b"}\n")
    }
}
