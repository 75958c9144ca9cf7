//! Classifies an answer that matches no open request. Each rule of this family reports one class.

use crate::rules::prelude::*;
use crate::session::used_id;

/// The reason why an answer matches no open request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stray {
    /// An open request has this id, but of another type.
    OtherType,
    /// The request with this id was answered before.
    Again,
    /// The answer can only belong to a notification.
    Notification,
    /// The id was never used.
    Unknown,
}

/// The reason why an answer matches no open request; `None` if it matches one, or if that is not
/// certain.
#[inline(always)]
pub(super) fn stray(message: &Message<'_>, session: &Session) -> Option<Stray> {
    if message.exchange.has_id_of_other_type && message.request.is_some() {
        Some(Stray::OtherType)
    } else if message.request.is_some() || message.frame.answers.is_some() {
        None
    } else {
        some_stray(message, session)
    }
}

#[inline(never)]
fn some_stray(message: &Message<'_>, session: &Session) -> Option<Stray> {
    let Some(direction) = message.direction() else {
        return of_either(message, session);
    };
    let request_direction = direction.reverse();
    // Another rule reports a client that sends responses at all.
    if direction == Direction::ClientToServer && !message.has(Fact::ServerRequests) {
        return None;
    }
    match message.id() {
        Some(id) => with_id(id, request_direction, message, session),
        None => without_id(request_direction, message, session),
    }
}

/// The class of an answer whose sender is not known: it is certain only if no request of either
/// party can have its id.
fn of_either(message: &Message<'_>, session: &Session) -> Option<Stray> {
    let id = message.id()?;
    let is_unknown = |requests| with_id(id, requests, message, session) == Some(Stray::Unknown);
    [Direction::ClientToServer, Direction::ServerToClient]
        .into_iter()
        .all(is_unknown)
        .then_some(Stray::Unknown)
}

fn with_id(
    id: Node<'_>,
    request_direction: Direction,
    message: &Message<'_>,
    session: &Session,
) -> Option<Stray> {
    let is_of_other_type = || {
        session
            .with_id_of_other_type(request_direction, id)
            .is_some()
    };
    if !session.was_whole() && asks_alone(request_direction, message, session) {
        return Some(if is_of_other_type() {
            Stray::OtherType
        } else {
            Stray::Unknown
        });
    }
    // A party that reads ids as floating-point numbers rounds long ones: no unseen request has the
    // id, because an open one has its neighbour.
    if session.is_rounded(request_direction, id) {
        return Some(Stray::Unknown);
    }
    // The request may have been dropped, or may be in an unreadable line.
    if session.losses.untracked[request_direction as usize] > 0 {
        return None;
    }
    let requests = &session.state.requests;
    // The request may have an id that only its receiver could read.
    if requests.unidentified[request_direction as usize] > 0 {
        return None;
    }
    if is_of_other_type() {
        return Some(Stray::OtherType);
    }
    let mut buffer = Vec::new();
    let used = used_id(id, &mut buffer);
    if used.is_some_and(|id| requests.ids[request_direction as usize].contains(id)) {
        return (!is_replayed(message, session)).then_some(Stray::Again);
    }
    // An excerpt may begin with the answer.
    if !session.is_whole(message) || session.spoken[request_direction as usize] == 0 {
        return None;
    }
    if session.open_requests(request_direction) == 0
        && session.was_notified_last(request_direction)
        && message.frame.http.is_none()
    {
        return Some(Stray::Notification);
    }
    Some(Stray::Unknown)
}

/// Whether an answer is in the exchange of its request, without sessions: then its request is
/// known, even if the rest of the session is not.
fn asks_alone(request_direction: Direction, message: &Message<'_>, session: &Session) -> bool {
    let Some(carrier) = message.frame.http else {
        return false;
    };
    let exchange = session.state.http.exchange(carrier);
    message.has(Fact::Stateless)
        && session.state.requests.unidentified[request_direction as usize] == 0
        && matches!(exchange, Some(exchange) if exchange.asks_alone())
}

/// The class of an error without an id. Only an error may lack its id, and only if the id of its
/// request could not be read.
fn without_id(
    request_direction: Direction,
    message: &Message<'_>,
    session: &Session,
) -> Option<Stray> {
    let requests = &session.state.requests;
    let readable = requests.unidentified[request_direction as usize] == 0
        && session.losses.unread[request_direction as usize] == 0
        && message.error_code() != Some(PARSE_ERROR);
    (readable
        && session.is_whole(message)
        && session.was_notified_last(request_direction)
        && message.frame.http.is_none())
    .then_some(Stray::Notification)
}

/// Whether it came on a resumed stream, which repeats events from before the break. Those have the
/// ids that they had before; without an id nobody can tell.
fn is_replayed(message: &Message<'_>, session: &Session) -> bool {
    let Some(carrier) = message
        .frame
        .http
        .filter(|_| message.has(Fact::HttpResumption))
    else {
        return false;
    };
    let (Part::Event { id, .. }, http) = (carrier.part, &session.state.http) else {
        return false;
    };
    let Some(exchange) = http.exchange(carrier) else {
        return true;
    };
    let first_stream = id
        .filter(|id| !id.is_empty())
        .map(|id| http.stream_of(exchange, id));
    let is_new = match first_stream {
        None => false,
        Some(stream) => stream.is_none() || stream == carrier.exchange,
    };
    let may_be_old = !is_new || session.has_dropped_events() || !session.is_whole(message);
    exchange.resumes && may_be_old
}

/// The code of a party that could not read the message.
const PARSE_ERROR: i64 = -32700;
