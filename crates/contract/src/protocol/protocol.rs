//! The validator behind the functions, and checks of whole messages.

use core::fmt;
use std::sync::Arc;

use mcp_assay::model::Fact;
use mcp_assay::profile::Profile;
use mcp_assay::registry::SchemaRegistry;
use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::wording::{Wording, kind_name};
use mcp_assay::{Direction, Frame, Layer, Policy, Revision, Session, Validator, unreadable};

use super::explain::{self, Place};
use super::input::Json;
use super::message::Parts;
use super::problem::{Problem, ValidationError};
use super::reason::Reason;

/// The functions of this module as methods, under a revision and a profile of one's own choice.
///
/// Holds a validator: for many checks keep it, one for each thread.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::protocol::{Protocol, Reason};
///
/// let mut protocol = Protocol::new().revision(Revision::V2024_11_05);
/// let error = protocol.validate_request("elicitation/create", "{}").unwrap_err();
/// assert_eq!(error.reason(), Reason::UnknownMethod);
/// assert_eq!(error.first().detail("exists"), Some("in 2025-06-18, 2025-11-25"));
/// ```
pub struct Protocol {
    revision: Revision,
    direction: Option<Direction>,
    registry: Arc<SchemaRegistry>,
    validator: Validator,
    /// Checks the envelope only; made on first use.
    envelope: Option<Validator>,
    /// For parts of messages.
    tape: Tape,
    /// For messages that are put together.
    text: Vec<u8>,
}

/// The depth of a check.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// JSON and JSON-RPC.
    Envelope,
    /// Everything that one message shows.
    Everything,
}

impl Protocol {
    /// The newest revision and the protocol as specified; either party may be the sender.
    #[must_use]
    pub fn new() -> Self {
        Self::with_registry(Arc::default())
    }

    /// The same, with compiled schemas that are shared with others.
    #[must_use]
    pub fn with_registry(registry: Arc<SchemaRegistry>) -> Self {
        Self {
            revision: Revision::latest(),
            direction: None,
            validator: Validator::with_registry(Policy::default(), Arc::clone(&registry)),
            registry,
            envelope: None,
            tape: Tape::new(),
            text: Vec::new(),
        }
    }

    /// Selects another revision.
    #[must_use]
    pub fn revision(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }

    /// Selects the sender: a message of the other party is then a problem.
    ///
    /// ```
    /// use mcp_assay::{Direction, Revision};
    /// use mcp_assay_contract::protocol::{Protocol, Reason};
    ///
    /// let protocol = Protocol::new().revision(Revision::V2025_06_18);
    /// let mut of_servers = protocol.direction(Direction::ServerToClient);
    /// let error = of_servers.validate_request("tools/list", None).unwrap_err();
    /// assert_eq!(error.reason(), Reason::WrongDirection);
    /// ```
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        let direction = Some(direction);
        Self { direction, ..self }
    }

    /// Selects a profile: everything that its dialect allows is no problem, everything that it
    /// forbids is one.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mcp_assay::Revision;
    /// use mcp_assay::profile::Profile;
    /// use mcp_assay_contract::protocol::Protocol;
    ///
    /// let mut dialect = Profile::new("mine");
    /// dialect.stands_for("tools/execute", "tools/call")?;
    /// dialect.restrict_uris_to_prefixes(&["resource://"])?;
    /// let mut protocol = Protocol::new().revision(Revision::V2025_06_18).profile(Arc::new(dialect));
    /// assert!(protocol.validate_request("tools/execute", r#"{"name":"add"}"#).is_ok());
    /// assert!(protocol.validate_resource_uri("file:///a.txt").is_err());
    /// # Ok::<(), mcp_assay::profile::ProfileFault>(())
    /// ```
    #[must_use]
    pub fn profile(self, profile: Arc<Profile>) -> Self {
        let policy = Policy::with_profile(profile);
        Self {
            validator: Validator::with_registry(policy, Arc::clone(&self.registry)),
            envelope: None,
            ..self
        }
    }

    /// The revision in force.
    #[must_use]
    pub fn revision_in_force(&self) -> Revision {
        self.revision
    }

    /// See [`validate_jsonrpc`](super::validate_jsonrpc).
    pub fn validate_jsonrpc<'j>(
        &mut self,
        message: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        self.whole(Scope::Envelope, &message.into())
    }

    /// See [`validate_message`](super::validate_message).
    pub fn validate_message<'j>(
        &mut self,
        message: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        self.whole(Scope::Everything, &message.into())
    }

    /// See [`validate_batch`](super::validate_batch).
    pub fn validate_batch<'j>(
        &mut self,
        batch: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        let batch = batch.into();
        let bytes = batch.text()?.unwrap_or_default();
        let mut problems = self.judge(Scope::Everything, bytes, None);
        let mut tape = Tape::new();
        // Faults of the JSON text were reported already.
        let root = self.read(bytes, &mut tape).ok();
        if let Some(root) = root.filter(|root| root.kind() != Kind::Array) {
            return Err(not_a_list(root).into());
        }
        // If the revision has no batches, the validator does not check the messages in one.
        let unsupported = |problem: &Problem| problem.reason == Reason::BatchUnsupported;
        if let (Some(root), true) = (root, problems.iter().any(unsupported)) {
            let most = self.validator.policy().limits.violations;
            for (index, item) in root.items().enumerate() {
                let of_item = self.judge(Scope::Everything, item.raw(), None);
                problems.extend(of_item.into_iter().map(|problem| problem.within(index)));
                if problems.len() >= most {
                    problems.truncate(most);
                    break;
                }
            }
        }
        ValidationError::check(problems)
    }

    fn whole(&mut self, scope: Scope, message: &Json<'_>) -> Result<(), ValidationError> {
        let bytes = message.text()?.unwrap_or_default();
        ValidationError::check(self.judge(scope, bytes, None))
    }

    /// The errors of a message that stands alone.
    pub(super) fn judge(
        &mut self,
        scope: Scope,
        bytes: &[u8],
        answers: Option<&str>,
    ) -> Vec<Problem> {
        let validator = match scope {
            Scope::Everything => &mut self.validator,
            Scope::Envelope => self.envelope.get_or_insert_with(|| {
                let mut policy = self.validator.policy().clone();
                let layers = [Layer::Framing, Layer::Json, Layer::Jsonrpc];
                policy.layers = layers.into_iter().collect();
                Validator::new(policy)
            }),
        };
        let mut frame = Frame::new(bytes).revision(self.revision);
        (frame.direction, frame.answers) = (self.direction, answers);
        explain::problems(&validator.check(&mut Session::new(), frame))
    }

    /// Runs a check for which the sender does not matter.
    pub(super) fn of_any_party<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let direction = self.direction.take();
        let answer = ask(self);
        self.direction = direction;
        answer
    }

    /// Builds a message and checks it; then the text is the message.
    pub(super) fn judge_written(
        &mut self,
        answers: Option<&str>,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Vec<Problem> {
        let mut text = core::mem::take(&mut self.text);
        write(&mut text);
        let problems = self.judge(Scope::Everything, &text, answers);
        self.text = text;
        problems
    }

    /// A message, built from its parts, if it has no errors.
    pub(crate) fn write(&mut self, parts: &Parts<'_>) -> Result<String, ValidationError> {
        ValidationError::check(self.judge_parts(parts)?)?;
        // The scanner has read it, so it is UTF-8.
        Ok(String::from_utf8_lossy(&self.text).into_owned())
    }

    /// An error if no batch should be sent: also if none is defined, which the validator only
    /// notes.
    pub(crate) fn has_batches(&self) -> Result<(), ValidationError> {
        if self.revision.has(Fact::Batches) {
            return Ok(());
        }
        let message = format!("{} has no batches", self.revision);
        let problem = Problem::new(Reason::BatchUnsupported, message);
        Err(problem.with("revision", self.revision.name()).into())
    }

    /// Reads a value that is no message: one value, and nothing before or after it.
    pub(super) fn read<'j>(
        &self,
        json: &'j [u8],
        tape: &'j mut Tape,
    ) -> Result<Node<'j>, ValidationError> {
        let limits = &self.validator.policy().limits;
        if let Err(fault) = scan(json, &limits.for_scan(), tape) {
            let violation = unreadable(fault, limits, Some(self.revision));
            let wording = Wording {
                tape,
                bytes: json,
                revision: Some(self.revision),
            };
            let found = core::iter::once(&violation);
            ValidationError::check(explain::gather(wording, found, Place::One))?;
        }
        let root = tape.root(json);
        root.ok_or_else(|| Problem::new(Reason::InvalidJson, "there is no value").into())
    }

    /// The text of a part of a message, if there is one: it must be one value, or it could bring
    /// members along.
    pub(crate) fn part<'j>(
        &mut self,
        json: &'j Json<'_>,
    ) -> Result<Option<&'j [u8]>, ValidationError> {
        let text = json.text()?;
        if let Some(text) = text {
            let mut tape = core::mem::take(&mut self.tape);
            let read = self.read(text, &mut tape).map(|_| ());
            self.tape = tape;
            read?;
        }
        Ok(text)
    }

    /// Compiled schemas, shared with the validator.
    #[cfg(feature = "json-schema")]
    pub(super) fn registry(&self) -> &SchemaRegistry {
        &self.registry
    }
}

fn not_a_list(root: Node<'_>) -> Problem {
    let found = kind_name(root.kind());
    Problem::new(
        Reason::NotList,
        format!("a batch is an array, this is {found}"),
    )
    .with("expected", "an array")
    .with("found", found)
}

impl Default for Protocol {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Protocol")
            .field("revision", &self.revision)
            .field("direction", &self.direction)
            .finish_non_exhaustive()
    }
}
