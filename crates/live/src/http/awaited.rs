//! The requests of an exchange that wait for a response.

use bytes::Bytes;
use mcp_assay::Envelope;
use mcp_assay::syntax::{Kind, Tape};

use crate::ids::{is_same_id, request_ids, root};

/// The longest body that is held until its ids are needed.
const MAX_BODY: usize = 64 << 10;

/// The ids of the requests in a body. They are read when they are needed, which is seldom.
#[derive(Debug, Default)]
pub(super) struct Awaited {
    /// The body of the request, until its ids are read.
    body: Bytes,
    /// The ids, as JSON.
    ids: Vec<Bytes>,
}

impl Awaited {
    pub(super) fn new(body: Bytes) -> Self {
        Self {
            body,
            ids: Vec::new(),
        }
    }

    /// Bounds the memory while the response is on its way: of a long body only the ids are held.
    pub(super) fn shorten(&mut self) {
        if self.body.len() > MAX_BODY {
            self.ids();
        }
    }

    /// The ids that still wait. From here on the body is not held.
    pub(super) fn ids(&mut self) -> &[Bytes] {
        if !self.body.is_empty() {
            self.ids = request_ids(&std::mem::take(&mut self.body));
        }
        &self.ids
    }

    /// Whether a request waits for each of these responses. An error without an id answers none.
    pub(super) fn expects(&mut self, answers: &[Bytes]) -> bool {
        if answers.is_empty() {
            return true;
        }
        self.ids();
        let is_expected =
            |answer: &Bytes| answer == "null" || self.ids.iter().any(|id| is_same_id(id, answer));
        answers.iter().all(is_expected)
    }

    /// Closes the requests that these responses answer.
    pub(super) fn close(&mut self, answers: &[Bytes]) {
        if !answers.is_empty() {
            self.ids();
            self.ids
                .retain(|id| !answers.iter().any(|answer| is_same_id(id, answer)));
        }
    }
}

/// Whether a body is the request that opens a session.
pub(super) fn opens_session(body: &[u8]) -> bool {
    if memchr::memmem::find(body, b"\"initialize\"").is_none() {
        return false;
    }
    let mut tape = Tape::new();
    root(body, &mut tape).is_some_and(|root| {
        root.kind() == Kind::Object
            && Envelope::read(root)
                .method()
                .is_some_and(|method| method.is_text("initialize"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_spell_the_id_in_another_way() {
        let posted = Bytes::from_static(
            br#"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":"b","method":"a"}]"#,
        );
        for (answer, left) in [
            ("1", vec!["\"b\""]),
            ("1.0", vec!["\"b\""]),
            ("\"\\u0062\"", vec!["1"]),
            ("\"1\"", vec!["1", "\"b\""]),
        ] {
            let mut awaited = Awaited::new(posted.clone());
            awaited.close(&[Bytes::copy_from_slice(answer.as_bytes())]);
            assert_eq!(awaited.ids(), left, "{answer}");
        }
    }
}
