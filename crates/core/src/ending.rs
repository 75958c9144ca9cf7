//! Checks of the end of a session: unanswered requests and other missing messages.

use core::cmp::Reverse;

use crate::catalogue::{Level, Parties, Policy, Rule};
use crate::envelope::MessageKind;
use crate::session::{Context, OpenRequest, Session};
use crate::{Direction, Party, Revision};

/// A message or action that is missing when a session is over.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ending {
    /// The rule.
    pub rule: &'static Rule,
    /// Its level under the policy.
    pub level: Level,
    /// The missing thing, in one sentence.
    pub message: &'static str,
    /// The party that should have sent it.
    pub party: Option<Party>,
    /// The position of the message that requires it, as the caller counts.
    pub at: u64,
    /// The direction of that message.
    pub direction: Option<Direction>,
    /// The kind of that message.
    pub kind: MessageKind,
    /// The method of that message.
    pub method: Option<Box<str>>,
    /// The id of that message, as JSON.
    pub id: Option<Box<str>>,
    /// The revision in force.
    pub revision: Option<Revision>,
}

/// The message that requires the missing one.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    /// Its position in the source, as the caller counts.
    at: u64,
    pub(crate) direction: Option<Direction>,
    pub(crate) kind: MessageKind,
    pub(crate) method: Option<Box<str>>,
    pub(crate) id: Option<Box<str>>,
    pub(crate) revision: Option<Revision>,
}

impl Cause {
    /// An open request.
    pub(crate) fn request(request: &OpenRequest, direction: Direction) -> Self {
        let known = request.method_name().map(Box::from);
        Self {
            at: request.sent.at,
            direction: Some(direction),
            kind: MessageKind::Request,
            method: known.or_else(|| request.unknown_method.clone()),
            id: Some(request.id_json().into()),
            revision: request.revision,
        }
    }

    /// Some other message or part of an HTTP exchange.
    pub(crate) fn at(at: u64, direction: Direction, revision: Option<Revision>) -> Self {
        Self {
            at,
            direction: Some(direction),
            kind: MessageKind::Unreadable,
            method: None,
            id: None,
            revision,
        }
    }

    /// Sets the kind and method of the message.
    pub(crate) fn kind(self, kind: MessageKind, method: &'static str) -> Self {
        Self {
            kind,
            method: Some(method.into()),
            ..self
        }
    }
}

/// A receiver of the findings at the end of a session.
pub(crate) struct Endings<'p> {
    policy: &'p Policy,
    session: &'p Session,
    rule: &'static Rule,
    found: Vec<Ending>,
}

impl<'p> Endings<'p> {
    pub(crate) fn new(policy: &'p Policy, session: &'p Session, rule: &'static Rule) -> Self {
        Self {
            policy,
            session,
            rule,
            found: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self, rule: &'static Rule) {
        self.rule = rule;
    }

    /// Reports that a party failed to do what the cause requires.
    pub(crate) fn missing(&mut self, party: Party, cause: Cause, message: &'static str) {
        self.missing_at_most(Level::Error, party, cause, message);
    }

    /// The same, with a limited level.
    pub(crate) fn missing_at_most(
        &mut self,
        at_most: Level,
        party: Party,
        cause: Cause,
        message: &'static str,
    ) {
        let (rule, policy) = (self.rule, self.policy);
        let revision = cause.revision.or(policy.revision);
        let stated = revision.is_none_or(|revision| rule.revisions.contains(revision));
        let blamed = matches!(rule.party, Parties::Both) || rule.party == Parties::Only(party);
        let context = Context {
            sender: Some(party),
            revision,
            exchange: None,
        };
        let explained = self.session.explains(rule, context, None);
        let method = cause.method.as_deref();
        let scope = policy.selection.scope(&[cause.kind], method.as_slice());
        if !stated || !blamed || !policy.wants(rule) || explained || !scope.allowed {
            return;
        }
        self.found.push(Ending {
            rule,
            level: policy.level_of_case(rule, (at_most, scope.level), revision),
            message,
            party: Some(party),
            at: cause.at,
            direction: cause.direction,
            kind: cause.kind,
            method: cause.method,
            id: cause.id,
            revision,
        });
    }

    /// The findings in the order of the messages, at most as many as a message may have: the
    /// gravest.
    pub(crate) fn into_found(mut self) -> Vec<Ending> {
        let limit = self.policy.limits.violations.max(1);
        if self.found.len() > limit {
            self.found.sort_by_key(|ending| Reverse(ending.level));
            self.found.truncate(limit);
        }
        self.found.sort_by_key(|ending| ending.at);
        self.found
    }
}
