//! An id that is tracked longer than its request is open.

use core::cmp::Ordering;

use crate::syntax::{Kind, Node};

/// An id by value and type: `1` and `"1"` are two.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum KnownId {
    /// An integer.
    Number(i64),
    /// A string.
    Text(Box<[u8]>),
}

impl KnownId {
    /// Copies an id, if it is one.
    pub(crate) fn of(id: Node<'_>) -> Option<Self> {
        if id.kind() != Kind::String {
            return id.as_i64().map(Self::Number);
        }
        let mut text = Vec::new();
        id.text_into(&mut text);
        Some(Self::Text(text.into()))
    }

    /// Whether a value is this id.
    pub(crate) fn is(&self, id: Node<'_>) -> bool {
        match self {
            Self::Number(number) => id.as_i64() == Some(*number),
            Self::Text(text) => {
                id.kind() == Kind::String && id.compare_text(text).is_some_and(Ordering::is_eq)
            }
        }
    }

    /// Whether a value would be this id but for its JSON type.
    pub(crate) fn is_of_other_type(&self, id: Node<'_>) -> bool {
        match self {
            Self::Number(number) => {
                id.kind() == Kind::String
                    && id
                        .compare_text(number.to_string().as_bytes())
                        .is_some_and(Ordering::is_eq)
            }
            Self::Text(text) => id.kind() == Kind::Number && id.raw() == &**text,
        }
    }
}
