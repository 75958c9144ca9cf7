//! Requests that wait for an answer.

mod index;
mod request;

use core::ops::{Deref, DerefMut};
use std::collections::BTreeSet;

use self::index::Index;
pub(crate) use self::index::Tally;
pub(crate) use self::request::OpenRequest;
use self::request::{Id, digits_of};
use super::request_data::RequestData;
use super::{Key, Moment};
use crate::envelope::Envelope;
use crate::exchange::Exchange;
use crate::syntax::{Kind, Node};

/// The open requests of one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenRequests {
    /// The first `len` are open; the rest were answered, and their buffers are reused.
    requests: Vec<OpenRequest>,
    len: usize,
    /// Their positions by id and other keys, while there are more than `MAX_UNINDEXED`.
    index: Option<Box<Index>>,
    /// The number of them that were cancelled. They may still be answered, but need not be.
    cancelled: usize,
    /// The position from which the next cancelled one is searched.
    hand: u32,
    /// Whether there ever were more than the limit.
    over_limit: bool,
}

/// A request that was added.
pub(super) struct Inserted {
    /// Its position.
    pub(super) position: usize,
    /// The request that was dropped for it, and may still be answered.
    pub(super) drops: Option<Dropped>,
    /// Whether that one was cancelled, and dropped because there are too many of its kind.
    pub(super) drops_cancelled: bool,
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
    was_cancelled: bool,
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
        if self.cancelled.is_some() != self.was_cancelled {
            self.open.count_cancelled(self.was_cancelled);
        }
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
        let before = self.cancelled;
        let (position, mut drops) = match self.position(id, &request.envelope) {
            Some(same) => (same, Some(Dropped::SameId)),
            None => self.new_place(max_open),
        };
        let waiting = self.requests.get_mut(position)?;
        // A request that HTTP refused gets no answer.
        if drops.is_some() && waiting.cancelled.is_some() {
            self.cancelled -= 1;
        }
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
        Some(Inserted {
            position,
            drops,
            drops_cancelled: before > self.cancelled && before >= max_open.max(1),
        })
    }

    /// The position for one more; at the limit it is that of another.
    #[inline(never)]
    fn new_place(&mut self, max_open: usize) -> (usize, Option<Dropped>) {
        let limit = max_open.max(1);
        if self.len - self.cancelled >= limit {
            return (0, Some(Dropped::Other));
        }
        if self.cancelled >= limit {
            return (self.next_cancelled(), Some(Dropped::Other));
        }
        if self.requests.capacity() == 0 {
            // Most sessions have one at a time, and there may be a million sessions.
            self.requests.reserve_exact(1);
        }
        if self.len >= self.requests.len() {
            self.requests.push(OpenRequest::default());
        }
        self.len += 1;
        (self.len - 1, None)
    }

    /// The position of a cancelled request, in turns. There are at least as many of them as of
    /// others.
    #[cold]
    fn next_cancelled(&mut self) -> usize {
        for _ in 0..self.len {
            self.hand = (self.hand + 1) % self.len as u32;
            let request = self.requests.get(self.hand as usize);
            if request.is_some_and(|request| request.cancelled.is_some()) {
                break;
            }
        }
        self.hand as usize
    }

    /// Counts a request that was cancelled, or is not any more.
    #[cold]
    fn count_cancelled(&mut self, was_cancelled: bool) {
        if was_cancelled {
            self.cancelled -= 1;
        } else {
            self.cancelled += 1;
        }
    }

    /// Tracks that the limit is exceeded, and was reported.
    #[cold]
    pub(super) fn exceed_limit(&mut self) {
        self.over_limit = true;
    }

    /// Releases the buffers that are held for reuse.
    pub(super) fn release(&mut self) {
        self.requests.truncate(self.len);
        self.requests.shrink_to_fit();
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
        let was_cancelled = self.get(position)?.cancelled.is_some();
        Some(RequestMut {
            open: self,
            position,
            was_cancelled,
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
                let listed = index.in_exchange(exchange).first();
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
    fn at_or_all<'o>(
        &'o self,
        listed: Option<&'o BTreeSet<u32>>,
    ) -> impl Iterator<Item = &'o OpenRequest> {
        let all = match listed {
            Some(_) => &[],
            None => self.waiting(),
        };
        let listed = listed.into_iter().flatten();
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
        let removed = self.requests.get(position);
        if removed.is_some_and(|removed| removed.cancelled.is_some()) {
            self.cancelled -= 1;
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

    /// Whether one more exceeds the limit for the first time.
    #[inline(always)]
    pub(super) fn reaches(&self, limit: usize) -> bool {
        self.len >= limit && self.len - self.cancelled >= limit && !self.over_limit
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
