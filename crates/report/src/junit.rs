//! `JUnit` XML, as build servers read it.
//!
//! For traffic, a source is a test suite. A rule that was broken in it is a test case under the
//! rule's name, so that its history can be followed from run to run however the traffic shifts. One
//! more case reports whether the source could be read, so that a clean suite has a case, too. For a
//! probe, a family of rules is a test suite, and every rule a case.
//!
//! A case fails if the rule is an error there, else it passes and lists the findings. Rules that
//! were not tested, or that the baseline knows, are skipped with the reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::Level;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::document::{Gather, Lines};
use crate::finding::Finding;
use crate::groups::{Entry, Group, Grouping, SourceEnd};
use crate::probe_report::{Fault, Outcome, ProbeReport, ProbeRow};
use crate::{Collector, Context, Totals, visible};

/// Places that are listed for each rule of a suite.
const MAX_PLACES: usize = 20;
/// The case that every source has.
const READABLE: &str = "the source can be read";

pub(crate) const GROUPING: Grouping = Grouping::ByRule { kept: MAX_PLACES };

pub(crate) fn collector(context: Arc<Context>) -> Box<dyn Collector> {
    Box::new(Lines::new(Junit {
        context,
        report: Report::new("mcp-assay"),
        open: None,
    }))
}

struct Junit {
    context: Arc<Context>,
    report: Report,
    open: Option<Source>,
}

/// A source, and the rules that were broken in it.
struct Source {
    name: String,
    rules: BTreeMap<String, Broken>,
}

struct Broken {
    level: Level,
    count: u64,
    shown: usize,
    first: String,
    /// One line for each.
    places: String,
}

impl Gather for Junit {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        match Entry::read(line)? {
            Entry::Group(group) => {
                if let Some(first) = group.findings.first() {
                    self.source(&first.source).add(&group, first);
                }
            }
            // Rules are few: none is left out.
            Entry::LeftOut { .. } => {}
            Entry::Source(end) => {
                self.source(&end.source);
                self.close(Some(&end));
            }
        }
        Ok(())
    }

    fn finish(mut self, _: &Totals, out: &mut dyn Write) -> io::Result<()> {
        self.close(None);
        write(&self.report, out)
    }
}

impl Junit {
    /// The source of this name; ends another.
    fn source(&mut self, name: &str) -> &mut Source {
        if self.open.as_ref().is_some_and(|open| open.name != name) {
            self.close(None);
        }
        self.open.get_or_insert_with(|| Source {
            name: name.to_owned(),
            rules: BTreeMap::new(),
        })
    }

    fn close(&mut self, end: Option<&SourceEnd>) {
        if let Some(source) = self.open.take() {
            self.report.add_test_suite(source.suite(&self.context, end));
        }
    }
}

impl Source {
    fn add(&mut self, group: &Group, first: &Finding) {
        let rule = self.rules.entry(first.rule.clone()).or_insert(Broken {
            level: group.level(),
            count: 0,
            shown: 0,
            first: first.message.clone(),
            places: String::new(),
        });
        rule.count += group.count;
        rule.level = rule.level.max(group.level());
        // A file may be named twice on the command line.
        let room = MAX_PLACES - rule.shown;
        for finding in group.findings.iter().take(room) {
            rule.add_place(finding);
        }
    }

    fn suite(&self, context: &Context, end: Option<&SourceEnd>) -> TestSuite {
        let mut suite = TestSuite::new(text(&self.name));
        let file = text(&context.path(&self.name));
        let mut add = |mut case: TestCase| {
            case.set_classname(text(&self.name));
            case.extra.insert("file".into(), file.as_str().into());
            suite.add_test_case(case);
        };
        let mut readable = TestCase::new(READABLE, TestCaseStatus::success());
        match (end.and_then(|end| end.failure.as_deref()), end) {
            (Some(failure), _) => readable.status = error("unreadable", failure),
            (None, Some(end)) => {
                readable.set_system_out(counts(end));
            }
            (None, None) => {}
        }
        add(readable);
        for (rule, broken) in &self.rules {
            let more = match broken.count.saturating_sub(broken.shown as u64) {
                0 => String::new(),
                more => format!("and {more} more\n"),
            };
            let times = match broken.count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            let places = format!(
                "{}{more}{}",
                broken.places,
                again(context, &self.name, rule)
            );
            add(case_of(rule, broken.level, &broken.first, &times, &places));
        }
        suite
    }
}

impl Broken {
    fn add_place(&mut self, finding: &Finding) {
        self.shown += 1;
        let (source, what) = (text(&finding.source), text(&finding.what));
        let (message, help) = (text(&finding.message), text(&finding.help));
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.places,
            "{source}:{} ({what})\n  {message}",
            finding.line
        );
        if !finding.place.is_empty() {
            let _ = writeln!(self.places, "  at {}", text(&finding.place));
        }
        if let Some(schema) = &finding.schema {
            let _ = writeln!(self.places, "  schema: {}", text(&schema.to_string()));
        }
        let _ = writeln!(self.places, "  help: {help}");
    }
}

/// The messages of a source, in a sentence.
fn counts(end: &SourceEnd) -> String {
    let SourceEnd { messages, pass, .. } = end;
    match (messages, end.not_judged) {
        (0, _) => "warning: the source has no messages".to_owned(),
        (_, 0) => format!("{messages} messages, {pass} clean"),
        (_, lone) => format!(
            "{messages} messages, {pass} clean, {lone} not judged: their requests are not in the input; \
             `check --answers METHOD` gives the method"
        ),
    }
}

/// Writes the report of a probe.
pub(crate) fn write_probe(probe: &ProbeReport, out: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new(format!("mcp-assay probe of {}", text(&probe.subject)));
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for row in &probe.rows {
        let family = row.family();
        let mut case = row_case(probe, row);
        case.set_classname(format!("mcp-assay.{family}"));
        let suite = suites.entry(family);
        suite
            .or_insert_with(|| TestSuite::new(family))
            .add_test_case(case);
    }
    report.add_test_suites(suites.into_values());
    if let Some(trouble) = &probe.trouble {
        let mut case = TestCase::new("it can be tested", error("unreachable", trouble));
        case.set_classname("mcp-assay.probe");
        let mut suite = TestSuite::new("probe");
        suite.add_test_case(case);
        report.add_test_suite(suite);
    }
    write(&report, out)
}

fn row_case(probe: &ProbeReport, row: &ProbeRow) -> TestCase {
    let skipped = |reason: String| {
        let mut status = TestCaseStatus::skipped();
        status.set_message(reason);
        TestCase::new(row.rule, status)
    };
    match row.outcome {
        Outcome::Passed => TestCase::new(row.rule, TestCaseStatus::success()),
        Outcome::NotObserved | Outcome::NotApplicable => {
            skipped(format!("{}: {}", row.outcome.name(), text(&row.reason)))
        }
        Outcome::Known => skipped("known: the baseline has it".to_owned()),
        Outcome::Failed => {
            let new: Vec<&Fault> = row.faults.iter().filter(|fault| !fault.is_known).collect();
            let first = new.first().map_or("", |fault| fault.message.as_str());
            let times = match new.len() {
                0 | 1 => String::new(),
                count => format!(" (in {count} places)"),
            };
            let places = places(&new) + &again(&probe.context, "", row.rule);
            case_of(row.rule, row.level, first, &times, &places)
        }
    }
}

fn places(faults: &[&Fault]) -> String {
    let mut places = String::new();
    for fault in faults.iter().take(MAX_PLACES) {
        // Writing to a string cannot fail.
        let _ = writeln!(places, "{}", text(&fault.message));
        let place = fault.place();
        if !place.is_empty() {
            let _ = writeln!(places, "  {}", text(&place));
        }
        for evidence in &fault.evidence {
            let _ = writeln!(
                places,
                "  {} {}",
                evidence.arrow(),
                text(&evidence.beginning())
            );
        }
    }
    let more = faults.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        let _ = writeln!(places, "and in {more} more places");
    }
    places
}

/// The case of a broken rule.
fn case_of(rule: &str, level: Level, message: &str, times: &str, places: &str) -> TestCase {
    if level != Level::Error {
        let mut case = TestCase::new(text(rule), TestCaseStatus::success());
        case.set_system_out(format!("{}\n{places}", level.name()));
        return case;
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status
        .set_type(text(rule))
        .set_message(text(message) + times)
        .set_description(places);
    TestCase::new(text(rule), status)
}

fn error(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind).set_message(text(message));
    status
}

fn again(context: &Context, source: &str, rule: &str) -> String {
    format!("shown again by: {}\n", text(&context.again(source, rule)))
}

fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    report.serialize(out).map_err(io::Error::other)
}

/// A text in which control characters, and characters that XML cannot carry, are visible.
fn text(text: &str) -> String {
    let escape = |character: char| match character {
        '\u{fffe}' | '\u{ffff}' => character.escape_unicode().to_string(),
        _ => character.to_string(),
    };
    let text = visible::text(text);
    if text.contains(['\u{fffe}', '\u{ffff}']) {
        text.chars().map(escape).collect()
    } else {
        text.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_carries_only_what_it_can() {
        let mut report = Report::new(text("plain"));
        report.add_test_suite(TestSuite::new(text("<a b=\"c\">&'\0\x1b\u{ffff}</a>")));
        let mut out = Vec::new();
        write(&report, &mut out).unwrap();
        let xml = String::from_utf8(out).unwrap();
        let name = "name=\"&lt;a b=&quot;c&quot;&gt;&amp;&apos;␀␛\\u{ffff}&lt;/a&gt;\"";
        assert!(xml.contains(name), "{xml}");
    }
}
