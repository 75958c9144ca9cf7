//! The page of a probe: the outcome of each rule above, the timeline of the connections below.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::{Checked, Direction, Ending, Violation};

use super::escape::{self, add};
use super::page::Page;
use super::row;
use super::section::slug;
use super::summary::{counted, write_filters, write_left_out};
use crate::{Context, Evidence, Fault, Origin, Outcome, ProbeReport, ProbeRow, Remark};

/// Places of a rule that are shown; the timeline has the rest.
const MAX_PLACES: usize = 20;

/// The messages of a probe, for its page.
#[derive(Default)]
pub struct Timeline {
    page: Page,
    context: Arc<Context>,
}

impl Timeline {
    /// An empty timeline; `context` has the command that shows a violation again.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self {
            context: Arc::new(context),
            ..Self::default()
        }
    }

    /// Adds a message, with those of its violations that count, and other remarks.
    pub fn message(
        &mut self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        counts: impl Fn(&Violation) -> bool,
        remarks: &[Remark<'_>],
    ) {
        let violations: Vec<_> = checked
            .violations()
            .iter()
            .filter(|violation| counts(violation))
            .collect();
        self.page.row(&row::of_message(
            origin,
            checked,
            &violations,
            remarks,
            &self.context,
        ));
    }

    /// Adds the findings at the end of a connection.
    pub fn ending(&mut self, origin: &Origin<'_>, ending: &Ending) {
        self.page
            .row(&row::of_ending(origin, ending, &self.context));
    }

    pub(crate) fn write(mut self, report: &ProbeReport, out: &mut dyn Write) -> io::Result<()> {
        self.page.close();
        let failed = report.count(Outcome::Failed) as u64;
        let title = match (&report.trouble, failed) {
            (Some(_), _) => "nothing could be tested – mcp-assay".to_owned(),
            (None, 0) => "no rule failed – mcp-assay".to_owned(),
            (None, _) => format!("{} failed – mcp-assay", counted(failed, "rule")),
        };
        let header = self.header(report);
        self.page.write(&title, &header, out)
    }

    fn header(&self, report: &ProbeReport) -> String {
        let mut out = format!(
            "<header>\n<h1>mcp-assay probe</h1>\n<p><code>{}</code></p>\n<ul class=\"counts\">",
            escape::text(&report.subject)
        );
        for outcome in Outcome::ALL {
            let count = report.count(outcome);
            if count > 0 || outcome == Outcome::Failed {
                let (class, name) = (class(outcome), outcome.name());
                add(
                    &mut out,
                    format_args!("<li class=\"{class}\"><b>{count}</b> {name}</li>"),
                );
            }
        }
        out.push_str("</ul>\n");
        if let Some(trouble) = &report.trouble {
            let trouble = escape::sentence(trouble);
            add(
                &mut out,
                format_args!("<p class=\"note bad\">{trouble}</p>\n"),
            );
        }
        for note in report.all_notes() {
            let note = escape::sentence(&note);
            add(&mut out, format_args!("<p class=\"note\">{note}</p>\n"));
        }
        if !report.rows.is_empty() {
            write_families(report, &mut out);
            for outcome in Outcome::ALL {
                self.write_rows(report, outcome, &mut out);
            }
        }
        out.push_str("<h2 id=\"timeline\">Timeline</h2>\n");
        write_left_out(self.page.left_out(), &mut out);
        write_filters(&self.page, &mut out);
        out.push_str("</header>\n");
        out
    }

    /// The rules of an outcome; open if they failed.
    fn write_rows(&self, report: &ProbeReport, outcome: Outcome, out: &mut String) {
        let mut rows: Vec<&ProbeRow> = report
            .rows
            .iter()
            .filter(|row| row.outcome == outcome)
            .collect();
        if rows.is_empty() {
            return;
        }
        rows.sort_by_key(|row| (std::cmp::Reverse(row.level), row.rule));
        let open = if outcome == Outcome::Failed {
            " open=\"\""
        } else {
            ""
        };
        add(
            out,
            format_args!(
                "<details class=\"rules\"{open}><summary>{} {}</summary>\n<table><thead><tr><th>level</th><th>rule</th><th>result</th></tr></thead><tbody>\n",
                counted(rows.len() as u64, "rule"),
                outcome.name()
            ),
        );
        for row in rows {
            let level = row.level.name();
            add(
                out,
                format_args!(
                    "<tr id=\"rule/{0}\"><td><span class=\"lv {level}\">{level}</span></td><td>{0}</td><td>{1}",
                    escape::text(row.rule),
                    escape::sentence(row.about)
                ),
            );
            if !row.reason.is_empty() {
                let reason = escape::sentence(&row.reason);
                add(out, format_args!("<p class=\"why\">{reason}</p>"));
            }
            for fault in row.faults.iter().take(MAX_PLACES) {
                self.write_fault(row, fault, out);
            }
            let more = row.faults.len().saturating_sub(MAX_PLACES);
            if more > 0 {
                add(
                    out,
                    format_args!("<p class=\"more\">and in {more} more places</p>"),
                );
            }
            if !row.faults.is_empty() {
                let again = escape::text(&report.context.again("", row.rule));
                add(out, format_args!("<code class=\"cmd\">{again}</code>"));
            }
            out.push_str("</td></tr>\n");
        }
        out.push_str("</tbody></table></details>\n");
    }

    fn write_fault(&self, row: &ProbeRow, fault: &Fault, out: &mut String) {
        let level = row.level.name();
        let known = if fault.is_known { " (known)" } else { "" };
        add(
            out,
            format_args!(
                "<div class=\"v {level}\"><p class=\"say\">{}{known}</p>",
                escape::sentence(&fault.message)
            ),
        );
        let place = fault.place();
        if !place.is_empty() {
            let place = escape::text(&place);
            add(out, format_args!("<p class=\"facts\">{place}</p>"));
        }
        for evidence in &fault.evidence {
            self.write_evidence(evidence, out);
        }
        out.push_str("</div>");
    }

    fn write_evidence(&self, evidence: &Evidence, out: &mut String) {
        let arrow = match evidence.direction {
            Direction::ClientToServer => "→",
            Direction::ServerToClient => "←",
        };
        let anchor = evidence
            .place
            .as_ref()
            .map(|(source, line)| format!("{}:{line}", slug(source)))
            .filter(|anchor| self.page.has_anchor(anchor));
        let arrow = match anchor {
            Some(anchor) => format!("<a href=\"#{}\">{arrow}</a>", escape::text(&anchor)),
            None => arrow.to_owned(),
        };
        let text = escape::text(&evidence.beginning());
        add(out, format_args!("<pre class=\"cut\">{arrow} {text}</pre>"));
    }
}

/// The class that colours a count.
fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Failed => "error",
        Outcome::Known => "warning",
        Outcome::Passed => "pass",
        Outcome::NotObserved | Outcome::NotApplicable => "",
    }
}

fn write_families(report: &ProbeReport, out: &mut String) {
    let mut families: BTreeMap<&str, [usize; Outcome::ALL.len()]> = BTreeMap::new();
    for row in &report.rows {
        families.entry(row.family()).or_default()[row.outcome as usize] += 1;
    }
    out.push_str("<details class=\"rules\"><summary>Totals of each family</summary>\n<table><thead><tr><th>family</th>");
    let is_shown = |outcome: &Outcome| *outcome != Outcome::Known || report.count(*outcome) > 0;
    for outcome in Outcome::ALL.into_iter().filter(is_shown) {
        add(out, format_args!("<th class=\"n\">{}</th>", outcome.name()));
    }
    out.push_str("</tr></thead><tbody>\n");
    for (family, counts) in families {
        add(out, format_args!("<tr><td>{}</td>", escape::text(family)));
        for outcome in Outcome::ALL.into_iter().filter(is_shown) {
            let count = counts[outcome as usize];
            let class = if count > 0 { class(outcome) } else { "" };
            add(out, format_args!("<td class=\"n {class}\">{count}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></details>\n");
}
