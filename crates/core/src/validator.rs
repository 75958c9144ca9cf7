//! Runs the stages on a message. The only file that knows their order.

mod batch;
mod checked;
mod current;
mod dedupe;
mod definition;
mod dialect;
mod http;
mod memory;
mod method;
mod recover;
mod schema_place;
mod sinks;
mod stages;
mod text;

use core::fmt;
use core::ops::ControlFlow;
use std::sync::Arc;

pub use self::checked::Checked;
use self::checked::Summary;
pub use self::current::CurrentDefinitions;
use self::memory::{ReadOnly, Writable};
pub use self::schema_place::SchemaPlace;
use self::sinks::Selected;
use self::stages::{Stages, with_request};
pub use self::text::unreadable;
use crate::Revision;
use crate::catalogue::{Collect, First, Layer, Policy, SchemaNote, Sink, Violation};
use crate::ending::{Ending, Endings};
use crate::envelope::{Envelope, MessageKind};
use crate::exchange::Exchange;
use crate::frame::Frame;
use crate::registry::SchemaRegistry;
use crate::schedule::Schedule;
use crate::session::Session;
use crate::syntax::{Fault, Kind, Tape, scan};

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
    /// The definitions that may be replaced, if the caller gave such.
    followed: Option<Followed>,
}

/// Definitions that may be replaced, and the last replacement that is in force here.
struct Followed {
    source: Arc<dyn Definitions>,
    generation: u64,
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
    /// The places in schemas that violations refer to.
    notes: Vec<SchemaNote>,
    /// The name of the method that the message answers, if the model does not have it.
    pub(crate) unknown_method: String,
    pub(crate) summary: Summary,
}

/// Definitions that replace the built-in model for methods, params, results and error data.
pub trait Definitions: Send + Sync {
    /// Checks the demands of the method; the envelope was checked before and is sound.
    fn check(&self, exchange: &Exchange<'_>, tape: &Tape, sink: &mut dyn Sink) -> ControlFlow<()>;

    /// The definitions in force, if they may be replaced.
    fn current(&self) -> Option<&CurrentDefinitions> {
        None
    }
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
            followed: None,
        };
        Self {
            kit,
            last: Last::default(),
        }
    }

    /// Replaces the built-in model. [`CurrentDefinitions`] can be replaced again later, while
    /// messages are checked.
    pub fn replace_definitions(&mut self, definitions: Arc<dyn Definitions>) {
        let kit = &mut self.kit;
        kit.followed = None;
        match definitions.current().map(CurrentDefinitions::get) {
            None => kit.use_definitions(Some(definitions)),
            Some(current) => {
                // If they are being replaced at this moment, the next message finds them.
                let (generation, current) = current.unwrap_or((u64::MAX, None));
                kit.use_definitions(current);
                kit.followed = Some(Followed {
                    source: definitions,
                    generation,
                });
            }
        }
    }

    /// Demands, or no longer demands, that all receivers read a message alike.
    #[inline]
    pub fn demand_one_reading(&mut self, one_reading: bool) {
        self.kit.policy.one_reading = one_reading;
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
            notes,
            unknown_method,
            summary,
        } = &mut self.last;
        violations.clear();
        left_out.clear();
        notes.clear();
        unknown_method.clear();
        let mut sink = Collect {
            violations,
            limit: self.kit.policy.limits.violations,
            left_out,
            notes,
        };
        let mut memory = Writable {
            session,
            unknown_method,
        };
        let stages = Stages {
            kit: &self.kit,
            frame,
            scoped: self.kit.policy.selection.picks_messages(),
        };
        if self.kit.policy.selection.is_everything() {
            let _all = stages.run(fault, &mut memory, summary, &mut sink);
        } else {
            let mut selected = Selected {
                policy: &self.kit.policy,
                sink: &mut sink,
            };
            let _all = if stages.scoped {
                stages.run_scoped(fault, &mut memory, summary, &mut selected)
            } else {
                stages.run(fault, &mut memory, summary, &mut selected)
            };
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
        let mut notes = core::mem::take(&mut self.last.notes);
        violations.clear();
        left_out.clear();
        notes.clear();
        let mut sink = Collect {
            violations: &mut violations,
            limit: self.kit.policy.limits.violations,
            left_out: &mut left_out,
            notes: &mut notes,
        };
        self.run_read_only(fault, session, frame, &mut sink);
        self.last.violations = violations;
        self.last.left_out = left_out;
        self.last.notes = notes;
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
            scoped: self.kit.policy.selection.picks_messages(),
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
        let _broke = if stages.scoped {
            stages.run_scoped(fault, &mut memory, summary, &mut selected)
        } else {
            stages.run(fault, &mut memory, summary, &mut selected)
        };
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
        if self.followed.is_some() {
            self.follow();
        }
        if frame.empty {
            self.tape.clear(&limits);
            return None;
        }
        scan(frame.bytes, &limits, &mut self.tape).err()
    }

    /// Takes over definitions that were replaced since the last message.
    #[cold]
    fn follow(&mut self) {
        let Some(followed) = &mut self.followed else {
            return;
        };
        let Some(source) = followed.source.current() else {
            return;
        };
        if source.generation() == followed.generation {
            return;
        }
        if let Some((generation, current)) = source.get() {
            followed.generation = generation;
            self.use_definitions(current);
        }
    }

    /// Checks against these definitions from now on; `None` is the built-in model.
    fn use_definitions(&mut self, definitions: Option<Arc<dyn Definitions>>) {
        self.model = match definitions {
            _ if !self.policy.layers.contains(Layer::Schema) => Model::None,
            Some(_) => Model::Replaced,
            None => Model::BuiltIn,
        };
        self.replacement = definitions;
    }

    /// Whether the message that was read is an array: its messages advance the session one by one.
    #[inline(always)]
    fn is_batch(&self, frame: &Frame<'_>) -> bool {
        self.tape
            .root(frame.bytes)
            .is_some_and(|root| root.kind() == Kind::Array)
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator")
            .field("policy", &self.kit.policy)
            .finish_non_exhaustive()
    }
}

impl Default for Validator {
    fn default() -> Self {
        Self::new(Policy::default())
    }
}
