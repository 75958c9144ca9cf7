//! Checks messages of any number of sessions, and counts the findings.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_assay::rules::inline;
use mcp_assay::{Checked, Direction, Ending, Frame, MessageKind, Rule, Session, Validator};
use mcp_assay_gateway::Metrics;
use mcp_assay_live::guard::{Decision, Guard, Judged, Mode, Repair};
use mcp_assay_live::http::SessionCut;
use mcp_assay_live::lines::Joined;
use mcp_assay_live::metrics::count;
use mcp_assay_report::{Origin, Totals};

use super::ReportFile;
use crate::log::{Event, Log, Mended};
use crate::output;
use crate::output::counted;
use crate::spans::Spans;

/// The rule that a message of several lines violates.
static EMBEDDED_NEWLINE: &Rule = &inline::NO_EMBEDDED_NEWLINE;

/// Violations that the summary shows one by one.
const SHOWN: usize = 20;

/// Checks messages, and writes report, log and summary.
pub(crate) struct Judge {
    guard: Guard,
    source: String,
    report: Option<ReportFile>,
    log: Option<Log>,
    spans: Option<Spans>,
    /// The spans that could not be exported.
    unexported: Option<String>,
    /// Looks at what we answer ourselves, for the log.
    own: Validator,
    /// The numbers for Prometheus, where nobody else counts.
    metrics: Option<Arc<Metrics>>,
    /// The events that the log lost.
    unlogged: Option<String>,
    totals: Totals,
    text: Vec<u8>,
    /// The text that goes back while another goes on.
    split_off: Vec<u8>,
    /// The first violations, each in a line.
    shown: VecDeque<String>,
    /// Messages that passed unchecked.
    unchecked: u64,
    /// Messages whose check failed.
    failed: u64,
    /// Messages that were checked, but could not be reported.
    unreported: u64,
    /// Messages that did not pass as they were.
    stopped: u64,
    repaired: Vec<String>,
}

impl Judge {
    pub(crate) fn new(
        source: String,
        guard: Guard,
        report: Option<ReportFile>,
        log: Option<Log>,
    ) -> Self {
        if let Some(log) = &log {
            log.begin_source();
        }
        Self {
            guard,
            source,
            report,
            log,
            spans: spans(),
            unexported: None,
            own: Validator::default(),
            metrics: None,
            unlogged: None,
            totals: Totals::default(),
            text: Vec::new(),
            split_off: Vec::new(),
            shown: VecDeque::new(),
            unchecked: 0,
            failed: 0,
            unreported: 0,
            stopped: 0,
            repaired: Vec::new(),
        }
    }

    /// Counts what is checked.
    pub(crate) fn count(&mut self, metrics: Arc<Metrics>) {
        self.metrics = Some(metrics);
    }

    /// Names the servers behind this program in spans: the beginning of the paths of each, and its
    /// URL.
    pub(crate) fn set_servers<'u>(&mut self, servers: impl Iterator<Item = (&'u str, String)>) {
        if let Some(spans) = &mut self.spans {
            spans.set_servers(servers);
        }
    }

    /// Checks a message of a session, which may have a name; `look` gets the result.
    pub(crate) fn judge(
        &mut self,
        session: &mut Session,
        name: Option<&str>,
        frame: Frame<'_>,
        look: impl FnOnce(&Judged<'_>),
    ) -> Decision {
        // The guard fails safely by itself; what is written about a message must not change what
        // becomes of it.
        let mut decision = Decision::unchecked(self.guard.mode);
        let noted = catch_unwind(AssertUnwindSafe(|| {
            self.run(session, name, frame, look, &mut decision);
        }));
        self.unreported += u64::from(noted.is_err());
        decision
    }

    /// A message is one line now that was several.
    pub(crate) fn joined(&mut self, frame: Frame<'_>, joined: Joined) {
        let before = format!("{} lines, {} bytes", joined.lines, joined.bytes);
        let after = format!("1 line, {} bytes", frame.bytes.len() + 1);
        let origin = Origin {
            source: &self.source,
            line: frame.at,
            time: frame.time,
            ..Origin::default()
        };
        // The content of the message may be a secret, and none of it was changed.
        let mended = Mended {
            kind: "lines-joined",
            rule: EMBEDDED_NEWLINE.name,
            pointer: "",
            before: &before,
            after: &after,
            tool: None,
        };
        if let Some(log) = &self.log {
            log.repair(&origin, &mended);
        }
        if self.repaired.len() < SHOWN {
            self.repaired.push(format!(
                "message {}: mended: {before} became {after} ({})",
                frame.at, EMBEDDED_NEWLINE.name
            ));
        }
    }

    /// Counts messages that went on unchecked.
    pub(crate) fn skip(&mut self, count: u64) {
        self.unchecked += count;
        if let Some(metrics) = &self.metrics {
            metrics.add_unchecked(count);
        }
    }

    /// The text in place of the last message, or back to its sender.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The text that goes back to the sender of the last message while another goes on.
    pub(crate) fn split_off(&self) -> &[u8] {
        &self.split_off
    }

    /// A session is over: says what is missing.
    pub(crate) fn end_session(&mut self, session: &Session, name: Option<&str>) {
        let endings = catch_unwind(AssertUnwindSafe(|| {
            Validator::end(self.guard.validator(), session)
        }));
        for ending in endings.unwrap_or_default() {
            self.totals.add_ending(&ending);
            self.show_ending(&ending);
            let origin = Origin {
                source: &self.source,
                line: ending.at,
                session: name,
                ..Origin::default()
            };
            if let Some(report) = &mut self.report {
                report.ending(&origin, &ending);
            }
            if let Some(log) = &self.log {
                log.ending(&origin, &ending);
            }
        }
        if let Some(log) = &self.log {
            log.end(|ended| ended == name);
        }
        self.forget_session(name);
    }

    /// Nothing more comes of a session.
    pub(crate) fn forget_session(&mut self, name: Option<&str>) {
        if let Some(spans) = &mut self.spans {
            spans.end_session(name);
        }
    }

    /// Notes how many sessions without an id there were, by the fact that told them apart, if a
    /// connection carried several.
    pub(crate) fn cut_sessions(&mut self, cuts: &[(SessionCut, u64)]) {
        let cuts = cuts.iter().filter(|(_, count)| *count > 0);
        let is_shared = cuts.clone().any(|(cut, _)| *cut != SessionCut::Connection);
        if is_shared {
            self.totals.unnamed_sessions = cuts.map(|(cut, count)| (cut.name(), *count)).collect();
        }
    }

    /// All is over: ends report and log.
    pub(crate) fn finish(&mut self) {
        if let Some(log) = &self.log {
            log.end(|_| true);
            // It is written while the report is.
            log.close();
        }
        if let Some(report) = &mut self.report {
            report.finish(&self.totals);
        }
        if let Some(log) = self.log.take() {
            let (missing, path) = log.finish();
            let what = counted(missing, "event");
            self.unlogged =
                (missing > 0).then(|| format!("{what} missing from {}", path.display()));
        }
        if let Some(spans) = self.spans.take() {
            self.unexported = spans.finish();
        }
    }

    pub(crate) fn mode(&self) -> Mode {
        self.guard.mode
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Sentences for a person at the end.
    pub(crate) fn notices(&self) -> Vec<String> {
        let mut notices: Vec<String> = self.shown.iter().cloned().collect();
        let more = self.totals.violations.values().sum::<u64>();
        let more = more.saturating_sub(self.shown.len() as u64);
        if more > 0 {
            notices.push(format!("... and {} more", counted(more, "violation")));
        }
        notices.extend(self.repaired.iter().cloned());
        if self.stopped > 0 {
            notices.push(format!("{} did not pass", counted(self.stopped, "message")));
        }
        if self.unchecked > 0 {
            let what = counted(self.unchecked, "message");
            notices.push(format!(
                "{what} passed unchecked, because checking fell behind"
            ));
        }
        if self.failed > 0 {
            let what = counted(self.failed, "message");
            let then = match self.guard.mode {
                Mode::Shadow => "passed unchecked",
                Mode::Enforce => "did not pass",
            };
            notices.push(format!(
                "{what} {then}, because the check failed: please report this"
            ));
        }
        if self.unreported > 0 {
            let what = counted(self.unreported, "message");
            notices.push(format!(
                "{what} missing from reports, because writing them failed: please report this"
            ));
        }
        notices.extend(self.report.as_ref().and_then(ReportFile::trouble));
        notices.extend(self.unlogged.clone());
        notices.extend(self.unexported.clone());
        notices
    }

    fn run(
        &mut self,
        session: &mut Session,
        name: Option<&str>,
        frame: Frame<'_>,
        look: impl FnOnce(&Judged<'_>),
        decision: &mut Decision,
    ) {
        let is_timed = self.log.is_some() || self.metrics.is_some();
        let begun = is_timed.then(Instant::now);
        let judged = self.guard.judge(session, frame);
        if let (Some(metrics), Some(begun)) = (&self.metrics, begun) {
            count(&judged, &**metrics);
            if !judged.failed {
                metrics.took(begun.elapsed());
            }
        }
        let text = judged.action.text();
        self.text.clear();
        self.text.extend_from_slice(text);
        self.split_off.clear();
        self.split_off.extend_from_slice(judged.action.split_off());
        *decision = judged.action.decision();
        let decision = *decision;
        self.stopped += u64::from(decision != Decision::Forward && judged.repairs.is_empty());
        if judged.failed {
            // Nothing was checked: neither report nor log may call it clean.
            self.failed += 1;
            return look(&judged);
        }
        let checked = judged.checked;
        let origin = Origin {
            source: &self.source,
            line: frame.at,
            session: name,
            time: frame.time,
            ..Origin::default()
        };
        self.totals.add(&checked);
        look(&judged);
        if let Some(spans) = &mut self.spans {
            let is_ours = matches!(decision, Decision::Refuse | Decision::Replace);
            let answer = (is_ours && judged.repairs.is_empty()).then_some(text);
            spans.message(name, frame.time, &checked, answer);
        }
        for repair in judged.repairs {
            let before = quoted(repair, frame.bytes);
            if let Some(log) = &self.log {
                log.repair(&origin, &Mended::new(repair, &before));
            }
            if self.repaired.len() < SHOWN {
                self.repaired
                    .push(repair_in_words(frame.at, repair, &before));
            }
        }
        if let (Some(log), Some(begun)) = (&self.log, begun) {
            let event = |checked, took| Event {
                origin,
                carrier: frame.carrier,
                time: frame.time,
                took,
                checked,
            };
            log.message(&event(&checked, begun.elapsed()));
            let is_lost = checked.kind() == MessageKind::Unreadable;
            let answer = match decision {
                Decision::Refuse => frame.direction.map(Direction::reverse),
                Decision::Replace if is_lost => frame.direction,
                _ => None,
            };
            // The exchange is over by what we say ourselves.
            if let Some(direction) = answer {
                let mut frame = Frame::new(text).direction(direction);
                frame.revision = checked.revision().or(session.revision());
                // Its request was not tracked: nothing can be concluded from that.
                let mut excerpt = Session::new();
                excerpt.lose_track();
                let own = self.own.look(&excerpt, frame);
                log.message(&event(&own, Duration::ZERO));
            }
        }
        if !checked.violations().is_empty() {
            show(&mut self.shown, frame.at, &checked);
        }
        if let Some(report) = &mut self.report {
            report.message(&origin, &checked);
        }
    }

    fn show_ending(&mut self, ending: &Ending) {
        if self.shown.len() < SHOWN {
            self.shown.push_back(format!(
                "message {}: {}[{}]: {}",
                ending.at,
                ending.level.name(),
                ending.rule.name,
                ending.message
            ));
        }
    }
}

/// Spans, if the environment asks for them.
fn spans() -> Option<Spans> {
    Spans::from_environment().unwrap_or_else(|error| {
        // The traffic matters more.
        output::complain(&error);
        None
    })
}

/// Notes violations for the summary.
fn show(shown: &mut VecDeque<String>, number: u64, checked: &Checked<'_>) {
    for violation in checked.violations() {
        if shown.len() >= SHOWN {
            return;
        }
        let direction = checked.direction().map_or("", Direction::name);
        let method = checked.method().unwrap_or_default();
        let pointer = checked.pointer(violation);
        let place = if pointer.is_empty() {
            String::new()
        } else {
            format!(" at {pointer}")
        };
        let line = format!(
            "message {number} ({direction}, {} {method}): {}[{}]{place}: {}",
            checked.kind().name(),
            checked.level(violation).name(),
            violation.rule.name,
            checked.message(violation)
        );
        // Names in it come from the traffic.
        shown.push_back(mcp_assay_report::visible(&line));
    }
}

/// The text that was taken out, cut to a readable length.
fn quoted(repair: &Repair, sent: &[u8]) -> String {
    const LENGTH: usize = 80;
    let span = repair.before.start as usize..repair.before.end as usize;
    let before = sent.get(span).unwrap_or_default();
    String::from_utf8_lossy(before.get(..LENGTH).unwrap_or(before)).into_owned()
}

fn repair_in_words(number: u64, repair: &Repair, before: &str) -> String {
    let after = if repair.after.is_empty() {
        "nothing"
    } else {
        repair.after
    };
    let line = match &repair.tool {
        Some(tool) => format!(
            "message {number}: tool `{tool}` was left out of the list ({})",
            repair.rule
        ),
        None => format!(
            "message {number}: mended at {}: `{before}` became {after} ({})",
            repair.pointer, repair.rule
        ),
    };
    mcp_assay_report::visible(&line)
}
