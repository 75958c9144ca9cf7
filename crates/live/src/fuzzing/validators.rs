//! The promises of validators: same input, same result, whoever else uses the validator.

use std::collections::BTreeSet;

use mcp_assay::rules::inline;
use mcp_assay::{Session, Validator};

use super::script::{SESSIONS, Script};
use super::seen::{self, Seen};

/// The validator or guard of a session: its own, or the only one.
pub(super) fn of_session<T>(items: &mut [T], session: usize) -> &mut T {
    let last = items.len() - 1;
    &mut items[session.min(last)]
}

/// Everything that is reported of a script.
pub(super) struct Report {
    /// The result of each step; `None` for a gap.
    pub(super) seen: Vec<Option<Seen>>,
    endings: Vec<String>,
    rules: BTreeSet<&'static str>,
}

impl Report {
    /// The rules that are violated.
    pub(super) fn rules(self) -> BTreeSet<&'static str> {
        self.rules
    }

    /// Asserts that two runs report the same.
    fn assert_equals(&self, other: &Self, what: &str) {
        for (at, (own, other)) in self.seen.iter().zip(&other.seen).enumerate() {
            assert_eq!(own, other, "step {at}: {what} changes what is reported");
        }
        assert_eq!(
            self.endings, other.endings,
            "{what} changes what is missing in the end"
        );
    }
}

/// Asserts that a script is reported in the same way each time, whoever else uses the validator:
/// these have served other sessions.
pub(super) fn assert_is_reproducible(
    script: &Script<'_>,
    shared: &Report,
    validators: &mut [Validator; SESSIONS],
) {
    let again = report(script, &mut validators[..1]);
    again.assert_equals(shared, "a second run of the same input");
    if script.has_both_sessions() {
        let separate = report(script, validators);
        separate.assert_equals(shared, "a validator for each session");
    }
}

/// Checks a script with one validator or with one for each session, and ends its sessions.
pub(super) fn report(script: &Script<'_>, validators: &mut [Validator]) -> Report {
    let mut sessions = [(); SESSIONS].map(|()| Session::new());
    let mut report = Report {
        seen: Vec::new(),
        endings: Vec::new(),
        rules: BTreeSet::new(),
    };
    for step in &script.steps {
        let session = &mut sessions[step.session];
        if step.is_gap() {
            session.lose_track();
            report.seen.push(None);
            continue;
        }
        let http = step.http();
        let validator = of_session(validators, step.session);
        let seen = Seen::of(&validator.check(session, step.frame(http.as_ref())));
        report
            .rules
            .extend(seen.found.iter().map(|found| found.rule));
        report.seen.push(Some(seen));
    }
    for (position, session) in sessions.iter().enumerate() {
        for ending in of_session(validators, position).end(session) {
            report.rules.insert(ending.rule.name);
            report.endings.push(seen::ending(&ending));
        }
    }
    report
}

/// Asserts that looking and stopping find what checking finds, and leave the session as it is.
pub(super) fn assert_looks_agree(script: &Script<'_>, report: &Report, validator: &mut Validator) {
    let mut sessions = [(); SESSIONS].map(|()| Session::new());
    for (at, (step, reported)) in script.steps.iter().zip(&report.seen).enumerate() {
        let session = &mut sessions[step.session];
        if step.is_gap() {
            session.lose_track();
            continue;
        }
        let http = step.http();
        let frame = step.frame(http.as_ref());
        let looked = Seen::of(&validator.look(session, frame));
        let first = validator.first_violation(session, frame);
        let checked = Seen::of(&validator.check(session, frame));
        assert_eq!(
            reported.as_ref(),
            Some(&checked),
            "step {at}: `look` or `first_violation` changed the session"
        );
        assert_look_equals_check(at, script, &looked, &checked);
        let places = checked.places();
        match first.map(|first| first.rule.name) {
            None => assert!(
                places.is_empty(),
                "step {at}: `first_violation` finds nothing, `check` finds {places:?}"
            ),
            Some(first) => assert!(
                places.iter().any(|(rule, _)| *rule == first),
                "step {at}: `first_violation` finds {first}, `check` finds {places:?}"
            ),
        }
    }
}

fn assert_look_equals_check(at: usize, script: &Script<'_>, looked: &Seen, checked: &Seen) {
    let (look, mut check) = (looked.places(), checked.places());
    // What tracking raises may be what the limit leaves out.
    let limit = script.settings.policy.limits.violations;
    if look.len() == limit && check.len() == limit + 1 {
        check.pop_if(|(rule, _)| *rule == inline::VIOLATION_LIMIT.name);
    }
    assert_eq!(
        look, check,
        "step {at}: `look` and `check` find other rules"
    );
    assert_eq!(
        looked.verdict_of_message(),
        checked.verdict_of_message(),
        "step {at}: `look` and `check` come to other verdicts"
    );
}

/// Asserts that a limit of violations shortens the list and changes no verdict.
pub(super) fn assert_limits_keep_verdicts(
    script: &Script<'_>,
    limited: &mut [Validator],
    unlimited: &mut Validator,
) {
    let mut sessions = [(); SESSIONS].map(|()| Session::new());
    for (at, step) in script.steps.iter().enumerate() {
        let session = &mut sessions[step.session];
        if step.is_gap() {
            session.lose_track();
            continue;
        }
        let http = step.http();
        let frame = step.frame(http.as_ref());
        let verdict = unlimited.look(session, frame).verdict();
        for validator in &mut *limited {
            let limit = validator.policy().limits.violations;
            assert_eq!(
                validator.look(session, frame).verdict(),
                verdict,
                "step {at}: a limit of {limit} violations changes the verdict"
            );
        }
        unlimited.check(session, frame);
    }
}
