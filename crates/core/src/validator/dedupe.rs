//! Deduplicates violations within one message, and cuts the list to its limit.

use core::cmp::Reverse;

use super::{Last, Validator};
use crate::Direction;
use crate::catalogue::{Detail, Layer, Once, Policy, Violation, inline};
use crate::frame::Frame;
use crate::session::{Context, Session};
use crate::validator::checked::Summary;

impl Validator {
    /// Removes repetitions, has the session track the rest, and cuts the list to its limit.
    #[cold]
    pub(super) fn report_once(&mut self, frame: &Frame<'_>, session: Option<&mut Session>) {
        let Last {
            violations,
            left_out,
            summary,
            ..
        } = &mut self.last;
        if violations.len() > 1 {
            dedupe(violations);
        }
        if let Some(session) = session {
            let context = Context {
                sender: summary.direction.map(Direction::sender),
                revision: summary.revision,
                exchange: frame.http.and_then(|http| http.exchange),
            };
            let node = |token| self.kit.tape.node(frame.bytes, token);
            session.track_violations(violations, context, self.kit.policy.limits.ids, node);
        }
        let limit = self.kit.policy.limits.violations;
        if violations.len() > limit || !left_out.is_empty() {
            cut(violations, left_out, &self.kit.policy, summary);
        }
    }
}

/// Cuts a list to its limit: errors of the sender come before errors of its peer, then warnings,
/// then notes. So the verdict is that of the whole list. Reports the cut with
/// `json/violation-limit`.
fn cut(
    violations: &mut Vec<Violation>,
    left_out: &[Violation],
    policy: &Policy,
    summary: &Summary,
) {
    let limit = policy.limits.violations.max(1);
    let rank = |violation: &Violation| {
        let level = policy.level_of(violation, summary.revision);
        (Reverse(level), !summary.blames_sender(violation))
    };
    let mut order: Vec<usize> = (0..violations.len()).collect();
    order.sort_by_key(|&index| rank(&violations[index]));
    let dropped = order.get(limit).map(|&index| violations[index]);
    order.truncate(limit);
    order.sort_unstable();
    // A rule that is reported once needs no further entry.
    let more = left_out.iter().find(|first| {
        let kept = violations.iter().filter(|kept| kept.rule == first.rule);
        kept.count() >= limit && !first.rule.once.contains(&Once::PerMessage)
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

/// Whether a rule only repeats that the shape of a value is wrong.
fn repeats(violation: &Violation, shape: &Violation) -> bool {
    let (Some(at), Some(of)) = (violation.token, shape.token) else {
        return false;
    };
    if matches!(shape.detail, Detail::Missing { .. }) {
        return at == of;
    }
    let (inner, outer) = (violation.span, shape.span);
    outer.start <= inner.start && inner.end <= outer.end
        || inner.start <= outer.start && outer.end <= inner.end && at != 0
}

/// Removes violations that another one of the same message explains, and repetitions of those that
/// are reported once.
#[cold]
pub(super) fn dedupe(violations: &mut Vec<Violation>) {
    let rules: Vec<_> = violations.iter().map(|violation| violation.rule).collect();
    let shapes: Vec<Violation> = violations
        .iter()
        .filter(|violation| violation.rule.layer == Layer::Schema)
        .copied()
        .collect();
    let mut index = 0;
    violations.retain(|violation| {
        let rule = violation.rule;
        let is_later = matches!(rule.layer, Layer::Tools | Layer::Session);
        let is_repeated_shape = is_later && shapes.iter().any(|shape| repeats(violation, shape));
        let is_hidden = rule.hidden_by.iter().any(|other| rules.contains(other));
        let is_repeated = rule.once.contains(&Once::PerMessage) && rules[..index].contains(&rule);
        index += 1;
        !is_hidden && !is_repeated && !is_repeated_shape
    });
}
