//! Runs the stages on a message. The only file that knows their order.

mod batch;
mod dialect;
mod fold;
mod glimpse;
mod http;
mod memory;
mod method;
mod sinks;
mod text;

use core::ops::ControlFlow;
use std::sync::Arc;

use self::memory::{Memory, Writable};
use self::method::{carries, carries_method};
use self::sinks::{Relay, Selected, Watch};
pub(crate) use self::text::unreadable;
use crate::agenda::{Agenda, Asked};
use crate::checked::{Checked, Summary};
use crate::ending::{Ending, Endings};
use crate::exchange::Exchange;
use crate::frame::{Carrier, Frame, Http};
use crate::jsonrpc::{MessageKind, raise};
use crate::message::Message;
use crate::policy::{Layer, Policy};
use crate::registry::SchemaRegistry;
use crate::rules::check::Findings;
use crate::rules::{Rule, inline};
use crate::session::{Moment, Session};
use crate::syntax::{Fault, Kind, Node, Tape, scan};
use crate::violation::{Collect, Detail, First, Sink, Violation};

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
    registry: Arc<SchemaRegistry>,
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
    pub fn with_registry(policy: Policy, registry: Arc<SchemaRegistry>) -> Self {
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
        let fault = read_bytes(frame, &self.policy, &mut self.tape);
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
        if !self.violations.is_empty() {
            self.take_note_of_told(session, frame, &summary);
        }
        summary
    }

    /// Checks a message as [`Self::check`] does, and leaves the session as it is.
    pub fn look<'v>(&'v mut self, session: &Session, frame: impl Into<Frame<'v>>) -> Checked<'v> {
        let frame = frame.into();
        self.unknown_method.clear();
        let mut violations = core::mem::take(&mut self.violations);
        violations.clear();
        let mut sink = Collect {
            violations: &mut violations,
            limit: self.policy.limits.violations,
        };
        let summary = self.look_for(session, &frame, &mut sink);
        if violations.len() > 1 {
            fold::fold(&mut violations);
        }
        self.violations = violations;
        Checked::new(
            &self.policy,
            &self.tape,
            &self.violations,
            &self.unknown_method,
            &frame,
            summary,
        )
    }

    /// Says what is missing now that a session is over: answers that never came, and the like.
    #[must_use]
    pub fn end(&self, session: &Session) -> Vec<Ending> {
        let ends = self.agenda.ends();
        let Some((first, _)) = ends.first() else {
            return Vec::new();
        };
        let mut endings = Endings::new(&self.policy, session, first);
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
        let mut first = First::default();
        self.look_for(session, &frame.into(), &mut first);
        first.0
    }

    /// Shows a sink what is wrong, and leaves the session as it is.
    fn look_for(&mut self, session: &Session, frame: &Frame<'_>, sink: &mut dyn Sink) -> Summary {
        let fault = read_bytes(frame, &self.policy, &mut self.tape);
        let stages = Stages {
            policy: &self.policy,
            agenda: &self.agenda,
            registry: &self.registry,
            tape: &self.tape,
            frame,
            replacement: self.replacement.as_deref(),
        };
        let mut selected = Selected {
            policy: &self.policy,
            sink,
        };
        let (summary, _broke) = stages.run(fault, &mut &*session, &mut selected);
        summary
    }
}

/// Scans a frame, unless it holds no message; tells why it is not JSON.
#[inline(always)]
fn read_bytes(frame: &Frame<'_>, policy: &Policy, tape: &mut Tape) -> Option<Fault> {
    if frame.empty {
        tape.clear(&policy.limits);
        return None;
    }
    scan(frame.bytes, &policy.limits, tape).err()
}

impl Default for Validator {
    fn default() -> Self {
        Self::new(Policy::default())
    }
}

struct Stages<'a> {
    policy: &'a Policy,
    agenda: &'a Agenda,
    registry: &'a SchemaRegistry,
    tape: &'a Tape,
    frame: &'a Frame<'a>,
    replacement: Option<&'a dyn Definitions>,
}

impl Stages<'_> {
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
                exchange.place(self.tape.head(), self.frame, memory.session(), self.policy);
                let mut told = self.in_context(&exchange, memory.session().now(self.frame));
                if let Some(http) = self.frame.http
                    && self.is_doubled(http, memory.session())
                {
                    return self.doubled(http, &told, flow, memory, sink);
                }
                // A full sink ends the check, but the session takes note of what was sent all the same.
                if flow.is_continue() {
                    flow = self.message(&mut told, memory.session(), sink);
                }
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
            looks: self.tape.looks(),
            batched: false,
            sound: true,
            reliable: true,
        }
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

    /// Envelope, then method, params, result and error data, then the rules; notes whether the message is sound.
    #[inline(always)]
    fn message(
        &self,
        told: &mut Message<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let mut watch = Watch {
            sink,
            faulty: false,
            unreliable: false,
        };
        let read = self.read(told, session, &mut watch);
        told.reliable = !watch.unreliable;
        match read {
            ControlFlow::Break(()) => {
                (told.sound, told.reliable) = (false, false);
                ControlFlow::Break(())
            }
            ControlFlow::Continue(false) => {
                told.sound = false;
                // Where the envelope is not looked at, nobody knows what is wrong with it.
                told.reliable &= self.policy.layers.contains(Layer::Jsonrpc);
                ControlFlow::Continue(())
            }
            ControlFlow::Continue(true) => {
                told.sound = !watch.faulty;
                self.rules(told, told.sound, session, watch.sink)
            }
        }
    }

    /// Puts a message to the rules that concern it.
    #[inline(always)]
    fn rules(
        &self,
        told: &Message<'_>,
        sound: bool,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let checks = self.agenda.checks(told.exchange);
        if checks.is_empty() {
            return ControlFlow::Continue(());
        }
        let message = Message {
            sound,
            ..with_request(told, session)
        };
        self.ask(checks, &message, session, sink)
    }

    #[inline(never)]
    fn ask(
        &self,
        checks: &[Asked],
        message: &Message<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let mut findings = Findings::new(
            message.sender(),
            message.revision(),
            self.policy,
            session,
            message.now.exchange,
            sink,
        );
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
            None => self.answer(exchange, form, session, sink)?,
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
            echoes: exchange.answered.is_some(),
            profile: self.policy.profile(),
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
