//! The result of the check of a part of an exchange, as far as the exchange needs it.

use bytes::Bytes;
use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, Direction, Envelope, MessageKind};
use mcp_assay_contract::canonical::CanonicalError;

pub use crate::guard::Decision;
use crate::guard::{Judged, Mode};
use crate::ids::response_ids;

/// The result of the check of a part of an exchange.
#[derive(Clone, Debug)]
pub struct CheckedPart {
    pub(super) decision: Decision,
    /// The text that goes on instead, or back to the sender.
    pub(super) text: Bytes,
    /// The text that goes back while another goes on.
    pub(super) back: Bytes,
    /// The HTTP status of a refusal.
    pub(super) status: u16,
    /// The HTTP status of a response that is replaced, unless it keeps its own.
    pub(super) replaced_status: Option<u16>,
    pub(super) kind: MessageKind,
    /// The ids of the responses in it, as JSON.
    pub(super) answers: Vec<Bytes>,
}

impl CheckedPart {
    /// Copies what the exchange needs.
    #[must_use]
    pub fn new(judged: &Judged<'_>) -> Self {
        let checked = &judged.checked;
        let decision = judged.action.decision();
        let from_client = checked.direction() == Some(Direction::ClientToServer);
        let text = match decision {
            Decision::Drop | Decision::Divert if from_client => judged.refusal_without_id().into(),
            _ => Bytes::copy_from_slice(judged.action.text()),
        };
        Self {
            decision,
            text,
            back: Bytes::copy_from_slice(judged.action.split_off()),
            status: judged.status(),
            replaced_status: judged.replaced_status(),
            kind: checked.kind(),
            answers: if matches!(decision, Decision::Replace | Decision::Split)
                && judged.repairs.is_empty()
            {
                // An error of ours: its id may have been recovered.
                response_ids(judged.action.text())
            } else {
                answers(checked)
            },
        }
    }

    /// The result for a part whose check did not come to an end.
    #[must_use]
    pub fn unchecked(mode: Mode) -> Self {
        Self {
            decision: Decision::unchecked(mode),
            text: Bytes::new(),
            back: Bytes::new(),
            status: CanonicalError::InternalError.to_http_status(),
            replaced_status: None,
            kind: MessageKind::Unreadable,
            answers: Vec::new(),
        }
    }

    /// The decision about the part.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.decision
    }
}

/// The ids of the responses that a part of a server holds.
fn answers(checked: &Checked<'_>) -> Vec<Bytes> {
    if checked.direction() != Some(Direction::ServerToClient) {
        return Vec::new();
    }
    match checked.kind() {
        MessageKind::Response | MessageKind::Error => checked.id().map(copy).into_iter().collect(),
        MessageKind::Batch => {
            let items = checked.root().into_iter().flat_map(Node::items);
            items
                .filter(|item| item.kind() == Kind::Object)
                .map(Envelope::read)
                .filter(|message| {
                    matches!(message.kind, MessageKind::Response | MessageKind::Error)
                })
                .filter_map(|message| message.id().map(copy))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn copy(id: Node<'_>) -> Bytes {
    Bytes::copy_from_slice(id.raw())
}
