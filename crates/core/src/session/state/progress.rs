//! Tracks progress tokens: their direction, the state of their request, and the last report.
//!
//! A finished token is dropped silently at the limit; only a dropped token in use makes the state
//! incomplete.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;

use foldhash::quality::RandomState;

use crate::Direction;
use crate::catalogue::On;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::request_data::RequestData;
use crate::session::{Hook, Moment, Seed, Session};
use crate::syntax::{Kind, Node};

/// A tracked token or id: by value and type, texts by their hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// An integer.
    Number(i64),
    /// Anything else.
    Text(u64),
}

/// Makes keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys(Seed);

impl Keys {
    /// The key of a string or number.
    #[inline]
    pub(crate) fn of(&self, node: Node<'_>) -> Option<Key> {
        match node.as_i64() {
            Some(value) => Some(Key::Number(value)),
            None => self.of_other(node),
        }
    }

    #[inline(never)]
    fn of_other(&self, node: Node<'_>) -> Option<Key> {
        match node.kind() {
            Kind::Number => Some(Key::Text(self.0.hash_one((0u8, node.raw())))),
            Kind::String => Some(match node.plain() {
                Some(plain) => self.text(plain),
                None => {
                    let mut text = Vec::new();
                    node.text_into(&mut text);
                    self.text(&text)
                }
            }),
            _ => None,
        }
    }

    /// The key of the same text with the other type: `1` and `"1"`.
    pub(crate) fn of_other_type(&self, node: Node<'_>) -> Option<Key> {
        match node.kind() {
            Kind::Number => Some(self.text(node.as_i64()?.to_string().as_bytes())),
            Kind::String => {
                let text = node.text()?;
                let value: i64 = text.parse().ok()?;
                (value.to_string() == text).then_some(Key::Number(value))
            }
            _ => None,
        }
    }

    /// The key of the first bytes of a text.
    pub(crate) fn of_prefix(&self, text: &str, length: usize) -> Key {
        self.text(text.as_bytes().get(..length).unwrap_or_default())
    }

    fn text(&self, text: &[u8]) -> Key {
        Key::Text(self.0.hash_one(text))
    }
}

/// The state: progress tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    /// Keys; other parts of the state use them, too.
    pub(crate) keys: Keys,
    /// The tokens, by the direction of the requests that set them.
    given: [Tokens; 2],
    /// Whether a request of an unknown sender set a token.
    pub(crate) unattributed: bool,
}

#[derive(Clone, Debug, Default)]
struct Tokens {
    by_key: HashMap<Key, Token, RandomState>,
    /// The keys, the oldest first.
    order: VecDeque<Key>,
    /// Whether a token in use was dropped.
    incomplete: bool,
}

/// A progress token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) state: State,
    /// Whether two open requests set it, so that its progress may belong to either.
    pub(crate) shared: bool,
    /// The last report, and its moment.
    pub(crate) last: Option<(f64, Moment)>,
}

/// The state of the request that set a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// It is open.
    Open,
    /// It was answered.
    Answered(Moment),
    /// It was answered with this task.
    Task(Key),
    /// Not known.
    Unknown,
}

impl Progress {
    /// A token that requests of this direction set.
    pub(crate) fn given(&self, request_direction: Direction, key: Key) -> Option<&Token> {
        self.given[request_direction as usize].by_key.get(&key)
    }

    /// The token and the value of a progress notification; a value that is no number is none.
    pub(crate) fn report(&self, message: &Message<'_>) -> Option<(Key, f64)> {
        message.memo.progress(|| {
            let key = self.keys.of(message.param("progressToken")?)?;
            let value = message.param("progress").map_or(f64::NAN, Node::as_f64);
            Some((key, value))
        })
    }

    /// Whether requests of this direction set it with the other type.
    pub(crate) fn is_given_as_other_type(
        &self,
        request_direction: Direction,
        token: Node<'_>,
    ) -> bool {
        let key = self.keys.of_other_type(token);
        key.is_some_and(|key| {
            self.given[request_direction as usize]
                .by_key
                .contains_key(&key)
        })
    }

    /// The moment of the last report for a token that requests of this direction set.
    pub(crate) fn last_report(&self, request_direction: Direction, token: Key) -> Option<Moment> {
        let given = self.given[request_direction as usize].by_key.get(&token)?;
        given.last.map(|(_, moment)| moment)
    }

    /// Whether every token in use is tracked.
    pub(crate) fn is_complete(&self, request_direction: Direction) -> bool {
        !self.given[request_direction as usize].incomplete
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::AnyRequest, On::AnyNotification], gave),
    Hook(&[On::AnyResult, On::AnyError], answered),
    Hook(&[On::Call("notifications/progress")], reported),
];

/// The progress token of a request.
pub(crate) fn token_of<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    message.meta()?.get("progressToken")
}

fn gave(message: &Message<'_>, session: &mut Session) {
    if message.mentions("progressToken") && message.mentions("_meta") {
        may_have_given(message, session);
    }
}

#[inline(never)]
fn may_have_given(message: &Message<'_>, session: &mut Session) {
    let Some(token) = token_of(message) else {
        return;
    };
    let Some(direction) = message.direction() else {
        session.state.progress.unattributed = true;
        return;
    };
    let Some(key) = session.state.progress.keys.of(token) else {
        return;
    };
    let shared = is_in_use(session, direction, key);
    let state = match session.newest_request() {
        Some(mut request) => {
            request.data_mut().progress = Some(key);
            State::Open
        }
        // The request itself was faulty.
        None => State::Unknown,
    };
    let tokens = &mut session.state.progress.given[direction as usize];
    if !tokens.by_key.contains_key(&key) {
        let mut missed = false;
        while tokens.by_key.len() >= message.policy.limits.progress_tokens.max(1) {
            let Some(oldest) = tokens.order.pop_front() else {
                break;
            };
            let untracked = tokens.by_key.remove(&oldest);
            missed |= untracked.is_some_and(|token| !matches!(token.state, State::Answered(_)));
        }
        tokens.order.push_back(key);
        tokens.incomplete |= missed;
        if missed {
            session.reached_limit_of("progress tokens");
        }
    }
    let given = Token {
        state,
        shared,
        last: None,
    };
    let tokens = &mut session.state.progress.given[direction as usize];
    tokens.by_key.insert(key, given);
}

/// Whether an open request that was not cancelled has set a token.
pub(crate) fn is_in_use(session: &Session, direction: Direction, key: Key) -> bool {
    // Most tokens are new, and there may be thousands of open requests.
    let given = &session.state.progress.given[direction as usize];
    given.by_key.contains_key(&key) && is_given_by_open_request(session, direction, key)
}

fn is_given_by_open_request(session: &Session, direction: Direction, key: Key) -> bool {
    session.with_token(direction, key).any(|request| {
        request.cancelled.is_none() && request.data().is_some_and(|data| !is_over(data))
    })
}

/// Whether HTTP has finished a request: it was refused, or its stream is closed.
fn is_over(data: &RequestData) -> bool {
    data.reply.is_some_and(|reply| reply.is_over)
}

fn answered(message: &Message<'_>, session: &mut Session) {
    let data = message.request.and_then(|request| request.data());
    let (Some(key), Some(direction)) = (
        data.and_then(|data| data.progress),
        message.direction().map(Direction::reverse),
    ) else {
        return;
    };
    if is_in_use(session, direction, key) {
        return;
    }
    let result = message.result();
    let state = match super::tasks::created_task(message) {
        Some(task) if message.has(Fact::CoreTasks) => task
            .get("taskId")
            .and_then(|id| session.state.progress.keys.of(id))
            .map_or(State::Unknown, State::Task),
        // Tasks of the extension have rules of their own.
        _ if result
            .and_then(|result| result.get("resultType"))
            .is_some_and(|kind| !kind.is_text("complete") && !kind.is_text("input_required")) =>
        {
            State::Unknown
        }
        _ => State::Answered(message.now()),
    };
    let tokens = &mut session.state.progress.given[direction as usize];
    if let Some(given) = tokens.by_key.get_mut(&key) {
        given.state = state;
        given.shared = false;
    }
}

fn reported(message: &Message<'_>, session: &mut Session) {
    let progress = &mut *session.state.progress;
    let (Some((key, value)), Some(direction)) = (
        progress.report(message),
        message.direction().map(Direction::reverse),
    ) else {
        return;
    };
    if let Some(given) = progress.given[direction as usize].by_key.get_mut(&key)
        && !value.is_nan()
    {
        given.last = Some((value, message.now()));
    }
}
