//! `JUnit` XML, as build servers read it.
//!
//! A source is a test suite. In it, a rule that was broken is a test case under the rule's name, so that its history can be
//! followed from run to run however the traffic shifts: it fails if the rule is an error there, else it passes and says what
//! was found. One more case says whether the source could be read, so that a clean suite has a case too.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::Level;

use crate::document::{Gather, Lines};
use crate::finding::{Entry, Finding, SourceEnd};
use crate::{Collector, Context, Totals, visible};

/// Places that are told for each rule of a source.
const MOST_PLACES: usize = 20;
/// The case that every suite has.
const READABLE: &str = "the source can be read";

pub(crate) fn collector(context: Arc<Context>) -> Box<dyn Collector> {
    Box::new(Lines::new(Junit {
        context,
        suites: String::new(),
        open: None,
        counts: Counts::default(),
    }))
}

struct Junit {
    context: Arc<Context>,
    /// The suites that are done.
    suites: String,
    open: Option<Suite>,
    counts: Counts,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
}

/// A source.
struct Suite {
    source: String,
    cases: BTreeMap<String, Case>,
}

/// A rule that was broken in it.
struct Case {
    level: Level,
    count: u64,
    first: String,
    /// A line each.
    places: String,
}

impl Gather for Junit {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        match Entry::read(line)? {
            Entry::Finding(finding) => self.suite(&finding.source).add(&finding),
            Entry::Source(end) => {
                self.suite(&end.source);
                self.close(Some(&end));
            }
        }
        Ok(())
    }

    fn finish(mut self, _: &Totals, out: &mut dyn Write) -> io::Result<()> {
        self.close(None);
        let Counts {
            tests,
            failures,
            errors,
        } = self.counts;
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(
            out,
            "<testsuites name=\"mcp-assay\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">"
        )?;
        out.write_all(self.suites.as_bytes())?;
        writeln!(out, "</testsuites>")
    }
}

impl Junit {
    /// The suite of a source; ends that of another.
    fn suite(&mut self, source: &str) -> &mut Suite {
        if self.open.as_ref().is_some_and(|open| open.source != source) {
            self.close(None);
        }
        self.open.get_or_insert_with(|| Suite {
            source: source.to_owned(),
            cases: BTreeMap::new(),
        })
    }

    fn close(&mut self, end: Option<&SourceEnd>) {
        if let Some(suite) = self.open.take() {
            let counts = suite.write(&self.context, end, &mut self.suites);
            self.counts.tests += counts.tests;
            self.counts.failures += counts.failures;
            self.counts.errors += counts.errors;
        }
    }
}

impl Suite {
    fn add(&mut self, finding: &Finding) {
        let case = self.cases.entry(finding.rule.clone()).or_insert(Case {
            level: finding.level(),
            count: 0,
            first: finding.message.clone(),
            places: String::new(),
        });
        case.count += 1;
        case.level = case.level.max(finding.level());
        if case.count > MOST_PLACES as u64 {
            return;
        }
        let Finding {
            source,
            line,
            what,
            message,
            place,
            help,
            ..
        } = finding;
        let _ = writeln!(case.places, "{}:{line} ({})", xml(source), xml(what));
        let _ = writeln!(case.places, "  {}", xml(message));
        if !place.is_empty() {
            let _ = writeln!(case.places, "  at {}", xml(place));
        }
        let _ = writeln!(case.places, "  help: {}", xml(help));
    }

    /// Writing to a string cannot fail, so results are not looked at.
    fn write(&self, context: &Context, end: Option<&SourceEnd>, out: &mut String) -> Counts {
        let failure = end.and_then(|end| end.failure.as_deref());
        let failed = |case: &&Case| case.level == Level::Error;
        let counts = Counts {
            tests: self.cases.len() + 1,
            failures: self.cases.values().filter(failed).count(),
            errors: usize::from(failure.is_some()),
        };
        let name = xml(&self.source);
        let file = context.path(&self.source);
        let file = xml(&file);
        let _ = writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">",
            counts.tests, counts.failures, counts.errors
        );
        let _ = write!(
            out,
            "    <testcase classname=\"{name}\" name=\"{READABLE}\" file=\"{file}\""
        );
        match (failure, end) {
            (Some(failure), _) => {
                let failure = xml(failure);
                let _ = writeln!(
                    out,
                    ">\n      <error type=\"unreadable\" message=\"{failure}\"></error>\n    </testcase>"
                );
            }
            (None, Some(end)) => {
                let (messages, pass) = (end.messages, end.pass);
                let _ = writeln!(
                    out,
                    ">\n      <system-out>{messages} messages, {pass} pass</system-out>\n    </testcase>"
                );
            }
            (None, None) => out.push_str("/>\n"),
        }
        for (rule, case) in &self.cases {
            let _ = writeln!(
                out,
                "    <testcase classname=\"{name}\" name=\"{}\" file=\"{file}\">",
                xml(rule)
            );
            case.write(rule, &context.again(&self.source, rule), out);
            out.push_str("    </testcase>\n");
        }
        out.push_str("  </testsuite>\n");
        counts
    }
}

impl Case {
    fn write(&self, rule: &str, again: &str, out: &mut String) {
        let (level, places, again) = (self.level.name(), &self.places, xml(again));
        let more = match self.count.saturating_sub(MOST_PLACES as u64) {
            0 => String::new(),
            more => format!("and {more} more\n"),
        };
        let text = format!("{places}{more}shown again by: {again}\n");
        if self.level != Level::Error {
            let _ = writeln!(out, "      <system-out>{level}\n{text}</system-out>");
            return;
        }
        let times = match self.count {
            1 => String::new(),
            count => format!(" ({count} times)"),
        };
        let _ = writeln!(
            out,
            "      <failure type=\"{}\" message=\"{}{times}\">{text}</failure>",
            xml(rule),
            xml(&self.first)
        );
    }
}

/// Text as content or attribute. What XML cannot carry was made visible, as everything that would act on a terminal.
pub(crate) fn xml(text: &str) -> Cow<'_, str> {
    let text = visible::text(text);
    let special = |character| {
        matches!(
            character,
            '&' | '<' | '>' | '"' | '\'' | '\u{fffe}' | '\u{ffff}'
        )
    };
    if !text.contains(special) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.extend(character.escape_unicode()),
            _ => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::xml;

    #[test]
    fn xml_carries_only_what_it_can() {
        assert_eq!(xml("plain"), "plain");
        assert_eq!(
            xml("<a b=\"c\">&'\0\x1b\u{ffff}</a>"),
            "&lt;a b=&quot;c&quot;&gt;&amp;&#39;␀␛\\u{ffff}&lt;/a&gt;"
        );
    }
}
