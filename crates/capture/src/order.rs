//! The order in which parts of HTTP exchanges were seen.
//!
//! An archive has the times of requests and responses. Of a stream it has no more than the times of
//! its beginning and its end, while its events came in between. Those that answer a `POST` are put
//! at its head: what they refer to was sent by then. Those of a `GET` tell by their ids: an answer
//! comes after the request that it answers, a request before the answer to it.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::exchange::{Exchange, labels};

/// A part of an exchange, at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The index of the exchange.
    pub(super) exchange: usize,
    /// The part of it.
    pub(super) part: Part,
    /// The time when it was seen; without end if that is not known.
    pub(super) time: f64,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Request,
    Response,
    Event(usize),
    End,
}

/// A position: by its time, then by the exchange that it stands next to, then by what
/// it is.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    time: f64,
    exchange: usize,
    step: u8,
}

const BEFORE_REQUEST: u8 = 0;
const REQUEST: u8 = 1;
const RESPONSE: u8 = 2;
const AFTER_RESPONSE: u8 = 3;

impl Place {
    const LAST: Self = Self {
        time: f64::INFINITY,
        exchange: usize::MAX,
        step: AFTER_RESPONSE,
    };

    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then(self.exchange.cmp(&other.exchange))
            .then(self.step.cmp(&other.step))
    }

    fn max(self, other: Self) -> Self {
        if self.cmp(&other) == Ordering::Less {
            other
        } else {
            self
        }
    }
}

/// The parts of all exchanges, in order.
pub(super) fn order(exchanges: &[Exchange<'_>], sessions: &[Option<String>]) -> Vec<Item> {
    let anchors = Anchors::new(exchanges, sessions);
    let mut items = Vec::new();
    for (index, exchange) in exchanges.iter().enumerate() {
        let start = exchange.start.unwrap_or_default();
        let mut push = |part, place: Place| {
            items.push(Item {
                exchange: index,
                part,
                time: place.time,
                place,
            });
        };
        push(Part::Request, place(start, index, REQUEST));
        let Some(response) = &exchange.response else {
            continue;
        };
        if !response.streamed {
            let end = start + exchange.duration;
            push(Part::Response, place(end, index, RESPONSE));
            continue;
        }
        let mut head = place(start + exchange.head_after, index, RESPONSE);
        push(Part::Response, head);
        head.step = AFTER_RESPONSE;
        if exchange.is("GET") {
            let places = anchors.places(exchange, sessions[index].as_deref(), head);
            for (number, place) in places.into_iter().enumerate() {
                push(Part::Event(number), place);
            }
            if exchange.cut {
                push(Part::End, Place::LAST);
            }
            // Nobody knows whether the stream ended or only its recording did.
            continue;
        }
        for number in 0..exchange.events.len() {
            push(Part::Event(number), head);
        }
        if !exchange.body_lost {
            push(Part::End, head);
        }
    }
    // Stable: events of one stream stay in their order.
    items.sort_by(|a, b| a.place.cmp(&b.place));
    items
}

fn place(time: f64, exchange: usize, step: u8) -> Place {
    Place {
        time,
        exchange,
        step,
    }
}

/// The place where the messages of clients stand, by session and id.
struct Anchors<'s>(HashMap<(Option<&'s str>, Vec<u8>, Kind), Place>);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Request,
    Answer,
}

impl<'s> Anchors<'s> {
    fn new(exchanges: &[Exchange<'_>], sessions: &'s [Option<String>]) -> Self {
        let mut anchors = HashMap::new();
        for (index, exchange) in exchanges.iter().enumerate() {
            let start = exchange.start.unwrap_or_default();
            for message in &exchange.sent {
                let Some(id) = message.id.clone() else {
                    continue;
                };
                let (kind, place) = match message.method {
                    Some(_) => (
                        Kind::Request,
                        place(start + exchange.duration, index, AFTER_RESPONSE),
                    ),
                    None => (Kind::Answer, place(start, index, BEFORE_REQUEST)),
                };
                anchors
                    .entry((sessions[index].as_deref(), id, kind))
                    .or_insert(place);
            }
        }
        Self(anchors)
    }

    /// The place where the events of a stream stand that begins at `head`.
    fn places(&self, exchange: &Exchange<'_>, session: Option<&'s str>, head: Place) -> Vec<Place> {
        let mut buffer = Vec::new();
        let mut places = vec![head; exchange.events.len()];
        // A message without a place of its own stands before the one that follows it.
        let mut next = Place::LAST;
        for (place, event) in places.iter_mut().zip(&exchange.events).rev() {
            let Some(data) = event.message() else {
                continue;
            };
            let messages = data.bytes(&mut buffer).map(labels).unwrap_or_default();
            let anchor = messages.into_iter().find_map(|message| {
                let kind = if message.method.is_some() {
                    Kind::Answer
                } else {
                    Kind::Request
                };
                self.0.get(&(session, message.id?, kind)).copied()
            });
            next = anchor.unwrap_or(next);
            *place = next;
        }
        let mut least = head;
        for place in &mut places {
            *place = place.max(least);
            least = *place;
        }
        places
    }
}
