//! HTTP exchanges that were recorded one by one: which of them are MCP, to which session they belong, and in which order their parts
//! were seen.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

use mcp_assay::syntax::{Node, Tape, scan};
use mcp_assay::{Direction, Limits, method_named};
use memchr::memmem;

use super::broken::{Broken, Lost};
use super::fidelity::{Missing, Reading};
use super::http::{RequestHead, ResponseHead};
use super::order::{Item, Part, order};
use super::record::{Content, Event, Payload, Record, Sink};
use super::sessions::{self, endpoint};
use super::sse;

/// A request and what answered it.
pub(super) struct Exchange<'a> {
    pub(super) line: u64,
    /// When it began, in seconds.
    pub(super) start: Option<f64>,
    /// Seconds until the head of the response.
    pub(super) head_after: f64,
    /// Seconds until the end of the response.
    pub(super) duration: f64,
    pub(super) url: Cow<'a, str>,
    pub(super) request: RequestHead<'a>,
    pub(super) request_body: Option<Payload<'a>>,
    pub(super) response: Option<ResponseHead<'a>>,
    pub(super) response_body: Option<Payload<'a>>,
    /// The response had a body that was not recorded.
    pub(super) body_lost: bool,
    /// The messages in the request.
    pub(super) sent: Vec<Label>,
    /// The events of a streamed response.
    pub(super) events: Vec<Event<'static>>,
    /// The recording ends within an event.
    pub(super) cut: bool,
}

/// How a message takes part in a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// The id, as it is spelt.
    pub(super) id: Option<Vec<u8>>,
    /// The method.
    pub(super) method: Option<String>,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(line: u64, url: Cow<'a, str>) -> Self {
        Self {
            line,
            start: None,
            head_after: 0.0,
            duration: 0.0,
            url,
            request: RequestHead::default(),
            request_body: None,
            response: None,
            response_body: None,
            body_lost: false,
            sent: Vec::new(),
            events: Vec::new(),
            cut: false,
        }
    }

    /// Whether the request is of this method.
    pub(super) fn is(&self, method: &str) -> bool {
        let actual = self.request.method.as_deref();
        actual.is_some_and(|actual| actual.eq_ignore_ascii_case(method))
    }

    fn is_streamed(&self) -> bool {
        self.response.as_ref().is_some_and(|head| head.streamed)
    }

    /// Whether something in it is MCP beyond doubt; others speak JSON-RPC too.
    fn is_mcp(&self) -> bool {
        let headers = self.request.headers.0.iter();
        let mut names = headers.map(|(name, _)| name.as_bytes());
        names.any(|name| name.len() > 4 && name[..4].eq_ignore_ascii_case(b"mcp-"))
            || self.sent.iter().any(|message| {
                let method = message.method.as_deref();
                method.is_some_and(|method| method_named(method.as_bytes()).is_some())
            })
    }

    /// Looks into the bodies.
    fn look(&mut self) -> Result<(), Broken> {
        let mut buffer = Vec::new();
        if let Some(body) = &self.request_body {
            self.sent = labels(body.bytes(&mut buffer)?);
        }
        if self.is_streamed()
            && let Some(body) = self.response_body.take()
        {
            let found = sse::events(body.bytes(&mut buffer)?);
            (self.events, self.cut) = (found.whole, found.cut);
        } else if self.is_streamed() {
            self.body_lost = true;
        }
        Ok(())
    }
}

/// Gives out the exchanges that are MCP.
pub(super) fn deliver<S: Sink>(
    mut exchanges: Vec<Exchange<'_>>,
    reading: &mut Reading,
    sink: &mut S,
) -> io::Result<()> {
    // A preflight is the browser's, not the client's.
    exchanges.retain(|exchange| !exchange.is("OPTIONS"));
    let mut broken = Vec::new();
    for (index, exchange) in exchanges.iter_mut().enumerate() {
        if let Err(why) = exchange.look() {
            broken.push((index, why));
        }
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
    if exchanges.iter().any(|exchange| exchange.body_lost) {
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

/// Where MCP is spoken: the first HTTP transport answers at one address what is asked at another.
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

fn give<S: Sink>(
    item: Item,
    exchanges: &mut [Exchange<'_>],
    sessions: &[Option<String>],
    sink: &mut S,
) -> io::Result<()> {
    let exchange = &mut exchanges[item.exchange];
    let session = sessions[item.exchange].as_deref();
    let (direction, content) = match item.part {
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
            (Direction::ServerToClient, Content::Response(head, body))
        }
        Part::Event(index) => {
            let event = exchange.events[index].clone();
            (Direction::ServerToClient, Content::Event(event))
        }
        Part::End if exchange.cut => {
            return sink.lost(&Lost {
                line: exchange.line,
                session,
                direction: Some(Direction::ServerToClient),
                why: Broken::from("the recording of a stream ends within an event"),
            });
        }
        Part::End => (Direction::ServerToClient, Content::End),
    };
    sink.record(&Record {
        time: exchange.start.map(|start| match item.part {
            Part::Request => start,
            _ if item.time.is_finite() => item.time.max(start),
            _ => start + exchange.duration,
        }),
        exchange: i64::try_from(item.exchange + 1).ok(),
        direction: Some(direction),
        session: session.map(Cow::Borrowed),
        ..Record::new(exchange.line, content)
    })
}

/// The path of an address, with its query.
fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    rest.find(['/', '?']).map_or("/", |at| &rest[at..])
}

/// The messages in a body, or none if it has none.
pub(super) fn labels(body: &[u8]) -> Vec<Label> {
    if memmem::find(body, b"\"jsonrpc\"").is_none() {
        return Vec::new();
    }
    let mut tape = Tape::new();
    if scan(body, &Limits::DEFAULT.for_scan(), &mut tape).is_err() {
        return Vec::new();
    }
    let label = |message: Node<'_>| Label {
        id: message.get("id").map(|id| id.raw().to_vec()),
        method: message
            .get("method")
            .and_then(Node::text)
            .map(Cow::into_owned),
    };
    match tape.root(body) {
        Some(root) => {
            let batch: Vec<_> = root.items().map(label).collect();
            if batch.is_empty() {
                vec![label(root)]
            } else {
                batch
            }
        }
        None => Vec::new(),
    }
}
