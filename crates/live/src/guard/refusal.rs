//! The error that stands for a message that did not pass.

use mcp_assay::syntax::write_text;
use mcp_assay::{Checked, Revision, Violation};
use mcp_assay_contract::canonical::CanonicalError;

use super::Values;

/// Bytes of a value that are quoted.
const QUOTED: usize = 200;

/// The code for a fault whose rule has none.
const INVALID_REQUEST: i32 = -32600;

/// The reason why a message does not pass that could not be checked.
const CHECK_FAILED: &str = "the message could not be checked, so it was not forwarded";

/// An error response without its id.
pub(super) struct Refusal {
    /// The error object.
    error: String,
}

impl Refusal {
    pub(super) fn new(checked: &Checked<'_>, violation: &Violation, values: Values) -> Self {
        let rule = violation.rule;
        let canonical = CanonicalError::of_violation(checked, violation);
        let revision = checked.revision().unwrap_or(Revision::latest());
        let code = match canonical {
            // The party that waits did nothing wrong: the code is none of those for bad requests.
            CanonicalError::InvalidOutput => canonical.to_jsonrpc_error(revision).code,
            _ if rule.code == 0 => INVALID_REQUEST,
            _ => rule.code,
        };
        let summary = rule.summary().trim_end_matches('.');
        let mut error = format!("{{\"code\":{code},\"message\":");
        write_text(summary, &mut error);
        error.push_str(",\"data\":{\"canonical\":");
        write_text(canonical.name(), &mut error);
        error.push_str(",\"httpStatus\":");
        error.push_str(&canonical.to_http_status().to_string());
        error.push_str(",\"message\":");
        write_text(summary, &mut error);
        error.push_str(",\"retryable\":");
        error.push_str(if canonical.is_retryable() {
            "true"
        } else {
            "false"
        });
        error.push_str(",\"rule\":");
        write_text(rule.name, &mut error);
        error.push_str(",\"layer\":");
        write_text(rule.layer.name(), &mut error);
        error.push_str(",\"pointer\":");
        write_text(&checked.pointer(violation), &mut error);
        if values == Values::Quoted {
            error.push_str(",\"detail\":");
            write_text(&checked.message(violation), &mut error);
            let span = violation.span.start as usize..violation.span.end as usize;
            let found = checked.bytes().get(span).unwrap_or_default();
            let found = found.get(..QUOTED).unwrap_or(found);
            error.push_str(",\"found\":");
            write_text(&String::from_utf8_lossy(found), &mut error);
        }
        error.push_str("}}");
        Self { error }
    }

    /// The error for a message whose check failed.
    pub(super) fn internal(revision: Option<Revision>) -> Self {
        let error = CanonicalError::InternalError.with_message(CHECK_FAILED);
        let in_force = revision.unwrap_or(Revision::latest());
        Self {
            error: error.to_jsonrpc_error(in_force).to_json(),
        }
    }

    /// Writes it as the answer to the request with this id, which is JSON. An id that is not known
    /// is left out: no revision of the schema has the null of plain JSON-RPC.
    pub(super) fn write(&self, id: Option<&[u8]>, out: &mut Vec<u8>) {
        let (member, id): (&[u8], &[u8]) = match id {
            Some(id) => (b",\"id\":", id),
            None => (b"", b""),
        };
        let error = self.error.as_bytes();
        for piece in [
            b"{\"jsonrpc\":\"2.0\"",
            member,
            id,
            b",\"error\":",
            error,
            b"}",
        ] {
            out.extend_from_slice(piece);
        }
    }
}
