//! The validator behind the functions, and checks of whole messages.

use core::fmt;
use std::sync::Arc;

use mcp_assay::model::Fact;
use mcp_assay::profile::{Profile, Tolerance};
use mcp_assay::registry::SchemaRegistry;
use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::wording::{Wording, kind_name};
use mcp_assay::{Direction, Frame, LayerSet, Policy, Revision, Session, Validator, unreadable};

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
    /// The chosen revision; `None` reads it from the message, as the program does.
    revision: Option<Revision>,
    direction: Option<Direction>,
    registry: Arc<SchemaRegistry>,
    validator: Validator,
    /// Checks the layers of [`Scope::Message`]; made on first use.
    of_message: Option<Validator>,
    /// For parts of messages.
    tape: Tape,
    /// For messages that are put together.
    text: Vec<u8>,
}

/// The depth of a check.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// JSON, JSON-RPC, and the params or result that the method defines.
    Message,
    /// Everything that one message shows.
    Everything,
}

impl Protocol {
    /// The protocol as specified; either party may be the sender. The revision is the one that a
    /// message shows, and 2025-11-25 ([`Revision::assumed`]) for messages that show none: the same
    /// that the program assumes.
    ///
    /// ```
    /// use mcp_assay::Revision;
    /// use mcp_assay_contract::protocol::Protocol;
    ///
    /// let mut protocol = Protocol::new();
    /// assert_eq!(protocol.revision_in_force(), Revision::V2025_11_25);
    /// assert!(protocol.validate_request("ping", ()).is_ok());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::with_registry(Arc::default())
    }

    /// The same, with compiled schemas that are shared with others.
    #[must_use]
    pub fn with_registry(registry: Arc<SchemaRegistry>) -> Self {
        Self {
            revision: None,
            direction: None,
            validator: Validator::with_registry(Policy::default(), Arc::clone(&registry)),
            registry,
            of_message: None,
            tape: Tape::new(),
            text: Vec::new(),
        }
    }

    /// Selects a revision, whatever a message shows.
    #[must_use]
    pub fn revision(self, revision: Revision) -> Self {
        let revision = Some(revision);
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
    /// let error = of_servers.validate_request("tools/list", ()).unwrap_err();
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
        self.policy(Policy::with_profile(profile))
    }

    /// Selects a policy: its rules and their levels, its limits and its profile. A revision that it
    /// has is taken, too.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self {
            revision: policy.revision.or(self.revision),
            validator: Validator::with_registry(policy, Arc::clone(&self.registry)),
            of_message: None,
            ..self
        }
    }

    /// The revision in force, unless a message shows another.
    #[must_use]
    pub fn revision_in_force(&self) -> Revision {
        self.revision.unwrap_or(Revision::assumed())
    }

    /// See [`validate_jsonrpc`](super::validate_jsonrpc).
    pub fn validate_jsonrpc<'j>(
        &mut self,
        message: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        let message = message.into();
        let bytes = message.text()?.unwrap_or_default();
        ValidationError::check(self.judge_whole(Scope::Message, bytes))
    }

    /// See [`validate_message`](super::validate_message).
    pub fn validate_message<'j>(
        &mut self,
        message: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        let message = message.into();
        let bytes = message.text()?.unwrap_or_default();
        ValidationError::check(self.judge_whole(Scope::Everything, bytes))
    }

    /// See [`validate_batch`](super::validate_batch).
    pub fn validate_batch<'j>(
        &mut self,
        batch: impl Into<Json<'j>>,
    ) -> Result<(), ValidationError> {
        let batch = batch.into();
        let bytes = batch.text()?.unwrap_or_default();
        let mut tape = Tape::new();
        // Faults of the JSON text are reported below.
        if let Ok(root) = self.read(bytes, &mut tape)
            && root.kind() != Kind::Array
        {
            return Err(not_a_list(root).into());
        }
        ValidationError::check(self.judge_whole(Scope::Everything, bytes))
    }

    /// The errors of a text that stands alone. If the revision has no batches, the validator does not
    /// check the messages in one: they are checked here, one by one.
    fn judge_whole(&mut self, scope: Scope, bytes: &[u8]) -> Vec<Problem> {
        let mut problems = self.judge(scope, bytes, None);
        let unsupported = |problem: &Problem| problem.reason == Reason::BatchUnsupported;
        if !problems.iter().any(unsupported) {
            return problems;
        }
        let mut tape = Tape::new();
        let Ok(root) = self.read(bytes, &mut tape) else {
            return problems;
        };
        let most = self.validator.policy().limits.violations;
        for (index, item) in root.items().enumerate() {
            let of_item = self.judge(scope, item.raw(), None);
            problems.extend(of_item.into_iter().map(|problem| problem.within(index)));
            if problems.len() >= most {
                problems.truncate(most);
                break;
            }
        }
        problems
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
            Scope::Message => self.of_message.get_or_insert_with(|| {
                let mut policy = self.validator.policy().clone();
                policy.layers = LayerSet::MESSAGE;
                Validator::with_registry(policy, Arc::clone(&self.registry))
            }),
        };
        let mut frame = Frame::new(bytes);
        (frame.revision, frame.direction) = (self.revision, self.direction);
        frame.answers = answers;
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
        let revision = self.revision_in_force();
        let allows = |profile: &Profile| profile.allows(Tolerance::Batches);
        if revision.has(Fact::Batches) || self.validator.policy().dialect().is_some_and(allows) {
            return Ok(());
        }
        let message = format!("{revision} has no batches");
        let problem = Problem::new(Reason::BatchUnsupported, message);
        Err(problem.with("revision", revision.name()).into())
    }

    /// Reads a value that is no message: one value, and nothing before or after it.
    pub(super) fn read<'j>(
        &self,
        json: &'j [u8],
        tape: &'j mut Tape,
    ) -> Result<Node<'j>, ValidationError> {
        let limits = &self.validator.policy().limits;
        if let Err(fault) = scan(json, &limits.for_scan(), tape) {
            let revision = Some(self.revision_in_force());
            let violation = unreadable(fault, limits, revision);
            let wording = Wording {
                tape,
                bytes: json,
                revision,
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
