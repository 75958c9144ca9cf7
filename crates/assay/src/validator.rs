//! Runs the stages on a message. The only file that knows their order.

use core::ops::ControlFlow;
use std::sync::Arc;

use crate::checked::{Checked, Summary};
use crate::envelope::{MessageKind, raise};
use crate::exchange::Exchange;
use crate::frame::Frame;
use crate::model::{ERRORS, Fact, MethodForm, MethodKind, ShapeId};
use crate::policy::{Layer, Policy};
use crate::rules::{Rule, inline};
use crate::session::Session;
use crate::shape::Walk;
use crate::syntax::{Fault, FaultKind, Kind, Node, Tape, scan};
use crate::violation::{Collect, Detail, First, Owner, Sink, Span, Violation};
use crate::{Direction, Revision, RevisionSet};

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
#[derive(Default)]
pub struct Validator {
    policy: Policy,
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
        Self {
            policy,
            ..Self::default()
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
            frame.bytes,
            summary,
        )
    }

    fn check_frame(&mut self, session: &mut Session, frame: &Frame<'_>) -> Summary {
        self.violations.clear();
        self.unknown_method.clear();
        let fault = scan(frame.bytes, &self.policy.limits, &mut self.tape).err();
        let stages = Stages {
            policy: &self.policy,
            tape: &self.tape,
            frame,
            replacement: self.replacement.as_deref(),
        };
        let mut memory = Writable {
            session,
            unknown_method: &mut self.unknown_method,
        };
        let mut sink = Collect {
            violations: &mut self.violations,
            limit: self.policy.limits.violations,
        };
        let (summary, _full) = stages.run(fault, &mut memory, &mut sink);
        summary
    }

    /// Only asks whether anything is wrong: stops at the first violation, and leaves the session as it is.
    pub fn first_violation<'v>(
        &mut self,
        session: &Session,
        frame: impl Into<Frame<'v>>,
    ) -> Option<Violation> {
        let frame = frame.into();
        let fault = scan(frame.bytes, &self.policy.limits, &mut self.tape).err();
        let replacement = self.replacement.as_deref();
        let stages = Stages {
            policy: &self.policy,
            tape: &self.tape,
            frame: &frame,
            replacement,
        };
        let mut first = First::default();
        let (_, _broke) = stages.run(fault, &mut &*session, &mut first);
        first.0
    }
}

/// The session as a check may use it.
trait Memory {
    fn session(&self) -> &Session;

    /// Takes note of a message that was judged.
    fn advance(&mut self, exchange: &Exchange<'_>, frame: &Frame<'_>, policy: &Policy);
}

/// A look at a message that leaves no trace.
impl Memory for &Session {
    #[inline(always)]
    fn session(&self) -> &Session {
        self
    }

    #[inline(always)]
    fn advance(&mut self, _: &Exchange<'_>, _: &Frame<'_>, _: &Policy) {}
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
    fn advance(&mut self, exchange: &Exchange<'_>, frame: &Frame<'_>, policy: &Policy) {
        if exchange.method.is_none() && !exchange.envelope.is_call() {
            self.note_unknown_method(exchange, frame.answers);
        }
        self.session.advance(exchange, policy.limits.open_requests);
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
            let summary = self.unread(memory.session());
            return (summary, self.unreadable(fault, summary.revision, sink));
        }
        let mut flow = ControlFlow::Continue(());
        if (!self.tape.repeated_keys().is_empty() || self.tape.lone_surrogate().is_some())
            && self.policy.layers.contains(Layer::Json)
        {
            flow = self.remarks(sink);
        }
        match self.tape.root(self.frame.bytes) {
            Some(root) if root.kind() == Kind::Object => {
                let mut exchange = Exchange::of(root);
                exchange.place(self.frame, memory.session(), self.policy);
                // A full sink ends the check, but the session takes note of what was sent all the same.
                if flow.is_continue() {
                    flow = self.message(&exchange, memory.session(), sink);
                }
                memory.advance(&exchange, self.frame, self.policy);
                (Summary::of(&exchange), flow)
            }
            _ => {
                let mut summary = self.unread(memory.session());
                if flow.is_continue() {
                    flow = self.no_object(memory, &mut summary, sink);
                }
                (summary, flow)
            }
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
            ..Summary::UNREADABLE
        }
    }

    #[cold]
    fn unreadable(
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

    /// What is legal JSON and yet asks for trouble.
    #[cold]
    fn remarks(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        for &key in self.tape.repeated_keys() {
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
            self.message(&exchange, memory.session(), sink)?;
            memory.advance(&exchange, self.frame, self.policy);
        }
        ControlFlow::Continue(())
    }

    /// Envelope, then method, params, result and error data.
    #[inline(always)]
    fn message(
        &self,
        exchange: &Exchange<'_>,
        session: &Session,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
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
            return ControlFlow::Continue(());
        }
        match self.replacement {
            Some(replacement) if sound => replacement.check(exchange, self.tape, sink),
            Some(_) => ControlFlow::Continue(()),
            None if envelope.is_call() => self.call(exchange, form, sink),
            None => self.answer(exchange, form, sink),
        }
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
        exchange: &Exchange<'_>,
        form: Option<&'static MethodForm>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        // An input request is embedded in a result; as a message of its own it does not exist.
        let Some(form) = form.filter(|form| form.kind != MethodKind::Input) else {
            return unknown_method(exchange, sink);
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
        self.policy.layers.contains(rule.layer)
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
fn unknown_method(exchange: &Exchange<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
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

/// Remembers whether anything passed, and passes it on only if its layer is wanted.
struct Relay<'s> {
    sink: &'s mut dyn Sink,
    pushed: bool,
    wanted: bool,
}

impl Sink for Relay<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        self.pushed |= violation.rule.layer == Layer::Jsonrpc;
        if self.wanted {
            self.sink.push(violation)
        } else {
            ControlFlow::Continue(())
        }
    }
}
