//! One request that waits for an answer, and its id.

use core::cmp::Ordering;

use super::super::request_data::RequestData;
use super::super::{Moment, Reply};
use crate::Revision;
use crate::envelope::{Envelope, Member};
use crate::exchange::Exchange;
use crate::model::Method;
use crate::syntax::{Kind, Node, Token, write_text};

/// A request that waits for an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenRequest {
    pub(super) id: Id,
    /// The text of an id that is not a number; the buffer is reused.
    pub(super) text: Vec<u8>,
    /// Its method, if the model has it.
    pub(crate) method: Option<&'static Method>,
    /// The name of a method that the model does not have.
    pub(crate) unknown_method: Option<Box<str>>,
    /// The revision that it was checked under.
    pub(crate) revision: Option<Revision>,
    /// The moment at which it was sent.
    pub(crate) sent: Moment,
    /// The moment at which its sender cancelled it.
    pub(crate) cancelled: Option<Moment>,
    /// Further data that rules need; the box is reused.
    pub(super) data: Option<Box<RequestData>>,
}

/// An id by value and type: `1` and `"1"` are two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) enum Id {
    /// An integer of up to eight digits without a sign, by the digits.
    Digits(u64),
    /// Any other integer.
    Number(i64),
    /// A string, by its text.
    #[default]
    Text,
    /// Anything else, by its raw bytes.
    Other,
}

impl Id {
    #[inline(always)]
    pub(super) fn of(message: &Envelope<'_>) -> Option<Self> {
        if let Some(digits) = message.known_id() {
            return Some(Self::Digits(digits));
        }
        let token = message.token(Member::Id)?;
        match short_digits(*token, message.bytes()) {
            Some(digits) => Some(Self::Digits(digits)),
            None => Some(Self::unusual(message)),
        }
    }

    pub(super) fn of_node(id: Node<'_>) -> Self {
        match short_digits(id.token(), id.bytes()) {
            Some(digits) => Self::Digits(digits),
            None => Self::unusual_node(id),
        }
    }

    #[inline(never)]
    pub(super) fn unusual(message: &Envelope<'_>) -> Self {
        message.id().map_or(Self::Other, Self::unusual_node)
    }

    pub(super) fn unusual_node(id: Node<'_>) -> Self {
        match (id.kind(), id.as_i64()) {
            (Kind::String, _) => Self::Text,
            (_, Some(value @ 0..=99_999_999)) => Self::Digits(digits_of(value)),
            (_, Some(value)) => Self::Number(value),
            (_, None) => Self::Other,
        }
    }
}

/// The text of an integer of up to eight digits without a sign, the first in the lowest byte.
#[inline(always)]
fn short_digits(token: Token, bytes: &[u8]) -> Option<u64> {
    let length = token.end.wrapping_sub(token.start);
    let start = token.start as usize;
    if token.kind != Kind::Number
        || token.complex
        || !(1..=8).contains(&length)
        || bytes.get(start) == Some(&b'-')
    {
        return None;
    }
    let last = token.end.wrapping_sub(8) as usize;
    let last = u64::from_le_bytes(*bytes.get(last..last + 8)?.first_chunk()?);
    Some(last >> (64 - 8 * length))
}

/// The same for a value, which may have another notation.
pub(super) fn digits_of(mut value: i64) -> u64 {
    let mut digits = 0;
    loop {
        digits = (digits << 8) | (u64::from(b'0') + (value % 10).unsigned_abs());
        value /= 10;
        if value == 0 {
            return digits;
        }
    }
}

impl OpenRequest {
    /// The further data that rules need, if there is any.
    #[inline]
    pub(crate) fn data(&self) -> Option<&RequestData> {
        self.data.as_deref()
    }

    /// The further data that rules need, to be changed.
    #[inline]
    pub(crate) fn data_mut(&mut self) -> &mut RequestData {
        self.data.get_or_insert_default()
    }

    /// Whether HTTP refused it before the server handled it.
    #[cold]
    pub(crate) fn was_refused(&self) -> bool {
        let reply = self.data().and_then(|data| data.reply);
        reply.is_some_and(Reply::refuses)
    }

    /// Its id, if that is an integer of more than eight digits.
    pub(crate) fn number(&self) -> Option<i64> {
        match self.id {
            Id::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The name of its method, if the model has it.
    pub(crate) fn method_name(&self) -> Option<&'static str> {
        self.method.map(|method| method.name)
    }

    /// Whether a value is its id, by value and type.
    pub(crate) fn has_id(&self, id: Node<'_>) -> bool {
        self.id == Id::of_node(id) && self.has_text(id)
    }

    /// Whether its id differs from a value only in the JSON type: `1` and `"1"`.
    pub(crate) fn has_id_of_other_type(&self, id: Node<'_>) -> bool {
        match (self.id, id.kind()) {
            (Id::Text, Kind::Number) => self.text == id.raw(),
            (Id::Digits(digits), Kind::String) => {
                let bytes = digits.to_le_bytes();
                let length = bytes.iter().take_while(|byte| **byte != 0).count();
                let text = bytes.get(..length).unwrap_or_default();
                id.compare_text(text).is_some_and(Ordering::is_eq)
            }
            (Id::Number(value), Kind::String) => id
                .plain()
                .and_then(|text| core::str::from_utf8(text).ok())
                .is_some_and(|text| text.parse() == Ok(value)),
            _ => false,
        }
    }

    /// Its id as JSON text.
    pub(crate) fn id_json(&self) -> String {
        match self.id {
            Id::Text => {
                let mut json = String::new();
                write_text(&String::from_utf8_lossy(&self.text), &mut json);
                json
            }
            _ => self.id_text(),
        }
    }

    pub(super) fn id_text(&self) -> String {
        match self.id {
            Id::Digits(digits) => {
                let bytes = digits.to_le_bytes();
                let text = bytes.iter().filter(|byte| **byte != 0);
                text.map(|byte| char::from(*byte)).collect()
            }
            Id::Number(value) => value.to_string(),
            Id::Text | Id::Other => String::from_utf8_lossy(&self.text).into_owned(),
        }
    }

    pub(super) fn has_text(&self, id: Node<'_>) -> bool {
        match self.id {
            Id::Digits(_) | Id::Number(_) => true,
            Id::Text => id.compare_text(&self.text).is_some_and(Ordering::is_eq),
            Id::Other => id.raw() == self.text,
        }
    }

    #[cold]
    pub(super) fn copy_unknown_method(&mut self, request: &Exchange<'_>) {
        let unknown = request.method_node().filter(|_| request.method.is_none());
        let name = unknown.and_then(Node::plain);
        self.unknown_method = name.map(|name| String::from_utf8_lossy(name).into());
    }

    #[inline(never)]
    pub(super) fn copy_text(&mut self, message: &Envelope<'_>) {
        self.text.clear();
        let Some(id) = message.id() else {
            return;
        };
        if self.id == Id::Text {
            id.text_into(&mut self.text);
        } else {
            self.text.extend_from_slice(id.raw());
        }
    }
}
