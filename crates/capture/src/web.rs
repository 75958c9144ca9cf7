//! HTTP exchanges that were recorded one by one: which of them are MCP, to which session they
//! belong, and in which order their parts were seen.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

use mcp_assay::Direction;

use super::broken::{Broken, Lost};
use super::coding::MAX_DECODED;
use super::exchange::Exchange;
use super::fidelity::{Missing, Reading};
use super::order::{Item, Part, order};
use super::record::{Content, Gap, Record, Sink};
use super::sessions::{self, endpoint};

/// Gives out the exchanges that are MCP.
pub(super) fn deliver(
    mut exchanges: Vec<Exchange<'_>>,
    reading: &mut Reading,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    // A preflight is the browser's, not the client's.
    exchanges.retain(|exchange| !exchange.is("OPTIONS"));
    let mut broken = Vec::new();
    let mut budget = MAX_DECODED;
    for (index, exchange) in exchanges.iter_mut().enumerate() {
        if let Err(why) = exchange.look(&mut budget) {
            broken.push((index, why));
        }
    }
    let is_silent = |exchange: &Exchange<'_>| !exchange.has_body();
    if exchanges.iter().any(|exchange| exchange.is("POST")) && exchanges.iter().all(is_silent) {
        let why = "no body was recorded, so no message can be checked: export it with its content";
        sink.lost(&Lost::at(1, why))?;
    }
    let endpoints = endpoints(&exchanges);
    for (index, why) in broken {
        let exchange = &exchanges[index];
        if endpoints.contains(endpoint(&exchange.url)) {
            sink.lost(&Lost::at(exchange.line, why))?;
        }
    }
    exchanges.retain(|exchange| endpoints.contains(endpoint(&exchange.url)));
    exchanges.sort_by(|a, b| {
        let start = |exchange: &Exchange<'_>| exchange.start.unwrap_or_default();
        start(a).total_cmp(&start(b))
    });
    if exchanges
        .iter()
        .any(|exchange| exchange.body_lost || exchange.request_lost)
    {
        reading.lacks(Missing::Bodies);
    }
    if exchanges
        .iter()
        .any(|exchange| exchange.is("GET") && exchange.events.iter().any(|e| e.message().is_some()))
    {
        reading.lacks(Missing::Order);
    }
    let sessions = sessions::assign(&exchanges);
    for item in order(&exchanges, &sessions) {
        give(item, &mut exchanges, &sessions, sink)?;
    }
    Ok(())
}

/// The addresses of MCP: the first HTTP transport answers at one what is asked at another.
fn endpoints(exchanges: &[Exchange<'_>]) -> HashSet<String> {
    let mut found = HashSet::new();
    for exchange in exchanges {
        let announced = exchange
            .events
            .iter()
            .find_map(|event| sessions::announced(event, &exchange.url));
        if exchange.is_mcp() || announced.is_some() {
            found.insert(endpoint(&exchange.url).to_owned());
        }
        found.extend(announced.map(|url| endpoint(&url).to_owned()));
    }
    found
}

fn give(
    item: Item,
    exchanges: &mut [Exchange<'_>],
    sessions: &[Option<String>],
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let exchange = &mut exchanges[item.exchange];
    let session = sessions[item.exchange].as_deref();
    // No rule may conclude anything from a body that was not recorded.
    let is_gap = match item.part {
        Part::Request => exchange.request_lost,
        Part::Response => exchange.body_lost,
        Part::Event(_) | Part::End => false,
    };
    let (direction, content) = match item.part {
        Part::Request if exchange.request_lost => (Direction::ClientToServer, Content::Nothing),
        Part::Request => {
            let mut head = std::mem::take(&mut exchange.request);
            head.path = Some(Cow::Owned(path(&exchange.url).to_owned()));
            let body = exchange.request_body.take();
            (Direction::ClientToServer, Content::Request(head, body))
        }
        Part::Response => {
            let Some(head) = exchange.response.take() else {
                return Ok(());
            };
            let body = exchange.response_body.take();
            let content = match body {
                // An answer to something unknown: only the message itself can be checked.
                Some(body) if exchange.request_lost => Content::Message(body),
                None if exchange.request_lost => Content::Nothing,
                body => Content::Response(head, body),
            };
            (Direction::ServerToClient, content)
        }
        Part::Event(index) => {
            let event = exchange.events[index].clone();
            let content = match event.message() {
                Some(message) if exchange.request_lost => Content::Message(message.clone()),
                None if exchange.request_lost => return Ok(()),
                _ => Content::Event(event),
            };
            (Direction::ServerToClient, content)
        }
        Part::End if exchange.cut => {
            return sink.lost(&Lost {
                line: exchange.line,
                session,
                direction: Some(Direction::ServerToClient),
                why: Broken::from("the recording of a stream ends within an event"),
            });
        }
        Part::End => (Direction::ServerToClient, Content::End { by: None }),
    };
    sink.record(&Record {
        time: exchange.start.map(|start| match item.part {
            Part::Request => start,
            _ if item.time.is_finite() => item.time.max(start),
            _ => start + exchange.duration,
        }),
        exchange: i64::try_from(item.exchange + 1)
            .ok()
            .filter(|_| !exchange.request_lost),
        direction: Some(direction),
        session: session.map(Cow::Borrowed),
        gap: is_gap.then_some(Gap::Before),
        ..Record::new(exchange.line, content)
    })
}

/// The path of an address, with its query.
fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    rest.find(['/', '?']).map_or("/", |at| &rest[at..])
}
