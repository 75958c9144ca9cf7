//! Requests that wait for an answer.

use core::cmp::Ordering;

use crate::Revision;
use crate::envelope::{Envelope, Member};
use crate::exchange::Exchange;
use crate::model::Method;
use crate::syntax::{Kind, Node, Token};

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
    fn of(message: &Envelope<'_>) -> Option<Self> {
        let token = message.token(Member::Id)?;
        match short_digits(*token, message.bytes()) {
            Some(digits) => Some(Self::Digits(digits)),
            None => Some(Self::unusual(message)),
        }
    }

    #[inline(never)]
    fn unusual(message: &Envelope<'_>) -> Self {
        let Some(id) = message.id() else {
            return Self::Other;
        };
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

/// The same for a value, which may have been written in another way.
fn digits_of(mut value: i64) -> u64 {
    let mut digits = 0;
    loop {
        digits = (digits << 8) | (u64::from(b'0') + (value % 10).unsigned_abs());
        value /= 10;
        if value == 0 {
            return digits;
        }
    }
}

impl Waiting {
    #[cold]
    fn remember_unknown_method(&mut self, request: &Exchange<'_>) {
        let unknown = request.method_node().filter(|_| request.method.is_none());
        let name = unknown.and_then(Node::plain);
        self.unknown_method = name.map(|name| String::from_utf8_lossy(name).into());
    }

    #[inline(never)]
    fn remember_text(&mut self, message: &Envelope<'_>) {
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

/// The open requests of one direction.
#[derive(Debug, Default)]
pub(super) struct OpenRequests {
    /// The first `len` wait; the rest were answered, and their buffers are kept for the next.
    requests: Vec<Waiting>,
    len: usize,
}

/// How many buffers are kept.
const SPARE: usize = 8;

impl OpenRequests {
    /// Remembers a request. At the limit another one is forgotten for it; an id that is used twice means the newer request.
    #[inline(always)]
    pub(super) fn insert(&mut self, request: &Exchange<'_>, max_open: usize) {
        let Some(id) = Id::of(&request.envelope) else {
            return;
        };
        let position = match self.position(id, &request.envelope) {
            Some(same) => same,
            None if self.len >= max_open.max(1) => 0,
            None => {
                self.len += 1;
                self.len - 1
            }
        };
        if position >= self.requests.len() {
            self.requests.push(Waiting::default());
        }
        let waiting = &mut self.requests[position];
        waiting.id = id;
        waiting.method = request.method;
        waiting.revision = Some(request.revision);
        if matches!(id, Id::Text | Id::Other) {
            waiting.remember_text(&request.envelope);
        }
        if request.method.is_none() || waiting.unknown_method.is_some() {
            waiting.remember_unknown_method(request);
        }
    }

    /// Forgets the request at a position that [`OpenRequests::find`] gave.
    #[inline(always)]
    pub(super) fn remove(&mut self, position: usize) {
        let Some(last) = self.len.checked_sub(1).filter(|last| position <= *last) else {
            return;
        };
        if position < last {
            self.requests.swap(position, last);
        }
        self.len = last;
        self.requests.truncate(last + SPARE);
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Where the request is that a message answers, by value and type of the id.
    #[inline(always)]
    pub(super) fn find(&self, answer: &Envelope<'_>) -> Option<usize> {
        self.position(Id::of(answer)?, answer)
    }

    #[inline(always)]
    pub(super) fn get(&self, position: usize) -> Option<&Waiting> {
        self.waiting().get(position)
    }

    #[inline(always)]
    fn position(&self, id: Id, message: &Envelope<'_>) -> Option<usize> {
        match id {
            Id::Digits(_) => self.waiting().iter().position(|request| request.id == id),
            _ => self.unusual_position(id, message),
        }
    }

    #[inline(never)]
    fn unusual_position(&self, id: Id, message: &Envelope<'_>) -> Option<usize> {
        let node = message.id()?;
        self.waiting().iter().position(|request| {
            request.id == id
                && match id {
                    Id::Digits(_) | Id::Number(_) => true,
                    Id::Text => node
                        .compare_text(&request.text)
                        .is_some_and(Ordering::is_eq),
                    Id::Other => node.raw() == request.text,
                }
        })
    }

    #[inline(always)]
    fn waiting(&self) -> &[Waiting] {
        self.requests.get(..self.len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Limits;
    use crate::syntax::{Tape, scan};

    fn id(text: &str) -> Id {
        let message = format!(r#"{{"jsonrpc":"2.0","id":{text},"result":{{}}}}"#);
        let mut tape = Tape::new();
        scan(message.as_bytes(), &Limits::DEFAULT, &mut tape).expect("JSON");
        let root = tape.root(message.as_bytes()).expect("a value");
        Id::of(&Envelope::read(root)).expect("an id")
    }

    #[test]
    fn numbers_are_told_apart_by_value() {
        for same in ["7", "7.0", "70e-1", "0.7e1"] {
            assert_eq!(id(same), id("7"), "{same}");
        }
        assert_eq!(id("12345678"), id("1.2345678e7"));
        assert_eq!(id("123456789"), id("123456789.0"));
        assert_eq!(id("-0"), id("0"));
        assert_eq!(id("-12"), id("-12.0"));
        for other in ["17", "70", "-7", "\"7\"", "7.5", "null", "700000007"] {
            assert_ne!(id(other), id("7"), "{other}");
        }
    }
}
