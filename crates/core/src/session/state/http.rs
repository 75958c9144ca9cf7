//! Remembers HTTP exchanges: what was posted, what came back on which stream, and which of the two transports is spoken.

mod endpoints;
mod events;
mod exchange;
mod hooks;

use std::collections::{BTreeMap, VecDeque};
use std::hash::{BuildHasher, Hash};

use foldhash::quality::RandomState;

use self::endpoints::Endpoints;
use self::events::EventIds;
use self::exchange::{Exchange, Posted, Verb};
pub(super) use self::hooks::{HOOKS, HTTP_HOOKS};
use crate::frame::{Frame, Headers, Http, Part};
use crate::model::Fact;
use crate::session::message::{Message, Transfer};
use crate::session::{Moment, Session, Waiting};
use crate::syntax::Node;
use crate::{Direction, Revision};

/// What is remembered of HTTP.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct HttpMemory {
    /// Exchanges that are not over, and those whose stream may be taken up again.
    exchanges: BTreeMap<i64, Exchange>,
    pub(crate) endpoints: Endpoints,
    events: EventIds,
    /// What servers announced lately, to see whether the same goes out twice.
    recent: VecDeque<Recent>,
    /// Counts the sessions that have no id.
    opened: u64,
    /// Whether anything was posted.
    posted: bool,
    /// Whether a client whose message was refused has opened a stream, to be told where to post.
    seeks: bool,
    /// Whether the client has ended its session.
    closing: bool,
    /// Whether a server never said where to post: what it asks for cannot be answered.
    pub(crate) unreachable: bool,
    /// Whether it was told that streams are not primed.
    pub(crate) told_unprimed: bool,
    seed: RandomState,
}

/// A notification that a server sent.
#[derive(Clone, Debug)]
struct Recent {
    text: u64,
    exchange: i64,
    sent: Moment,
    /// How much the client had said by then.
    spoken: u64,
}

impl HttpMemory {
    /// The revision that the way in which HTTP is used shows, where no message has named one: only the first transport
    /// tells a client where to post.
    pub(crate) fn revision(&self, frame: &Frame<'_>) -> Option<Revision> {
        let opens = frame.http.is_some_and(|http| self.names_endpoint(http));
        (opens || self.has_two_endpoints())
            .then(|| Revision::latest_with(Fact::HttpTwoEndpoints))
            .flatten()
    }

    /// Whether the transport of 2024-11-05 is spoken, under whatever revision.
    pub(crate) fn has_two_endpoints(&self) -> bool {
        self.endpoints.has_two()
    }

    /// Whether this request goes to a place that only the transport of 2024-11-05 can have named, be it that the event that
    /// names it was not seen.
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

    /// Whether this event is the one by which a server tells where to post.
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

    /// What is remembered of the exchange that a part belongs to.
    pub(crate) fn exchange(&self, http: &Http<'_>) -> Option<&Exchange> {
        self.exchanges.get(&http.exchange?)
    }

    /// The same, if it is one of Streamable HTTP. A part without a message is judged by what was said last, which may be
    /// of the other era where both are served: such a part is left out.
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

    /// Whether a request goes to where MCP is spoken, as far as is known.
    pub(crate) fn is_endpoint(&self, headers: Headers<'_>, path: &str) -> bool {
        !self.has_two_endpoints()
            && (headers.get("mcp-session-id").is_some()
                || self.endpoints.knows(self.endpoints.place(headers, path)))
    }

    /// Whether nothing was posted yet: only then can a stream be that of the transport of 2024-11-05.
    pub(crate) fn is_fresh(&self) -> bool {
        !self.posted
    }

    /// The exchange whose stream had an event of this id.
    pub(crate) fn with_event(&self, headers: Headers<'_>, id: &str) -> Option<&Exchange> {
        let stream = self.stream_with(self.realm(headers), id)?;
        self.exchanges.get(&stream)
    }

    /// Whether a stream of the same session had an event of this id.
    pub(crate) fn knows_event(&self, exchange: &Exchange, id: &str) -> bool {
        self.stream_with(exchange.realm, id).is_some()
    }

    /// Whether an event is the one before it once more, with the same id: what it says was heard.
    pub(crate) fn is_doubled(&self, http: &Http<'_>, data: &[u8]) -> bool {
        let event = self.event(http, data);
        let exchange = self.exchange(http).filter(|exchange| !exchange.resumes);
        event.is_some() && exchange.is_some_and(|exchange| exchange.last_event == event)
    }

    fn event(&self, http: &Http<'_>, data: &[u8]) -> Option<u64> {
        match http.part {
            Part::Event { id: Some(id), .. } if !id.is_empty() => Some(self.hash((id, data))),
            _ => None,
        }
    }

    /// Whether a request of the exchange waits for an answer.
    pub(crate) fn waits(transfer: &Transfer<'_>, session: &Session) -> bool {
        waiting_in(session, transfer.http.exchange).next().is_some()
    }

    /// The request that waits although the stream of its exchange ends, unless the client wants all to end.
    pub(crate) fn cut_short<'s>(
        &self,
        transfer: &Transfer<'_>,
        session: &'s Session,
    ) -> Option<&'s Waiting> {
        let is_clear = self
            .exchange(transfer.http)
            .is_some_and(|exchange| !exchange.unclear);
        // It may be the one that was taken back.
        let is_clear =
            is_clear && session.state.cancelled.lost[Direction::ClientToServer as usize] == 0;
        waiting_in(session, transfer.http.exchange)
            .find(|request| !is_faulty(request))
            .filter(|_| is_clear && !self.closing)
    }

    /// The requests whose streams are open in the end, or were taken up again, and have not carried the response.
    pub(crate) fn left_open<'s>(
        &'s self,
        session: &'s Session,
    ) -> impl Iterator<Item = &'s Waiting> {
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

    /// Whether the open request of another exchange asked for progress under this token, and not that of this one.
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

    /// Whether a stream broke off before the answer to the very same call, and could be taken up again.
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

    /// Whether the same notification just went out on another stream of the session. Two calls may well cause the same
    /// notification, each on its own stream; so one of the two streams has to be one for whatever the server has to say,
    /// and for log messages both.
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
            time.is_none_or(|time| time.as_millis() <= AT_ONCE)
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

    /// The session that a request belongs to: by its id, or else the one that was opened last.
    fn realm(&self, headers: Headers<'_>) -> u64 {
        match headers.get("mcp-session-id") {
            Some(id) => self.hash(id),
            None => self.opened,
        }
    }

    fn stream_with(&self, realm: u64, id: &str) -> Option<i64> {
        self.events.stream(self.hash((realm, id)))
    }

    /// Method and params of a request.
    fn call(&self, message: &Message<'_>) -> Option<u64> {
        let method = message.exchange.method_node()?;
        let params = message.exchange.envelope.params().map(Node::raw);
        Some(self.hash((method.raw(), params)))
    }

    fn hash(&self, value: impl Hash) -> u64 {
        self.seed.hash_one(value)
    }
}

/// Milliseconds within which two notifications are taken for one that was sent twice.
const AT_ONCE: u128 = 1000;

/// The requests of an exchange that wait for an answer and were not taken back.
fn waiting_in(session: &Session, exchange: Option<i64>) -> impl Iterator<Item = &Waiting> {
    let own = exchange.into_iter();
    own.flat_map(|exchange| session.in_exchange(Direction::ClientToServer, exchange))
        .filter(|request| request.cancelled.is_none())
}

/// Whether a fault of the request itself was told: who sends such a one cannot count on an answer.
fn is_faulty(request: &Waiting) -> bool {
    request.asked().is_some_and(|asked| asked.faulty)
}

fn spoken_by_client(session: &Session) -> u64 {
    session.spoken[Direction::ClientToServer as usize]
}
