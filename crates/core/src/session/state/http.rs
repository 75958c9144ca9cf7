//! Tracks HTTP exchanges: the posted messages, the answers on each stream, and the transport in use
//! (2024-11-05 or Streamable HTTP).

mod endpoints;
mod events;
mod exchange;
mod hooks;

use std::collections::{BTreeMap, VecDeque};
use std::hash::{BuildHasher, Hash};

use self::endpoints::Endpoints;
use self::events::EventIds;
use self::exchange::{Exchange, Posted, Verb};
pub(super) use self::hooks::{HOOKS, HTTP_HOOKS};
use crate::frame::{Frame, Headers, Http, Part};
use crate::model::Fact;
use crate::session::lazy::{Lazy, unused};
use crate::session::message::{Message, Transfer};
use crate::session::{Moment, OpenRequest, Seed, Session};
use crate::syntax::Node;
use crate::{Direction, Revision};

/// The state of HTTP exchanges.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct HttpMemory {
    /// Exchanges that are not finished, or whose stream may be resumed.
    exchanges: Lazy<BTreeMap<i64, Exchange>>,
    pub(crate) endpoints: Endpoints,
    events: Lazy<EventIds>,
    /// Recent notifications of servers, to detect those that are sent twice.
    recent: Lazy<VecDeque<Recent>>,
    /// The number of sessions without an id.
    opened: u64,
    /// Whether any message was posted.
    posted: bool,
    /// Whether a client whose message was refused opened a stream, to receive an `endpoint` event.
    seeks: bool,
    /// Whether the client ended its session.
    closing: bool,
    /// Whether a server never sent an `endpoint` event, so that its requests cannot be answered.
    pub(crate) unreachable: bool,
    /// Whether streams without an initial event were reported.
    pub(crate) reported_unprimed: bool,
    seed: Seed,
}

unused!(BTreeMap<i64, Exchange>, EventIds, VecDeque<Recent>);

/// A notification that a server sent.
#[derive(Clone, Debug)]
struct Recent {
    text: u64,
    exchange: i64,
    sent: Moment,
    /// The number of messages that the client had sent until then.
    spoken: u64,
}

impl HttpMemory {
    /// Releases memory that is held for reuse.
    pub(super) fn release(&mut self) {
        if self.exchanges.is_empty() {
            self.exchanges = Lazy::default();
        }
        if let Some(recent) = self.recent.used_mut() {
            recent.shrink_to_fit();
        }
        self.endpoints.release();
    }

    /// The revision that the use of HTTP shows, if no message has named one: only the transport of
    /// 2024-11-05 has `endpoint` events.
    pub(crate) fn revision(&self, frame: &Frame<'_>) -> Option<Revision> {
        let opens = frame.http.is_some_and(|http| self.names_endpoint(http));
        (opens || self.has_two_endpoints())
            .then(|| Revision::latest_with(Fact::HttpTwoEndpoints))
            .flatten()
    }

    /// Whether the transport of 2024-11-05 is in use, under any revision.
    pub(crate) fn has_two_endpoints(&self) -> bool {
        self.endpoints.has_two()
    }

    /// Whether this request goes to a path that only an `endpoint` event of 2024-11-05 can have
    /// named, even if that event was not seen.
    pub(crate) fn goes_to_second_endpoint(&self, transfer: &Transfer<'_>) -> bool {
        let Part::Request {
            method: "POST",
            path,
            headers,
        } = transfer.http.part
        else {
            return false;
        };
        self.seeks
            && !self
                .endpoints
                .was_tried(self.endpoints.place(headers, path))
    }

    /// Whether this event is an `endpoint` event, which names the path to post to.
    pub(crate) fn names_endpoint(&self, http: &Http<'_>) -> bool {
        let name = match http.part {
            Part::Event { name, .. } => name,
            _ => None,
        };
        name == Some("endpoint")
            && self
                .exchange(http)
                .is_none_or(|exchange| exchange.listens() && exchange.events == 0)
    }

    /// The state of the exchange that a part belongs to.
    pub(crate) fn exchange(&self, http: &Http<'_>) -> Option<&Exchange> {
        self.exchanges.get(&http.exchange?)
    }

    /// Whether an exchange that was seen is over.
    pub(crate) fn is_over(&self, number: i64) -> bool {
        !self.exchanges.contains_key(&number)
    }

    /// The same, if it is an exchange of Streamable HTTP. A part without a message is checked under
    /// the last revision, which may belong to the other era if the server speaks both: such a part
    /// is skipped.
    pub(crate) fn streamable(&self, transfer: &Transfer<'_>) -> Option<&Exchange> {
        let stateless = transfer.revision.has(Fact::Stateless);
        self.exchange(transfer.http)
            .filter(|exchange| exchange.stateless == stateless && !self.has_two_endpoints())
    }

    /// The same, if a request was posted in it.
    pub(crate) fn asking(&self, transfer: &Transfer<'_>) -> Option<&Exchange> {
        self.streamable(transfer)
            .filter(|exchange| exchange.posts() && exchange.posted == Posted::Request)
    }

    /// Whether a request goes to an MCP endpoint, as far as is known.
    pub(crate) fn is_endpoint(&self, headers: Headers<'_>, path: &str) -> bool {
        !self.has_two_endpoints()
            && (headers.get("mcp-session-id").is_some()
                || self.endpoints.knows(self.endpoints.place(headers, path)))
    }

    /// Whether nothing was posted yet: only then can a stream belong to the transport of
    /// 2024-11-05.
    pub(crate) fn is_fresh(&self) -> bool {
        !self.posted
    }

    /// The exchange whose stream had an event of this id.
    pub(crate) fn with_event(&self, headers: Headers<'_>, id: &str) -> Option<&Exchange> {
        let stream = self.stream_with(self.realm(headers), id)?;
        self.exchanges.get(&stream)
    }

    /// The stream of the same session that first had an event of this id.
    pub(crate) fn stream_of(&self, exchange: &Exchange, id: &str) -> Option<i64> {
        self.stream_with(exchange.realm, id)
    }

    /// Whether an event is one that came before: it repeats the one before it with the same id, or
    /// a stream that the client listens to, mostly one that resumes another, delivers it again.
    pub(crate) fn is_repeated(&self, http: &Http<'_>, data: &[u8]) -> bool {
        let Some(event) = self.event(http, data) else {
            return false;
        };
        self.exchange(http).map_or_else(
            || self.events.has(event),
            |exchange| {
                exchange.last_event == Some(event) || (exchange.listens() && self.events.has(event))
            },
        )
    }

    fn event(&self, http: &Http<'_>, data: &[u8]) -> Option<u64> {
        match http.part {
            Part::Event { id: Some(id), .. } if !id.is_empty() => Some(self.hash((id, data))),
            _ => None,
        }
    }

    /// Whether a request of the exchange is open.
    pub(crate) fn waits(transfer: &Transfer<'_>, session: &Session) -> bool {
        waiting_in(session, transfer.http.exchange).next().is_some()
    }

    /// The request that is open although the stream of its exchange ends, unless the client is
    /// ending the session.
    pub(crate) fn cut_short<'s>(
        &self,
        transfer: &Transfer<'_>,
        session: &'s Session,
    ) -> Option<&'s OpenRequest> {
        let is_clear = self
            .exchange(transfer.http)
            .is_some_and(|exchange| !exchange.unclear);
        // The open request may be the cancelled one.
        let is_clear =
            is_clear && session.state.cancelled.lost[Direction::ClientToServer as usize] == 0;
        waiting_in(session, transfer.http.exchange)
            .find(|request| !is_faulty(request))
            .filter(|_| is_clear && !self.closing)
    }

    /// The requests whose streams are still open at the end, or were resumed, and have not carried
    /// the response.
    pub(crate) fn left_open<'s>(
        &'s self,
        session: &'s Session,
    ) -> impl Iterator<Item = &'s OpenRequest> {
        let waiting = session.waiting(Direction::ClientToServer).iter();
        let is_open = |number| {
            self.exchanges.get(&number).is_some_and(|exchange| {
                let goes_on = exchange.ended.is_none() || exchange.resumed;
                exchange.streamed && !exchange.unclear && goes_on
            })
        };
        waiting.filter(move |request| {
            !self.closing
                && !self.has_two_endpoints()
                && request.cancelled.is_none()
                && !is_faulty(request)
                && request.sent.exchange.is_some_and(is_open)
        })
    }

    /// Whether the progress token belongs to an open request of another exchange, and not to that
    /// of this one.
    pub(crate) fn is_progress_of_another(
        &self,
        exchange: &Exchange,
        token: Node<'_>,
        session: &Session,
    ) -> bool {
        let token = Some(self.hash(token.raw()));
        let asks = |(number, other): (&i64, &Exchange)| {
            other.token == token && waiting_in(session, Some(*number)).next().is_some()
        };
        exchange.call.is_some() && exchange.token != token && self.exchanges.iter().any(asks)
    }

    /// Whether the stream of an equal call broke off before the answer, and could be resumed.
    pub(crate) fn has_lost(&self, message: &Message<'_>, session: &Session) -> bool {
        let Some(call) = self.call(message) else {
            return false;
        };
        self.exchanges.iter().any(|(number, exchange)| {
            exchange.call == Some(call)
                && exchange.ended.is_some()
                && exchange.has_id
                && !exchange.resumed
                && !exchange.unclear
                && waiting_in(session, Some(*number)).next().is_some()
        })
    }

    /// Whether the same notification was just sent on another stream of the session. Two calls may
    /// cause equal notifications, each on its own stream. So one of the two streams must be a `GET`
    /// stream, and for log messages both.
    pub(crate) fn went_elsewhere(
        &self,
        transfer: &Transfer<'_>,
        exchange: &Exchange,
        session: &Session,
    ) -> bool {
        let (text, spoken) = (self.hash(transfer.body), spoken_by_client(session));
        let is_log = transfer
            .message
            .is_some_and(|message| message.method() == Some("notifications/message"));
        let is_listening = |exchange: &Exchange| usize::from(exchange.listens());
        let at_once = |sent: &Moment| {
            let time = transfer.now.since(sent);
            time.is_none_or(|time| time.as_millis() <= DUPLICATE_WITHIN_MS)
        };
        self.recent.iter().any(|recent| {
            recent.text == text
                && Some(recent.exchange) != transfer.http.exchange
                && recent.spoken == spoken
                && at_once(&recent.sent)
                && self.exchanges.get(&recent.exchange).is_some_and(|other| {
                    other.realm == exchange.realm
                        && other.ended.is_none()
                        && is_listening(exchange) + is_listening(other) > usize::from(is_log)
                })
        })
    }

    /// The session that a request belongs to: by its id, or else the newest one.
    fn realm(&self, headers: Headers<'_>) -> u64 {
        match headers.get("mcp-session-id") {
            Some(id) => self.hash(id),
            None => self.opened,
        }
    }

    fn stream_with(&self, realm: u64, id: &str) -> Option<i64> {
        self.events.stream(self.hash((realm, id)))
    }

    /// The digest of the method and params of a request.
    fn call(&self, message: &Message<'_>) -> Option<u64> {
        let method = message.exchange.method_node()?;
        let params = message.exchange.envelope.params().map(Node::raw);
        Some(self.hash((method.raw(), params)))
    }

    fn hash(&self, value: impl Hash) -> u64 {
        self.seed.hash_one(value)
    }
}

/// The maximum number of milliseconds between two notifications that count as one sent twice.
const DUPLICATE_WITHIN_MS: u128 = 1000;

/// The open requests of an exchange that were not cancelled.
fn waiting_in(session: &Session, exchange: Option<i64>) -> impl Iterator<Item = &OpenRequest> {
    let own = exchange.into_iter();
    own.flat_map(|exchange| session.in_exchange(Direction::ClientToServer, exchange))
        .filter(|request| request.cancelled.is_none())
}

/// Whether a fault of the request was reported: it may stay unanswered.
fn is_faulty(request: &OpenRequest) -> bool {
    request.data().is_some_and(|data| data.faulty)
}

fn spoken_by_client(session: &Session) -> u64 {
    session.spoken[Direction::ClientToServer as usize]
}
