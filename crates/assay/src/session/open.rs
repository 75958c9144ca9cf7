//! Requests that wait for an answer.

use core::cmp::Ordering;

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

/// An id by value and type: `1` and `"1"` are two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Id {
    /// An integer.
    Number(i64),
    /// A string, by its text.
    #[default]
    Text,
    /// Anything else, by its raw bytes.
    Other,
}

impl Id {
    #[inline]
    fn of(id: Node<'_>) -> Self {
        match id.kind() {
            Kind::String => Self::Text,
            Kind::Number => id.as_i64().map_or(Self::Other, Self::Number),
            _ => Self::Other,
        }
    }
}

impl Waiting {
    #[inline]
    fn matches(&self, id: Id, node: Node<'_>) -> bool {
        self.id == id
            && match id {
                Id::Number(_) => true,
                Id::Text => node.compare_text(&self.text).is_some_and(Ordering::is_eq),
                Id::Other => node.raw() == self.text,
            }
    }
}

/// The open requests of one direction. Buffers of answered ones are kept for the next.
#[derive(Debug, Default)]
pub(super) struct OpenRequests {
    waiting: Vec<Waiting>,
    spare: Vec<Waiting>,
}

/// How many buffers are kept.
const SPARE: usize = 8;

impl OpenRequests {
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn find(&self, id: Node<'_>) -> Option<&Waiting> {
        self.position(Id::of(id), id)
            .map(|position| &self.waiting[position])
    }

    /// Remembers a request. At the limit another one is forgotten for it; an id that is used twice means the newer request.
    pub(super) fn insert(
        &mut self,
        id: Node<'_>,
        method: Option<&'static Method>,
        name: Option<&[u8]>,
        revision: Revision,
        max_open: usize,
    ) {
        let key = Id::of(id);
        let position = match self.position(key, id) {
            Some(same) => same,
            None if self.waiting.len() >= max_open.max(1) => 0,
            None => {
                self.waiting.push(self.spare.pop().unwrap_or_default());
                self.waiting.len() - 1
            }
        };
        let request = &mut self.waiting[position];
        request.id = key;
        request.text.clear();
        match key {
            Id::Number(_) => {}
            Id::Text => id.text_into(&mut request.text),
            Id::Other => request.text.extend_from_slice(id.raw()),
        }
        request.method = method;
        request.unknown_method = match (method, name) {
            (None, Some(name)) => Some(String::from_utf8_lossy(name).into()),
            _ => None,
        };
        request.revision = Some(revision);
    }

    pub(super) fn remove(&mut self, id: Node<'_>) {
        if let Some(position) = self.position(Id::of(id), id) {
            let answered = self.waiting.swap_remove(position);
            if self.spare.len() < SPARE {
                self.spare.push(answered);
            }
        }
    }

    #[inline]
    fn position(&self, id: Id, node: Node<'_>) -> Option<usize> {
        self.waiting
            .iter()
            .position(|request| request.matches(id, node))
    }
}
