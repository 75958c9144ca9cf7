//! The error that stands for a message that did not pass.

use super::Values;
use super::answers::write_text;
use crate::Direction;
use crate::checked::Checked;
use crate::jsonrpc::MessageKind;
use crate::rules::inline;
use crate::violation::Violation;

/// Bytes of a value that are quoted.
const QUOTED: usize = 200;

/// What JSON-RPC calls a fault for which a rule has no code.
const INVALID_REQUEST: i32 = -32600;
const INTERNAL_ERROR: i32 = -32603;

/// An error response without its id.
pub(super) struct Refusal {
    code: i32,
    error: String,
    /// What stands for an id that is not known: JSON-RPC has `null` for it, later revisions leave it out.
    no_id: &'static str,
}

impl Refusal {
    pub(super) fn new(checked: &Checked<'_>, violation: &Violation, values: Values) -> Self {
        let rule = violation.rule;
        let code = match checked.kind() {
            // Whoever waits for an answer did nothing wrong.
            MessageKind::Response | MessageKind::Error => INTERNAL_ERROR,
            _ if checked.direction() == Some(Direction::ServerToClient)
                && checked.kind() == MessageKind::Unreadable =>
            {
                INTERNAL_ERROR
            }
            _ if rule.code == 0 => INVALID_REQUEST,
            _ => rule.code,
        };
        let mut error = String::new();
        error.push_str(",\"message\":");
        write_text(rule.summary().trim_end_matches('.'), &mut error);
        error.push_str(",\"data\":{\"rule\":");
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
        error.push('}');
        let no_id = match checked.revision() {
            Some(revision) if !inline::ERROR_ID_REQUIRED.revisions.contains(revision) => "",
            _ => ",\"id\":null",
        };
        Self { code, error, no_id }
    }

    /// Writes it as the answer to the request with this id, which is JSON; `None` if it is not known.
    pub(super) fn write(&self, id: Option<&[u8]>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\"");
        match id {
            Some(id) => {
                out.extend_from_slice(b",\"id\":");
                out.extend_from_slice(id);
            }
            None => out.extend_from_slice(self.no_id.as_bytes()),
        }
        out.extend_from_slice(b",\"error\":{\"code\":");
        out.extend_from_slice(self.code.to_string().as_bytes());
        out.extend_from_slice(self.error.as_bytes());
        out.extend_from_slice(b"}}");
    }
}
