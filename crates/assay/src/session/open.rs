//! Requests that wait for an answer.

use std::collections::VecDeque;

use crate::Revision;
use crate::model::Method;
use crate::syntax::{Kind, Node};

/// A request that waits for an answer.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    id: Id,
    /// The text of an id that is not a number; the buffer is reused.
    text: Vec<u8>,
    /// Its method, if the model has it.
    pub(crate) method: Option<&'static Method>,
    /// The name of a method that the model does not have.
    pub(crate) unknown_method: Option<Box<str>>,
    /// The revision it was judged under.
    pub(crate) revision: Option<Revision>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Id {
    /// An integer.
    Number(i64),
    /// A string; its text is in `Waiting::text`.
    #[default]
    Text,
    /// Anything else, by its raw bytes.
    Other,
}

impl Waiting {
    fn matches(&self, id: Node<'_>) -> bool {
        match (self.id, id.kind()) {
            (Id::Number(number), Kind::Number) => id.as_i64() == Some(number),
            (Id::Text, Kind::String) => match id.plain() {
                Some(text) => text == self.text,
                None => id.text().is_some_and(|text| text.as_bytes() == self.text),
            },
            (Id::Other, _) => id.as_i64().is_none() && id.raw() == self.text,
            _ => false,
        }
    }
}

/// The open requests of one direction, oldest first. Buffers of answered ones are kept for the next.
#[derive(Debug, Default)]
pub(super) struct OpenRequests {
    waiting: VecDeque<Waiting>,
    spare: Vec<Waiting>,
}

impl OpenRequests {
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn find(&self, id: Node<'_>) -> Option<&Waiting> {
        self.waiting.iter().find(|request| request.matches(id))
    }

    pub(super) fn insert(
        &mut self,
        id: Node<'_>,
        method: Option<&'static Method>,
        name: Option<&[u8]>,
        revision: Revision,
        max_open: usize,
    ) {
        let mut request = self.spare.pop().unwrap_or_default();
        request.text.clear();
        request.id = match (id.kind(), id.as_i64()) {
            (_, Some(number)) => Id::Number(number),
            (Kind::String, _) => {
                match id.plain() {
                    Some(text) => request.text.extend_from_slice(text),
                    None => request.text.extend_from_slice(id.text().unwrap_or_default().as_bytes()),
                }
                Id::Text
            }
            _ => {
                request.text.extend_from_slice(id.raw());
                Id::Other
            }
        };
        request.method = method;
        request.unknown_method = match (method, name) {
            (None, Some(name)) => Some(String::from_utf8_lossy(name).into()),
            _ => None,
        };
        request.revision = Some(revision);
        // An id that is used twice: the newer request is the one that is answered next.
        self.remove(id);
        while self.waiting.len() >= max_open.max(1) {
            self.spare.extend(self.waiting.pop_front());
            self.spare.truncate(8);
        }
        self.waiting.push_back(request);
    }

    pub(super) fn remove(&mut self, id: Node<'_>) {
        if let Some(position) = self.waiting.iter().position(|request| request.matches(id)) {
            self.spare.extend(self.waiting.remove(position));
            self.spare.truncate(8);
        }
    }
}
