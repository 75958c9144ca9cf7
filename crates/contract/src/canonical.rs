//! The six errors that a caller can distinguish, whatever carried the message: one table for HTTP,
//! stdio and JSON-RPC.
//!
//! Gives a fault its name, its HTTP status and its JSON-RPC code, and writes the [`Refusal`] that
//! every carrier sends. The rules decide what is a fault.

mod refusal;

use core::fmt;

use mcp_assay::model::Fact;
use mcp_assay::rules::{Parties, Rule, http, inline, ping, response, tools};
use mcp_assay::syntax::write_text;
use mcp_assay::{Checked, Direction, Ending, MessageKind, Part, Party, Revision, Violation};

pub use self::refusal::{Refusal, Values, refusal_status};

/// The failure of an exchange, in the words that all transports share.
///
/// ```
/// use mcp_assay::Revision;
/// use mcp_assay_contract::canonical::CanonicalError;
///
/// let error = CanonicalError::NotFound.with_message("no tool is named `serch`");
/// assert_eq!(error.kind.to_http_status(), 404);
/// assert_eq!(
///     error.to_jsonrpc_error(Revision::V2026_07_28).to_json(),
///     r#"{"code":-31404,"message":"Not found","data":{"canonical":"NOT_FOUND","httpStatus":404,"message":"no tool is named `serch`","retryable":false}}"#
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CanonicalError {
    /// The request is wrong.
    InvalidInput,
    /// The response is wrong.
    InvalidOutput,
    /// The method, tool, prompt, resource or schema does not exist.
    NotFound,
    /// It is not allowed, or the caller is not known.
    Unauthorized,
    /// The answer did not come in time.
    Timeout,
    /// Something failed for a reason of its own.
    InternalError,
}

/// A row of the table.
struct Row {
    error: CanonicalError,
    name: &'static str,
    status: u16,
    /// The status if the server behind a gateway has failed.
    gateway_status: u16,
    /// Whether the same request may succeed later, unchanged.
    retryable: bool,
    /// The sentence of JSON-RPC for people.
    message: &'static str,
    /// The code where -32099 to -32000 is left to implementations.
    code: i32,
    /// The code where the specification has taken that range for itself.
    code_outside: i32,
}

/// The table. Two errors have the meaning of a JSON-RPC code in every revision. The others have
/// codes that no revision gives a meaning: in the server's range as long as there is one, and then
/// outside of all reserved ranges.
#[rustfmt::skip]
const TABLE: [Row; 6] = [
    row(CanonicalError::InvalidInput,  "INVALID_INPUT",  [400, 400], false, "Invalid input",  -32602, -32602),
    row(CanonicalError::InvalidOutput, "INVALID_OUTPUT", [502, 502], false, "Invalid output", -32062, -31502),
    row(CanonicalError::NotFound,      "NOT_FOUND",      [404, 404], false, "Not found",      -32064, -31404),
    row(CanonicalError::Unauthorized,  "UNAUTHORIZED",   [401, 401], false, "Unauthorized",   -32061, -31401),
    row(CanonicalError::Timeout,       "TIMEOUT",        [504, 504], true,  "Timeout",        -32065, -31504),
    row(CanonicalError::InternalError, "INTERNAL_ERROR", [500, 502], true,  "Internal error", -32603, -32603),
];

impl CanonicalError {
    /// All of them, as the table has them.
    pub const ALL: [Self; 6] = [
        Self::InvalidInput,
        Self::InvalidOutput,
        Self::NotFound,
        Self::Unauthorized,
        Self::Timeout,
        Self::InternalError,
    ];

    /// The error of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| row.name == name)?;
        Some(row.error)
    }

    /// The error for a violation: a fault of the request is invalid input, a fault of the response
    /// invalid output.
    #[must_use]
    pub fn of_violation(checked: &Checked<'_>, violation: &Violation) -> Self {
        let rule = violation.rule;
        if is_ours(rule) {
            return Self::InternalError;
        }
        let asked = match (checked.kind(), checked.http().map(|http| http.part)) {
            (MessageKind::Response | MessageKind::Error, _) => false,
            (MessageKind::Request, _) | (_, Some(Part::Request { .. })) => true,
            (_, Some(_)) => false,
            // A message that is sent unasked, or cannot be read, is the client's input or the
            // server's output.
            (_, None) => checked.direction() != Some(Direction::ServerToClient),
        };
        // A rule may blame the other party for a fault that a message brings to light.
        let blamed = match (rule.party, checked.direction().map(Direction::sender)) {
            (Parties::Only(party), Some(sender)) => party == sender,
            _ => true,
        };
        if asked == blamed {
            Self::of_asking(rule)
        } else {
            Self::InvalidOutput
        }
    }

    /// The error for a message that is missing at the end of a session.
    #[must_use]
    pub fn of_ending(ending: &Ending) -> Self {
        let unanswered = [
            &response::EVERY_REQUEST,
            &ping::ANSWERED,
            &http::SSE_RESPONSE_ARRIVES,
        ];
        match ending.rule {
            rule if unanswered.contains(&rule) => Self::Timeout,
            _ if ending.party == Some(Party::Server) => Self::InvalidOutput,
            _ => Self::InvalidInput,
        }
    }

    /// The error for a JSON-RPC error code of a peer. A code without a meaning in the revision is
    /// an internal error.
    #[must_use]
    pub fn of_code(code: i64, revision: Revision) -> Self {
        let own = TABLE
            .iter()
            .find(|row| i64::from(row.code_in(revision)) == code);
        if let Some(row) = own {
            return row.error;
        }
        match code {
            // -32002 is retired, but still to be understood.
            -32601 | -32002 => Self::NotFound,
            -32700 | -32600 => Self::InvalidInput,
            -32022..=-32020 if revision.has(Fact::ReservedErrorRange) => Self::InvalidInput,
            // The user did not agree, or has yet to agree elsewhere.
            -32042 if revision.has(Fact::ElicitationIds) => Self::Unauthorized,
            -1 if !revision.has(Fact::ReservedErrorRange) => Self::Unauthorized,
            _ => Self::InternalError,
        }
    }

    /// The error for an HTTP status; `None` if it is no error.
    #[must_use]
    pub fn of_http_status(status: u16) -> Option<Self> {
        match status {
            0..400 => None,
            401 | 403 | 407 => Some(Self::Unauthorized),
            404 | 410 => Some(Self::NotFound),
            408 | 504 => Some(Self::Timeout),
            502 => Some(Self::InvalidOutput),
            400..500 => Some(Self::InvalidInput),
            _ => Some(Self::InternalError),
        }
    }

    /// The name on the wire, `INVALID_INPUT`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The HTTP status to answer with.
    #[must_use]
    pub const fn to_http_status(self) -> u16 {
        self.row().status
    }

    /// The HTTP status to answer with if the server behind a gateway has failed: HTTP distinguishes
    /// that from a failure of the gateway itself.
    #[must_use]
    pub const fn to_gateway_status(self) -> u16 {
        self.row().gateway_status
    }

    /// Whether the same request may succeed later, unchanged. Whether it may be made twice is
    /// another matter.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        self.row().retryable
    }

    /// The JSON-RPC code in a revision.
    #[must_use]
    pub fn code(self, revision: Revision) -> i32 {
        self.row().code_in(revision)
    }

    /// The error object to answer with, without particulars.
    #[must_use]
    pub fn to_jsonrpc_error(self, revision: Revision) -> JsonRpcError {
        self.with_message(self.sentence())
            .to_jsonrpc_error(revision)
    }

    /// The error with its particulars in words.
    #[must_use]
    pub fn with_message(self, message: impl Into<String>) -> DetailedError {
        DetailedError {
            kind: self,
            message: message.into(),
        }
    }

    /// The revision whose codes an error has. A peer that names no revision speaks one that does not
    /// require it: the latest with a handshake.
    #[must_use]
    pub fn revision_in_force(named: Option<Revision>) -> Revision {
        let unnamed = || {
            let mut known = Revision::ALL.into_iter();
            known.rfind(|revision| revision.has(Fact::Handshake))
        };
        named.or_else(unnamed).unwrap_or(Revision::latest())
    }

    /// The short sentence for people.
    pub(crate) const fn sentence(self) -> &'static str {
        self.row().message
    }

    const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The error for a fault of the requester.
    fn of_asking(rule: &Rule) -> Self {
        match rule.family() {
            "auth" => Self::Unauthorized,
            _ if rule.code == -32601 || *rule == tools::CALL_LISTED => Self::NotFound,
            _ => Self::InvalidInput,
        }
    }
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A canonical error with its particulars.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DetailedError {
    /// The canonical error.
    pub kind: CanonicalError,
    /// A description for people. It must not contain secrets.
    pub message: String,
}

impl DetailedError {
    /// The error object to answer with.
    #[must_use]
    pub fn to_jsonrpc_error(&self, revision: Revision) -> JsonRpcError {
        let row = self.kind.row();
        JsonRpcError {
            code: row.code_in(revision),
            message: row.message,
            data: JsonRpcErrorData {
                canonical: self.kind,
                http_status: row.status,
                message: self.message.clone(),
                retryable: row.retryable,
            },
        }
    }

    /// The same if the server behind a gateway has failed.
    #[must_use]
    pub fn to_gateway_error(&self, revision: Revision) -> JsonRpcError {
        let mut error = self.to_jsonrpc_error(revision);
        error.data.http_status = self.kind.to_gateway_status();
        error
    }
}

impl fmt::Display for DetailedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl core::error::Error for DetailedError {}

/// The error object of a JSON-RPC response.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct JsonRpcError {
    /// The code, which no revision gives another meaning.
    pub code: i32,
    /// The short sentence of the canonical error.
    pub message: &'static str,
    /// The part for programs.
    pub data: JsonRpcErrorData,
}

/// The member `data` of an error object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct JsonRpcErrorData {
    /// The canonical error.
    pub canonical: CanonicalError,
    /// Its HTTP status, on other transports too.
    pub http_status: u16,
    /// The particulars.
    pub message: String,
    /// Whether the same request may succeed later, unchanged.
    pub retryable: bool,
}

impl JsonRpcError {
    /// The object as JSON, on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write("", &mut out);
        out
    }

    /// The error response with this id, which is JSON. An id that is not known is left out: no
    /// revision of the schema has the null of plain JSON-RPC.
    ///
    /// ```
    /// use mcp_assay::Revision;
    /// use mcp_assay_contract::canonical::CanonicalError;
    ///
    /// let late = CanonicalError::Timeout.to_jsonrpc_error(Revision::V2025_06_18);
    /// assert!(late.to_response(Some(b"1")).starts_with(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32065,"#));
    /// ```
    #[must_use]
    pub fn to_response(&self, id: Option<&[u8]>) -> Vec<u8> {
        let mut out = Vec::new();
        write_response(&self.to_json(), id, &mut out);
        out
    }

    /// Appends the object, with further members of its `data`, each after a comma.
    fn write(&self, more: &str, out: &mut String) {
        let data = &self.data;
        out.push_str(r#"{"code":"#);
        out.push_str(&self.code.to_string());
        out.push_str(r#","message":"#);
        write_text(self.message, out);
        out.push_str(r#","data":{"canonical":"#);
        write_text(data.canonical.name(), out);
        out.push_str(r#","httpStatus":"#);
        out.push_str(&data.http_status.to_string());
        out.push_str(r#","message":"#);
        write_text(&data.message, out);
        out.push_str(r#","retryable":"#);
        out.push_str(if data.retryable { "true" } else { "false" });
        out.push_str(more);
        out.push_str("}}");
    }
}

/// Appends the error response with this error object and this id, both JSON.
fn write_response(error: &str, id: Option<&[u8]>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    if let Some(id) = id {
        out.extend_from_slice(br#","id":"#);
        out.extend_from_slice(id);
    }
    out.extend_from_slice(br#","error":"#);
    out.extend_from_slice(error.as_bytes());
    out.push(b'}');
}

impl Row {
    fn code_in(&self, revision: Revision) -> i32 {
        if revision.has(Fact::ReservedErrorRange) {
            self.code_outside
        } else {
            self.code
        }
    }
}

const fn row(
    error: CanonicalError,
    name: &'static str,
    [status, gateway_status]: [u16; 2],
    retryable: bool,
    message: &'static str,
    code: i32,
    code_outside: i32,
) -> Row {
    Row {
        error,
        name,
        status,
        gateway_status,
        retryable,
        message,
        code,
        code_outside,
    }
}

/// Whether a rule reports that our own memory is full, for which no party is to blame.
fn is_ours(rule: &Rule) -> bool {
    *rule == inline::MEMORY_LIMIT || *rule == inline::VIOLATION_LIMIT
}

#[cfg(feature = "json-schema")]
impl From<mcp_assay::registry::LoadError> for DetailedError {
    fn from(error: mcp_assay::registry::LoadError) -> Self {
        use mcp_assay::registry::LoadErrorKind;

        let kind = match error.kind {
            LoadErrorKind::NotFound => CanonicalError::NotFound,
            LoadErrorKind::Unusable => CanonicalError::InternalError,
        };
        kind.with_message(error.message)
    }
}

#[cfg(test)]
mod tests;
