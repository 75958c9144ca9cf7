//! The faults of an SDK as the text of an issue for its authors.

use std::fmt::Write as _;

use super::{Blame, Outcome, ProbeReport, ProbeRow, names};
use crate::visible;

impl ProbeReport {
    /// The faults of the SDK as Markdown; a sentence if there are none. Writing to a string cannot
    /// fail.
    #[must_use]
    pub fn sdk_issue(&self, issues: &str) -> String {
        let Some(sdk) = &self.sdk else {
            return "The SDK is not known: --sdk NAME[@VERSION] names it.\n".to_owned();
        };
        let is_of_sdk =
            |row: &&ProbeRow| row.outcome == Outcome::Failed && matches!(row.blame, Blame::Sdk(_));
        let rows: Vec<_> = self.rows.iter().filter(is_of_sdk).collect();
        if rows.is_empty() {
            return format!("No fault of {sdk} was found.\n");
        }
        let mut out = format!("# Replies of {sdk} that differ from the specification\n\n");
        let _ = writeln!(out, "To be reported at <{issues}>.\n");
        for row in rows {
            section(row, &mut out);
            let again = self.context.again("", row.rule);
            let _ = writeln!(out, "To see it again:\n\n    {again}\n");
        }
        let lines = out.lines().map(visible::text);
        lines.flat_map(|line| [line, "\n".into()]).collect()
    }
}

fn section(row: &ProbeRow, out: &mut String) {
    let _ = writeln!(out, "## {}\n", row.rule);
    let _ = writeln!(
        out,
        "{} ({}, {})\n",
        row.about,
        row.level.name(),
        row.clause
    );
    if let Blame::Sdk(reason) = &row.blame {
        let _ = writeln!(out, "Cause: {reason}.\n");
    }
    for fault in &row.faults {
        let revisions = names(&fault.revisions).join(", ");
        let _ = writeln!(out, "- {} ({revisions})", fault.message);
    }
    let _ = writeln!(out, "\nExpected: {}.\n", row.help);
    let evidence = row.faults.first().map_or(&[][..], |fault| &fault.evidence);
    for one in evidence {
        let _ = writeln!(out, "    {} {}", one.arrow(), one.beginning());
    }
    if !evidence.is_empty() {
        out.push('\n');
    }
}
