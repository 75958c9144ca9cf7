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
            Some(
                Check::Message(on, _)
                | Check::Keyed(_, on, _)
                | Check::KeyedByMethod(_, on, _)
                | Check::MessageAndEnd(on, _, _),
            ) => on,
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
        if matches!(
            check_of(self),
            Some(
                Check::Message(..)
                    | Check::Keyed(..)
                    | Check::KeyedByMethod(..)
                    | Check::MessageAndEnd(..)
                    | Check::Group(_)
            )
        ) {
            silences.push("the value at fault is malformed, which is reported instead".to_owned());
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
            silences.push(format!(
                "{} of the same party was reported earlier in the session",
                rule.name
            ));
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

fn check_of(rule: &Rule) -> Option<&'static Check> {
    let mut listed = listed();
    let found = listed.find(|listed| core::ptr::eq(listed.rule, rule));
    found.and_then(|listed| listed.check)
}
