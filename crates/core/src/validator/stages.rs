//! The stages that a message goes through, in their order: framing, envelope, shape, rules.

use core::ops::ControlFlow;

use super::checked::Summary;
use super::memory::Memory;
use super::method::{carries, carries_method};
use super::sinks::{OfMessage, Relay, Watch};
use super::{Kit, Model};
use crate::catalogue::{Detail, First, Layer, MessageScope, Rule, Sink, inline};
use crate::envelope::{MessageKind, raise};
use crate::exchange::Exchange;
use crate::frame::{Carrier, Frame, Http};
use crate::rules::check::Findings;
use crate::schedule::ScheduledCheck;
use crate::session::Session;
use crate::session::message::Message;
use crate::syntax::{Fault, Kind, Node};

/// The stages of one check.
pub(super) struct Stages<'a> {
    pub(super) kit: &'a Kit,
    pub(super) frame: &'a Frame<'a>,
    /// Whether the policy selects messages by method or kind.
    pub(super) scoped: bool,
}

impl Stages<'_> {
    /// Runs the stages for a policy that selects messages: the violations of others are dropped,
    /// and the session is updated all the same.
    #[cold]
    #[inline(never)]
    pub(super) fn run_scoped(
        &self,
        fault: Option<Fault>,
        memory: &mut impl Memory,
        summary: &mut Summary,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let root = self.kit.tape.root(self.frame.bytes);
        let root = root.filter(|_| fault.is_none());
        let scope = match root {
            // The messages of a batch have scopes of their own.
            Some(root) if root.kind() == Kind::Array => MessageScope::EVERYTHING,
            Some(root) if root.kind() == Kind::Object => {
                let mut exchange = Exchange::of(root);
                let head = self.kit.tape.head();
                exchange.place(head, self.frame, memory.session(), &self.kit.policy);
                self.scope_of(&exchange, &[], memory.session())
            }
            None if self.frame.empty => self.scope_of_kind(MessageKind::Empty),
            _ => self.scope_of_kind(MessageKind::Unreadable),
        };
        let mut sink = OfMessage { scope, sink };
        self.run(fault, memory, summary, &mut sink)
    }

    /// The effect of the selection on violations of a message, which may be part of a batch.
    #[cold]
    pub(super) fn scope_of(
        &self,
        exchange: &Exchange<'_>,
        also: &[MessageKind],
        session: &Session,
    ) -> MessageScope {
        let answered = exchange
            .answered
            .and_then(|answered| session.request(answered));
        let unknown = answered.and_then(|request| request.unknown_method.as_deref());
        let sent = exchange.method_node().and_then(Node::text);
        let names = [
            exchange.method.map(|method| method.name),
            sent.as_deref(),
            unknown,
        ];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        let kinds: Vec<_> = also
            .iter()
            .copied()
            .chain([exchange.envelope.kind])
            .collect();
        self.kit.policy.selection.scope(&kinds, &names)
    }

    /// The same for bytes that are no single message.
    #[cold]
    pub(super) fn scope_of_kind(&self, kind: MessageKind) -> MessageScope {
        self.kit.policy.selection.scope(&[kind], &[])
    }

    #[inline(always)]
    pub(super) fn run(
        &self,
        fault: Option<Fault>,
        memory: &mut impl Memory,
        summary: &mut Summary,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if let Some(fault) = fault {
            let flow;
            (*summary, flow) = self.unreadable(fault, memory, sink);
            return flow;
        }
        let mut flow = ControlFlow::Continue(());
        if self.frame.carrier == Carrier::Stdio || self.frame.unterminated {
            flow = self.framing(sink);
        }
        if self.kit.tape.is_odd() && self.kit.policy.layers.contains(Layer::Json) {
            flow = self.remarks(flow, sink);
        }
        match self.kit.tape.root(self.frame.bytes) {
            Some(root) if root.kind() == Kind::Object => {
                let mut exchange = Exchange::of(root);
                exchange.place(
                    self.kit.tape.head(),
                    self.frame,
                    memory.session(),
                    &self.kit.policy,
                );
                if exchange.has_id_of_other_type {
                    self.confirm_answer(&mut exchange, memory.session());
                }
                let mut message = self.in_context(&exchange, memory.session().seen());
                if let Some(http) = self.frame.http
                    && self.is_repeated(http, memory.session())
                {
                    (*summary, flow) = self.repeated(http, &message, flow, memory, sink);
                    return flow;
                }
                // A full sink ends the check, but the session is updated all the same.
                if flow.is_continue() {
                    flow = self.message(&mut message, memory.session(), sink);
                }
                match self.frame.http {
                    Some(http) => flow = self.carried(http, &message, flow, memory, sink),
                    None => memory.advance(&message, &self.kit.schedule),
                }
                *summary = Summary::of(&exchange);
                flow
            }
            _ => {
                let mut unread = self.unread(memory.session());
                if flow.is_continue() {
                    flow = self.no_object(memory, &mut unread, sink);
                }
                (*summary, flow) = self.no_message(unread, flow, memory, sink);
                flow
            }
        }
    }

    /// Takes an answer whose id has another type for the answer to that request only if it has the
    /// shape of one.
    #[cold]
    fn confirm_answer(&self, exchange: &mut Exchange<'_>, session: &Session) {
        let mut first = First::default();
        let form = exchange.form();
        let _flow = self.answer(exchange, form, session, &mut first);
        if form.is_none() || first.0.is_some() {
            exchange.answered = None;
            exchange.method = None;
        }
    }

    /// The view of a message for the session; the rules also get the request that it answers.
    #[inline(always)]
    pub(super) fn in_context<'m>(&'m self, exchange: &'m Exchange<'m>, order: u64) -> Message<'m> {
        Message {
            exchange,
            frame: self.frame,
            policy: &self.kit.policy,
            registry: &self.kit.registry,
            request: None,
            order,
            key_hashes: self.kit.tape.key_hashes(),
            batched: false,
            sound: true,
            reliable: true,
            is_partial: false,
        }
    }

    /// Reports that a part of the session reached its limit.
    #[cold]
    pub(super) fn memory_is_full(&self, session: &mut Session, sink: &mut dyn Sink) {
        let rule = &inline::MEMORY_LIMIT;
        // Without a message the report waits for the next one.
        let Some(root) = self.kit.tape.root(self.frame.bytes) else {
            return;
        };
        while let Some(what) = session.take_full() {
            if self.kit.policy.wants(rule) {
                let text = "session limit reached: not all {} are tracked";
                let _flow = raise(rule, root, Detail::Named { text, name: what }, sink);
            }
        }
    }

    /// Handles a message that is not an object: a batch, or no message at all.
    #[inline(never)]
    pub(super) fn no_object(
        &self,
        memory: &mut impl Memory,
        summary: &mut Summary,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let Some(root) = self.kit.tape.root(self.frame.bytes) else {
            return ControlFlow::Continue(());
        };
        if root.kind() == Kind::Array {
            return self.batch(root, memory, summary, sink);
        }
        let detail = Detail::EnvelopeType {
            expected: "an object",
            found: root.kind(),
        };
        self.raise(&inline::TOP_LEVEL_OBJECT, root, detail, sink)
    }

    /// The facts about a message of which nothing was read.
    #[cold]
    pub(super) fn unread(&self, session: &Session) -> Summary {
        Summary {
            direction: self.frame.direction,
            revision: self
                .frame
                .revision
                .or(self.kit.policy.revision)
                .or(session.revision()),
            kind: if self.frame.empty {
                MessageKind::Empty
            } else {
                MessageKind::Unreadable
            },
            ..Summary::UNREADABLE
        }
    }

    /// Checks envelope, then method, params, result and error data, then the rules; tracks whether
    /// the message is sound.
    #[inline(always)]
    pub(super) fn message(
        &self,
        message: &mut Message<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let mut watch = Watch {
            sink,
            faulty: false,
            unreliable: false,
        };
        match self.read(message, session, &mut watch) {
            ControlFlow::Continue(true) if !watch.faulty => {
                self.rules(message, true, session, watch.sink)
            }
            read => {
                let Watch {
                    sink, unreliable, ..
                } = watch;
                self.check_faulty(message, read, unreliable, session, sink)
            }
        }
    }

    /// Continues with a message that has a fault.
    #[cold]
    pub(super) fn check_faulty(
        &self,
        message: &mut Message<'_>,
        read: ControlFlow<(), bool>,
        unreliable: bool,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        message.sound = false;
        message.reliable = !unreliable;
        match read {
            ControlFlow::Break(()) => {
                message.reliable = false;
                ControlFlow::Break(())
            }
            ControlFlow::Continue(false) => {
                // If the envelope is not checked, its faults are not known.
                message.reliable &= self.kit.policy.layers.contains(Layer::Jsonrpc);
                ControlFlow::Continue(())
            }
            ControlFlow::Continue(true) => self.rules(message, false, session, sink),
        }
    }

    /// Runs the rules that concern a message.
    #[inline(always)]
    pub(super) fn rules(
        &self,
        message: &Message<'_>,
        sound: bool,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let checks = self.kit.schedule.checks(message.exchange);
        if checks.is_empty() {
            return ControlFlow::Continue(());
        }
        let message = Message {
            sound,
            ..with_request(message, session)
        };
        self.run_checks(checks, &message, session, sink)
    }

    #[inline(never)]
    pub(super) fn run_checks(
        &self,
        checks: &[ScheduledCheck],
        message: &Message<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let mut findings = Findings::new(
            message.sender(),
            message.revision(),
            &self.kit.policy,
            session,
            message.now().exchange,
            sink,
        );
        for scheduled in checks {
            findings.begin(scheduled.rule);
            (scheduled.check)(message, session, &mut findings);
        }
        findings.flow()
    }

    /// Checks envelope, then method, params, result and error data; returns whether the envelope is
    /// sound.
    #[inline(always)]
    pub(super) fn read(
        &self,
        message: &Message<'_>,
        session: &Session,
        sink: &mut Watch<'_>,
    ) -> ControlFlow<(), bool> {
        let exchange = message.exchange;
        let envelope = &exchange.envelope;
        let form = exchange.form();
        let mut sound = true;
        if !envelope.is_sound() || !form.is_none_or(|form| carries(envelope.kind, form.kind)) {
            sound = self.explain_envelope(exchange, session, sink)?;
        }
        if envelope.kind == MessageKind::Request
            && let Some(direction) = exchange.direction
            && session.reaches_open_limit(direction, self.kit.policy.limits.open_requests)
        {
            self.too_many_requests(exchange, sink)?;
        }
        match self.kit.model {
            Model::Replaced => self.replaced(exchange, sound, sink)?,
            Model::None => {}
            Model::BuiltIn if envelope.is_call() => self.call(message, form, session, sink)?,
            Model::BuiltIn => self.answer(exchange, form, session, sink)?,
        }
        ControlFlow::Continue(sound)
    }

    /// Checks a message against definitions of the caller.
    #[cold]
    pub(super) fn replaced(
        &self,
        exchange: &Exchange<'_>,
        sound: bool,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        match &self.kit.replacement {
            Some(replacement) if sound => replacement.check(exchange, &self.kit.tape, sink),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Reports the faults of the envelope, and returns whether it is sound all the same.
    #[cold]
    pub(super) fn explain_envelope(
        &self,
        exchange: &Exchange<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<(), bool> {
        let mut relay = Relay {
            sink,
            pushed: false,
            wanted: self.kit.policy.layers.contains(Layer::Jsonrpc),
            refusal: self.frame.http.is_some_and(Http::is_refusal)
                || session.has_unnamed(exchange.direction),
            echoes: exchange.answered.is_some(),
            profile: self.kit.policy.dialect(),
        };
        exchange.envelope.check(exchange.revision, &mut relay)?;
        carries_method(exchange, &mut relay)?;
        ControlFlow::Continue(!relay.pushed)
    }

    #[cold]
    pub(super) fn too_many_requests(
        &self,
        exchange: &Exchange<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let limit = self.kit.policy.limits.open_requests;
        let root = exchange.envelope.root();
        if !self.kit.policy.layers.contains(Layer::Session) {
            return ControlFlow::Continue(());
        }
        raise(
            &inline::OPEN_REQUESTS_LIMIT,
            root,
            Detail::Limit { limit },
            sink,
        )
    }

    pub(super) fn selects(&self, rule: &Rule) -> bool {
        self.kit.policy.wants(rule)
    }

    pub(super) fn raise(
        &self,
        rule: &'static Rule,
        at: Node<'_>,
        detail: Detail,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if self.selects(rule) {
            raise(rule, at, detail, sink)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// A message together with the open request that it answers.
#[inline]
pub(super) fn with_request<'m>(message: &Message<'m>, session: &'m Session) -> Message<'m> {
    Message {
        request: message
            .exchange
            .answered
            .and_then(|answered| session.request(answered)),
        ..*message
    }
}
