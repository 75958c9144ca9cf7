//! Spans of requests that wait for their answer.

use std::collections::HashMap;

use mcp_assay::Direction;
use mcp_assay::syntax::{Kind, Node};
use opentelemetry::trace::Span as _;
use opentelemetry_sdk::trace::Span;

use super::attributes;
use super::clock::Seen;

/// Requests that wait at the same time; beyond that the oldest are dropped.
const MAX_OPEN: usize = 10_000;

/// The key of a request.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    session: Option<Box<str>>,
    /// The direction of the request.
    direction: Direction,
    /// The id; a text and a number of the same letters are different ids.
    id: (bool, Box<str>),
}

impl Key {
    pub(super) fn new(session: Option<&str>, direction: Direction, id: Node<'_>) -> Self {
        let is_text = id.kind() == Kind::String;
        let text = if is_text {
            id.text().unwrap_or_default().into_owned()
        } else {
            String::from_utf8_lossy(id.raw()).into_owned()
        };
        Self {
            session: session.map(Box::from),
            direction,
            id: (is_text, text.into()),
        }
    }
}

/// A span that has not ended.
pub(super) struct Open {
    pub(super) span: Span,
    begun: Seen,
    pub(super) is_tool_call: bool,
    /// The gravest verdict so far.
    pub(super) verdict: mcp_assay::Verdict,
}

impl Open {
    pub(super) fn new(span: Span, begun: Seen, is_tool_call: bool) -> Self {
        Self {
            span,
            begun,
            is_tool_call,
            verdict: mcp_assay::Verdict::Pass,
        }
    }

    /// Ends the span with the last message that belongs to it.
    pub(super) fn end(mut self, last: Seen) {
        attributes::verdict(&mut self);
        let end = self.begun.end(last);
        self.span.end_with_timestamp(end);
    }

    fn give_up(mut self) {
        attributes::ended_as(&mut self.span, "unanswered");
        self.end(Seen::now());
    }
}

/// The spans that have not ended.
#[derive(Default)]
pub(super) struct OpenSpans {
    known: HashMap<Key, Entry>,
    /// The last request of an HTTP exchange.
    exchanges: HashMap<i64, Key>,
    count: u64,
}

struct Entry {
    open: Open,
    exchange: Option<i64>,
    number: u64,
}

impl OpenSpans {
    pub(super) fn insert(&mut self, key: Key, open: Open, exchange: Option<i64>) {
        if self.known.len() >= MAX_OPEN {
            self.make_room();
        }
        // An id that is used twice: the first request can no longer be distinguished from the
        // second.
        if let Some(before) = self.take(&key) {
            before.give_up();
        }
        self.count += 1;
        if let Some(exchange) = exchange {
            self.exchanges.insert(exchange, key.clone());
        }
        let entry = Entry {
            open,
            exchange,
            number: self.count,
        };
        self.known.insert(key, entry);
    }

    pub(super) fn take(&mut self, key: &Key) -> Option<Open> {
        let entry = self.known.remove(key)?;
        if let Some(exchange) = entry.exchange
            && self.exchanges.get(&exchange) == Some(key)
        {
            self.exchanges.remove(&exchange);
        }
        Some(entry.open)
    }

    /// The last request of an HTTP exchange.
    pub(super) fn of_exchange(&mut self, exchange: i64) -> Option<&mut Open> {
        let key = self.exchanges.get(&exchange)?;
        Some(&mut self.known.get_mut(key)?.open)
    }

    pub(super) fn take_of_exchange(&mut self, exchange: i64) -> Option<Open> {
        let key = self.exchanges.get(&exchange)?.clone();
        self.take(&key)
    }

    pub(super) fn end_session(&mut self, session: Option<&str>) {
        self.give_up(|key, _| key.session.as_deref() == session);
    }

    pub(super) fn end_all(&mut self) {
        self.give_up(|_, _| true);
    }

    /// Drops a sixteenth, the oldest, so that this happens seldom.
    fn make_room(&mut self) {
        let mut numbers: Vec<u64> = self.known.values().map(|entry| entry.number).collect();
        let count = (numbers.len() / 16).max(1);
        let (_, last, _) = numbers.select_nth_unstable(count - 1);
        let last = *last;
        self.give_up(|_, entry| entry.number <= last);
    }

    fn give_up(&mut self, pick: impl Fn(&Key, &Entry) -> bool) {
        let picked: Vec<Key> = self
            .known
            .iter()
            .filter(|(key, entry)| pick(key, entry))
            .map(|(key, _)| key.clone())
            .collect();
        for key in picked {
            if let Some(open) = self.take(&key) {
                open.give_up();
            }
        }
    }
}
