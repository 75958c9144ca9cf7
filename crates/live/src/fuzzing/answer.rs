//! The promises about the messages that a guard writes itself.

use std::cell::RefCell;

use mcp_assay::rules::{inline, response};
use mcp_assay::syntax::Kind;
use mcp_assay::{Checked, Direction, Frame, Level, MessageKind, Revision, Session, Validator};

thread_local! {
    /// Checks every answer, each in a session of its own: to make a validator takes long.
    static ALONE: RefCell<Validator> = RefCell::default();
}

/// A message that a guard wrote in place of another, or back to its sender.
pub(super) struct Answer<'g> {
    pub(super) text: &'g [u8],
    /// The apparent sender.
    pub(super) direction: Option<Direction>,
    /// The message that it answers or replaces.
    pub(super) checked: Checked<'g>,
}

/// Asserts that a message is correct on its own, in the revision of its session.
pub(super) fn assert_is_clean(at: usize, answer: &Answer<'_>, revision: Option<Revision>) {
    let text = answer.text;
    let shown = String::from_utf8_lossy(text);
    assert!(!text.contains(&b'\n'), "step {at}: a newline in {shown}");
    let method = answer.checked.method();
    let mut frame = Frame::new(text);
    frame.direction = answer.direction;
    frame.revision = answer.checked.revision().or(revision);
    frame.answers = method.as_deref();
    ALONE.with_borrow_mut(|alone| {
        let mut session = Session::new();
        let checked = alone.check(&mut session, frame);
        assert!(
            checked.root().is_some(),
            "step {at}: the guard writes what is not JSON: {shown}"
        );
        let mut errors = checked.violations().iter().filter(|violation| {
            let rule = violation.rule.name;
            checked.level(violation) == Level::Error && !is_tolerated(rule, &answer.checked)
        });
        let error = errors.next().map(|violation| violation.rule.name);
        assert_eq!(error, None, "step {at}: the guard breaks a rule: {shown}");
    });
}

/// Whether an answer may violate a rule, given the message that it answers.
fn is_tolerated(rule: &str, answered: &Checked<'_>) -> bool {
    // An id is given back as it came, even one with a fraction.
    let is_echo = rule == inline::ID_NOT_FRACTIONAL.name;
    // An id that is not known may be left out; alone, revisions before 2025-11-25 demand one.
    let has_id = answered.kind() == MessageKind::Request
        && answered
            .id()
            .is_some_and(|id| matches!(id.kind(), Kind::String | Kind::Number));
    let is_unnamed = !has_id && rule == inline::ERROR_ID_REQUIRED.name;
    // A dialect may have null ids, which are given back as they came, too.
    let has_dialect = answered.policy().dialect().is_some();
    let is_null = (has_dialect || !has_id) && rule == inline::ERROR_ID_NOT_NULL.name;
    is_echo || is_unnamed || is_null || is_exception(rule, answered)
}

/// Exceptions with a reason: several answers of a server can only be replaced together, and a
/// server that sends requests where it must not is at fault itself, so it gets an answer all the
/// same: from the guard, or instead of the one that its client sent.
fn is_exception(rule: &str, answered: &Checked<'_>) -> bool {
    let is_of_server = answered.direction() == Some(Direction::ServerToClient);
    let answers_server = rule == response::NO_CLIENT_RESPONSES.name;
    match answered.kind() {
        MessageKind::Batch => is_of_server && rule == inline::NO_BATCH.name || answers_server,
        MessageKind::Request => is_of_server && answers_server,
        MessageKind::Response | MessageKind::Error => !is_of_server && answers_server,
        _ => false,
    }
}
