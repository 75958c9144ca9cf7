//! How a rule is found: when it is asked, and how it says what it found.

use core::ops::ControlFlow;

use crate::catalogue::{Detail, On, OnHttp, Place, Policy, Sink, Violation};
use crate::ending::Endings;
use crate::rules::{Parties, Rule};
use crate::session::message::{Message, Transfer};
use crate::session::{Context, Session};
use crate::syntax::{Node, Span};
use crate::{Party, Revision};

/// How a rule is found.
#[derive(Debug)]
pub(crate) enum Check {
    /// By looking at messages.
    Message(&'static [On], MessageCheck),
    /// Together with others, in one walk over the message.
    Group(&'static Group),
    /// By looking at a part of an HTTP exchange.
    Http(&'static [OnHttp], HttpCheck),
    /// By looking at what is left when a session ends.
    End(EndCheck),
    /// By looking at messages, and at what is left when a session ends.
    MessageAndEnd(&'static [On], MessageCheck, EndCheck),
    /// By looking at parts of an HTTP exchange, and at what is left when a session ends.
    HttpAndEnd(&'static [OnHttp], HttpCheck, EndCheck),
}

/// Looks at a message. The session is as it was before the message.
pub(crate) type MessageCheck = fn(&Message<'_>, &Session, &mut Findings<'_>);

/// Looks at a part of an HTTP exchange. The session is as it was before the part, and before the message in it.
pub(crate) type HttpCheck = fn(&Transfer<'_>, &Session, &mut Findings<'_>);

/// Looks at a session that is over.
pub(crate) type EndCheck = fn(&Session, &mut Endings<'_>);

/// Rules that one walk over a message finds together: it calls [`Findings::raise`] with the rule that is violated.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) on: &'static [On],
    pub(crate) check: MessageCheck,
}

/// Where a check says what it found. Levels, selection, revisions and parties are not its business: they are seen to here.
pub(crate) struct Findings<'s> {
    rule: Option<&'static Rule>,
    sender: Option<Party>,
    revision: Revision,
    policy: &'s Policy,
    session: &'s Session,
    exchange: Option<i64>,
    sink: &'s mut dyn Sink,
    flow: ControlFlow<()>,
}

impl<'s> Findings<'s> {
    #[inline]
    pub(crate) fn new(
        sender: Option<Party>,
        revision: Revision,
        policy: &'s Policy,
        session: &'s Session,
        exchange: Option<i64>,
        sink: &'s mut dyn Sink,
    ) -> Self {
        Self {
            rule: None,
            sender,
            revision,
            policy,
            session,
            exchange,
            sink,
            flow: ControlFlow::Continue(()),
        }
    }

    /// The rule that is asked next; `None` for a group.
    #[inline]
    pub(crate) fn ask(&mut self, rule: Option<&'static Rule>) {
        self.rule = rule;
    }

    /// Whether the sink wants no more.
    #[inline]
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        self.flow
    }

    /// The rule is violated by this value.
    #[cold]
    pub(crate) fn at(&mut self, node: Node<'_>, text: &'static str) {
        self.with(node, Detail::Text(text));
    }

    /// The same; `{}` in the text is replaced by a name from our own tables.
    #[cold]
    pub(crate) fn named(&mut self, node: Node<'_>, text: &'static str, name: &'static str) {
        self.with(node, Detail::Named { text, name });
    }

    /// The same; `{}` in the text is replaced by a number.
    #[cold]
    pub(crate) fn counted(&mut self, node: Node<'_>, text: &'static str, count: u64) {
        self.with(node, Detail::Counted { text, count });
    }

    /// The rule is violated by this value, for a reason of the caller's own.
    #[cold]
    pub(crate) fn with(&mut self, node: Node<'_>, detail: Detail) {
        if let Some(rule) = self.rule {
            let violation = Violation::new(rule, node.span(), Some(node.index()), detail);
            self.push(rule, Some(node), violation);
        }
    }

    /// A group found this rule violated by this value.
    #[cold]
    pub(crate) fn raise(&mut self, rule: &'static Rule, node: Node<'_>, text: &'static str) {
        let violation = Violation::new(rule, node.span(), Some(node.index()), Detail::Text(text));
        self.push(rule, Some(node), violation);
    }

    /// A profile's own rule is violated. No revision states it, so that none has to.
    #[cold]
    pub(crate) fn of_profile(&mut self, rule: &'static Rule, node: Node<'_>, detail: Detail) {
        if self.flow.is_continue() && self.policy.wants(rule) {
            let violation = Violation::new(rule, node.span(), Some(node.index()), detail);
            self.flow = self.sink.push(violation);
        }
    }

    /// The rule is violated by the head of an HTTP request or response: a header, the status, the request line.
    #[cold]
    pub(crate) fn head(&mut self, place: Place, text: &'static str) {
        if let Some(rule) = self.rule {
            let mut violation = Violation::new(rule, Span::default(), None, Detail::Text(text));
            violation.place = place;
            self.push(rule, None, violation);
        }
    }

    fn push(&mut self, rule: &'static Rule, at: Option<Node<'_>>, violation: Violation) {
        let context = Context {
            sender: self.sender,
            revision: Some(self.revision),
            exchange: self.exchange,
        };
        if self.flow.is_continue()
            && rule.revisions.contains(self.revision)
            && self.policy.wants(rule)
            && blames(rule, self.sender)
            && !self.session.explains(rule, context, at)
        {
            self.flow = self.sink.push(violation);
        }
    }
}

/// Whether the sender of a message can be the one who violates a rule.
fn blames(rule: &Rule, sender: Option<Party>) -> bool {
    match (rule.party, sender) {
        (Parties::Both, _) | (Parties::Only(_), None) => true,
        (Parties::Only(party), Some(sender)) => party == sender,
    }
}
