//! The error that stands for a message that did not pass.

use mcp_assay::model::Fact;
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

/// The reason why a call does not pass whose arguments cannot be checked.
const UNKNOWN_TOOL: &str = "the server has not listed this tool, so the call cannot be checked";

/// An error response without its id.
pub(super) struct Refusal {
    /// The error object.
    error: String,
    /// The member that stands for an id that could not be read.
    unknown_id: &'static [u8],
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
        Self {
            error,
            unknown_id: unknown_id(checked.revision()),
        }
    }

    /// The error for a call of a tool that the server has not listed.
    pub(super) fn unknown_tool(revision: Option<Revision>) -> Self {
        let error = CanonicalError::InvalidInput.with_message(UNKNOWN_TOOL);
        let in_force = revision.unwrap_or(Revision::latest());
        Self {
            error: error.to_jsonrpc_error(in_force).to_json(),
            unknown_id: unknown_id(revision),
        }
    }

    /// The error for a message whose check failed.
    pub(super) fn internal(revision: Option<Revision>) -> Self {
        let error = CanonicalError::InternalError.with_message(CHECK_FAILED);
        let in_force = revision.unwrap_or(Revision::latest());
        Self {
            error: error.to_jsonrpc_error(in_force).to_json(),
            unknown_id: unknown_id(revision),
        }
    }

    /// Writes it as the answer to the request with this id, which is JSON; `None` if the id could
    /// not be read.
    pub(super) fn write(&self, id: Option<&[u8]>, out: &mut Vec<u8>) {
        match id {
            Some(id) => self.write_with(&[b",\"id\":", id], out),
            None => self.write_with(&[self.unknown_id], out),
        }
    }

    /// Writes it as the answer to something that has no id.
    pub(super) fn write_without_id(&self, out: &mut Vec<u8>) {
        self.write_with(&[], out);
    }

    fn write_with(&self, id: &[&[u8]], out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\"");
        for piece in id {
            out.extend_from_slice(piece);
        }
        for piece in [b",\"error\":", self.error.as_bytes(), b"}"] {
            out.extend_from_slice(piece);
        }
    }
}

/// The member for an id that could not be read: null, which JSON-RPC demands, in revisions whose
/// errors must have an id; none since 2025-11-25, and where the revision is not known.
fn unknown_id(revision: Option<Revision>) -> &'static [u8] {
    match revision {
        Some(revision) if !revision.has(Fact::ErrorWithoutId) => b",\"id\":null",
        _ => b"",
    }
}
