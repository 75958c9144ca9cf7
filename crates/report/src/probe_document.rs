//! Writes the report of a probe in every format.

use std::io::{self, Write};
use std::sync::Arc;

use crate::probe_report::json::Listed;
use crate::probe_report::{ProbeReport, concise, findings, human, json};
use crate::{Format, Style, Timeline, github, junit, sarif};

/// The view of a probe report.
#[derive(Default)]
pub struct View {
    /// Colour, for people.
    pub style: Style,
    /// Whether people see every rule, and not only those that failed.
    pub verbose: bool,
    /// Whether programs get only the rules that failed.
    pub only_findings: bool,
    /// The messages, for browsers.
    pub timeline: Option<Timeline>,
}

impl ProbeReport {
    /// Writes the document in a format; the lines of `ndjson` are rules.
    pub fn write(&self, format: Format, view: View, out: &mut dyn Write) -> io::Result<()> {
        let listed = if view.only_findings {
            Listed::Failed
        } else {
            Listed::All
        };
        match format {
            Format::Human if self.trouble.is_some() => Ok(()),
            Format::Human => {
                out.write_all(human::render(self, view.style, view.verbose).as_bytes())
            }
            Format::Concise => concise::write(self, out),
            Format::Json => out.write_all(json::render(self, listed).as_bytes()),
            Format::Ndjson => json::write_lines(self, listed, out),
            Format::Junit => junit::write_probe(self, out),
            Format::Sarif => {
                let about = serde_json::json!({
                    "subject": self.subject, "notes": self.all_notes(), "rules": findings::counts(self),
                });
                let context = Arc::new(self.context.clone());
                let trouble = self.trouble.iter().map(String::as_str);
                sarif::write(findings::of(self), trouble, &about, context, out)
            }
            Format::Github => {
                github::write(
                    findings::of(self),
                    Arc::new(self.context.clone()),
                    self.trouble.as_deref(),
                    out,
                )?;
                match self.trouble {
                    Some(_) => Ok(()),
                    None => writeln!(out, "{}", findings::summary(self)),
                }
            }
            Format::Html => view.timeline.unwrap_or_default().write(self, out),
        }
    }
}
