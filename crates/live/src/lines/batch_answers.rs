//! Errors for messages of a batch, which come back in one batch with the answers to the others.

use bytes::Bytes;
use mcp_assay::Direction;
use mcp_assay::syntax::{Kind, Tape, scan};
use mcp_assay::{Envelope, Limits, MessageKind};

use crate::ids::{is_same_id, request_ids, response_ids};

/// Batches whose errors may wait; those of another are sent at once.
const MAX_HELD: usize = 64;

/// The errors that wait for the answers to the rest of their batches.
#[derive(Debug, Default)]
pub struct BatchAnswers {
    held: Vec<Held>,
}

#[derive(Debug)]
struct Held {
    /// The direction of the answers.
    direction: Direction,
    /// The requests that went on.
    ids: Vec<Bytes>,
    errors: Vec<u8>,
}

impl BatchAnswers {
    /// Holds back the errors for a batch of which the rest goes on, if an answer is to come that
    /// they can go with. Returns whether it does.
    pub fn hold(&mut self, direction: Direction, rest: &[u8], errors: &[u8]) -> bool {
        let ids = request_ids(rest);
        if ids.is_empty() || self.held.len() >= MAX_HELD {
            return false;
        }
        self.held.push(Held {
            direction,
            ids,
            errors: errors.to_vec(),
        });
        true
    }

    /// A message together with the errors that waited for it; `None` if none did.
    pub fn merge(&mut self, direction: Direction, message: &[u8]) -> Option<Bytes> {
        if self.held.is_empty() {
            return None;
        }
        let answered = response_ids(message);
        let is_answered = |held: &Held| {
            held.direction == direction
                && held
                    .ids
                    .iter()
                    .any(|id| answered.iter().any(|answer| is_same_id(id, answer)))
        };
        let at = self.held.iter().position(is_answered)?;
        let held = self.held.swap_remove(at);
        Some(merge_batches(message, &held.errors))
    }
}

/// One batch of an answer, or a batch of them, and a batch of errors.
pub(crate) fn merge_batches(answer: &[u8], errors: &[u8]) -> Bytes {
    let mut tape = Tape::new();
    let is_read = scan(answer, &Limits::DEFAULT.for_scan(), &mut tape).is_ok();
    let root = tape.root(answer).filter(|_| is_read);
    let inner = match root.map(|root| (root.kind(), root)) {
        Some((Kind::Array, root)) => {
            let raw = root.raw();
            raw.get(1..raw.len() - 1).unwrap_or_default().trim_ascii()
        }
        Some((Kind::Object, root)) if Envelope::read(root).kind != MessageKind::Unreadable => {
            root.raw()
        }
        _ => b"",
    };
    if inner.is_empty() {
        return Bytes::copy_from_slice(errors);
    }
    let errors = errors.get(1..).unwrap_or_default();
    [b"[", inner, b",", errors].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_go_with_the_first_answer_to_their_batch() {
        let to_client = Direction::ServerToClient;
        let rest = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"a"}]"#;
        let mut answers = BatchAnswers::default();
        assert!(!answers.hold(to_client, br#"[{"jsonrpc":"2.0","method":"a"}]"#, b"[7]"));
        assert!(answers.hold(to_client, rest, b"[7]"));
        let other = br#"{"jsonrpc":"2.0","id":2,"result":{}}"#;
        assert_eq!(answers.merge(to_client, other), None);
        let pong = br#"[ {"jsonrpc":"2.0","id":1,"result":{}} ]"#;
        assert_eq!(answers.merge(Direction::ClientToServer, pong), None);
        let merged = answers.merge(to_client, pong).unwrap();
        assert_eq!(merged, &br#"[{"jsonrpc":"2.0","id":1,"result":{}},7]"#[..]);
        assert_eq!(answers.merge(to_client, pong), None);
        assert_eq!(merge_batches(b"Accepted", b"[7]"), &b"[7]"[..]);
        assert_eq!(merge_batches(b"[]", b"[7]"), &b"[7]"[..]);
        assert_eq!(
            merge_batches(other, b"[7]"),
            &br#"[{"jsonrpc":"2.0","id":2,"result":{}},7]"#[..]
        );
    }
}
