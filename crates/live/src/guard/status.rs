//! The HTTP status of what is answered in place of a server.

use mcp_assay::{Direction, RefusalStatus};
use mcp_assay_contract::canonical::{CanonicalError, Refusal, refusal_status, unknown_tool_status};

use super::{Action, Judged, worst};

impl Judged<'_> {
    /// The body of the HTTP refusal of a message that is dropped: a JSON-RPC error without an id.
    ///
    /// The transport text: "If the server cannot accept the input, it MUST return an HTTP error
    /// status code (e.g., 400 Bad Request). The HTTP response body MAY comprise a JSON-RPC error
    /// response that has no `id`." So a notification or response that is dropped is never answered
    /// with 202, which means that it was accepted.
    #[must_use]
    pub fn refusal_without_id(&self) -> Vec<u8> {
        let refusal = match worst(&self.checked) {
            Some(violation) if !self.failed => Refusal::new(&self.checked, violation, self.values),
            _ => Refusal::internal(self.checked.revision()),
        };
        let mut body = Vec::new();
        refusal.write_without_id(&mut body);
        body
    }

    /// The HTTP status with which a message of a client is refused: see [`refusal_status`].
    ///
    /// ```
    /// use mcp_assay_live::guard::{Guard, Mode};
    /// use mcp_assay::{Direction, Frame, Policy, RefusalStatus, Revision, Session};
    ///
    /// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
    /// let mut frame = Frame::new(call).direction(Direction::ClientToServer);
    /// frame.header_revision = Revision::from_bytes(b"2025-06-18");
    /// let mut policy = Policy::default();
    /// let mut guard = Guard::new(policy.clone(), Mode::Enforce);
    /// assert_eq!(guard.judge(&mut Session::new(), frame).status(), 200);
    ///
    /// policy.refusal_status = RefusalStatus::Canonical;
    /// let mut guard = Guard::new(policy, Mode::Enforce);
    /// assert_eq!(guard.judge(&mut Session::new(), frame).status(), 400);
    /// ```
    #[must_use]
    pub fn status(&self) -> u16 {
        match worst(&self.checked) {
            None if !self.failed => unknown_tool_status(&self.checked),
            violation => refusal_status(&self.checked, violation.filter(|_| !self.failed)),
        }
    }

    /// The HTTP status of a response whose message is replaced by an error, if the policy asks for
    /// that of the canonical error; `None` if the response keeps its own.
    #[must_use]
    pub fn replaced_status(&self) -> Option<u16> {
        let checked = &self.checked;
        let is_canonical = checked.policy().refusal_status == RefusalStatus::Canonical
            && checked.direction() == Some(Direction::ServerToClient);
        let kind = match self.action {
            _ if !is_canonical || !self.repairs.is_empty() => return None,
            Action::Forward => return None,
            _ if self.failed => CanonicalError::InternalError,
            Action::Replace(_) => CanonicalError::of_violation(checked, worst(checked)?),
            // A part of it goes on.
            Action::Split { .. } => return None,
            // The client gets an error in place of something that it did not ask for.
            Action::Refuse(_) | Action::Drop | Action::Divert => CanonicalError::InvalidOutput,
        };
        Some(kind.to_http_status())
    }
}
