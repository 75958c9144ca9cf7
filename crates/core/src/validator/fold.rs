//! One fault that shows in several places of one message is told once.

use core::cmp::Reverse;

use super::{Last, Validator};
use crate::Direction;
use crate::checked::Summary;
use crate::frame::Frame;
use crate::policy::Policy;
use crate::rules::inline;
use crate::session::{Context, Session};
use crate::violation::{Detail, Violation};

/// A rule, and those that say nothing of their own about a message that violates it.
const EXPLAINED: &[(&str, &[&str])] = &[
    (
        "http/mcp-name-matches-body",
        &[
            "mrtr/retry-same-request",
            "resources/uri-valid",
            "tools/call-listed",
        ],
    ),
    (
        "resources/uri-valid",
        &[
            "mrtr/retry-same-request",
            "resources/unsubscribe-after-subscribe",
            "resources/updated-only-if-subscribed",
            "subscriptions/only-requested-uris",
        ],
    ),
    (
        "schema/wrong-type",
        &["http/mcp-param-omitted", "lifecycle/initialize-first"],
    ),
    // A method that nobody knows may have been meant for the one that opens a session.
    (
        "schema/unknown-method",
        &[
            "http/mcp-method",
            "http/version-header",
            "http/version-header-sent",
            "request/id-unique-in-session",
            "version/discover-probe-first",
        ],
    ),
    ("mrtr/retry-same-request", &["tools/call-listed"]),
    ("auth/status-codes", &["http/response-content-type"]),
    (
        "jsonrpc/batch-one-kind",
        &["jsonrpc/batch-answer-per-request", "response/id-known"],
    ),
];

/// What a whole batch has in common, or all members of an object: told of the first.
const ONCE: &[&str] = &[
    "http/mcp-param-omitted",
    "mrtr/response-keys-known",
    "request/id-unique-in-flight",
    "request/id-unique-in-session",
    "response/exactly-one",
    "response/id-known",
    "response/none-for-notification",
];

impl Validator {
    /// Leaves out repetitions of what was reported, has the session track the rest, and cuts the list to its limit.
    #[cold]
    pub(super) fn report_once(
        &mut self,
        left_out: &[Violation],
        frame: &Frame<'_>,
        session: Option<&mut Session>,
    ) {
        let Last {
            violations,
            summary,
            ..
        } = &mut self.last;
        if violations.len() > 1 {
            fold(violations);
        }
        if let Some(session) = session {
            let context = Context {
                sender: summary.direction.map(Direction::sender),
                revision: summary.revision,
                exchange: frame.http.and_then(|http| http.exchange),
            };
            let node = |token| self.kit.tape.node(frame.bytes, token);
            session.take_note_of_told(violations, context, node);
        }
        let limit = self.kit.policy.limits.violations;
        if violations.len() > limit || !left_out.is_empty() {
            cut(violations, left_out, &self.kit.policy, summary);
        }
    }
}

/// Cuts a list to its limit: errors of the sender stay before errors of its peer, then warnings, then notes. So the verdict
/// is the same as that of the whole list. Says so if anything is left out.
fn cut(
    violations: &mut Vec<Violation>,
    left_out: &[Violation],
    policy: &Policy,
    summary: &Summary,
) {
    let limit = policy.limits.violations.max(1);
    let rank = |violation: &Violation| {
        let level = policy.level(violation.rule, summary.revision);
        (Reverse(level), !summary.blames_sender(violation))
    };
    let mut order: Vec<usize> = (0..violations.len()).collect();
    order.sort_by_key(|&index| rank(&violations[index]));
    let dropped = order.get(limit).map(|&index| violations[index]);
    order.truncate(limit);
    order.sort_unstable();
    // A rule that is reported once has nothing more to say.
    let more = left_out.iter().find(|first| {
        let kept = violations.iter().filter(|kept| kept.rule == first.rule);
        kept.count() >= limit && !ONCE.contains(&first.rule.name)
    });
    let first_left_out = dropped.or(more.copied());
    let kept: Vec<Violation> = order.into_iter().map(|index| violations[index]).collect();
    *violations = kept;
    if let Some(first) = first_left_out {
        let rule = &inline::VIOLATION_LIMIT;
        let detail = Detail::Limit { limit };
        violations.push(Violation::new(rule, first.span, first.token, detail));
    }
}

/// Leaves out what follows from something else that was found in the same message.
#[cold]
pub(super) fn fold(violations: &mut Vec<Violation>) {
    let has = |violations: &[Violation], name| {
        violations
            .iter()
            .any(|violation| violation.rule.name == name)
    };
    for (root, explained) in EXPLAINED {
        if has(violations, *root) {
            violations.retain(|violation| !explained.contains(&violation.rule.name));
        }
    }
    for name in ONCE {
        let mut told = false;
        violations.retain(|violation| {
            let is_named = violation.rule.name == *name;
            !is_named || !core::mem::replace(&mut told, true)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::find;

    #[test]
    fn every_name_is_that_of_a_rule() {
        let explained = EXPLAINED
            .iter()
            .flat_map(|(root, explained)| core::iter::once(root).chain(*explained));
        for name in explained.chain(ONCE) {
            assert!(find(name).is_some(), "{name}");
        }
    }
}
