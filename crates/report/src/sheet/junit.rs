//! A sheet as `JUnit` XML: a suite for each family, a case for each rule.
//!
//! As in a report of traffic, only what is of level error fails; of a lesser rule the case passes and says what was found. What was
//! not put to the test, and what the baseline knows, is skipped with the reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mcp_assay::{Direction, Level};

use super::{Fault, Outcome, Sheet, SheetRow};
use crate::junit::xml;

/// Places that are told for each rule.
const MOST_PLACES: usize = 20;

#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    skipped: usize,
}

/// The document. Writing to a string cannot fail.
pub(super) fn render(sheet: &Sheet) -> String {
    let mut suites = String::new();
    let mut all = Counts::default();
    let mut families: BTreeMap<&str, Vec<&SheetRow>> = BTreeMap::new();
    for row in &sheet.rows {
        families.entry(row.family()).or_default().push(row);
    }
    for (family, rows) in families {
        let counts = suite(sheet, family, &rows, &mut suites);
        all.tests += counts.tests;
        all.failures += counts.failures;
    }
    let errors = usize::from(sheet.trouble.is_some());
    if let Some(trouble) = &sheet.trouble {
        let trouble = xml(trouble);
        all.tests += 1;
        let _ = writeln!(
            suites,
            "  <testsuite name=\"probe\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    \
             <testcase classname=\"mcp-assay.probe\" name=\"it can be tested\">\n      \
             <error type=\"unreachable\" message=\"{trouble}\"></error>\n    </testcase>\n  </testsuite>"
        );
    }
    let Counts {
        tests, failures, ..
    } = all;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"mcp-assay probe of {}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n\
         {suites}</testsuites>\n",
        xml(&sheet.subject)
    )
}

fn suite(sheet: &Sheet, family: &str, rows: &[&SheetRow], out: &mut String) -> Counts {
    let count = |fits: fn(&SheetRow) -> bool| rows.iter().filter(|row| fits(row)).count();
    let counts = Counts {
        tests: rows.len(),
        failures: count(fails),
        skipped: count(is_skipped),
    };
    let _ = writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">",
        xml(family),
        counts.tests,
        counts.failures,
        counts.skipped
    );
    for row in rows {
        let _ = write!(
            out,
            "    <testcase classname=\"mcp-assay.{}\" name=\"{}\"",
            xml(family),
            xml(row.rule)
        );
        let content = content(sheet, row);
        if content.is_empty() {
            out.push_str("/>\n");
        } else {
            let _ = writeln!(out, ">\n      {content}\n    </testcase>");
        }
    }
    out.push_str("  </testsuite>\n");
    counts
}

fn fails(row: &SheetRow) -> bool {
    row.outcome == Outcome::Failed && row.level == Level::Error
}

fn is_skipped(row: &SheetRow) -> bool {
    !matches!(row.outcome, Outcome::Passed | Outcome::Failed)
}

/// What a case says beyond that it passed.
fn content(sheet: &Sheet, row: &SheetRow) -> String {
    match row.outcome {
        Outcome::Passed => String::new(),
        Outcome::NotObserved | Outcome::NotApplicable => {
            let reason = xml(&row.reason);
            format!("<skipped message=\"{}: {reason}\"/>", row.outcome.name())
        }
        Outcome::Known => "<skipped message=\"known: the baseline has it\"/>".to_owned(),
        Outcome::Failed => {
            let new: Vec<&Fault> = row.faults.iter().filter(|fault| !fault.is_known).collect();
            let text = places(sheet, row, &new);
            if row.level != Level::Error {
                let level = row.level.name();
                return format!("<system-out>{level}\n{text}</system-out>");
            }
            let first = new.first().map_or("", |fault| fault.message.as_str());
            let times = match new.len() {
                0 | 1 => String::new(),
                count => format!(" (in {count} places)"),
            };
            let (rule, first) = (xml(row.rule), xml(first));
            format!("<failure type=\"{rule}\" message=\"{first}{times}\">{text}</failure>")
        }
    }
}

fn places(sheet: &Sheet, row: &SheetRow, faults: &[&Fault]) -> String {
    let mut text = String::new();
    for fault in faults.iter().take(MOST_PLACES) {
        let _ = writeln!(text, "{}", xml(&fault.message));
        let place = fault.place();
        if !place.is_empty() {
            let _ = writeln!(text, "  {}", xml(&place));
        }
        for evidence in &fault.evidence {
            let arrow = match evidence.direction {
                Direction::ClientToServer => "--&gt;",
                Direction::ServerToClient => "&lt;--",
            };
            let _ = writeln!(text, "  {arrow} {}", xml(&evidence.beginning()));
        }
    }
    let more = faults.len().saturating_sub(MOST_PLACES);
    if more > 0 {
        let _ = writeln!(text, "and in {more} more places");
    }
    let again = sheet.context.again("", row.rule);
    let _ = writeln!(text, "shown again by: {}", xml(&again));
    text
}
