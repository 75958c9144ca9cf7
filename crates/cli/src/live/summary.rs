//! The findings of a live session, on standard error: standard output belongs to the traffic.

use std::io::Write as _;

use mcp_assay_live::guard::Mode;
use mcp_assay_report::{Format, Style, Totals};

use crate::output;

/// The results at the end.
pub(crate) struct Summary {
    /// `None` if nothing was checked.
    pub(crate) totals: Option<Totals>,
    /// Sentences for a person.
    pub(crate) notices: Vec<String>,
    /// The files that could not be written.
    pub(crate) trouble: Vec<String>,
}

impl Summary {
    /// Shows the findings, unless nobody wants to see them, and always what could not be written.
    pub(crate) fn show(&self, mode: Mode, is_quiet: bool) {
        let mut text = Vec::new();
        if let (Some(totals), false) = (&self.totals, is_quiet) {
            for notice in &self.notices {
                // Writing to memory cannot fail.
                let _ = writeln!(text, "mcp-assay: {notice}");
            }
            let reporter = Format::Human.reporter(Style::PLAIN);
            let mut summary = Vec::new();
            if reporter.finish(totals, &mut summary).is_ok() {
                let summary = String::from_utf8_lossy(&summary);
                for line in summary.lines().filter(|line| !line.is_empty()) {
                    let _ = writeln!(text, "mcp-assay ({}): {line}", mode.name());
                }
            }
        }
        if !text.is_empty() {
            output::write_error(&text);
        }
        for trouble in &self.trouble {
            output::say(trouble);
        }
    }
}
