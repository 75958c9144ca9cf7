//! Runs the stages on a message. The only file that knows their order.

use core::ops::ControlFlow;
use std::sync::Arc;

use crate::agenda::Agenda;
use crate::checked::{Checked, Summary};
use crate::ending::{Ending, Endings};
use crate::envelope::{MessageKind, raise};
use crate::exchange::Exchange;
use crate::frame::{Before, Carrier, Frame, Http, classify};
use crate::message::{Message, Transfer};
use crate::model::{ERRORS, Fact, MethodForm, MethodKind, ShapeId};
use crate::policy::{Layer, Policy};
use crate::registry::Registry;
use crate::rules::check::Findings;
use crate::rules::support::input_keys;
use crate::rules::{self, Rule, inline};
use crate::session::{Capability, Moment, Session};
use crate::shape::Walk;
use crate::syntax::{Fault, FaultKind, Kind, Node, Tape, scan};
use crate::violation::{Collect, Detail, First, Owner, Sink, Span, Violation};
use crate::{Direction, Party, Revision, RevisionSet};

/// Checks messages, one after the other. Keeps its memory from message to message; one validator serves many sessions.
///
/// ```
/// use mcp_assay::{Session, Validator, Verdict};
///
/// let (mut validator, mut session) = (Validator::default(), Session::new());
/// let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
/// let checked = validator.check(&mut session, message);
/// assert_eq!(checked.verdict(), Verdict::Block);
/// assert_eq!(checked.violations()[0].rule.name, "schema/missing-member");
/// ```
pub struct Validator {
    policy: Policy,
    /// The checks that the policy asks for.
    agenda: Agenda,
    /// Compiled schemas of tools; several validators may share them.
    registry: Arc<Registry>,
    tape: Tape,
    violations: Vec<Violation>,
    /// The name of the method that the last message answers, if the model does not have it.
    unknown_method: String,
    replacement: Option<Arc<dyn Definitions>>,
}

/// Definitions that replace the built-in model for methods, params, results and error data.
pub trait Definitions: Send + Sync {
    /// Checks what the method demands; the envelope was checked before and is sound.
    fn check(&self, exchange: &Exchange<'_>, tape: &Tape, sink: &mut dyn Sink) -> ControlFlow<()>;
}

impl Validator {
    /// A validator under a policy.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self::with_registry(policy, Arc::default())
    }

    /// A validator that shares compiled schemas with others.
    #[must_use]
    pub fn with_registry(policy: Policy, registry: Arc<Registry>) -> Self {
        Self {
            agenda: Agenda::new(&policy),
            policy,
            registry,
            tape: Tape::new(),
            violations: Vec::new(),
            unknown_method: String::new(),
            replacement: None,
        }
    }

    /// Replaces the built-in model.
    pub fn replace_definitions(&mut self, definitions: Arc<dyn Definitions>) {
        self.replacement = Some(definitions);
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Checks a message, collects everything that is wrong with it, and takes note of it in the session.
    #[inline]
    pub fn check<'v>(
        &'v mut self,
        session: &mut Session,
        frame: impl Into<Frame<'v>>,
    ) -> Checked<'v> {
        let frame = frame.into();
        let summary = self.check_frame(session, &frame);
        Checked::new(
            &self.policy,
            &self.tape,
            &self.violations,
            &self.unknown_method,
            &frame,
            summary,
        )
    }

    fn check_frame(&mut self, session: &mut Session, frame: &Frame<'_>) -> Summary {
        self.violations.clear();
        self.unknown_method.clear();
        let mut sink = Collect {
            violations: &mut self.violations,
            limit: self.policy.limits.violations,
        };
        let mut memory = Writable {
            session,
            unknown_method: &mut self.unknown_method,
        };
        let fault = if frame.empty {
            self.tape.clear(&self.policy.limits);
            None
        } else {
            scan(frame.bytes, &self.policy.limits, &mut self.tape).err()
        };
        let stages = Stages {
            policy: &self.policy,
            agenda: &self.agenda,
            registry: &self.registry,
            tape: &self.tape,
            frame,
            replacement: self.replacement.as_deref(),
        };
        let (summary, flow) = if self.policy.selection.is_everything() {
            stages.run(fault, &mut memory, &mut sink)
        } else {
            let mut selected = Selected {
                policy: &self.policy,
                sink: &mut sink,
            };
            stages.run(fault, &mut memory, &mut selected)
        };
        if let Some(what) = memory.session.take_full() {
            stages.memory_is_full(what, flow, &mut sink);
        }
        summary
    }

    /// Says what is missing now that a session is over: answers that never came, and the like.
    #[must_use]
    pub fn end(&self, session: &Session) -> Vec<Ending> {
        let ends = self.agenda.ends();
        let Some((first, _)) = ends.first() else {
            return Vec::new();
        };
        let mut endings = Endings::new(&self.policy, first);
        for (rule, check) in ends {
            endings.ask(rule);
            check(session, &mut endings);
        }
        endings.into_found()
    }

    /// Only asks whether anything is wrong: stops at the first violation, and leaves the session as it is.
    pub fn first_violation<'v>(
        &mut self,
        session: &Session,
        frame: impl Into<Frame<'v>>,
    ) -> Option<Violation> {
        let frame = frame.into();
        let fault = if frame.empty {
            self.tape.clear(&self.policy.limits);
            None
        } else {
            scan(frame.bytes, &self.policy.limits, &mut self.tape).err()
        };
        let stages = Stages {
            policy: &self.policy,
            agenda: &self.agenda,
            registry: &self.registry,
            tape: &self.tape,
            frame: &frame,
            replacement: self.replacement.as_deref(),
        };
        let mut first = First::default();
        let mut selected = Selected {
            policy: &self.policy,
            sink: &mut first,
        };
        let (_, _broke) = stages.run(fault, &mut &*session, &mut selected);
        first.0
    }
}

impl Default for Validator {
    fn default() -> Self {
        Self::new(Policy::default())
    }
}

/// The session as a check may use it.
trait Memory {
    fn session(&self) -> &Session;

    /// Takes note of a message that was judged; its request is left out, for it is part of the session.
    fn advance(&mut self, message: &Message<'_>, agenda: &Agenda);

    /// Takes note of something that was sent and was no message.
    fn count(&mut self, stages: &Stages<'_>, summary: &Summary);

    /// Takes note of a line that could not be read.
    fn line(&mut self, direction: Option<Direction>, then: Before);

    /// Takes note of a part of an HTTP exchange, after the message in it.
    fn transferred(&mut self, transfer: &Transfer<'_>, agenda: &Agenda);
}

/// A look at a message that leaves no trace.
impl Memory for &Session {
    #[inline(always)]
    fn session(&self) -> &Session {
        self
    }

    #[inline(always)]
    fn advance(&mut self, _: &Message<'_>, _: &Agenda) {}

    fn count(&mut self, _: &Stages<'_>, _: &Summary) {}

    fn line(&mut self, _: Option<Direction>, _: Before) {}

    fn transferred(&mut self, _: &Transfer<'_>, _: &Agenda) {}
}

/// The session, and the name of the method that the last message answers, if the model does not have it.
struct Writable<'s> {
    session: &'s mut Session,
    unknown_method: &'s mut String,
}

impl Memory for Writable<'_> {
    #[inline(always)]
    fn session(&self) -> &Session {
        self.session
    }

    #[inline(always)]
    fn advance(&mut self, message: &Message<'_>, agenda: &Agenda) {
        let exchange = message.exchange;
        if exchange.method.is_none() && !exchange.envelope.is_call() {
            self.note_unknown_method(exchange, message.frame.answers);
        }
        self.session.advance(message, agenda.hooks(exchange));
    }

    fn count(&mut self, stages: &Stages<'_>, summary: &Summary) {
        // What could not be read may have been the answer to any open request.
        if let Some(direction) = summary.direction.filter(|_| !stages.frame.empty) {
            self.session.lost_answers[direction as usize] += 1;
        }
        self.session.count(summary.direction);
    }

    fn line(&mut self, direction: Option<Direction>, then: Before) {
        self.session.topics.stdio.note(direction, then);
    }

    fn transferred(&mut self, transfer: &Transfer<'_>, agenda: &Agenda) {
        for hook in agenda.http_hooks(&transfer.http.part) {
            hook.1(transfer, self.session);
        }
    }
}

impl Writable<'_> {
    #[cold]
    fn note_unknown_method(&mut self, answer: &Exchange<'_>, claimed: Option<&str>) {
        let request = answer
            .answered
            .and_then(|answered| self.session.request(answered));
        let name = request.map_or(claimed, |request| request.unknown_method.as_deref());
        self.unknown_method.push_str(name.unwrap_or_default());
    }
}

struct Stages<'a> {
    policy: &'a Policy,
    agenda: &'a Agenda,
    registry: &'a Registry,
    tape: &'a Tape,
    frame: &'a Frame<'a>,
    replacement: Option<&'a dyn Definitions>,
}

impl<'a> Stages<'a> {
    #[inline(always)]
    fn run(
        &self,
        fault: Option<Fault>,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> (Summary, ControlFlow<()>) {
        if let Some(fault) = fault {
            return self.unreadable(fault, memory, sink);
        }
        let mut flow = ControlFlow::Continue(());
        if self.frame.carrier == Carrier::Stdio || self.frame.unterminated {
            flow = self.framing(sink);
        }
        if (!self.tape.repeated_keys().is_empty() || self.tape.lone_surrogate().is_some())
            && self.policy.layers.contains(Layer::Json)
        {
            flow = self.remarks(flow, sink);
        }
        match self.tape.root(self.frame.bytes) {
            Some(root) if root.kind() == Kind::Object => {
                let mut exchange = Exchange::of(root);
                exchange.place(self.frame, memory.session(), self.policy);
                let told = self.in_context(&exchange, memory.session().now(self.frame));
                let mut sound = true;
                // A full sink ends the check, but the session takes note of what was sent all the same.
                if flow.is_continue() {
                    (sound, flow) = self.message(&told, memory.session(), sink);
                }
                let told = Message { sound, ..told };
                match self.frame.http {
                    Some(http) => flow = self.carried(http, &told, flow, memory, sink),
                    None => memory.advance(&told, self.agenda),
                }
                (Summary::of(&exchange), flow)
            }
            _ => {
                let mut summary = self.unread(memory.session());
                if flow.is_continue() {
                    flow = self.no_object(memory, &mut summary, sink);
                }
                self.no_message(summary, flow, memory, sink)
            }
        }
    }

    /// A message as the session is told of it; the rules also see the request that it answers.
    #[inline(always)]
    fn in_context<'m>(&'m self, exchange: &'m Exchange<'m>, now: Moment) -> Message<'m> {
        Message {
            exchange,
            frame: self.frame,
            policy: self.policy,
            registry: self.registry,
            request: None,
            now,
            batched: false,
            sound: true,
        }
    }

    /// What is left to do where there was no message.
    #[inline(never)]
    fn no_message(
        &self,
        summary: Summary,
        mut flow: ControlFlow<()>,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> (Summary, ControlFlow<()>) {
        if let Some(http) = self.frame.http {
            let revision = self.revision_of_part(memory.session());
            let now = memory.session().now(self.frame);
            let transfer = self.transfer(http, None, revision, now);
            flow = self.http_rules(&transfer, memory.session(), flow, sink);
            memory.transferred(&transfer, self.agenda);
        }
        // A batch was counted message by message.
        if summary.kind != MessageKind::Batch {
            memory.count(self, &summary);
        }
        (summary, flow)
    }

    /// A message that came over HTTP: the rules of HTTP, and then the session takes note of both.
    #[inline(never)]
    fn carried(
        &self,
        http: &Http<'_>,
        told: &Message<'_>,
        flow: ControlFlow<()>,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let session = memory.session();
        let message = with_request(told, session);
        let transfer = self.transfer(http, Some(&message), told.revision(), told.now);
        let flow = self.http_rules(&transfer, session, flow, sink);
        memory.advance(told, self.agenda);
        let transfer = self.transfer(http, Some(told), told.revision(), told.now);
        memory.transferred(&transfer, self.agenda);
        flow
    }

    fn transfer<'t>(
        &'t self,
        http: &'t Http<'t>,
        message: Option<&'t Message<'t>>,
        revision: Revision,
        now: Moment,
    ) -> Transfer<'t> {
        Transfer {
            http,
            message,
            body: self.frame.bytes,
            frame: self.frame,
            policy: self.policy,
            revision,
            now,
        }
    }

    /// Puts a part of an HTTP exchange to the rules that concern it.
    fn http_rules(
        &self,
        transfer: &Transfer<'_>,
        session: &Session,
        flow: ControlFlow<()>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        flow?;
        let sender = self.frame.direction.map(Direction::sender);
        let mut findings = Findings::new(sender, transfer.revision, self.policy, sink);
        for (rule, check) in self.agenda.http_checks(&transfer.http.part) {
            if rule.revisions.contains(transfer.revision) {
                findings.ask(Some(rule));
                check(transfer, session, &mut findings);
            }
        }
        findings.flow()
    }

    /// The revision of a part of an HTTP exchange without a message.
    fn revision_of_part(&self, session: &Session) -> Revision {
        self.frame
            .revision
            .or(self.policy.revision)
            .or(self.frame.header_revision)
            .or(session.revision())
            .or_else(|| session.revision_of_transport(self.frame))
            .or_else(|| Revision::latest_with(Fact::Handshake))
            .unwrap_or(Revision::latest())
    }

    /// The session cannot remember more of something.
    #[cold]
    fn memory_is_full(&self, what: &'static str, flow: ControlFlow<()>, sink: &mut dyn Sink) {
        let rule = &inline::MEMORY_LIMIT;
        if let (Some(root), ControlFlow::Continue(())) = (self.tape.root(self.frame.bytes), flow)
            && self.policy.wants(rule)
        {
            let text = "the session remembers no more {}";
            let _told = raise(rule, root, Detail::Named { text, name: what }, sink);
        }
    }

    /// A message that is no object: a batch, or none at all.
    #[inline(never)]
    fn no_object(
        &self,
        memory: &mut impl Memory,
        summary: &mut Summary,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let Some(root) = self.tape.root(self.frame.bytes) else {
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

    /// What is known about a message of which nothing was read.
    #[cold]
    fn unread(&self, session: &Session) -> Summary {
        Summary {
            direction: self.frame.direction,
            revision: self
                .frame
                .revision
                .or(self.policy.revision)
                .or(session.revision()),
            kind: if self.frame.empty {
                MessageKind::Empty
            } else {
                MessageKind::Unreadable
            },
            ..Summary::UNREADABLE
        }
    }

    /// A line that is not JSON: a message that was written wrongly, or none at all.
    #[cold]
    fn unreadable(
        &self,
        fault: Fault,
        memory: &mut impl Memory,
        sink: &mut dyn Sink,
    ) -> (Summary, ControlFlow<()>) {
        let summary = self.unread(memory.session());
        let mut told = None;
        if self.frame.carrier != Carrier::Http {
            let direction = summary.direction;
            let before = memory.session().topics.stdio.before(direction);
            let line = classify(self.frame.bytes, &fault, direction, before);
            memory.line(direction, line.then);
            if line.explained {
                return self.no_message(summary, ControlFlow::Continue(()), memory, sink);
            }
            // Whoever does not look at framing still wants to know what is not JSON.
            told = line.rule.filter(|(rule, _)| self.policy.wants(rule));
        }
        let flow = match told {
            Some((rule, span)) => sink.push(Violation::new(rule, span, None, Detail::Plain)),
            None => self.not_json(fault, summary.revision, sink),
        };
        self.no_message(summary, flow, memory, sink)
    }

    fn not_json(
        &self,
        fault: Fault,
        revision: Option<Revision>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let limits = &self.policy.limits;
        let (rule, detail) = match fault.kind {
            FaultKind::TooLarge => (
                &inline::SIZE_LIMIT,
                Detail::Limit {
                    limit: limits.bytes,
                },
            ),
            FaultKind::TooDeep => (
                &inline::DEPTH_LIMIT,
                Detail::Limit {
                    limit: limits.depth,
                },
            ),
            FaultKind::TooManyTokens => (
                &inline::TOKEN_LIMIT,
                Detail::Limit {
                    limit: limits.tokens,
                },
            ),
            FaultKind::ByteOrderMark => (&inline::NO_BOM, Detail::Syntax(fault.kind)),
            FaultKind::NotFinite => (&inline::FINITE_NUMBERS, Detail::Syntax(fault.kind)),
            FaultKind::SecondValue => (&inline::NEWLINE_DELIMITED, Detail::Syntax(fault.kind)),
            // 2024-11-05 says it only through JSON.
            FaultKind::NotUtf8
                if revision.is_none_or(|revision| inline::UTF8.revisions.contains(revision)) =>
            {
                (&inline::UTF8, Detail::Syntax(fault.kind))
            }
            kind => (&inline::WELL_FORMED, Detail::Syntax(kind)),
        };
        if !self.looks_at(rule) {
            return ControlFlow::Continue(());
        }
        sink.push(Violation::new(
            rule,
            Span {
                start: fault.start,
                end: fault.end,
            },
            None,
            detail,
        ))
    }

    /// How a message stands on its line.
    #[inline(never)]
    fn framing(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let bytes = self.frame.bytes;
        let mut at = |rule: &'static Rule, start: usize, length: u32| {
            let start = start as u32;
            let end = start + length;
            if self.looks_at(rule) {
                sink.push(Violation::new(
                    rule,
                    Span { start, end },
                    None,
                    Detail::Plain,
                ))
            } else {
                ControlFlow::Continue(())
            }
        };
        if self.frame.carrier == Carrier::Stdio
            && let Some(newline) = memchr::memchr(b'\n', bytes)
        {
            at(&inline::NO_EMBEDDED_NEWLINE, newline, 1)?;
        }
        if self.frame.unterminated {
            at(&inline::FINAL_NEWLINE, bytes.len(), 0)?;
        }
        ControlFlow::Continue(())
    }

    /// What is legal JSON and yet asks for trouble.
    #[cold]
    fn remarks(&self, flow: ControlFlow<()>, sink: &mut dyn Sink) -> ControlFlow<()> {
        flow?;
        // The keys of input requests have a rule of their own, which is graver.
        let own = rules::find("mrtr/input-key-unique").filter(|own| self.policy.wants(own));
        let root = self.tape.root(self.frame.bytes).filter(|_| own.is_some());
        let folded = root.map(input_keys).unwrap_or_default();
        let repeated = self.tape.repeated_keys().iter();
        for &key in repeated.filter(|key| folded.binary_search(key).is_err()) {
            raise(
                &inline::UNIQUE_KEYS,
                self.tape.node(self.frame.bytes, key),
                Detail::Repeated,
                sink,
            )?;
        }
        if let Some((start, end)) = self.tape.lone_surrogate() {
            sink.push(Violation::new(
                &inline::PAIRED_SURROGATES,
                Span { start, end },
                None,
                Detail::Plain,
            ))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(never)]
    fn batch(
        &self,
        root: Node<'a>,
        memory: &mut impl Memory,
        summary: &mut Summary,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let known = self
            .frame
            .revision
            .or(self.policy.revision)
            .or(self.frame.header_revision);
        // Without any other sign an array is of the revision that has batches.
        let revision = known
            .or(memory.session().revision())
            .or_else(|| Revision::latest_with(Fact::Batches))
            .unwrap_or(Revision::latest());
        *summary = Summary {
            kind: MessageKind::Batch,
            revision: Some(revision),
            ..*summary
        };
        let frame = Frame {
            revision: Some(revision),
            ..*self.frame
        };
        if inline::NO_BATCH.revisions.contains(revision) {
            // Its messages are not looked at, so that answers to them, or they themselves as answers, are lost.
            memory.count(self, summary);
            return self.raise(
                &inline::NO_BATCH,
                root,
                Detail::Revisions(batch_revisions()),
                sink,
            );
        }
        if inline::BATCH_UNDEFINED.revisions.contains(revision) {
            self.raise(
                &inline::BATCH_UNDEFINED,
                root,
                Detail::Revisions(batch_revisions()),
                sink,
            )?;
        }
        let defined = inline::BATCH_NOT_EMPTY.revisions.contains(revision);
        if defined && root.items().next().is_none() {
            return self.raise(&inline::BATCH_NOT_EMPTY, root, Detail::Plain, sink);
        }
        let mut calls = None;
        for item in root.items() {
            if item.kind() != Kind::Object {
                let detail = Detail::EnvelopeType {
                    expected: "an object",
                    found: item.kind(),
                };
                self.raise(&inline::TOP_LEVEL_OBJECT, item, detail, sink)?;
                continue;
            }
            let mut exchange = Exchange::of(item);
            exchange.place(&frame, memory.session(), self.policy);
            summary.direction = summary.direction.or(exchange.direction);
            let is_call = exchange.envelope.is_call();
            if *calls.get_or_insert(is_call) != is_call && defined {
                self.raise(&inline::BATCH_ONE_KIND, item, Detail::Plain, sink)?;
            }
            let told = Message {
                batched: true,
                ..self.in_context(&exchange, memory.session().now(self.frame))
            };
            let (sound, flow) = self.message(&told, memory.session(), sink);
            memory.advance(&Message { sound, ..told }, self.agenda);
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Envelope, then method, params, result and error data, then the rules; tells whether the message is sound.
    #[inline(always)]
    fn message(
        &self,
        told: &Message<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> (bool, ControlFlow<()>) {
        let mut watch = Watch {
            sink,
            faulty: false,
        };
        match self.read(told, session, &mut watch) {
            ControlFlow::Break(()) => (false, ControlFlow::Break(())),
            ControlFlow::Continue(false) => (false, ControlFlow::Continue(())),
            ControlFlow::Continue(true) => {
                let sound = !watch.faulty;
                let message = Message {
                    sound,
                    ..with_request(told, session)
                };
                (sound, self.rules(&message, session, watch.sink))
            }
        }
    }

    /// Puts a message to the rules that concern it.
    #[inline]
    fn rules(
        &self,
        message: &Message<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let checks = self.agenda.checks(message.exchange);
        if checks.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut findings = Findings::new(message.sender(), message.revision(), self.policy, sink);
        for asked in checks {
            if message.sound || asked.whatever_shape {
                findings.ask(asked.rule);
                (asked.check)(message, session, &mut findings);
            }
        }
        findings.flow()
    }

    /// Envelope, then method, params, result and error data; tells whether the envelope is sound.
    #[inline(always)]
    fn read(
        &self,
        told: &Message<'_>,
        session: &Session,
        sink: &mut Watch<'_>,
    ) -> ControlFlow<(), bool> {
        let exchange = told.exchange;
        let envelope = &exchange.envelope;
        let form = exchange.form();
        let layers = self.policy.layers;
        let mut sound = true;
        if !envelope.is_sound() || !form.is_none_or(|form| carries(envelope.kind, form.kind)) {
            sound = self.explain_envelope(exchange, sink)?;
        }
        if layers.contains(Layer::Session)
            && envelope.kind == MessageKind::Request
            && let Some(direction) = exchange.direction
            && session.open_requests(direction) >= self.policy.limits.open_requests
        {
            self.too_many_requests(exchange, sink)?;
        }
        if !layers.contains(Layer::Schema) {
            return ControlFlow::Continue(sound);
        }
        match self.replacement {
            Some(replacement) if sound => replacement.check(exchange, self.tape, sink)?,
            Some(_) => {}
            None if envelope.is_call() => self.call(told, form, session, sink)?,
            None => self.answer(exchange, form, sink)?,
        }
        ControlFlow::Continue(sound)
    }

    /// Says what is wrong with the envelope, and whether it is sound after all.
    #[cold]
    fn explain_envelope(
        &self,
        exchange: &Exchange<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<(), bool> {
        let mut relay = Relay {
            sink,
            pushed: false,
            wanted: self.policy.layers.contains(Layer::Jsonrpc),
            refusal: self.frame.http.is_some_and(Http::is_refusal),
        };
        exchange.envelope.check(exchange.revision, &mut relay)?;
        carries_method(exchange, &mut relay)?;
        ControlFlow::Continue(!relay.pushed)
    }

    #[cold]
    fn too_many_requests(&self, exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let limit = self.policy.limits.open_requests;
        let root = exchange.envelope.root();
        raise(
            &inline::OPEN_REQUESTS_LIMIT,
            root,
            Detail::Limit { limit },
            sink,
        )
    }

    #[inline(always)]
    fn call(
        &self,
        told: &Message<'_>,
        form: Option<&'static MethodForm>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let exchange = told.exchange;
        // An input request is embedded in a result; as a message of its own it does not exist.
        let Some(form) = form.filter(|form| form.kind != MethodKind::Input) else {
            return unknown_method(told, session, sink);
        };
        if exchange
            .direction
            .is_some_and(|direction| !may_send(form, direction))
        {
            wrong_direction(exchange, form, sink)?;
        }
        match exchange.envelope.params() {
            Some(params) if params.kind() == Kind::Object => {
                self.walk(exchange, params, form.params, sink)
            }
            None if form.params_required => missing_params(exchange, sink),
            _ => ControlFlow::Continue(()),
        }
    }

    #[inline(always)]
    fn answer(
        &self,
        exchange: &Exchange<'_>,
        form: Option<&'static MethodForm>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if let (Some(form), Some(result)) = (form, exchange.envelope.result())
            && result.kind() == Kind::Object
        {
            self.walk(exchange, result, form.result, sink)?;
        }
        if exchange.envelope.kind == MessageKind::Error {
            self.error_data(exchange, sink)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Codes with a meaning of their own may have a shape for `data`.
    #[inline(never)]
    fn error_data(&self, exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let envelope = &exchange.envelope;
        let Some(code) = envelope.error_code().and_then(Node::as_i64) else {
            return ControlFlow::Continue(());
        };
        let known = ERRORS.iter().find(|known| {
            i64::from(known.code) == code && known.revisions.contains(exchange.revision)
        });
        let Some(shape) = known
            .map(|known| known.data)
            .filter(|shape| *shape != ShapeId::ABSENT)
        else {
            return ControlFlow::Continue(());
        };
        match (envelope.error_data(), envelope.error()) {
            (Some(data), _) => self.walk(exchange, data, shape, sink),
            (None, Some(error)) => {
                let detail = Detail::Missing {
                    member: "data",
                    owner: Owner::Error,
                };
                raise(&inline::MISSING_MEMBER, error, detail, sink)
            }
            (None, None) => ControlFlow::Continue(()),
        }
    }

    #[inline(always)]
    fn walk(
        &self,
        exchange: &Exchange<'_>,
        at: Node<'_>,
        shape: ShapeId,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        Walk::new(self.tape, self.frame.bytes, exchange.revision, sink).value(at.index(), shape)
    }

    fn looks_at(&self, rule: &Rule) -> bool {
        self.policy.wants(rule)
    }

    fn raise(
        &self,
        rule: &'static Rule,
        at: Node<'_>,
        detail: Detail,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if self.looks_at(rule) {
            raise(rule, at, detail, sink)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// A message together with the open request that it answers.
#[inline]
fn with_request<'m>(told: &Message<'m>, session: &'m Session) -> Message<'m> {
    Message {
        request: told
            .exchange
            .answered
            .and_then(|answered| session.request(answered)),
        ..*told
    }
}

/// A request's method needs an id, a notification's must not have one.
fn carries_method(exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
    let Some(form) = exchange.form() else {
        return ControlFlow::Continue(());
    };
    match (exchange.envelope.kind, form.kind, exchange.envelope.id()) {
        (MessageKind::Request, MethodKind::Notification, Some(id)) => raise(
            &inline::NOTIFICATION_NO_ID,
            id,
            Detail::Unexpected { member: "id" },
            sink,
        ),
        (MessageKind::Notification, MethodKind::Request, _) => {
            let detail = Detail::Missing {
                member: "id",
                owner: Owner::Message,
            };
            raise(
                &inline::REQUEST_HAS_ID,
                exchange.envelope.root(),
                detail,
                sink,
            )
        }
        _ => ControlFlow::Continue(()),
    }
}

/// Whether a message has an id just if its method wants one.
#[inline(always)]
fn carries(message: MessageKind, method: MethodKind) -> bool {
    match message {
        MessageKind::Request => method != MethodKind::Notification,
        MessageKind::Notification => method != MethodKind::Request,
        _ => true,
    }
}

#[cold]
fn unknown_method(told: &Message<'_>, session: &Session, sink: &mut dyn Sink) -> ControlFlow<()> {
    let exchange = told.exchange;
    // What both sides have agreed on beyond the protocol may bring methods of its own.
    let agreed = |party| {
        let declared = session.declared(party, told);
        declared.is_some_and(|declared| declared.has(Capability::Foreign))
    };
    let between_them = agreed(Party::Server)
        && (agreed(Party::Client) || exchange.direction == Some(Direction::ServerToClient));
    if exchange.method.is_none() && between_them {
        return ControlFlow::Continue(());
    }
    let Some(method) = exchange.method_node() else {
        return ControlFlow::Continue(());
    };
    let detail = Detail::Method {
        elsewhere: exchange.method,
    };
    raise(&inline::UNKNOWN_METHOD, method, detail, sink)
}

#[cold]
fn wrong_direction(
    exchange: &Exchange<'_>,
    form: &MethodForm,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let (Some(at), Some(method)) = (exchange.method_node(), exchange.method) else {
        return ControlFlow::Continue(());
    };
    let rule = if form.kind == MethodKind::Notification {
        &inline::NOTIFICATION_DIRECTION
    } else {
        &inline::METHOD_DIRECTION
    };
    raise(rule, at, Detail::Direction { method }, sink)
}

#[cold]
fn missing_params(exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
    let detail = Detail::Missing {
        member: "params",
        owner: Owner::Message,
    };
    raise(
        &inline::MISSING_MEMBER,
        exchange.envelope.root(),
        detail,
        sink,
    )
}

#[inline(always)]
fn may_send(form: &MethodForm, direction: Direction) -> bool {
    match direction {
        Direction::ClientToServer => form.from_client,
        Direction::ServerToClient => form.from_server,
    }
}

fn batch_revisions() -> RevisionSet {
    Revision::ALL
        .into_iter()
        .filter(|revision| revision.has(Fact::Batches))
        .collect()
}

/// Passes on only what the policy selects.
struct Selected<'s> {
    policy: &'s Policy,
    sink: &'s mut dyn Sink,
}

impl Sink for Selected<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        if self.policy.selection.allows(violation.rule) {
            self.sink.push(violation)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Remembers whether a fault of the shape passed; a limit that was reached is none.
struct Watch<'s> {
    sink: &'s mut dyn Sink,
    faulty: bool,
}

impl Sink for Watch<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        self.faulty |= violation.rule.layer != Layer::Session;
        self.sink.push(violation)
    }
}

/// Remembers whether anything passed, and passes it on only if its layer is wanted.
struct Relay<'s> {
    sink: &'s mut dyn Sink,
    pushed: bool,
    wanted: bool,
    /// Whether HTTP refuses the request as a whole: the error has no id then.
    refusal: bool,
}

impl Sink for Relay<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        if self.refusal && *violation.rule == inline::ERROR_ID_REQUIRED {
            return ControlFlow::Continue(());
        }
        self.pushed |= violation.rule.layer == Layer::Jsonrpc;
        if self.wanted {
            self.sink.push(violation)
        } else {
            ControlFlow::Continue(())
        }
    }
}
