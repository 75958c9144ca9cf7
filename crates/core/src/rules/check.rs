//! The check of a rule: when it runs, and how it reports violations.

use core::ops::ControlFlow;

use crate::catalogue::{Detail, Level, On, OnHttp, Place, Policy, Sink, Violation};
use crate::ending::Endings;
use crate::envelope::MessageKind;
use crate::model::Method;
use crate::rules::{Parties, Rule};
use crate::session::message::{Message, Transfer};
use crate::session::{Context, Session};
use crate::syntax::{Node, Span};
use crate::{Party, Revision};

/// The check of a rule.
#[derive(Debug)]
pub(crate) enum Check {
    /// Runs on messages.
    Message(&'static [On], MessageCheck),
    /// Runs on those messages that have one of these keys, at any depth: no other can violate the
    /// rule.
    Keyed(&'static [&'static str], &'static [On], MessageCheck),
    /// The same with keys for each method.
    KeyedByMethod(MethodKeys, &'static [On], MessageCheck),
    /// Runs on messages together with other rules, in one walk.
    Group(&'static Group),
    /// Runs on parts of HTTP exchanges.
    Http(&'static [OnHttp], HttpCheck),
    /// Runs at the end of a session.
    End(EndCheck),
    /// Runs on messages, and at the end of a session.
    MessageAndEnd(&'static [On], MessageCheck, EndCheck),
    /// Runs on parts of HTTP exchanges, and at the end of a session.
    HttpAndEnd(&'static [OnHttp], HttpCheck, EndCheck),
}

/// Checks a message. The session is as it was before the message.
pub(crate) type MessageCheck = fn(&Message<'_>, &Session, &mut Findings<'_>);

/// The hashes of the keys of which a call of a method in a revision, or an answer to it, must have
/// one to violate a rule.
pub(crate) type MethodKeys = fn(&Method, Revision, MessageKind) -> u64;

/// Checks a part of an HTTP exchange. The session is as it was before the part, and before the
/// message in it.
pub(crate) type HttpCheck = fn(&Transfer<'_>, &Session, &mut Findings<'_>);

/// Checks a session that is over.
pub(crate) type EndCheck = fn(&Session, &mut Endings<'_>);

/// Rules that share one walk over a message: it calls [`Findings::raise`] with the violated rule.
#[derive(Debug)]
pub(crate) struct Group {
    /// The keys of which a message must have one, at any depth, to violate one of the rules;
    /// without any, every message may.
    pub(crate) keys: &'static [&'static str],
    pub(crate) on: &'static [On],
    pub(crate) check: MessageCheck,
}

/// The receiver of the violations of a check. It handles levels, selection, revisions and parties.
pub(crate) struct Findings<'s> {
    rule: Option<&'static Rule>,
    sender: Option<Party>,
    revision: Revision,
    policy: &'s Policy,
    session: &'s Session,
    exchange: Option<i64>,
    at_most: Level,
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
            at_most: Level::Error,
            sink,
            flow: ControlFlow::Continue(()),
        }
    }

    /// The rule that is checked next; `None` for a group.
    #[inline]
    pub(crate) fn begin(&mut self, rule: Option<&'static Rule>) {
        self.rule = rule;
        self.at_most = Level::Error;
    }

    /// Whether the sink is full.
    #[inline]
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        self.flow
    }

    /// Limits the level of the next violations of the rule.
    #[cold]
    pub(crate) fn at_most(&mut self, level: Level) -> &mut Self {
        self.at_most = level;
        self
    }

    /// Reports that this value violates the rule.
    #[cold]
    pub(crate) fn at(&mut self, node: Node<'_>, text: &'static str) {
        self.with(node, Detail::Text(text));
    }

    /// The same; `{}` in the text is replaced by a name from our own tables.
    #[cold]
    pub(crate) fn named(&mut self, node: Node<'_>, text: &'static str, name: &'static str) {
        self.with(node, Detail::Named { text, name });
    }

    /// The same; `{}` in the text is replaced by a keyword, which has this place in a document.
    #[cold]
    pub(crate) fn by_keyword(
        &mut self,
        node: Node<'_>,
        text: &'static str,
        (document, place, keyword): (&'static str, &str, &'static str),
    ) {
        if let Some(rule) = self.rule {
            self.raise_by_keyword(rule, node, text, (document, place, keyword));
        }
    }

    /// The same; `{}` in the text is replaced by a number.
    #[cold]
    pub(crate) fn counted(&mut self, node: Node<'_>, text: &'static str, count: u64) {
        self.with(node, Detail::Counted { text, count });
    }

    /// Reports that this value violates the rule, with details of the caller.
    #[cold]
    pub(crate) fn with(&mut self, node: Node<'_>, detail: Detail) {
        if let Some(rule) = self.rule {
            let violation = Violation::new(rule, node.span(), Some(node.index()), detail);
            self.push(rule, Some(node), violation);
        }
    }

    /// Reports that this value violates a rule of a group.
    #[cold]
    pub(crate) fn raise(&mut self, rule: &'static Rule, node: Node<'_>, text: &'static str) {
        let violation = Violation::new(rule, node.span(), Some(node.index()), Detail::Text(text));
        self.push(rule, Some(node), violation);
    }

    /// The same; `{}` in the text is replaced by a keyword, which has this place in a document.
    #[cold]
    pub(crate) fn raise_by_keyword(
        &mut self,
        rule: &'static Rule,
        node: Node<'_>,
        text: &'static str,
        (document, place, keyword): (&'static str, &str, &'static str),
    ) {
        let detail = Detail::Named {
            text,
            name: keyword,
        };
        let mut violation = Violation::new(rule, node.span(), Some(node.index()), detail);
        violation.schema = self.sink.note(document, place, keyword);
        self.push(rule, Some(node), violation);
    }

    /// Reports a violation of a profile's own rule, which no revision states.
    #[cold]
    pub(crate) fn of_profile(&mut self, rule: &'static Rule, node: Node<'_>, detail: Detail) {
        if self.flow.is_continue() && self.policy.wants(rule) {
            let violation = Violation::new(rule, node.span(), Some(node.index()), detail);
            self.flow = self.sink.push(violation);
        }
    }

    /// Reports that the head of an HTTP request or response violates the rule: a header, the
    /// status, the request line.
    #[cold]
    pub(crate) fn head(&mut self, place: Place, text: &'static str) {
        if let Some(rule) = self.rule {
            let mut violation = Violation::new(rule, Span::default(), None, Detail::Text(text));
            violation.place = place;
            self.push(rule, None, violation);
        }
    }

    fn push(&mut self, rule: &'static Rule, at: Option<Node<'_>>, mut violation: Violation) {
        violation.at_most = self.at_most;
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

/// Whether the sender of a message can violate a rule.
fn blames(rule: &Rule, sender: Option<Party>) -> bool {
    match (rule.party, sender) {
        (Parties::Both, _) | (Parties::Only(_), None) => true,
        (Parties::Only(party), Some(sender)) => party == sender,
    }
}
