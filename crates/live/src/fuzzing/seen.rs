//! The result of a check, copied so that two can be compared, and the promises about each
//! violation.

use mcp_assay::rules::inline;
use mcp_assay::{
    Checked, Direction, Ending, Level, MessageKind, Place, Revision, Span, Verdict, Violation,
};

use crate::guard::Judged;

/// Violations of one message that are put into words; each pointer walks the tape.
const MAX_WORDED: usize = 32;

/// The result of a check.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) verdict: Verdict,
    pub(super) found: Vec<Found>,
    kind: MessageKind,
    direction: Option<Direction>,
    revision: Option<Revision>,
    method: Option<String>,
    id: Option<Vec<u8>>,
}

/// A violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) rule: &'static str,
    pub(super) level: Level,
    pub(super) span: Span,
    place: Place,
    words: Option<Words>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Words {
    message: String,
    label: String,
    help: String,
    pointer: String,
}

impl Seen {
    /// Copies a result.
    ///
    /// # Panics
    ///
    /// If a violation has a span or words that it must not have.
    pub(super) fn of(checked: &Checked<'_>) -> Self {
        let violations = checked.violations().iter().enumerate();
        Self {
            verdict: checked.verdict(),
            found: violations
                .map(|(position, violation)| Found::of(checked, violation, position))
                .collect(),
            kind: checked.kind(),
            direction: checked.direction(),
            revision: checked.revision(),
            method: checked.method().map(std::borrow::Cow::into_owned),
            id: checked.id().map(|id| id.raw().to_vec()),
        }
    }

    /// The rules and spans, without what only tracking can raise.
    pub(super) fn places(&self) -> Vec<(&'static str, Span)> {
        let found = self.found.iter().filter(|found| !found.is_of_tracking());
        found.map(|found| (found.rule, found.span)).collect()
    }

    /// The verdict, without what only tracking can raise.
    pub(super) fn verdict_of_message(&self) -> Verdict {
        let found = self.found.iter().filter(|found| !found.is_of_tracking());
        match found.map(|found| found.level).max() {
            None => Verdict::Pass,
            Some(Level::Note | Level::Warning) => Verdict::Flag,
            Some(Level::Error) => Verdict::Block,
        }
    }
}

impl Found {
    fn of(checked: &Checked<'_>, violation: &Violation, position: usize) -> Self {
        let rule = violation.rule.name;
        let span = violation.span;
        assert_span_fits(rule, span, checked.bytes());
        Self {
            rule,
            level: checked.level(violation),
            span,
            place: violation.place,
            words: (position < MAX_WORDED).then(|| Words::of(checked, violation)),
        }
    }

    /// Whether only a check that tracks the message can raise it.
    fn is_of_tracking(&self) -> bool {
        self.rule == inline::MEMORY_LIMIT.name
    }
}

impl Words {
    fn of(checked: &Checked<'_>, violation: &Violation) -> Self {
        let rule = violation.rule.name;
        let words = Self {
            message: checked.message(violation),
            label: checked.label(violation),
            help: checked.help(violation),
            pointer: checked.pointer(violation),
        };
        assert!(!words.message.is_empty(), "{rule} has no message");
        assert!(!words.help.is_empty(), "{rule} has no help");
        for text in [&words.message, &words.label, &words.help] {
            let is_clean = !text.chars().any(char::is_control);
            assert!(is_clean, "{rule} has a control character in {text:?}");
        }
        words
    }
}

/// Asserts that the lines about a message are safe to show on a terminal.
pub(super) fn assert_lines_are_safe(judged: &Judged<'_>) {
    for line in judged.in_words().take(MAX_WORDED) {
        let is_safe = !line.chars().any(char::is_control);
        assert!(is_safe, "a line has a control character: {line:?}");
    }
}

/// An ending as text.
pub(super) fn ending(ending: &Ending) -> String {
    format!(
        "{} {:?} {:?} at {} {:?} {:?} {:?} {:?} {:?} {:?}",
        ending.rule.name,
        ending.level,
        ending.message,
        ending.at,
        ending.party,
        ending.direction,
        ending.kind,
        ending.method,
        ending.id,
        ending.revision,
    )
}

fn assert_span_fits(rule: &str, span: Span, bytes: &[u8]) {
    let (start, end) = (span.start as usize, span.end as usize);
    assert!(
        start <= end && end <= bytes.len(),
        "the span {start}..{end} of {rule} leaves the message of {} bytes",
        bytes.len()
    );
    for offset in [start, end] {
        assert!(
            !is_inside_character(bytes, offset),
            "the span {start}..{end} of {rule} cuts a character at {offset}"
        );
    }
}

/// Whether an offset is between two bytes of one character.
fn is_inside_character(bytes: &[u8], offset: usize) -> bool {
    (1..4).any(|back| {
        let Some(start) = offset.checked_sub(back) else {
            return false;
        };
        let width = match bytes[start] {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 0,
        };
        let character = bytes.get(start..start + width);
        width > back && character.is_some_and(|bytes| core::str::from_utf8(bytes).is_ok())
    })
}
