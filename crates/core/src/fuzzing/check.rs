//! Checks any bytes as the messages of one session, and asserts the promises of the crate.

use crate::{Direction, Frame, Policy, Revision, Session, Validator, Verdict};

/// Checks each line as a message of one session and words all violations.
///
/// # Panics
///
/// If a span leaves the message, a sentence is empty, or stopping and collecting disagree.
pub fn check_never_panics(bytes: &[u8]) {
    let forced = Revision::ALL
        .get(bytes.len() % (Revision::COUNT + 1))
        .copied();
    for revision in [None, forced] {
        let mut policy = Policy {
            revision,
            ..Policy::default()
        };
        policy.limits.open_requests = 2;
        let mut validator = Validator::new(policy);
        let mut session = Session::new();
        for (line, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let frame = match line % 3 {
                0 => Frame::new(bytes).direction(Direction::ClientToServer),
                1 => Frame::new(bytes).direction(Direction::ServerToClient),
                _ => Frame::new(bytes),
            };
            let first = validator.first_violation(&session, frame);
            let checked = validator.check(&mut session, frame);
            let same = match (first, checked.violations().first()) {
                (None, None) => true,
                (Some(first), Some(found)) => first.rule == found.rule && first.span == found.span,
                _ => false,
            };
            assert!(same, "stopping and collecting disagree");
            assert_eq!(
                checked.verdict() == Verdict::Pass,
                checked.violations().is_empty()
            );
            let _ = (
                checked.kind(),
                checked.method(),
                checked.id().map(|id| id.text().is_some()),
            );
            // Hostile lines have thousands of violations, and each pointer walks the tape.
            for violation in checked.violations().iter().take(32) {
                let span = violation.span;
                assert!(
                    span.start <= span.end && span.end as usize <= bytes.len(),
                    "{span:?} leaves the message"
                );
                let (message, help) = (checked.message(violation), checked.help(violation));
                assert!(
                    !message.is_empty() && !help.is_empty(),
                    "{} has no words",
                    violation.rule.name
                );
                assert!(
                    !message.chars().any(char::is_control),
                    "a control character in: {message:?}"
                );
                let _ = (checked.level(violation), checked.pointer(violation));
            }
        }
    }
}
