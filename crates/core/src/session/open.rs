//! Requests that wait for an answer.

mod index;

use core::cmp::Ordering;
use core::fmt::Write as _;
use core::ops::{Deref, DerefMut};

use self::index::Index;
pub(crate) use self::index::Tally;
use super::request_data::RequestData;
use super::{Key, Moment, Reply};
use crate::Revision;
use crate::envelope::{Envelope, Member};
use crate::exchange::Exchange;
use crate::model::Method;
use crate::syntax::{Kind, Node, Token};

/// A request that waits for an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenRequest {
    id: Id,
    /// The text of an id that is not a number; the buffer is reused.
    text: Vec<u8>,
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
    data: Option<Box<RequestData>>,
}

/// An id by value and type: `1` and `"1"` are two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
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
        if let Some(digits) = message.known_id() {
            return Some(Self::Digits(digits));
        }
        let token = message.token(Member::Id)?;
        match short_digits(*token, message.bytes()) {
            Some(digits) => Some(Self::Digits(digits)),
            None => Some(Self::unusual(message)),
        }
    }

    fn of_node(id: Node<'_>) -> Self {
        match short_digits(id.token(), id.bytes()) {
            Some(digits) => Self::Digits(digits),
            None => Self::unusual_node(id),
        }
    }

    #[inline(never)]
    fn unusual(message: &Envelope<'_>) -> Self {
        message.id().map_or(Self::Other, Self::unusual_node)
    }

    fn unusual_node(id: Node<'_>) -> Self {
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
            Id::Text => json_text(&String::from_utf8_lossy(&self.text)),
            _ => self.id_text(),
        }
    }

    fn id_text(&self) -> String {
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

    fn has_text(&self, id: Node<'_>) -> bool {
        match self.id {
            Id::Digits(_) | Id::Number(_) => true,
            Id::Text => id.compare_text(&self.text).is_some_and(Ordering::is_eq),
            Id::Other => id.raw() == self.text,
        }
    }

    #[cold]
    fn copy_unknown_method(&mut self, request: &Exchange<'_>) {
        let unknown = request.method_node().filter(|_| request.method.is_none());
        let name = unknown.and_then(Node::plain);
        self.unknown_method = name.map(|name| String::from_utf8_lossy(name).into());
    }

    #[inline(never)]
    fn copy_text(&mut self, message: &Envelope<'_>) {
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

/// A text as a JSON string.
fn json_text(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\u{1f}' => {
                // Writing to a string does not fail.
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}

/// The open requests of one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenRequests {
    /// The first `len` are open; the rest were answered, and their buffers are reused.
    requests: Vec<OpenRequest>,
    len: usize,
    /// Their positions by id and other keys, while there are more than `MAX_UNINDEXED`.
    index: Option<Box<Index>>,
}

/// A request that was added.
pub(super) struct Inserted {
    /// Its position.
    pub(super) position: usize,
    /// The request that was dropped for it, and may still be answered.
    pub(super) drops: Option<Dropped>,
}

/// A request that was dropped for another.
#[derive(Clone, Copy)]
pub(super) enum Dropped {
    /// One with the same id.
    SameId,
    /// Any other, at the limit.
    Other,
}

/// The number of answered requests whose buffers are kept for reuse.
const MAX_SPARE: usize = 8;

/// The number of open requests up to which a linear search is used.
const MAX_UNINDEXED: usize = 32;

/// A request that may be changed; on drop the index is updated.
pub(crate) struct RequestMut<'o> {
    open: &'o mut OpenRequests,
    position: usize,
}

impl Deref for RequestMut<'_> {
    type Target = OpenRequest;

    #[inline]
    fn deref(&self) -> &OpenRequest {
        // Only `OpenRequests::get_mut` makes one, for an existing request.
        &self.open.requests[self.position]
    }
}

impl DerefMut for RequestMut<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut OpenRequest {
        &mut self.open.requests[self.position]
    }
}

impl Drop for RequestMut<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.open.index.is_some() {
            self.open.reindex(self.position);
        }
    }
}

impl OpenRequests {
    /// Adds a request. At the limit another one is dropped for it; of two requests with one id the
    /// newer one is tracked.
    #[inline(always)]
    pub(super) fn insert(
        &mut self,
        request: &Exchange<'_>,
        now: impl Fn() -> Moment,
        max_open: usize,
    ) -> Option<Inserted> {
        let id = Id::of(&request.envelope)?;
        // Null means that there is no id.
        if id == Id::Other && request.envelope.id().map(Node::kind) == Some(Kind::Null) {
            return None;
        }
        let (position, mut drops) = match self.position(id, &request.envelope) {
            Some(same) => (same, Some(Dropped::SameId)),
            None => self.new_place(max_open),
        };
        let waiting = self.requests.get_mut(position)?;
        // A request that HTTP refused gets no answer.
        if drops.is_some() && waiting.data.is_some() && waiting.was_refused() {
            drops = None;
        }
        waiting.id = id;
        waiting.method = request.method;
        waiting.revision = Some(request.revision);
        waiting.sent = now();
        waiting.cancelled = None;
        if let Some(data) = &mut waiting.data {
            **data = RequestData::default();
        }
        if matches!(id, Id::Text | Id::Other) {
            waiting.copy_text(&request.envelope);
        }
        if request.method.is_none() || waiting.unknown_method.is_some() {
            waiting.copy_unknown_method(request);
        }
        if self.len > MAX_UNINDEXED / 2 {
            self.reindex(position);
        }
        Some(Inserted { position, drops })
    }

    /// The position for one more; at the limit it is that of another.
    #[inline(never)]
    fn new_place(&mut self, max_open: usize) -> (usize, Option<Dropped>) {
        if self.len >= max_open.max(1) {
            return (0, Some(Dropped::Other));
        }
        if self.len >= self.requests.len() {
            self.requests.push(OpenRequest::default());
        }
        self.len += 1;
        (self.len - 1, None)
    }

    /// Updates the index for a new or changed request, if there is an index.
    #[cold]
    fn reindex(&mut self, position: usize) {
        let waiting = self.requests.get(..self.len).unwrap_or_default();
        match &mut self.index {
            Some(index) => {
                if let Some(request) = waiting.get(position) {
                    index.update(position, request);
                }
            }
            None if waiting.len() > MAX_UNINDEXED => {
                self.index = Some(Box::new(Index::of(waiting)));
            }
            None => {}
        }
    }

    /// Lends out the request that was removed last.
    pub(super) fn take_removed(&mut self) -> OpenRequest {
        let len = self.len;
        self.requests
            .get_mut(len)
            .map(core::mem::take)
            .unwrap_or_default()
    }

    /// Takes the buffers of a lent request back.
    pub(super) fn put_back(&mut self, removed: OpenRequest) {
        let len = self.len;
        if let Some(place) = self.requests.get_mut(len) {
            *place = removed;
        }
    }

    /// The request at a position.
    pub(super) fn get_mut(&mut self, position: usize) -> Option<RequestMut<'_>> {
        (position < self.len).then_some(RequestMut {
            open: self,
            position,
        })
    }

    /// The request with this id.
    pub(super) fn with_id(&self, id: Node<'_>) -> Option<usize> {
        let Some(index) = &self.index else {
            return self.waiting().iter().position(|request| request.has_id(id));
        };
        let position = match Id::of_node(id) {
            Id::Text => {
                let mut text = Vec::new();
                id.text_into(&mut text);
                index.with_id(Id::Text, &text)
            }
            Id::Other => index.with_id(Id::Other, id.raw()),
            number => index.with_id(number, &[]),
        };
        position.filter(|position| self.get(*position).is_some_and(|found| found.has_id(id)))
    }

    /// The request whose id differs only in its JSON type.
    pub(super) fn with_id_of_other_type(&self, id: Node<'_>) -> Option<usize> {
        let Some(index) = &self.index else {
            let mut waiting = self.waiting().iter();
            return waiting.position(|request| request.has_id_of_other_type(id));
        };
        let position = match id.kind() {
            Kind::Number => index.with_id(Id::Text, id.raw()),
            Kind::String => {
                let value: i64 = id.text()?.parse().ok()?;
                let number = match value {
                    0..=99_999_999 => Id::Digits(digits_of(value)),
                    _ => Id::Number(value),
                };
                index.with_id(number, &[])
            }
            _ => None,
        };
        position.filter(|position| {
            self.get(*position)
                .is_some_and(|found| found.has_id_of_other_type(id))
        })
    }

    /// The requests with a progress token.
    pub(super) fn with_token(&self, token: Key) -> impl Iterator<Item = &OpenRequest> {
        let listed = self.index.as_ref().map(|index| index.with_token(token));
        self.at_or_all(listed).filter(move |request| {
            request
                .data()
                .is_some_and(|data| data.progress == Some(token))
        })
    }

    /// The requests of an HTTP exchange.
    pub(super) fn in_exchange(&self, exchange: i64) -> impl Iterator<Item = &OpenRequest> {
        let index = self.index.as_ref();
        let listed = index.map(|index| index.in_exchange(exchange));
        self.at_or_all(listed)
            .filter(move |request| request.sent.exchange == Some(exchange))
    }

    /// The position of the first request of an HTTP exchange.
    pub(super) fn first_in_exchange(&self, exchange: i64) -> Option<usize> {
        match &self.index {
            Some(index) => {
                let listed = index.in_exchange(exchange).iter().min();
                listed.map(|position| *position as usize)
            }
            None => {
                let mut waiting = self.waiting().iter();
                waiting.position(|request| request.sent.exchange == Some(exchange))
            }
        }
    }

    /// Whether one of them declares that it belongs to a task.
    pub(super) fn has_related(&self, task: Key) -> bool {
        match &self.index {
            Some(index) => index.has_related(task),
            None => {
                let related = |request: &OpenRequest| request.data()?.related_task;
                let mut waiting = self.waiting().iter();
                waiting.any(|request| related(request) == Some(task))
            }
        }
    }

    /// Their methods that the model has; each once if there are many.
    pub(super) fn methods(&self) -> impl Iterator<Item = Option<&'static str>> {
        let few = match self.index {
            Some(_) => &[],
            None => self.waiting(),
        };
        let many = self.index.iter().flat_map(|index| index.methods());
        few.iter().map(OpenRequest::method_name).chain(many)
    }

    /// The number of requests with each property that rules use.
    pub(super) fn tally(&self) -> Tally {
        match &self.index {
            Some(index) => index.tally(),
            None => Tally::of(self.waiting()),
        }
    }

    /// The requests at some positions; all without positions.
    fn at_or_all<'o>(&'o self, listed: Option<&'o [u32]>) -> impl Iterator<Item = &'o OpenRequest> {
        let all = match listed {
            Some(_) => &[],
            None => self.waiting(),
        };
        let listed = listed.unwrap_or_default().iter();
        listed
            .filter_map(|position| self.get(*position as usize))
            .chain(all)
    }

    /// Removes the request at a position that [`OpenRequests::find`] returned.
    #[inline(always)]
    pub(super) fn remove(&mut self, position: usize) {
        let Some(last) = self.len.checked_sub(1).filter(|last| position <= *last) else {
            return;
        };
        if self.index.is_some() {
            self.unindex(position);
        }
        if position < last {
            self.requests.swap(position, last);
        }
        self.len = last;
        self.requests.truncate(last + MAX_SPARE);
    }

    #[cold]
    fn unindex(&mut self, position: usize) {
        // Hysteresis: the index is not dropped at once, so that the next request does not rebuild
        // it.
        if self.len <= MAX_UNINDEXED / 2 {
            self.index = None;
        } else if let Some(index) = &mut self.index {
            index.swap_remove(position);
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The position of the request that a message answers, by value and type of the id.
    #[inline(always)]
    pub(super) fn find(&self, answer: &Envelope<'_>) -> Option<usize> {
        self.position(Id::of(answer)?, answer)
    }

    #[inline(always)]
    pub(super) fn get(&self, position: usize) -> Option<&OpenRequest> {
        self.waiting().get(position)
    }

    #[inline(always)]
    fn position(&self, id: Id, message: &Envelope<'_>) -> Option<usize> {
        match id {
            Id::Digits(_) if self.index.is_none() => {
                self.waiting().iter().position(|request| request.id == id)
            }
            _ => self.unusual_position(id, message),
        }
    }

    #[inline(never)]
    fn unusual_position(&self, id: Id, message: &Envelope<'_>) -> Option<usize> {
        let node = message.id()?;
        if self.index.is_some() {
            return self.with_id(node);
        }
        self.waiting()
            .iter()
            .position(|request| request.id == id && request.has_text(node))
    }

    /// The open requests.
    #[inline(always)]
    pub(super) fn waiting(&self) -> &[OpenRequest] {
        self.requests.get(..self.len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Limits;
    use crate::syntax::{Tape, scan};

    fn id(text: &str) -> Id {
        let message = format!(r#"{{"jsonrpc":"2.0","id":{text},"result":{{}}}}"#);
        let mut tape = Tape::new();
        scan(message.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
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

    #[test]
    fn many_are_found_as_few_are() {
        let mut open = OpenRequests::default();
        let request = |id: &str, work: &mut dyn FnMut(&Exchange<'_>)| {
            let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            let mut tape = Tape::new();
            scan(message.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
            let mut exchange = Exchange::of(tape.root(message.as_bytes()).expect("a value"));
            exchange.envelope.find_members(tape.head());
            work(&exchange);
        };
        let id = |number: i64| match number % 3 {
            0 => format!("{number}"),
            1 => format!("\"{number}\""),
            _ => format!("-{number}000000000"),
        };
        for number in 0..300 {
            request(&id(number), &mut |exchange| {
                let inserted = open.insert(exchange, Moment::default, 1000);
                let mut waiting = open
                    .get_mut(inserted.expect("an id").position)
                    .expect("is there");
                waiting.data_mut().progress = Some(Key::Number(number % 50));
                waiting.data_mut().faulty = number % 7 == 0;
            });
        }
        for number in (0..300).rev().step_by(2) {
            request(&id(number), &mut |exchange| {
                let position = open.find(&exchange.envelope).expect("it is open");
                open.remove(position);
                assert!(open.find(&exchange.envelope).is_none(), "{number}");
            });
        }
        for number in 0..300 {
            request(&id(number), &mut |exchange| {
                let found = open.find(&exchange.envelope);
                assert_eq!(found.is_some(), number % 2 == 0, "{number}");
                let node = exchange.envelope.id().expect("an id");
                assert_eq!(open.with_id(node), found, "{number}");
            });
        }
        request("\"6\"", &mut |exchange| {
            let node = exchange.envelope.id().expect("an id");
            let other = open.with_id_of_other_type(node);
            assert!(other.is_some() && open.with_id(node).is_none());
        });
        assert!(open.index.is_some());
        assert_eq!(open.tally(), Tally::of(open.waiting()));
        assert!(open.methods().eq([None]));
        for token in 0..50 {
            let token = Key::Number(token);
            let given =
                |request: &&OpenRequest| request.data().expect("set").progress == Some(token);
            let all = open.waiting().iter().filter(given).count();
            assert_eq!(open.with_token(token).count(), all);
        }
        while open.len() > 0 {
            open.remove(0);
        }
        assert!(open.index.is_none());
    }
}
