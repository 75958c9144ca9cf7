//! The state of one connection: the revision in force, the open requests, and everything else that
//! later messages are checked against.
//!
//! Read before a message is checked, written after. Each part of the state is a file of its own,
//! whose hooks select the messages that concern it.

mod bounded;
mod capabilities;
mod consequences;
mod few;
mod gaps;
pub(crate) mod handshake;
mod hook;
mod ids;
mod lazy;
mod losses;
pub(crate) mod message;
mod open;
mod place;
mod request_data;
mod seed;
mod senders;
mod state;
mod uri_prefix;
mod waiting_ids;

use std::hash::{BuildHasher, Hasher};

pub(crate) use self::bounded::Bounded;
pub(crate) use self::capabilities::Capabilities;
use self::consequences::Consequences;
pub(crate) use self::consequences::Context;
pub(crate) use self::few::Few;
use self::gaps::Gaps;
pub(crate) use self::handshake::{Handshake, Phase};
pub(crate) use self::hook::{Hook, HttpHook};
pub(crate) use self::ids::{UsedId, UsedIds};
use self::lazy::{Lazy, unused};
use self::losses::Losses;
use self::message::Message;
pub(crate) use self::message::Moment;
use self::open::{Dropped, OpenRequests};
pub(crate) use self::open::{OpenRequest, RequestMut, Tally};
pub(crate) use self::seed::Seed;
pub(crate) use self::senders::BOTH;
pub use self::state::ListedTools;
pub(crate) use self::state::*;
pub(crate) use self::uri_prefix::UriPrefix;
use crate::catalogue::Layer;
use crate::envelope::{Envelope, MessageKind};
use crate::exchange::Answered;
use crate::frame::{Carrier, Frame};
use crate::model::Fact;
use crate::syntax::{Kind, Node};
use crate::{Direction, Party, Revision};

/// The state of one connection.
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
    /// Open requests, by their direction.
    open: [OpenRequests; 2],
    /// The position of the newest request.
    newest: Option<(Direction, u32)>,
    scope: Scope,
    /// The number of messages and parts of HTTP exchanges so far.
    seen: u64,
    /// The number of messages of each direction.
    pub(crate) spoken: [u64; 2],
    /// Messages that could not be read or matched.
    pub(crate) losses: Lazy<Losses>,
    /// The position of the last message of each direction.
    pub(crate) last_spoken: [u64; 2],
    /// The party that ended the connection, if that is known.
    closed_by: Option<Party>,
    pub(crate) handshake: Handshake,
    pub(crate) state: Features,
    /// The parts of the state that reported faults leave incomplete.
    gaps: Gaps,
    consequences: Lazy<Consequences>,
    reached: Lazy<ReachedLimits>,
}

/// The limits of the state that were reached.
#[derive(Clone, Debug, Default)]
struct ReachedLimits {
    /// The parts of the state that are incomplete, in the order in which they became so.
    parts: Vec<&'static str>,
    /// The number of them that were reported.
    reported: usize,
}

unused!(Consequences, ReachedLimits);

/// The part of the conversation that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Scope {
    /// No message was seen yet.
    #[default]
    Unknown,
    /// Messages without their predecessors: no rule may conclude anything from a missing message.
    Excerpt,
    /// All of it, from the beginning.
    Whole,
}

impl Session {
    /// A connection without messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The revision that the traffic has shown, if any: negotiated by the handshake, or named by
    /// the last request that names one.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// Marks the session as incomplete: no rule may conclude anything from a missing message.
    pub fn lose_track(&mut self) {
        self.scope = Scope::Excerpt;
        self.add_gaps(Gaps::ALL);
        if self.handshake.phase == Phase::Pending {
            self.add_version_gap();
        }
        self.handshake.lose_track();
        let losses = &mut *self.losses;
        for lost in losses.answers.iter_mut().chain(&mut losses.unread) {
            *lost = lost.saturating_add(1);
        }
        self.state.requests.unnamed = [UNKNOWN; 2];
    }

    /// Tracks that a party ended the connection: whatever it has not sent will not come. Only the
    /// first call counts, because the other party can then only follow.
    pub fn close(&mut self, party: Party) {
        self.closed_by.get_or_insert(party);
    }

    /// Whether it is known that this party ended the connection.
    pub(crate) fn was_closed_by(&self, party: Party) -> bool {
        self.closed_by == Some(party)
    }

    /// Releases memory that is held for reuse, for a session that may be idle for long.
    pub fn release_buffers(&mut self) {
        for open in &mut self.open {
            open.release();
        }
        self.state.release_buffers();
    }

    /// Tracks that not all sessions of the caller are tracked; that is reported once, with the next
    /// message.
    pub fn report_dropped_sessions(&mut self) {
        self.reached_limit_of("sessions");
    }

    /// The number of open requests of this direction, with those that were cancelled and may still
    /// be answered.
    #[must_use]
    pub fn open_requests(&self, direction: Direction) -> usize {
        self.open[direction as usize].len()
    }

    /// Whether all messages before this one are known. Messages without a known carrier may be an
    /// excerpt until one of them opens a session; so may messages whose revision or method the
    /// caller set.
    pub(crate) fn is_whole(&self, message: &Message<'_>) -> bool {
        match self.scope {
            Scope::Whole => true,
            Scope::Excerpt => message.exchange.opens_session(),
            Scope::Unknown => is_recorded(message.frame) || message.exchange.opens_session(),
        }
    }

    /// Whether an answer matches no request of a completely known session. Only that is reported,
    /// and not further faults of the answer.
    pub(crate) fn is_stray(&self, answer: &Message<'_>) -> bool {
        answer.request.is_none() && answer.frame.answers.is_none() && self.is_whole(answer)
    }

    /// Whether the finished conversation is known from its beginning.
    pub(crate) fn was_whole(&self) -> bool {
        self.scope == Scope::Whole
    }

    /// Whether one more request of a direction exceeds the limit for the first time.
    #[inline(always)]
    pub(crate) fn reaches_open_limit(&self, direction: Direction, limit: usize) -> bool {
        self.open[direction as usize].reaches(limit)
    }

    /// The open requests of a direction.
    pub(crate) fn waiting(&self, direction: Direction) -> &[OpenRequest] {
        self.open[direction as usize].waiting()
    }

    /// The open requests of a direction with a progress token.
    pub(crate) fn with_token(
        &self,
        direction: Direction,
        token: Key,
    ) -> impl Iterator<Item = &OpenRequest> {
        self.open[direction as usize].with_token(token)
    }

    /// The open requests of a direction in an HTTP exchange.
    pub(crate) fn in_exchange(
        &self,
        direction: Direction,
        exchange: i64,
    ) -> impl Iterator<Item = &OpenRequest> {
        self.open[direction as usize].in_exchange(exchange)
    }

    /// The methods of the open requests of a direction that the model has; each once if there are
    /// many.
    pub(crate) fn open_methods(
        &self,
        direction: Direction,
    ) -> impl Iterator<Item = Option<&'static str>> {
        self.open[direction as usize].methods()
    }

    /// The number of open requests of a direction with each property that rules use.
    pub(crate) fn tally(&self, direction: Direction) -> Tally {
        self.open[direction as usize].tally()
    }

    /// Whether an open request of a direction declares that it belongs to a task.
    pub(crate) fn has_related(&self, direction: Direction, task: Key) -> bool {
        self.open[direction as usize].has_related(task)
    }

    /// The open request of a direction whose id differs only in its JSON type.
    pub(crate) fn with_id_of_other_type(
        &self,
        direction: Direction,
        id: Node<'_>,
    ) -> Option<&OpenRequest> {
        let open = &self.open[direction as usize];
        open.get(open.with_id_of_other_type(id)?)
    }

    /// Whether the id is that of an open request of a direction as a floating-point number rounds
    /// it.
    pub(crate) fn is_rounded(&self, direction: Direction, id: Node<'_>) -> bool {
        let rounds = |value: i64| value.unsigned_abs() >= 1 << f64::MANTISSA_DIGITS;
        let Some(value) = id.as_i64().filter(|value| rounds(*value)) else {
            return false;
        };
        let mut waiting = self.waiting(direction).iter();
        #[expect(clippy::cast_precision_loss, reason = "the loss is what is looked for")]
        waiting.any(|request| {
            let known = request.number().filter(|known| *known != value);
            known.is_some_and(|known| (known as f64).total_cmp(&(value as f64)).is_eq())
        })
    }

    /// The open request of a direction with this id, by value and type.
    pub(crate) fn open_request(&self, direction: Direction, id: Node<'_>) -> Option<&OpenRequest> {
        let open = &self.open[direction as usize];
        open.get(open.with_id(id)?)
    }

    /// The same, to be changed.
    pub(crate) fn open_request_mut(
        &mut self,
        direction: Direction,
        id: Node<'_>,
    ) -> Option<RequestMut<'_>> {
        let open = &mut self.open[direction as usize];
        open.get_mut(open.with_id(id)?)
    }

    /// The request that a hook runs on.
    pub(crate) fn newest_request(&mut self) -> Option<RequestMut<'_>> {
        let (direction, position) = self.newest?;
        self.open[direction as usize].get_mut(position as usize)
    }

    /// The capabilities that a party declared for a message; `None` if they are not known. Without
    /// a handshake the client declares with each request: with its own message, or with the request
    /// that is answered.
    pub(crate) fn declared(&self, party: Party, message: &Message<'_>) -> Option<Capabilities> {
        match party {
            Party::Server if message.has(Fact::Handshake) => self.handshake.server,
            Party::Server => self.handshake.discovered,
            Party::Client if message.has(Fact::Handshake) => self.handshake.client,
            Party::Client => match message.request {
                Some(request) => request.data()?.capabilities,
                None => declared_by(message),
            },
        }
    }

    /// The revision that the use of HTTP shows, if nothing else does.
    pub(crate) fn revision_of_transport(&self, frame: &Frame<'_>) -> Option<Revision> {
        self.state.http.revision(frame)
    }

    /// The moment of a message, or of a part of an HTTP exchange, that was not counted yet.
    #[inline]
    pub(crate) fn now(&self, frame: &Frame<'_>) -> Moment {
        Moment::of(frame, self.seen)
    }

    /// The number of messages and parts of HTTP exchanges so far.
    #[inline]
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }

    /// Tracks that a part of the state reached its limit; that is reported once.
    #[cold]
    pub(crate) fn reached_limit_of(&mut self, what: &'static str) {
        if !self.has_reached_limit_of(what) {
            self.reached.parts.push(what);
        }
    }

    /// A text that is stored, unless it is longer than the limit, which is reported.
    pub(crate) fn short_text<'t>(
        &mut self,
        text: Option<&'t str>,
        limit: usize,
    ) -> Option<&'t str> {
        let text = text?;
        if text.len() > limit {
            self.reached_limit_of("long texts");
            return None;
        }
        Some(text)
    }

    /// Whether a part of the state ever reached its limit.
    pub(crate) fn has_reached_limit_of(&self, what: &'static str) -> bool {
        self.reached.parts.contains(&what)
    }

    /// Whether a part of the state reached its limit, and that was not reported.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.reached.reported < self.reached.parts.len()
    }

    /// The name of the next such part, which counts as reported now.
    pub(crate) fn take_full(&mut self) -> Option<&'static str> {
        let what = *self.reached.parts.get(self.reached.reported)?;
        self.reached.reported += 1;
        Some(what)
    }

    /// The open request that a response answers, by value and type of its id; `direction` is that
    /// of the response.
    #[inline(always)]
    pub(crate) fn answered(
        &self,
        direction: Option<Direction>,
        answer: &Envelope<'_>,
    ) -> Option<Answered> {
        match direction {
            Some(direction) => self.sent(direction.reverse(), answer),
            None if self.open_requests(Direction::ServerToClient) == 0 => {
                self.sent(Direction::ClientToServer, answer)
            }
            None => self.answered_by_either(answer),
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

    /// The open request that a response answers with an id of another JSON type, unless that may
    /// belong to a request that was not seen.
    #[cold]
    #[inline(never)]
    pub(crate) fn answered_in_other_type(
        &self,
        frame: &Frame<'_>,
        answer: &Envelope<'_>,
    ) -> Option<Answered> {
        let direction = frame.direction?.reverse();
        let sender = direction as usize;
        let may_be_unseen = frame.answers.is_some()
            || self.losses.untracked[sender] > 0
            || self.state.requests.unidentified[sender] > 0;
        let id = answer.id().filter(|_| !may_be_unseen)?;
        let position = self.open[sender].with_id_of_other_type(id)? as u32;
        Some(Answered {
            direction,
            position,
        })
    }

    /// The request that an answer matches.
    #[inline(always)]
    pub(crate) fn request(&self, answered: Answered) -> Option<&OpenRequest> {
        self.open[answered.direction as usize].get(answered.position as usize)
    }

    /// Updates the state with a message, after it was checked. Faulty messages count, too.
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
            self.add_message_gaps(message);
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
                self.run_answer_hooks(direction, message, hooks);
            }
        } else {
            if exchange.envelope.kind == MessageKind::Request {
                self.track_request(message);
            } else if exchange.envelope.kind != MessageKind::Notification {
                if message.frame.answers.is_some() {
                    // The caller set the method that it answers: there is a request that was not
                    // seen.
                    self.gaps = Gaps::ALL;
                } else {
                    self.track_stray(message);
                }
            }
            for Hook(_, run) in hooks {
                run(message, self);
            }
        }
        if let Some(direction) = exchange.direction {
            self.state.stdio.message(direction);
        }
        self.count(exchange.direction);
    }

    /// Tracks a request. Not inlined, because few messages are requests and it needs all registers.
    #[inline(never)]
    fn track_request(&mut self, message: &Message<'_>) {
        let exchange = message.exchange;
        let direction = exchange
            .direction
            .unwrap_or_else(|| self.likely_sender(&exchange.envelope));
        let limit = message.policy.limits.open_requests;
        let open = &mut self.open[direction as usize];
        if open.reaches(limit) {
            open.exceed_limit();
        }
        // Without an id it cannot be answered.
        let Some(inserted) = open.insert(exchange, || message.now(), limit) else {
            return;
        };
        let position = u32::try_from(inserted.position);
        self.newest = position.ok().map(|position| (direction, position));
        if inserted.drops_cancelled {
            self.reached_limit_of("cancelled requests");
        }
        match inserted.drops {
            // Either may be answered, under the same id; only rules of the session need to know.
            Some(Dropped::SameId) if message.policy.layers.contains(Layer::Session) => {
                self.permit_answers(exchange.envelope.id(), message.policy.limits.ids);
            }
            Some(Dropped::Other) => self.losses.untracked[direction as usize] += 1,
            Some(Dropped::SameId) | None => {}
        }
        if exchange.direction.is_none()
            && let Some(mut request) = self.newest_request()
        {
            request.data_mut().uncertain = true;
        }
    }

    /// Tracks a revision that a message puts in force.
    #[cold]
    fn track_revision(&mut self, named: Option<Revision>) {
        // A request without handshake names its own revision: the agreed one still holds for the
        // others.
        if !self.handshake.is_under_way() || named.is_some_and(|named| named.has(Fact::Handshake)) {
            self.revision = named;
        }
    }

    /// Counts a message, or a part of an HTTP exchange, faulty or not.
    #[inline]
    pub(crate) fn count(&mut self, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.spoken[direction as usize] += 1;
            self.last_spoken[direction as usize] = self.seen;
        }
        self.seen += 1;
    }

    fn run_answer_hooks(
        &mut self,
        request_direction: Direction,
        message: &Message<'_>,
        hooks: &[&'static Hook],
    ) {
        let removed = self.open[request_direction as usize].take_removed();
        let message = Message {
            request: Some(&removed),
            ..*message
        };
        for Hook(_, run) in hooks {
            run(&message, self);
        }
        self.open[request_direction as usize].put_back(removed);
    }

    /// Tracks an answer that matches no open request, or an object that is no message.
    #[cold]
    fn track_stray(&mut self, message: &Message<'_>) {
        let Some(answerer) = message.direction() else {
            for request_direction in BOTH {
                if self.open_requests(request_direction) > 0 {
                    self.add_answer_gaps(message, request_direction);
                    self.lose_answers(request_direction.reverse(), 1);
                }
            }
            return;
        };
        let request_direction = answerer.reverse() as usize;
        self.add_answer_gaps(message, answerer.reverse());
        // An id of another type is a fault of its own; no second answer is expected.
        if let Some(id) = message.id()
            && let Some(position) = self.open[request_direction].with_id_of_other_type(id)
        {
            let request = self.open[request_direction].get(position);
            if request.and_then(OpenRequest::method_name) == Some("initialize") {
                self.handshake.track_unread_answer(message.kind());
            }
            self.open[request_direction].remove(position);
            return;
        }
        if let Some(id) = message.id().filter(|_| self.was_whole()) {
            self.track_early(id, message.policy.limits.ids);
        }
        // Only a resumed stream sends it again.
        let is_explained = message.frame.http.is_some()
            && (self.losses.untracked[request_direction] > 0
                || self.state.requests.unidentified[request_direction] > 0);
        if let Some(id) = message.id().filter(|_| is_explained) {
            self.track_explained(id, message.policy.limits.ids);
        }
        let untracked = &mut self.losses.untracked[request_direction];
        *untracked = untracked.saturating_sub(1);
        let unidentified = &mut self.state.requests.unidentified[request_direction];
        *unidentified = unidentified.saturating_sub(1);
        let unnamed = &mut self.state.requests.unnamed[request_direction];
        let names_none = message.id().is_none_or(|id| id.kind() == Kind::Null);
        if names_none && *unnamed != UNKNOWN {
            *unnamed = unnamed.saturating_sub(1);
        }
        self.lose_answers(answerer, 1);
    }

    /// Tracks a number of pieces that were no message, or messages of no kind.
    #[cold]
    pub(crate) fn track_unnamed(&mut self, direction: Option<Direction>, count: u64) {
        let may_send = |sender: &Direction| direction.is_none_or(|direction| direction == *sender);
        for sender in BOTH.into_iter().filter(may_send) {
            let unnamed = &mut self.state.requests.unnamed[sender as usize];
            *unnamed = unnamed.saturating_add(u32::try_from(count).unwrap_or(UNKNOWN));
        }
    }

    /// Whether the party that is answered sent something that an answer cannot name, and that was
    /// not answered yet: bytes that were no message, or a request without a usable id.
    #[cold]
    pub(crate) fn has_unnamed(&self, answerer: Option<Direction>) -> bool {
        let requests = &self.state.requests;
        let has = |direction: Direction| {
            let direction = direction as usize;
            requests.unnamed[direction] > 0 || requests.unidentified[direction] > 0
        };
        match answerer {
            Some(answerer) => has(answerer.reverse()),
            None => has(Direction::ClientToServer) || has(Direction::ServerToClient),
        }
    }

    /// Tracks answers whose requests are not known.
    #[cold]
    pub(crate) fn lose_answers(&mut self, answerer: Direction, count: u64) {
        self.losses.answers[answerer as usize] += count;
        let open = self.open_requests(answerer.reverse()) as u64;
        if open > 0 {
            let unmatched = &mut self.losses.unmatched[answerer as usize];
            unmatched.count += count.min(open);
            unmatched.last = self.seen;
        }
    }

    /// Tracks an answer without a known request, which may still show that a session is open.
    #[cold]
    fn track_unknown(&mut self, message: &Message<'_>) {
        if message.exchange.envelope.is_call() {
            return;
        }
        if message.kind() == MessageKind::Unreadable {
            self.track_unnamed(message.direction(), 1);
            // It may have been meant as a request: an answer may name its id.
            if let (Some(direction), Some(_)) = (message.direction(), message.id()) {
                self.losses.untracked[direction as usize] += 1;
            }
        }
        let was_asked = self.spoken[Direction::ClientToServer as usize] > 0;
        if let (Some(agreed), Some(result)) = (message.exchange.named_revision, message.result())
            && result.get("serverInfo").is_some()
            && was_asked
        {
            self.handshake.track_seeming_answer(agreed);
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

/// The capabilities that a request declares.
pub(crate) fn declared_by(request: &Message<'_>) -> Option<Capabilities> {
    request
        .meta()?
        .get("io.modelcontextprotocol/clientCapabilities")
        .and_then(Capabilities::read)
}

/// Whether a message comes from a recorded stream, and the caller set nothing.
fn is_recorded(frame: &Frame<'_>) -> bool {
    frame.carrier != Carrier::Unknown && frame.revision.is_none() && frame.answers.is_none()
}

/// The hash of a text under a seed. A single text needs no length prefix.
#[inline]
pub(crate) fn hash_of(seed: Seed, text: &[u8]) -> u64 {
    let mut hasher = seed.build_hasher();
    hasher.write(text);
    hasher.finish()
}
