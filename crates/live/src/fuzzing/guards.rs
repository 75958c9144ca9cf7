//! The promises of guards: shadow forwards everything, enforce forwards no error and answers in
//! correct messages.

use mcp_assay::rules::inline;
use mcp_assay::{Checked, Direction, Level, MessageKind, Revision, Session, Validator};

use super::answer::{Answer, assert_is_clean};
use super::kit::Kit;
use super::script::{SESSIONS, Script, Step};
use super::seen::{Seen, assert_lines_are_safe};
use super::validators::{Report, of_session};
use crate::guard::{Action, Guard, Judged, Mode};

/// Asserts that guards, which have served other sessions, keep their promises in both modes.
pub(super) fn assert_guards(script: &Script<'_>, report: &Report, kit: &mut Kit) {
    let (guards, unlimited) = (&mut kit.guards, &mut kit.unlimited);
    assert_shadow_forwards(script, report, &mut guards[0]);
    let shared = enforce(script, &mut guards[..1], unlimited);
    let again = enforce(script, &mut guards[..1], unlimited);
    assert_same_fates(&again, &shared, "a second run of the same input");
    if script.has_both_sessions() {
        let separate = enforce(script, guards, unlimited);
        assert_same_fates(&separate, &shared, "a guard for each session");
    }
}

/// Asserts that shadow forwards everything and finds what a validator finds.
fn assert_shadow_forwards(script: &Script<'_>, report: &Report, guard: &mut Guard) {
    guard.mode = Mode::Shadow;
    let mut sessions = [(); SESSIONS].map(|()| Session::new());
    for (at, (step, reported)) in script.steps.iter().zip(&report.seen).enumerate() {
        let session = &mut sessions[step.session];
        if step.is_gap() {
            session.lose_track();
            continue;
        }
        let http = step.http();
        let judged = guard.judge(session, step.frame(http.as_ref()));
        assert_eq!(
            judged.action,
            Action::Forward,
            "step {at}: shadow does not forward"
        );
        assert!(!judged.failed, "step {at}: the check failed");
        assert!(judged.repairs.is_empty(), "step {at}: shadow repairs");
        assert_lines_are_safe(&judged);
        assert_eq!(
            reported.as_ref(),
            Some(&Seen::of(&judged.checked)),
            "step {at}: shadow finds other rules than a validator"
        );
    }
}

fn assert_same_fates(own: &[Fate], other: &[Fate], what: &str) {
    for (own, other) in own.iter().zip(other) {
        assert_eq!(own, other, "{what} changes what becomes of a message");
    }
}

/// The fate of a message under enforce.
#[derive(PartialEq, Eq, Debug)]
struct Fate {
    at: usize,
    action: &'static str,
    text: Vec<u8>,
    repairs: Vec<String>,
    seen: Seen,
}

/// The fates of all messages, which go through one guard or through one for each session.
fn enforce(script: &Script<'_>, guards: &mut [Guard], unlimited: &mut Validator) -> Vec<Fate> {
    let mut sessions = [(); SESSIONS].map(|()| Session::new());
    let mut fates = Vec::new();
    for (at, step) in script.steps.iter().enumerate() {
        let session = &mut sessions[step.session];
        if step.is_gap() {
            session.lose_track();
            continue;
        }
        let http = step.http();
        let fault = own_error(&unlimited.look(session, step.frame(http.as_ref())));
        let guard = of_session(guards, step.session);
        guard.mode = Mode::Enforce;
        fates.push(fate(at, step, guard, session, fault));
    }
    fates
}

/// The fate of a message, in which its sender made an error or none.
fn fate(
    at: usize,
    step: &Step<'_>,
    guard: &mut Guard,
    session: &mut Session,
    fault: Option<&'static str>,
) -> Fate {
    let http = step.http();
    let revision = session.revision();
    let judged = guard.judge(session, step.frame(http.as_ref()));
    assert_is_right(at, &judged, fault, revision);
    let (action, text) = match judged.action {
        Action::Forward => ("forward", &[][..]),
        Action::Replace(text) => ("replace", text),
        Action::Refuse(text) => ("refuse", text),
        Action::Split { back, .. } => ("split", back),
        Action::Drop => ("drop", &[][..]),
        Action::Divert => ("divert", &[][..]),
    };
    Fate {
        at,
        action,
        text: text.to_vec(),
        repairs: repairs(&judged),
        seen: Seen::of(&judged.checked),
    }
}

/// Asserts that the right thing becomes of a message, given an error that its sender made.
fn assert_is_right(
    at: usize,
    judged: &Judged<'_>,
    fault: Option<&'static str>,
    revision: Option<Revision>,
) {
    // A guard survives a panic of the check; a fuzzer must not.
    assert!(!judged.failed, "step {at}: the check failed");
    assert_lines_are_safe(judged);
    let status = judged.status();
    assert!(
        status == 200 || (400..500).contains(&status),
        "step {at}: {status} is no status of a refusal"
    );
    if let Action::Forward = judged.action {
        let fault = fault.or_else(|| own_error(&judged.checked));
        assert_eq!(fault, None, "step {at}: enforce forwards an error");
    }
    if !judged.repairs.is_empty() {
        let fault = own_error(&judged.checked);
        assert_eq!(fault, None, "step {at}: a repaired message has an error");
    }
    if let Some(answer) = answer(judged) {
        assert_is_clean(at, &answer, revision);
    }
}

fn repairs(judged: &Judged<'_>) -> Vec<String> {
    let repairs = judged.repairs.iter();
    repairs.map(|repair| format!("{repair:?}")).collect()
}

/// The text that a guard wrote, and who is said to have sent it.
fn answer<'g>(judged: &Judged<'g>) -> Option<Answer<'g>> {
    let checked = judged.checked;
    let sender = checked.direction();
    let (text, direction) = match judged.action {
        Action::Refuse(text) | Action::Split { back: text, .. } => {
            (text, sender.map(Direction::reverse))
        }
        Action::Replace(text) if judged.repairs.is_empty() => (text, sender),
        _ => return None,
    };
    Some(Answer {
        text,
        direction,
        checked,
    })
}

/// The rule of an error that the sender of a message made and that must keep it from passing.
fn own_error(checked: &Checked<'_>) -> Option<&'static str> {
    let sender = checked.direction().map(Direction::sender);
    // Nothing can take the place of a part that a server sends without a message.
    if checked.kind() == MessageKind::Empty
        && checked.direction() != Some(Direction::ClientToServer)
    {
        return None;
    }
    let mut violations = checked.violations().iter();
    let own = violations.find(|violation| {
        let party = checked.party(violation);
        checked.level(violation) == Level::Error
            && *violation.rule != inline::MEMORY_LIMIT
            && (party.is_none() || sender.is_none() || party == sender)
    });
    own.map(|violation| violation.rule.name)
}
