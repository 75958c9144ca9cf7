//! Tracks used ids, the capabilities of each request, and its HTTP response.

use core::num::NonZeroU64;
use core::time::Duration;

use crate::catalogue::{On, OnHttp};
use crate::frame::Part;
use crate::model::{Fact, MethodKind};
use crate::session::message::{Message, Transfer};
use crate::session::{Hook, HttpHook, OpenRequest, Session, UsedId, UsedIds, declared_by};
use crate::syntax::{Kind, Node};
use crate::{Direction, Party};

/// The state of all requests, including answered ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    /// Ids that requests of each direction have used.
    pub(crate) ids: [UsedIds; 2],
    /// The number of requests of each party whose id cannot be read, and that may still be
    /// answered.
    pub(crate) unidentified: [u64; 2],
    /// The number of messages that a party had sent with its last notification.
    notified_at: [Option<NonZeroU64>; 2],
    /// The number of pieces of each direction that were no message and may still be answered,
    /// without an id; [`UNKNOWN`] if messages are missing.
    pub(crate) unnamed: [u32; 2],
}

/// The number of unnamed pieces if messages are missing: any number may have been sent.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// The maximum time for the answer to a `ping`.
pub(crate) const PING_TIMEOUT: Duration = Duration::from_secs(30);

/// The time after which a party that answers others counts as having neglected a request.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// The HTTP response to a request, while the answer is still missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    /// Its status.
    status: u16,
    /// Whether no more can come.
    pub(crate) is_over: bool,
}

impl Reply {
    /// Whether HTTP refused the request before the server handled it, for example because a token
    /// is missing.
    pub(crate) fn refuses(self) -> bool {
        self.is_over && self.status >= 400
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::AnyRequest], sent),
    Hook(&[On::AnyNotification], notified),
];

pub(super) static HTTP_HOOKS: &[HttpHook] = &[HttpHook(&[OnHttp::Response, OnHttp::End], replied)];

impl Session {
    /// The unanswered requests of a direction at the end of the session, oldest first; without
    /// those that may have been answered, or need no answer.
    pub(crate) fn unanswered(&self, direction: Direction) -> Vec<&OpenRequest> {
        let other = direction.reverse() as usize;
        // A recording of one side contains no answers at all.
        if !self.was_whole() || self.spoken[other] == 0 {
            return Vec::new();
        }
        // Nobody can tell whether an event came before once ids of events were dropped.
        let is_unclear = self.state.http.unreachable || self.has_dropped_events();
        if direction == Direction::ServerToClient && is_unclear {
            return Vec::new();
        }
        let waiting = self.waiting(direction).iter();
        let mut open: Vec<&OpenRequest> = waiting
            .filter(|request| {
                self.wants_answer(request, direction) && !self.is_passed_over(request)
            })
            .collect();
        open.sort_by_key(|request| request.sent.order);
        let mut unmatched = self.losses.unmatched[other];
        open.retain(|request| {
            let is_forgiven = unmatched.count > 0 && request.sent.order < unmatched.last;
            unmatched.count -= u64::from(is_forgiven);
            !is_forgiven
        });
        let lost = self.state.cancelled.lost[direction as usize] + self.known_unanswered(direction);
        let lost = usize::try_from(lost).unwrap_or(usize::MAX);
        open.drain(..lost.min(open.len()));
        // After its last message a party is gone or hangs: that is one fault for all open requests.
        let gone = |request: &&OpenRequest| request.sent.order > self.last_spoken[other];
        if let Some(first) = open.iter().position(gone) {
            open.truncate(first + 1);
        }
        open
    }

    /// Whether events or streams were dropped at a limit, so that one that comes again is not
    /// recognised.
    pub(crate) fn has_dropped_events(&self) -> bool {
        self.has_reached_limit_of("event ids") || self.has_reached_limit_of("HTTP exchanges")
    }

    /// Whether the last message of a direction is a notification.
    pub(crate) fn was_notified_last(&self, direction: Direction) -> bool {
        let with = self.state.requests.notified_at[direction as usize];
        with.is_some_and(|with| with.get() == self.spoken[direction as usize])
    }

    /// Whether a request repeats an id of the session, which is reported: it may be a repetition of
    /// that request.
    pub(crate) fn is_repetition(&self, request: &Message<'_>) -> bool {
        let (Some(id), Some(direction)) = (request.id(), request.direction()) else {
            return false;
        };
        let mut buffer = Vec::new();
        let used = &self.state.requests.ids[direction as usize];
        request.has(Fact::Handshake) && used_id(id, &mut buffer).is_some_and(|id| used.contains(id))
    }

    /// Whether a request that is open at the end will certainly not be answered: the party that
    /// should answer has ended the connection, or it has answered others so long after that it
    /// cannot be at work on this one. Otherwise the recording may have stopped too early.
    pub(crate) fn is_neglected(&self, request: &OpenRequest, direction: Direction) -> bool {
        let answerer = direction.reverse();
        if self.was_closed_by(answerer.sender()) {
            return true;
        }
        // It may wait for an answer itself.
        let mut own = self.waiting(answerer).iter();
        let waits = own.any(|own| own.cancelled.is_none() && own.sent.order > request.sent.order);
        let patience = match request.method_name() {
            // People or tasks decide when the answer comes.
            Some("elicitation/create" | "sampling/createMessage" | "tasks/result") => None,
            Some("ping") => Some(PING_TIMEOUT),
            _ => Some(ANSWER_TIMEOUT),
        };
        let token = request.data().and_then(|data| data.progress);
        let reported = token.and_then(|token| self.state.progress.last_report(direction, token));
        let last_sign = reported.map_or(request.sent.time(), |moment| moment.time());
        let last_answer = self.state.cancelled.last_answer(direction);
        let (Some(patience), Some(sign), Some(answer)) = (patience, last_sign, last_answer) else {
            return false;
        };
        !waits && answer.saturating_sub(sign) >= patience
    }

    /// Whether a request that is open at the end should have been answered.
    fn wants_answer(&self, request: &OpenRequest, direction: Direction) -> bool {
        let has = |fact| request.revision.is_some_and(|revision| revision.has(fact));
        let form = request
            .revision
            .and_then(|revision| request.method?.forms[revision.index()]);
        let is_notification = form.is_some_and(|form| form.kind == MethodKind::Notification);
        // A stream that ends without the answer is a fault of HTTP; in 2024-11-05 the answer comes
        // on another stream.
        let reply = request.data().and_then(|data| data.reply);
        let has_two = has(Fact::HttpTwoEndpoints) || self.state.http.has_two_endpoints();
        let elsewhere = reply.is_some_and(|reply| reply.refuses() || !has_two);
        let at_fault = request
            .data()
            .is_some_and(|data| data.faulty || data.closed || data.uncertain);
        // A subscription is answered when it ends.
        let lasts = request.method_name() == Some("subscriptions/listen");
        let unheard_of = direction == Direction::ServerToClient && !has(Fact::ServerRequests);
        request.cancelled.is_none()
            && !(is_notification || elsewhere || at_fault || lasts || unheard_of)
    }

    /// Whether it opens the session and the client continued without the answer, which was
    /// reported.
    fn is_passed_over(&self, request: &OpenRequest) -> bool {
        let hasty = self.handshake.hasty[Direction::ClientToServer as usize];
        // Another handshake took its place.
        let is_replaced = request.sent.order < self.handshake.initialize_at;
        request.method_name() == Some("initialize")
            && (self.handshake.disordered || hasty || is_replaced)
    }
}

fn sent(message: &Message<'_>, session: &mut Session) {
    let is_early = message.id().is_some_and(|id| session.was_early(id));
    if (!message.sound || is_early)
        && let Some(mut request) = session.newest_request()
    {
        request.data_mut().faulty = true;
    }
    if message.batched {
        let order = message.now().order;
        if let Some(mut request) = session.newest_request() {
            request.data_mut().batch = Some(order);
        }
    }
    if message.has(Fact::Stateless) {
        declare(message, session);
    }
    let (Some(direction), Some(id)) = (message.direction(), message.id()) else {
        return;
    };
    // A handshake opens a session, which has ids of its own.
    if message.method() == Some("initialize") {
        session.state.requests.ids = Default::default();
    }
    let requests = &mut session.state.requests;
    let limit = message.policy.limits.ids;
    let mut text = Vec::new();
    let tracked = match used_id(id, &mut text) {
        Some(id) => requests.ids[direction as usize].insert(id, limit),
        None => {
            requests.unidentified[direction as usize] += 1;
            true
        }
    };
    if !tracked {
        session.reached_limit_of("ids");
    }
}

/// Tracks the data that a request declares about itself, in revisions without a handshake.
fn declare(message: &Message<'_>, session: &mut Session) {
    let version = message
        .meta()
        .and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"));
    let limit = message.policy.limits.texts;
    let version = version.and_then(|version| session.named_version(version, limit));
    let Some(mut request) = session.newest_request() else {
        return;
    };
    if let Some(declared) = declared_by(message) {
        request.data_mut().capabilities = Some(declared);
    }
    if version.is_some() {
        request.data_mut().version = version;
    }
}

fn notified(message: &Message<'_>, session: &mut Session) {
    let Some(direction) = message.direction() else {
        return;
    };
    let with = NonZeroU64::MIN.saturating_add(session.spoken[direction as usize]);
    let requests = &mut session.state.requests;
    requests.notified_at[direction as usize] = Some(with);
    // A request without an id may be answered all the same.
    let form = message.exchange.form();
    if form.is_some_and(|form| form.kind == MethodKind::Request) {
        requests.unidentified[direction as usize] += 1;
    }
}

/// Tracks the beginning or the end of the HTTP response to a request.
fn replied(transfer: &Transfer<'_>, session: &mut Session) {
    let Some(exchange) = transfer.http.exchange else {
        return;
    };
    let posted = &mut session.open[Direction::ClientToServer as usize];
    let position = posted.first_in_exchange(exchange);
    let Some(mut request) = position.and_then(|position| posted.get_mut(position)) else {
        return;
    };
    let data = request.data_mut();
    let status = data.reply.map_or(0, |reply| reply.status);
    let reply = match transfer.http.part {
        Part::Response {
            status, streamed, ..
        } => Reply {
            status,
            is_over: !streamed,
        },
        _ => Reply {
            status,
            is_over: true,
        },
    };
    data.reply = Some(reply);
    // Since there is no handshake, a client cancels a request by closing its stream.
    if transfer.ended_by(Party::Client) && transfer.revision.has(Fact::Stateless) {
        request.cancelled.get_or_insert(transfer.now);
    }
    let is_handshake = request.method_name() == Some("initialize");
    drop(request);
    if reply.refuses() && is_handshake {
        session.reset_handshake();
    }
}

/// An id in the form that is tracked; the buffer is used only for one with escapes.
#[inline(always)]
pub(crate) fn used_id<'a>(id: Node<'a>, buffer: &'a mut Vec<u8>) -> Option<UsedId<'a>> {
    if id.kind() == Kind::Number {
        id.as_i64().map(UsedId::Number)
    } else {
        used_text(id, buffer)
    }
}

#[inline(never)]
fn used_text<'a>(id: Node<'a>, buffer: &'a mut Vec<u8>) -> Option<UsedId<'a>> {
    match id.kind() {
        Kind::String => Some(UsedId::Text(match id.plain() {
            Some(plain) => plain,
            None => {
                id.text_into(buffer);
                buffer
            }
        })),
        _ => None,
    }
}
