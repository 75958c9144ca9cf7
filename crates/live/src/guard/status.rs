//! The HTTP status of what is answered in place of a server.

use mcp_assay::model::Fact;
use mcp_assay::rules::{http, inline};
use mcp_assay::syntax::Kind;
use mcp_assay::{Direction, Layer, MessageKind};

use super::refusal::Refusal;
use super::{Judged, worst};

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

    /// The HTTP status with which a request is refused.
    ///
    /// Up to 2025-11-25 an error of JSON-RPC comes with 200: clients of these revisions end their
    /// session at any other status. Since 2026-07-28 the status tells the error. Faults of HTTP
    /// itself have their own status in all revisions.
    ///
    /// ```
    /// use mcp_assay_live::guard::{Guard, Mode};
    /// use mcp_assay::{Direction, Frame, Policy, Revision, Session};
    ///
    /// let mut guard = Guard::new(Policy::default(), Mode::Enforce);
    /// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
    /// let mut frame = Frame::new(call).direction(Direction::ClientToServer);
    /// frame.header_revision = Revision::from_bytes(b"2025-06-18");
    /// assert_eq!(guard.judge(&mut Session::new(), frame).status(), 200);
    /// ```
    #[must_use]
    pub fn status(&self) -> u16 {
        let checked = &self.checked;
        if checked.direction() != Some(Direction::ClientToServer) {
            return 400;
        }
        let is_stateless = checked
            .revision()
            .is_some_and(|revision| revision.has(Fact::Stateless));
        let is_answered = checked.kind() == MessageKind::Request
            && checked
                .id()
                .is_some_and(|id| matches!(id.kind(), Kind::String | Kind::Number));
        if self.failed {
            return if is_answered && !is_stateless {
                200
            } else {
                500
            };
        }
        let Some(rule) = worst(checked).map(|violation| violation.rule) else {
            return if is_answered && !is_stateless {
                200
            } else {
                400
            };
        };
        match rule {
            _ if *rule == http::ACCEPT_BOTH || *rule == http::GET_ACCEPT => 406,
            _ if *rule == http::REQUEST_CONTENT_TYPE => 415,
            _ if *rule == inline::SIZE_LIMIT => 413,
            _ if *rule == inline::UNKNOWN_METHOD && is_stateless => 404,
            _ if !is_stateless && rule.layer != Layer::Http && is_answered => 200,
            _ => 400,
        }
    }
}
