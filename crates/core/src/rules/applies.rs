//! The messages and parts of HTTP exchanges that a rule checks.

use super::check::Check;
use super::list::listed;
use crate::catalogue::{On, OnHttp, Rule};
use crate::envelope::MessageKind;
use crate::frame::Part;

impl Rule {
    /// Whether a stage of the validator raises it while it reads a message.
    #[must_use]
    pub fn is_inline(&self) -> bool {
        check_of(self).is_none()
    }

    /// Whether the rule checks messages of this kind that call or answer this method. A rule that a
    /// stage raises while it reads checks every message.
    #[must_use]
    pub fn looks_at(&self, kind: MessageKind, method: Option<&str>) -> bool {
        let on = match check_of(self) {
            None => return true,
            Some(Check::Message(on, _) | Check::MessageAndEnd(on, _, _)) => on,
            Some(Check::Group(group)) => group.on,
            Some(Check::Http(..) | Check::HttpAndEnd(..) | Check::End(_)) => return false,
        };
        on.iter().any(|on| match (on, kind) {
            (On::Call(name), MessageKind::Request | MessageKind::Notification)
            | (On::Result(name), MessageKind::Response)
            | (On::Error(name), MessageKind::Error) => method == Some(name),
            (On::AnyRequest, MessageKind::Request)
            | (On::AnyNotification, MessageKind::Notification)
            | (On::AnyResult, MessageKind::Response)
            | (On::AnyError, MessageKind::Error) => true,
            _ => false,
        })
    }

    /// Whether the rule checks such a part of an HTTP exchange.
    #[must_use]
    pub fn looks_at_part(&self, part: &Part<'_>) -> bool {
        let Some(Check::Http(on, _) | Check::HttpAndEnd(on, _, _)) = check_of(self) else {
            return false;
        };
        on.contains(&match part {
            Part::Request { .. } => OnHttp::Request,
            Part::Response { .. } => OnHttp::Response,
            Part::Event { .. } => OnHttp::Event,
            Part::End { .. } => OnHttp::End,
        })
    }

    /// Whether the rule checks the end of a session.
    #[must_use]
    pub fn looks_at_ends(&self) -> bool {
        matches!(
            check_of(self),
            Some(Check::End(_) | Check::MessageAndEnd(..) | Check::HttpAndEnd(..))
        )
    }

    /// The conditions under which the rule is silent, one sentence each, to be read after "silent
    /// if".
    pub fn silences(&self) -> Vec<String> {
        let mut silences = Vec::new();
        if check_of(self).is_some_and(|check| needs_sound_message(self, check)) {
            silences.push("the message is malformed, which is reported instead".to_owned());
        }
        for state in self.needs {
            let state = state.name();
            silences.push(format!(
                "an earlier fault or a gap in the recording hides {state}"
            ));
        }
        for rule in self.hidden_by {
            silences.push(format!("the same message violates {}", rule.name));
        }
        for rule in self.follows {
            silences.push(format!("{} was reported earlier in the session", rule.name));
        }
        for once in self.once {
            silences.push(once.silence().to_owned());
        }
        for used in self.uses {
            let capability = used.capability().name();
            silences.push(format!(
                "`{capability}` was already reported as not declared"
            ));
        }
        silences
    }
}

/// Whether a check of a message is skipped if the message is malformed.
///
/// Rules about order, correlation and declarations do not depend on params and results, and neither
/// do rules about single values. Most other rules would only repeat that the shape is wrong.
pub(crate) fn needs_sound_message(rule: &Rule, check: &Check) -> bool {
    let family = rule.family();
    match check {
        Check::Message(..) | Check::MessageAndEnd(..) => !matches!(
            family,
            "lifecycle" | "capability" | "request" | "response" | "cancel" | "version"
        ),
        Check::Group(_) => !matches!(family, "content" | "meta"),
        Check::Http(..) | Check::HttpAndEnd(..) | Check::End(_) => false,
    }
}

fn check_of(rule: &Rule) -> Option<&'static Check> {
    let mut listed = listed();
    let found = listed.find(|listed| core::ptr::eq(listed.rule, rule));
    found.and_then(|listed| listed.check)
}
