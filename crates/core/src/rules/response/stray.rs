//! Which fault it is when an answer belongs to no open request. Rules of this family each speak of one.

use crate::frame::Http;
use crate::rules::prelude::*;
use crate::session::used_id;

/// Why an answer belongs to no open request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stray {
    /// An open request has this id, but of another type.
    OtherType,
    /// The request with this id was answered before.
    Again,
    /// Nothing but a notification can be meant.
    Notification,
    /// The id was never used.
    Unknown,
}

/// Why an answer belongs to no open request; `None` if it does belong to one, or if that cannot be told.
#[inline(always)]
pub(super) fn stray(message: &Message<'_>, session: &Session) -> Option<Stray> {
    if message.request.is_some() || message.frame.answers.is_some() {
        None
    } else {
        some_stray(message, session)
    }
}

#[inline(never)]
fn some_stray(message: &Message<'_>, session: &Session) -> Option<Stray> {
    let direction = message.direction()?;
    let asked = direction.reverse();
    // A client that has nothing to answer at all is a matter of its own.
    if direction == Direction::ClientToServer && !message.has(Fact::ServerRequests) {
        return None;
    }
    match message.id() {
        Some(id) => with_id(id, asked, message, session),
        None => without_id(asked, message, session),
    }
}

fn with_id(
    id: Node<'_>,
    asked: Direction,
    message: &Message<'_>,
    session: &Session,
) -> Option<Stray> {
    let is_of_other_type = || session.with_id_of_other_type(asked, id).is_some();
    if !session.was_whole() && asks_alone(asked, message, session) {
        return Some(if is_of_other_type() {
            Stray::OtherType
        } else {
            Stray::Unknown
        });
    }
    // The request may have been forgotten, or may stand in a line that could not be read.
    if session.forgotten[asked as usize] > 0 {
        return None;
    }
    let requests = &session.state.requests;
    // So may the id of a request that was sent without one, as far as its receiver could make it out.
    if requests.unidentified[asked as usize] > 0 {
        return None;
    }
    if is_of_other_type() {
        return Some(Stray::OtherType);
    }
    let mut buffer = Vec::new();
    let used = used_id(id, &mut buffer);
    if used.is_some_and(|id| requests.ids[asked as usize].contains(id)) {
        return (!is_replayed(message, session)).then_some(Stray::Again);
    }
    // An excerpt may begin with the answer.
    if !session.is_whole(message) || session.spoken[asked as usize] == 0 {
        return None;
    }
    if session.open_requests(asked) == 0
        && requests.notified_last[asked as usize]
        && message.frame.http.is_none()
    {
        return Some(Stray::Notification);
    }
    Some(Stray::Unknown)
}

/// Whether an answer comes in the exchange of its request, without sessions: there it is known what was asked, however little is
/// known of the rest.
fn asks_alone(asked: Direction, message: &Message<'_>, session: &Session) -> bool {
    let Some(carrier) = message.frame.http else {
        return false;
    };
    let exchange = session.state.http.exchange(carrier);
    message.has(Fact::Stateless)
        && session.state.requests.unidentified[asked as usize] == 0
        && matches!(exchange, Some(exchange) if exchange.asks_alone())
}

/// Only an error may lack its id, and only if the id that it refuses could not be read.
fn without_id(asked: Direction, message: &Message<'_>, session: &Session) -> Option<Stray> {
    let requests = &session.state.requests;
    let readable = requests.unidentified[asked as usize] == 0
        && session.unread[asked as usize] == 0
        && message.error_code() != Some(PARSE_ERROR);
    (readable
        && session.is_whole(message)
        && requests.notified_last[asked as usize]
        && message.frame.http.is_none())
    .then_some(Stray::Notification)
}

/// Whether it came on a stream that takes up another: what was sent before the break is sent again.
fn is_replayed(message: &Message<'_>, session: &Session) -> bool {
    let http = &session.state.http;
    let resumes = |carrier| {
        http.exchange(carrier)
            .is_none_or(|exchange| exchange.resumes)
    };
    let is_event = |carrier: &&Http<'_>| matches!(carrier.part, Part::Event { .. });
    message.has(Fact::HttpResumption) && message.frame.http.filter(is_event).is_some_and(resumes)
}

/// Who sends this code could not read what came.
const PARSE_ERROR: i64 = -32700;
