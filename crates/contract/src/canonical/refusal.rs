//! The error that stands for a message that did not pass: object and HTTP status.

use mcp_assay::model::Fact;
use mcp_assay::rules::{Rule, http, inline};
use mcp_assay::syntax::{Kind, write_text};
use mcp_assay::{Checked, Direction, Layer, MessageKind, RefusalStatus, Revision, Violation};

use super::{CanonicalError, write_response};

/// Bytes of a value that are quoted.
const QUOTED: usize = 200;

/// The code for invalid input that no rule gives a code: the request itself is wrong.
const INVALID_REQUEST: i32 = -32600;

/// The reason why a message does not pass that could not be checked.
const CHECK_FAILED: &str = "the message could not be checked, so it was not forwarded";

/// The reason why a call does not pass whose arguments cannot be checked.
const UNKNOWN_TOOL: &str = "the server has not listed this tool, so the call cannot be checked";

/// The reason why a message does not pass that receivers read in different ways.
const FOLDED_MEMBER: &str = "a member differs from one of the protocol in capital and small letters only, and some receivers read it as that one";

/// The id of an answer to a message whose id could not be read, where errors must have one.
const NULL: &[u8] = b"null";

/// Whether a refusal quotes the value at fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Values {
    /// It names rule and pointer only.
    #[default]
    Hidden,
    /// It quotes the offending bytes as well.
    Quoted,
}

/// The refusal of a message, without an id: the same on every carrier.
///
/// Kind, code and the members `canonical`, `httpStatus` and `retryable` of its `data` are those of
/// the table. A fault of a request keeps the code of its rule, which is the protocol's (-32601 for
/// an unknown method), because clients act on it.
///
/// ```
/// use mcp_assay::{Direction, Frame, Session, Validator};
/// use mcp_assay_contract::canonical::{Refusal, Values};
///
/// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/cal"}"#;
/// let frame = Frame::new(call).direction(Direction::ClientToServer);
/// let mut validator = Validator::default();
/// let checked = validator.check(&mut Session::new(), frame);
/// let violation = checked.violations().iter().find(|violation| violation.rule.code != 0).unwrap();
/// let mut answer = Vec::new();
/// Refusal::new(&checked, violation, Values::Hidden).write(Some(b"1"), &mut answer);
/// assert!(answer.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"#));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    kind: CanonicalError,
    /// The error object.
    error: String,
    /// Stands for an id that could not be read: null, which JSON-RPC demands, in revisions whose
    /// errors must have an id; none since 2025-11-25, and where the revision is not known.
    unknown_id: Option<&'static [u8]>,
}

impl Refusal {
    /// The refusal of a message for a violation.
    #[must_use]
    pub fn new(checked: &Checked<'_>, violation: &Violation, values: Values) -> Self {
        let rule = violation.rule;
        let kind = CanonicalError::of_violation(checked, violation);
        let revision = CanonicalError::revision_in_force(checked.revision());
        let summary = rule.summary().trim_end_matches('.');
        let mut error = kind.with_message(summary).to_jsonrpc_error(revision);
        error.code = code(kind, rule, revision);
        error.message = summary;
        let mut more = String::from(r#","rule":"#);
        write_text(rule.name, &mut more);
        more.push_str(r#","layer":"#);
        write_text(rule.layer.name(), &mut more);
        more.push_str(r#","pointer":"#);
        write_text(&checked.pointer(violation), &mut more);
        if values == Values::Quoted {
            more.push_str(r#","detail":"#);
            write_text(&checked.message(violation), &mut more);
            let span = violation.span.start as usize..violation.span.end as usize;
            let found = checked.bytes().get(span).unwrap_or_default();
            let found = found.get(..QUOTED).unwrap_or(found);
            more.push_str(r#","found":"#);
            write_text(&String::from_utf8_lossy(found), &mut more);
        }
        let mut object = String::new();
        error.write(&more, &mut object);
        Self {
            kind,
            error: object,
            unknown_id: unknown_id(checked.revision()),
        }
    }

    /// The refusal of a message whose check failed.
    #[must_use]
    pub fn internal(revision: Option<Revision>) -> Self {
        Self::because(CanonicalError::InternalError, CHECK_FAILED, revision)
    }

    /// The refusal of a call of a tool that the server has not listed.
    #[must_use]
    pub fn unknown_tool(revision: Option<Revision>) -> Self {
        Self::because(CanonicalError::InvalidInput, UNKNOWN_TOOL, revision)
    }

    /// The refusal of a message with a member that some receivers take for another one.
    #[must_use]
    pub fn folded_member(revision: Option<Revision>) -> Self {
        Self::because(CanonicalError::InvalidInput, FOLDED_MEMBER, revision)
    }

    fn because(kind: CanonicalError, why: &str, revision: Option<Revision>) -> Self {
        let error = kind.with_message(why);
        let error = error.to_jsonrpc_error(CanonicalError::revision_in_force(revision));
        Self {
            kind,
            error: error.to_json(),
            unknown_id: unknown_id(revision),
        }
    }

    /// The canonical error.
    #[must_use]
    pub fn kind(&self) -> CanonicalError {
        self.kind
    }

    /// Appends it as the answer to the request with this id, which is JSON; `None` if the id could
    /// not be read.
    pub fn write(&self, id: Option<&[u8]>, out: &mut Vec<u8>) {
        write_response(&self.error, id.or(self.unknown_id), out);
    }

    /// Appends it as the answer to something that has no id.
    pub fn write_without_id(&self, out: &mut Vec<u8>) {
        write_response(&self.error, None, out);
    }
}

fn unknown_id(revision: Option<Revision>) -> Option<&'static [u8]> {
    revision
        .is_some_and(|revision| !revision.has(Fact::ErrorWithoutId))
        .then_some(NULL)
}

/// The code of a refusal.
fn code(kind: CanonicalError, rule: &Rule, revision: Revision) -> i32 {
    match kind {
        // The party that waits did nothing wrong: the code is none of those for bad requests.
        CanonicalError::InvalidOutput | CanonicalError::InternalError => kind.code(revision),
        _ if rule.code != 0 => rule.code,
        CanonicalError::InvalidInput => INVALID_REQUEST,
        _ => kind.code(revision),
    }
}

/// The HTTP status with which a message of a client is refused for a violation; `None` stands for a
/// check that failed.
///
/// Up to 2025-11-25 an error of JSON-RPC comes with 200: clients of these revisions end their
/// session at any other status. Since 2026-07-28 the status tells the error. Faults of HTTP itself
/// have their own status in all revisions. [`RefusalStatus::Canonical`] asks for the status of the
/// canonical error instead.
#[must_use]
pub fn refusal_status(checked: &Checked<'_>, violation: Option<&Violation>) -> u16 {
    let kind = violation.map_or(CanonicalError::InternalError, |violation| {
        CanonicalError::of_violation(checked, violation)
    });
    status(checked, kind, violation.map(|violation| violation.rule))
}

/// The HTTP status with which a call of a tool is refused that the server has not listed.
#[must_use]
pub fn unknown_tool_status(checked: &Checked<'_>) -> u16 {
    status(checked, CanonicalError::InvalidInput, None)
}

fn status(checked: &Checked<'_>, kind: CanonicalError, rule: Option<&Rule>) -> u16 {
    if checked.policy().refusal_status == RefusalStatus::Canonical {
        return kind.to_http_status();
    }
    let is_stateless = checked
        .revision()
        .is_some_and(|revision| revision.has(Fact::Stateless));
    let is_answered = checked.direction() == Some(Direction::ClientToServer)
        && checked.kind() == MessageKind::Request
        && checked
            .id()
            .is_some_and(|id| matches!(id.kind(), Kind::String | Kind::Number));
    let has_own_status = |rule: &Rule| rule.layer == Layer::Http;
    match rule {
        Some(rule) if *rule == http::ACCEPT_BOTH || *rule == http::GET_ACCEPT => 406,
        Some(rule) if *rule == http::REQUEST_CONTENT_TYPE => 415,
        Some(rule) if *rule == inline::SIZE_LIMIT => 413,
        Some(rule) if *rule == inline::UNKNOWN_METHOD && is_stateless => 404,
        Some(rule) if is_stateless || !is_answered || has_own_status(rule) => 400,
        None if is_stateless || !is_answered => kind.to_http_status(),
        _ => 200,
    }
}
