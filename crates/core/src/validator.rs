//! Runs the stages on a message. The only file that knows their order.

mod batch;
mod checked;
mod dedupe;
mod dialect;
mod http;
mod memory;
mod method;
mod recover;
mod sinks;
mod text;

use core::ops::ControlFlow;
use std::sync::Arc;

pub use self::checked::Checked;
use self::checked::Summary;
use self::memory::{Memory, ReadOnly, Writable};
use self::method::{carries, carries_method};
use self::sinks::{Relay, Selected, Watch};
pub use self::text::unreadable;
use crate::Revision;
use crate::catalogue::{Collect, Detail, First, Layer, Policy, Rule, Sink, Violation, inline};
use crate::ending::{Ending, Endings};
use crate::envelope::{Envelope, MessageKind, raise};
use crate::exchange::Exchange;
use crate::frame::{Carrier, Frame, Http};
use crate::registry::SchemaRegistry;
use crate::rules::check::Findings;
use crate::schedule::{Schedule, ScheduledCheck};
use crate::session::Session;
use crate::session::message::Message;
use crate::syntax::{Fault, Kind, Node, Tape, scan};

/// Checks messages, one after the other. Reuses its memory from message to message; one validator
/// serves many sessions.
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
    pub(crate) kit: Kit,
    pub(crate) last: Last,
}

/// The configuration and the shared data of a check.
pub(crate) struct Kit {
    pub(crate) policy: Policy,
    /// The checks that the policy selects.
    schedule: Arc<Schedule>,
    /// Compiled schemas of tools; several validators may share them.
    registry: Arc<SchemaRegistry>,
    pub(crate) tape: Tape,
    replacement: Option<Arc<dyn Definitions>>,
    model: Model,
}

/// The source of the shapes of methods, params, results and error data.
#[derive(Clone, Copy)]
enum Model {
    BuiltIn,
    Replaced,
    /// None: the policy does not select them.
    None,
}

/// The result of the last check.
#[derive(Default)]
pub(crate) struct Last {
    pub(crate) violations: Vec<Violation>,
    /// The first violation that is not listed, of each rule with more than the limit.
    left_out: Vec<Violation>,
    /// The name of the method that the message answers, if the model does not have it.
    pub(crate) unknown_method: String,
    pub(crate) summary: Summary,
}

/// Definitions that replace the built-in model for methods, params, results and error data.
pub trait Definitions: Send + Sync {
    /// Checks the demands of the method; the envelope was checked before and is sound.
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
        let model = if policy.layers.contains(Layer::Schema) {
            Model::BuiltIn
        } else {
            Model::None
        };
        let kit = Kit {
            schedule: Schedule::of(&policy),
            model,
            policy,
            registry,
            tape: Tape::new(),
            replacement: None,
        };
        Self {
            kit,
            last: Last::default(),
        }
    }

    /// Replaces the built-in model.
    pub fn replace_definitions(&mut self, definitions: Arc<dyn Definitions>) {
        self.kit.replacement = Some(definitions);
        if self.kit.policy.layers.contains(Layer::Schema) {
            self.kit.model = Model::Replaced;
        }
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.kit.policy
    }

    /// Checks a message, collects all violations, and updates the session.
    #[inline]
    pub fn check<'v>(
        &'v mut self,
        session: &mut Session,
        frame: impl Into<Frame<'v>>,
    ) -> Checked<'v> {
        let frame = frame.into();
        self.check_frame(session, &frame);
        Checked::new(self, &frame)
    }

    /// Runs the stages and updates the session.
    #[inline(always)]
    fn check_frame(&mut self, session: &mut Session, frame: &Frame<'_>) {
        let fault = self.kit.read(frame);
        self.check_read(fault, session, frame);
    }

    /// Checks a message that was read.
    #[inline(always)]
    fn check_read(&mut self, fault: Option<Fault>, session: &mut Session, frame: &Frame<'_>) {
        let Last {
            violations,
            left_out,
            unknown_method,
            summary,
        } = &mut self.last;
        violations.clear();
        left_out.clear();
        unknown_method.clear();
        let mut sink = Collect {
            violations,
            limit: self.kit.policy.limits.violations,
            left_out,
        };
        let mut memory = Writable {
            session,
            unknown_method,
        };
        let stages = Stages {
            kit: &self.kit,
            frame,
        };
        if self.kit.policy.selection.is_everything() {
            let _all = stages.run(fault, &mut memory, summary, &mut sink);
        } else {
            let mut selected = Selected {
                policy: &self.kit.policy,
                sink: &mut sink,
            };
            let _all = stages.run(fault, &mut memory, summary, &mut selected);
        }
        if memory.session.is_full() {
            stages.memory_is_full(memory.session, &mut sink);
        }
        if !self.last.violations.is_empty() {
            self.report_once(frame, Some(session));
        }
    }

    /// Checks a message as [`Self::check`] does, and leaves the session unchanged.
    ///
    /// Both find the same violations, except `session/memory-limit`, which only an update of the
    /// session raises.
    pub fn look<'v>(&'v mut self, session: &Session, frame: impl Into<Frame<'v>>) -> Checked<'v> {
        let frame = frame.into();
        let fault = self.kit.read(&frame);
        self.check_read_only(fault, session, &frame);
        Checked::new(self, &frame)
    }

    fn check_read_only(&mut self, fault: Option<Fault>, session: &Session, frame: &Frame<'_>) {
        if self.kit.is_batch(frame) {
            return self.check_batch_read_only(fault, session, frame);
        }
        let mut violations = core::mem::take(&mut self.last.violations);
        let mut left_out = core::mem::take(&mut self.last.left_out);
        violations.clear();
        left_out.clear();
        let mut sink = Collect {
            violations: &mut violations,
            limit: self.kit.policy.limits.violations,
            left_out: &mut left_out,
        };
        self.run_read_only(fault, session, frame, &mut sink);
        self.last.violations = violations;
        self.last.left_out = left_out;
        if !self.last.violations.is_empty() {
            self.report_once(frame, None);
        }
    }

    /// Checks each message of a batch in the session that the one before it leaves behind.
    #[cold]
    #[inline(never)]
    fn check_batch_read_only(
        &mut self,
        fault: Option<Fault>,
        session: &Session,
        frame: &Frame<'_>,
    ) {
        self.check_read(fault, &mut session.clone(), frame);
    }

    /// Reports what is missing at the end of a session, such as answers.
    #[must_use]
    pub fn end(&self, session: &Session) -> Vec<Ending> {
        let ends = self.kit.schedule.ends();
        let Some((first, _)) = ends.first() else {
            return Vec::new();
        };
        let mut endings = Endings::new(&self.kit.policy, session, first);
        for (rule, check) in ends {
            endings.begin(rule);
            check(session, &mut endings);
        }
        endings.into_found()
    }

    /// The first violation that [`Self::check`] would report. Leaves the session unchanged, and
    /// costs less for a valid message.
    pub fn first_violation<'v>(
        &mut self,
        session: &Session,
        frame: impl Into<Frame<'v>>,
    ) -> Option<Violation> {
        let frame = frame.into();
        let fault = self.kit.read(&frame);
        if !self.kit.is_batch(&frame) {
            let mut first = First::default();
            self.run_read_only(fault, session, &frame, &mut first);
            first.0?;
        }
        // Another violation of the same message may hide the one that was found first.
        self.check_read_only(fault, session, &frame);
        self.last.violations.first().copied()
    }

    /// Runs the stages on a message that was read, and leaves the session unchanged.
    fn run_read_only(
        &mut self,
        fault: Option<Fault>,
        session: &Session,
        frame: &Frame<'_>,
        sink: &mut dyn Sink,
    ) {
        let stages = Stages {
            kit: &self.kit,
            frame,
        };
        let mut selected = Selected {
            policy: &self.kit.policy,
            sink,
        };
        let Last {
            unknown_method,
            summary,
            ..
        } = &mut self.last;
        unknown_method.clear();
        let mut memory = ReadOnly {
            session,
            unknown_method,
        };
        let _broke = stages.run(fault, &mut memory, summary, &mut selected);
    }

    /// Drops the state of a check that did not finish.
    pub fn reset(&mut self) {
        self.kit.tape = Tape::new();
        self.last = Last::default();
    }

    /// Reads the envelope of a message without checking it.
    pub fn read_envelope<'v>(
        &'v mut self,
        frame: &Frame<'v>,
        revision: Option<Revision>,
    ) -> Checked<'v> {
        self.reset();
        let is_read = self.kit.read(frame).is_none();
        let root = self.kit.tape.root(frame.bytes).filter(|_| is_read);
        let summary = match root {
            Some(root) if root.kind() == Kind::Object => {
                let mut exchange = Exchange::of(root);
                exchange.envelope = Envelope::read(root);
                Summary::of(&exchange)
            }
            Some(root) if root.kind() == Kind::Array => Summary {
                kind: MessageKind::Batch,
                ..Summary::UNREADABLE
            },
            None if frame.empty => Summary {
                kind: MessageKind::Empty,
                ..Summary::UNREADABLE
            },
            _ => Summary::UNREADABLE,
        };
        self.last.summary = Summary {
            direction: frame.direction,
            revision,
            ..summary
        };
        Checked::new(self, frame)
    }
}

impl Kit {
    /// Scans a frame, unless it has no message; returns the fault of a text that is not JSON.
    #[inline(always)]
    fn read(&mut self, frame: &Frame<'_>) -> Option<Fault> {
        let limits = self.policy.limits.for_scan();
        if frame.empty {
            self.tape.clear(&limits);
            return None;
        }
        scan(frame.bytes, &limits, &mut self.tape).err()
    }

    /// Whether the message that was read is an array: its messages advance the session one by one.
    #[inline(always)]
    fn is_batch(&self, frame: &Frame<'_>) -> bool {
        self.tape
            .root(frame.bytes)
            .is_some_and(|root| root.kind() == Kind::Array)
    }
}

impl Default for Validator {
    fn default() -> Self {
        Self::new(Policy::default())
    }
}

struct Stages<'a> {
    kit: &'a Kit,
    frame: &'a Frame<'a>,
}

impl Stages<'_> {
    #[inline(always)]
    fn run(
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
                let mut message = self.in_context(&exchange, memory.session().seen());
                if let Some(http) = self.frame.http
                    && self.is_doubled(http, memory.session())
                {
                    (*summary, flow) = self.doubled(http, &message, flow, memory, sink);
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

    /// The view of a message for the session; the rules also get the request that it answers.
    #[inline(always)]
    fn in_context<'m>(&'m self, exchange: &'m Exchange<'m>, order: u64) -> Message<'m> {
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
        }
    }

    /// Reports that a part of the session reached its limit.
    #[cold]
    fn memory_is_full(&self, session: &mut Session, sink: &mut dyn Sink) {
        let rule = &inline::MEMORY_LIMIT;
        let root = self.kit.tape.root(self.frame.bytes);
        if let (Some(what), Some(root)) = (session.take_full(), root)
            && self.kit.policy.wants(rule)
        {
            let text = "session limit reached: not all {} are tracked";
            let _flow = raise(rule, root, Detail::Named { text, name: what }, sink);
        }
    }

    /// Handles a message that is not an object: a batch, or no message at all.
    #[inline(never)]
    fn no_object(
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
    fn unread(&self, session: &Session) -> Summary {
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
    fn message(
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
    fn check_faulty(
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
    fn rules(
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
    fn run_checks(
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
            if message.sound || scheduled.runs_if_malformed {
                findings.begin(scheduled.rule);
                (scheduled.check)(message, session, &mut findings);
            }
        }
        findings.flow()
    }

    /// Checks envelope, then method, params, result and error data; returns whether the envelope is
    /// sound.
    #[inline(always)]
    fn read(
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
            sound = self.explain_envelope(exchange, sink)?;
        }
        if envelope.kind == MessageKind::Request
            && let Some(direction) = exchange.direction
            && session.open_requests(direction) >= self.kit.policy.limits.open_requests
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
    fn replaced(
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
    fn explain_envelope(
        &self,
        exchange: &Exchange<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<(), bool> {
        let mut relay = Relay {
            sink,
            pushed: false,
            wanted: self.kit.policy.layers.contains(Layer::Jsonrpc),
            refusal: self.frame.http.is_some_and(Http::is_refusal),
            echoes: exchange.answered.is_some(),
            profile: self.kit.policy.profile(),
        };
        exchange.envelope.check(exchange.revision, &mut relay)?;
        carries_method(exchange, &mut relay)?;
        ControlFlow::Continue(!relay.pushed)
    }

    #[cold]
    fn too_many_requests(&self, exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
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

    fn selects(&self, rule: &Rule) -> bool {
        self.kit.policy.wants(rule)
    }

    fn raise(
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
fn with_request<'m>(message: &Message<'m>, session: &'m Session) -> Message<'m> {
    Message {
        request: message
            .exchange
            .answered
            .and_then(|answered| session.request(answered)),
        ..*message
    }
}
