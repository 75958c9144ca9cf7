//! The memory of one connection: the revision in force, the requests that wait for an answer, and what else later messages
//! are judged by.
//!
//! Read before a message is judged, written after. Each part of the memory is a file of its own, which says by its hooks
//! which messages it wants to be told of.

mod asked;
mod capabilities;
mod consequences;
mod gaps;
pub(crate) mod handshake;
mod hook;
mod ids;
pub(crate) mod message;
mod open;
mod place;
mod state;
mod waiting_ids;

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::RandomState;

pub(crate) use self::capabilities::Capabilities;
use self::consequences::Consequences;
pub(crate) use self::consequences::Context;
use self::gaps::Gaps;
pub(crate) use self::handshake::{Handshake, Phase};
pub(crate) use self::hook::{Hook, HttpHook};
pub(crate) use self::ids::{UsedId, UsedIds};
use self::message::Message;
pub(crate) use self::message::Moment;
use self::open::OpenRequests;
pub(crate) use self::open::{Changing, Tally, Waiting};
pub(crate) use self::state::*;
use crate::envelope::{Envelope, MessageKind};
use crate::exchange::Answered;
use crate::frame::{Carrier, Frame};
use crate::model::Fact;
use crate::syntax::Node;
use crate::{Direction, Party, Revision};

/// The memory of one connection.
///
/// ```
/// use mcp_assay::Session;
///
/// let session = Session::new();
/// assert_eq!(session.revision(), None);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Session {
    revision: Option<Revision>,
    /// Requests by the direction in which they were sent.
    open: [OpenRequests; 2],
    /// Where the request is that was sent last.
    newest: Option<(Direction, usize)>,
    scope: Scope,
    /// How many messages and parts of HTTP exchanges were seen.
    seen: u64,
    /// Messages of each direction.
    pub(crate) spoken: [u64; 2],
    /// Answers of each direction that could not be told to belong to a request: an unreadable line, an unknown id.
    pub(crate) lost_answers: [u64; 2],
    /// Those of them that an open request may have got after all.
    pub(crate) owed: [Owed; 2],
    /// Requests of each direction that are not known and may still be answered: they were forgotten, for a newer one with the
    /// same id or at the limit, or could not be read.
    pub(crate) forgotten: [u64; 2],
    /// Messages of each direction of which nothing could be made out.
    pub(crate) unread: [u64; 2],
    /// Where the last message of each direction stands.
    pub(crate) last_spoken: [u64; 2],
    pub(crate) handshake: Handshake,
    pub(crate) state: Features,
    /// What faults that were told leave unknown.
    gaps: Gaps,
    consequences: Consequences,
    full: Option<&'static str>,
    told_full: Vec<&'static str>,
}

/// Answers that may have been those to requests that were open when they came.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Owed {
    /// How many.
    pub(crate) count: u64,
    /// Where the last of them stands: what was asked after it was not answered by it.
    pub(crate) last: u64,
}

/// Whether the whole conversation is known, or only some of its messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Scope {
    /// Nothing was seen yet.
    #[default]
    Unknown,
    /// Messages without what came before them: nothing is said about what is missing.
    Excerpt,
    /// All of it, from the beginning.
    Whole,
}

impl Session {
    /// A connection on which nothing was said yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The revision that the traffic has shown, if any: negotiated by the handshake or named by the last request that names one.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// Says that something was not recorded: from here on nothing is concluded from what was not seen.
    pub fn lose_track(&mut self) {
        self.scope = Scope::Excerpt;
        self.handshake.lose_track();
        for lost in self.lost_answers.iter_mut().chain(&mut self.unread) {
            *lost = lost.saturating_add(1);
        }
    }

    /// How many requests of this direction wait for an answer.
    #[must_use]
    pub fn open_requests(&self, direction: Direction) -> usize {
        self.open[direction as usize].len()
    }

    /// Whether everything that was said before a message is known. Messages from no known carrier may be an excerpt, until
    /// one of them opens a session; so may those whose revision or method had to be told.
    pub(crate) fn is_whole(&self, message: &Message<'_>) -> bool {
        match self.scope {
            Scope::Whole => true,
            Scope::Excerpt => message.exchange.opens_session(),
            Scope::Unknown => is_recorded(message.frame) || message.exchange.opens_session(),
        }
    }

    /// Whether an answer belongs to nothing that was asked, as far as all is known: that is told, and not what it lacks.
    pub(crate) fn is_stray(&self, answer: &Message<'_>) -> bool {
        answer.request.is_none() && answer.frame.answers.is_none() && self.is_whole(answer)
    }

    /// Whether the conversation that is over is known from its beginning.
    pub(crate) fn was_whole(&self) -> bool {
        self.scope == Scope::Whole
    }

    /// The requests of a direction that wait for an answer.
    pub(crate) fn waiting(&self, direction: Direction) -> &[Waiting] {
        self.open[direction as usize].waiting()
    }

    /// The open requests of a direction that gave a progress token.
    pub(crate) fn with_token(
        &self,
        direction: Direction,
        token: Key,
    ) -> impl Iterator<Item = &Waiting> {
        self.open[direction as usize].with_token(token)
    }

    /// The open requests of a direction that belong to an HTTP exchange.
    pub(crate) fn in_exchange(
        &self,
        direction: Direction,
        exchange: i64,
    ) -> impl Iterator<Item = &Waiting> {
        self.open[direction as usize].in_exchange(exchange)
    }

    /// The methods of the open requests of a direction, as far as the model has them; each once if there are many.
    pub(crate) fn open_methods(
        &self,
        direction: Direction,
    ) -> impl Iterator<Item = Option<&'static str>> {
        self.open[direction as usize].methods()
    }

    /// How many open requests of a direction have what rules ask for.
    pub(crate) fn tally(&self, direction: Direction) -> Tally {
        self.open[direction as usize].tally()
    }

    /// Whether an open request of a direction says that it belongs to a task.
    pub(crate) fn has_related(&self, direction: Direction, task: Key) -> bool {
        self.open[direction as usize].has_related(task)
    }

    /// The open request of a direction that has this id but for its JSON type.
    pub(crate) fn with_id_of_other_type(
        &self,
        direction: Direction,
        id: Node<'_>,
    ) -> Option<&Waiting> {
        let open = &self.open[direction as usize];
        open.get(open.with_id_of_other_type(id)?)
    }

    /// The open request of a direction with this id, by value and type.
    pub(crate) fn open_request(&self, direction: Direction, id: Node<'_>) -> Option<&Waiting> {
        let open = &self.open[direction as usize];
        open.get(open.with_id(id)?)
    }

    /// The same, to be changed.
    pub(crate) fn open_request_mut(
        &mut self,
        direction: Direction,
        id: Node<'_>,
    ) -> Option<Changing<'_>> {
        let open = &mut self.open[direction as usize];
        open.get_mut(open.with_id(id)?)
    }

    /// The request that a hook is told of.
    pub(crate) fn newest_request(&mut self) -> Option<Changing<'_>> {
        let (direction, position) = self.newest?;
        self.open[direction as usize].get_mut(position)
    }

    /// What a party declared, as far as it concerns a message; `None` if that is not known. Where there is no handshake the
    /// client declares with each request: that of its own message, or of the request that is answered.
    pub(crate) fn declared(&self, party: Party, message: &Message<'_>) -> Option<Capabilities> {
        match party {
            Party::Server if message.has(Fact::Handshake) => self.handshake.server,
            Party::Server => self.handshake.discovered,
            Party::Client if message.has(Fact::Handshake) => self.handshake.client,
            Party::Client => match message.request {
                Some(request) => request.asked()?.capabilities,
                None => declared_by(message),
            },
        }
    }

    /// The revision that the way in which HTTP is used shows, where nothing else does.
    pub(crate) fn revision_of_transport(&self, frame: &Frame<'_>) -> Option<Revision> {
        self.state.http.revision(frame)
    }

    /// The place of a message or of a part of an HTTP exchange that was not seen yet.
    #[inline]
    pub(crate) fn now(&self, frame: &Frame<'_>) -> Moment {
        Moment::of(frame, self.seen)
    }

    /// How many messages and parts of HTTP exchanges were seen.
    #[inline]
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }

    /// Says that no more of something can be remembered; it is reported once.
    #[cold]
    pub(crate) fn is_full_of(&mut self, what: &'static str) {
        if !self.told_full.contains(&what) {
            self.told_full.push(what);
            self.full = Some(what);
        }
    }

    /// Whether something became too much to remember with the last message.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.full.is_some()
    }

    /// What that is.
    pub(crate) fn take_full(&mut self) -> Option<&'static str> {
        self.full.take()
    }

    /// The open request that a response answers, by value and type of its id; `direction` is that of the response.
    #[inline(always)]
    pub(crate) fn answered(
        &self,
        direction: Option<Direction>,
        answer: &Envelope<'_>,
    ) -> Option<Answered> {
        match direction {
            Some(direction) => self.sent(direction.reverse(), answer),
            // Without a direction the client's requests come first: far more are sent by clients.
            None => self
                .sent(Direction::ClientToServer, answer)
                .or_else(|| self.sent(Direction::ServerToClient, answer)),
        }
    }

    #[inline(always)]
    fn sent(&self, direction: Direction, answer: &Envelope<'_>) -> Option<Answered> {
        let position = self.open[direction as usize].find(answer)? as u32;
        Some(Answered {
            direction,
            position,
        })
    }

    /// The request that an answer belongs to.
    #[inline(always)]
    pub(crate) fn request(&self, answered: Answered) -> Option<&Waiting> {
        self.open[answered.direction as usize].get(answered.position as usize)
    }

    /// Takes note of a message, after it was judged. What was sent counts, right or wrong.
    #[inline(always)]
    pub(crate) fn advance(&mut self, message: &Message<'_>, hooks: &[&'static Hook]) {
        let exchange = message.exchange;
        if exchange.named_revision.is_some() && exchange.named_revision != self.revision {
            self.track_revision(exchange.named_revision);
        }
        // An excerpt stays one until a session is opened.
        if self.scope == Scope::Unknown
            || (self.scope == Scope::Excerpt && exchange.opens_session())
        {
            self.settle_scope(message);
        }
        if !message.reliable {
            self.doubt(message);
        }
        if exchange.method.is_none() {
            self.track_unknown(message);
        }
        self.newest = None;
        if let Some(Answered {
            direction,
            position,
        }) = exchange.answered
        {
            self.open[direction as usize].remove(position as usize);
            if !hooks.is_empty() {
                self.tell_of_answer(direction, message, hooks);
            }
        } else {
            if exchange.envelope.kind == MessageKind::Request {
                self.track_request(message);
            } else if exchange.envelope.kind != MessageKind::Notification {
                if message.frame.answers.is_some() {
                    // Whoever knows what it answers has seen a request that we have not.
                    self.gaps = Gaps::ALL;
                } else {
                    self.track_stray(message);
                }
            }
            for Hook(_, told) in hooks {
                told(message, self);
            }
        }
        if let Some(direction) = exchange.direction {
            self.state.stdio.message(direction);
        }
        self.count(exchange.direction);
    }

    /// Takes note of a request. A call of its own, because few messages are requests and it needs all registers.
    #[inline(never)]
    fn track_request(&mut self, message: &Message<'_>) {
        let exchange = message.exchange;
        // Where nothing tells who asked, it was the client: far more requests are its own.
        let direction = exchange.direction.unwrap_or(Direction::ClientToServer);
        let limit = message.policy.limits.open_requests;
        let open = &mut self.open[direction as usize];
        // Without an id it cannot be answered.
        let Some(inserted) = open.insert(exchange, || message.now(), limit) else {
            return;
        };
        self.newest = Some((direction, inserted.position));
        self.forgotten[direction as usize] += u64::from(inserted.forgets);
    }

    /// Takes note of a revision that a message puts in force.
    #[cold]
    fn track_revision(&mut self, named: Option<Revision>) {
        // A request without handshake names its revision for itself: what was agreed on still holds for the others.
        if !self.handshake.is_under_way() || named.is_some_and(|named| named.has(Fact::Handshake)) {
            self.revision = named;
        }
    }

    /// Counts a message, or a part of an HTTP exchange, whatever became of it.
    #[inline]
    pub(crate) fn count(&mut self, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.spoken[direction as usize] += 1;
            self.last_spoken[direction as usize] = self.seen;
        }
        self.seen += 1;
    }

    fn tell_of_answer(&mut self, asked: Direction, message: &Message<'_>, hooks: &[&'static Hook]) {
        let removed = self.open[asked as usize].take_removed();
        let message = Message {
            request: Some(&removed),
            ..*message
        };
        for Hook(_, told) in hooks {
            told(&message, self);
        }
        self.open[asked as usize].put_back(removed);
    }

    /// An answer that belongs to no open request, or an object that is no message at all.
    #[cold]
    fn track_stray(&mut self, message: &Message<'_>) {
        let Some(answerer) = message.direction() else {
            return;
        };
        let asked = answerer.reverse() as usize;
        self.doubt_answer(message, answerer.reverse());
        // An id of another type is a fault of its own; nobody waits for a second answer.
        if let Some(id) = message.id()
            && let Some(position) = self.open[asked].with_id_of_other_type(id)
        {
            let request = self.open[asked].get(position);
            if request.and_then(Waiting::method_name) == Some("initialize") {
                self.handshake.is_answered_somehow(message.kind());
            }
            self.open[asked].remove(position);
            return;
        }
        if let Some(id) = message.id().filter(|_| self.was_whole()) {
            self.track_early(id);
        }
        // Only a stream that is taken up brings it again.
        let is_explained = message.frame.http.is_some()
            && (self.forgotten[asked] > 0 || self.state.requests.unidentified[asked] > 0);
        if let Some(id) = message.id().filter(|_| is_explained) {
            self.track_explained(id);
        }
        self.forgotten[asked] = self.forgotten[asked].saturating_sub(1);
        let unidentified = &mut self.state.requests.unidentified[asked];
        *unidentified = unidentified.saturating_sub(1);
        self.lose_answers(answerer, 1);
    }

    /// Takes note of answers of which nobody knows what they answer.
    #[cold]
    pub(crate) fn lose_answers(&mut self, answerer: Direction, count: u64) {
        self.lost_answers[answerer as usize] += count;
        let open = self.open_requests(answerer.reverse()) as u64;
        if open > 0 {
            let owed = &mut self.owed[answerer as usize];
            owed.count += count.min(open);
            owed.last = self.seen;
        }
    }

    /// An answer to nobody knows what, which may show all the same that a session is open.
    #[cold]
    fn track_unknown(&mut self, message: &Message<'_>) {
        if message.exchange.envelope.is_call() {
            return;
        }
        let was_asked = self.spoken[Direction::ClientToServer as usize] > 0;
        if let (Some(agreed), Some(result)) = (message.exchange.named_revision, message.result())
            && result.get("serverInfo").is_some()
            && was_asked
        {
            self.handshake.seems_answered(agreed);
        }
    }

    #[cold]
    fn settle_scope(&mut self, message: &Message<'_>) {
        self.scope = if self.is_whole(message) {
            Scope::Whole
        } else {
            Scope::Excerpt
        };
    }
}

/// What a request declares for itself.
pub(crate) fn declared_by(request: &Message<'_>) -> Option<Capabilities> {
    request
        .meta()?
        .get("io.modelcontextprotocol/clientCapabilities")
        .and_then(Capabilities::read)
}

/// Whether a message was recorded where it went, with nothing told about it from outside.
fn is_recorded(frame: &Frame<'_>) -> bool {
    frame.carrier != Carrier::Unknown && frame.revision.is_none() && frame.answers.is_none()
}

/// The hash of a text under a seed. A text alone needs no mark of its length.
#[inline]
pub(crate) fn hash_of(seed: &RandomState, text: &[u8]) -> u64 {
    let mut hasher = seed.build_hasher();
    hasher.write(text);
    hasher.finish()
}
