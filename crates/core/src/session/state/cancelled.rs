//! Tracks cancelled requests, and the evidence that a party had read a message.
//!
//! A cancellation and an answer may cross on the wire. Only an answer to a later request, or the
//! HTTP response to the cancellation, proves that they did not.

use core::time::Duration;
use std::collections::VecDeque;

use super::progress::Key;
use super::requests::used_id;
use crate::Direction;
use crate::catalogue::On;
use crate::frame::Carrier;
use crate::model::Fact;
use crate::session::lazy::{Lazy, unused};
use crate::session::message::Message;
use crate::session::{Hook, Moment, Session, UsedIds};
use crate::syntax::Node;

/// The time after which a message counts as arrived.
pub(crate) const ARRIVAL: Duration = Duration::from_secs(1);

/// The state: cancelled requests, and the times of answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancellations {
    /// The id of `initialize`.
    initialize: Option<Key>,
    /// The number of cancellations whose request is not known, by the direction of the requests.
    pub(crate) lost: [u64; 2],
    /// The position of the latest request that was answered, by the direction of the requests.
    latest_answered: [u64; 2],
    /// The latest answers, by the direction of the requests.
    answers: [LatestAnswers; 2],
    /// Ids whose answers were older than [`ARRIVAL`] when another came.
    answered_long_ago: Lazy<[UsedIds; 2]>,
}

unused!([UsedIds; 2]);

/// The id of an answered request, and the time of the answer in nanoseconds.
type Answer = (Key, u64);

/// The answers that may not have arrived when the latest one came: mostly that one alone, which
/// needs no memory of its own.
#[derive(Clone, Debug, Default)]
enum LatestAnswers {
    #[default]
    None,
    One(Answer),
    #[expect(clippy::box_collection, reason = "the other variants are smaller")]
    Many(Box<VecDeque<Answer>>),
}

impl LatestAnswers {
    fn push(&mut self, answer: Answer) {
        match self {
            Self::None => *self = Self::One(answer),
            Self::One(first) => {
                *self = Self::Many(Box::new(VecDeque::from([*first, answer])));
            }
            Self::Many(answers) => answers.push_back(answer),
        }
    }

    fn pop_oldest(&mut self) {
        match self {
            Self::None => {}
            Self::One(_) => *self = Self::None,
            Self::Many(answers) => drop(answers.pop_front()),
        }
    }

    fn oldest(&self) -> Option<&Answer> {
        self.newest_first().next_back()
    }

    fn newest_first(&self) -> impl DoubleEndedIterator<Item = &Answer> {
        let (one, many) = match self {
            Self::None => (None, None),
            Self::One(answer) => (Some(answer), None),
            Self::Many(answers) => (None, Some(answers)),
        };
        let many = many.into_iter().flat_map(|answers| answers.iter().rev());
        one.into_iter().chain(many)
    }

    fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(_) => 1,
            Self::Many(answers) => answers.len(),
        }
    }

    /// Releases memory that is held for reuse.
    fn release(&mut self) {
        let Self::Many(answers) = self else {
            return;
        };
        match (answers.front(), answers.len()) {
            (Some(only), 1) => *self = Self::One(*only),
            (Some(_), _) => answers.shrink_to_fit(),
            (None, _) => *self = Self::None,
        }
    }
}

impl Cancellations {
    /// Releases memory that is held for reuse.
    pub(super) fn release(&mut self) {
        for answers in &mut self.answers {
            answers.release();
        }
    }

    /// Whether this is the id of `initialize`.
    pub(crate) fn is_initialize(&self, id: Key) -> bool {
        self.initialize == Some(id)
    }

    /// The time of the last answer to a request of this direction.
    pub(crate) fn last_answer(&self, request_direction: Direction) -> Option<Duration> {
        let last = self.answers[request_direction as usize]
            .newest_first()
            .next();
        last.map(|(_, time)| Duration::from_nanos(*time))
    }

    /// Whether the request of this id was answered so long before a moment that the answer has
    /// arrived.
    pub(crate) fn was_answered_long_before(
        &self,
        request_direction: Direction,
        id: Key,
        now: &Moment,
    ) -> bool {
        let answers = &self.answers[request_direction as usize];
        let mut answers = answers.newest_first();
        let answered = answers.find(|(answered, _)| *answered == id);
        match (answered, now.time()) {
            (Some((_, time)), Some(now)) => is_long_before(*time, nanos(now)),
            (None, Some(_)) => {
                self.answered_long_ago[request_direction as usize].contains(id.into())
            }
            (_, None) => false,
        }
    }

    /// Tracks the time of an answer; `false` if the limit of ids is reached.
    fn track_answer(
        &mut self,
        request_direction: Direction,
        id: Key,
        time: Duration,
        limit: usize,
    ) -> bool {
        let direction = request_direction as usize;
        let answers = &mut self.answers[direction];
        let (mut is_tracked, time) = (true, nanos(time));
        while let Some(&(oldest, answered)) = answers.oldest()
            && (is_long_before(answered, time) || answers.len() >= limit.max(1))
        {
            answers.pop_oldest();
            is_tracked &= is_long_before(answered, time)
                && self.answered_long_ago[direction].insert(oldest.into(), limit);
        }
        answers.push((id, time));
        is_tracked
    }
}

impl Session {
    /// Whether the receiver of a cancellation had certainly read it before it sent a message: it
    /// has answered a later request. Time alone proves nothing, because the receiver may be busy or
    /// still starting.
    pub(crate) fn was_cancellation_read(
        &self,
        cancelled: &Moment,
        request_direction: Direction,
        message: &Message<'_>,
    ) -> bool {
        if message.frame.carrier != Carrier::Http {
            let latest = self.state.cancelled.latest_answered[request_direction as usize];
            return latest > cancelled.order;
        }
        // HTTP exchanges may overtake one another: the response to the cancellation is the proof,
        // if it did not just cross this message.
        let passed = message.now().since(cancelled);
        let is_old = passed.is_some_and(|passed| passed > ARRIVAL);
        is_old && self.was_responded(cancelled.exchange)
    }

    /// Whether the HTTP exchange of a past message is certainly over.
    fn was_responded(&self, exchange: Option<i64>) -> bool {
        let is_tracked = !self.has_reached_limit_of("HTTP exchanges");
        is_tracked && exchange.is_some_and(|number| self.state.http.is_over(number))
    }

    /// Whether every used id is tracked.
    pub(crate) fn knows_all_ids(&self) -> bool {
        !self.has_reached_limit_of("ids")
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Call("initialize")], opened),
    Hook(&[On::Call("notifications/cancelled")], cancelled),
    Hook(&[On::AnyResult, On::AnyError], answered),
];

fn opened(message: &Message<'_>, session: &mut Session) {
    let id = message.id();
    let key = id.and_then(|id| session.state.progress.keys.of(id));
    session.state.cancelled.initialize = key;
}

fn cancelled(message: &Message<'_>, session: &mut Session) {
    let Some(id) = message.param("requestId") else {
        session.add_cancellation_gap(message.direction());
        return;
    };
    let Some(direction) = message.direction() else {
        session.may_be_cancelled(id);
        return;
    };
    if let Some(mut request) = session.open_request_mut(direction, id) {
        request.cancelled.get_or_insert(message.now());
        return;
    }
    // A server ends a subscription by cancelling the client's request.
    if direction == Direction::ServerToClient
        && message.has(Fact::Subscriptions)
        && let Some(mut request) = session.open_request_mut(direction.reverse(), id)
        && request.method_name() == Some("subscriptions/listen")
    {
        request.cancelled.get_or_insert(message.now());
        request.data_mut().closed = true;
        return;
    }
    let mut buffer = Vec::new();
    let requests = &session.state.requests;
    let is_used =
        used_id(id, &mut buffer).is_some_and(|id| requests.ids[direction as usize].contains(id));
    if !is_used {
        session.add_cancellation_gap(message.direction());
    }
}

fn answered(message: &Message<'_>, session: &mut Session) {
    let (Some(request), Some(direction)) =
        (message.request, message.direction().map(Direction::reverse))
    else {
        return;
    };
    let latest = &mut session.state.cancelled.latest_answered[direction as usize];
    *latest = request.sent.order.max(*latest);
    // Without a clock the time of the answer is not known later.
    if let Some(time) = message.now().time()
        && let Some(key) = message
            .id()
            .and_then(|id: Node<'_>| session.state.progress.keys.of(id))
    {
        let cancelled = &mut session.state.cancelled;
        if !cancelled.track_answer(direction, key, time, message.policy.limits.ids) {
            session.reached_limit_of("ids");
        }
    }
}

/// Whether so much time has passed since an answer that it has arrived.
fn is_long_before(answered: u64, now: u64) -> bool {
    now.checked_sub(answered)
        .is_some_and(|passed| passed > nanos(ARRIVAL))
}

/// A time in nanoseconds, which last for 584 years.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
