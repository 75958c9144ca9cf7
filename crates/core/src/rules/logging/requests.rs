//! Log messages in revisions in which each request sets its own level.

use super::{opt_in, own_stream, per_request_threshold};
use crate::rules::prelude::*;
use crate::session::{LogLevel, OpenRequest, Phase, subscription_id};

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Call("notifications/message")],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if !message.has(Fact::LogLevelInMeta) || !all_requests_are_known(message, session) {
        return;
    }
    let Some(level) = message.param("level") else {
        return;
    };
    let Some(exchange) = message.now().exchange else {
        // Another rule reports a log message with the tag of a subscription.
        if message.frame.carrier != Carrier::Http && subscription_id(message).is_none() {
            let levels = session.tally(Direction::ClientToServer).levels;
            let requested = LogLevel::least(&levels);
            compare(requested, level, message, findings);
        }
        return;
    };
    let mut of_stream = session.in_exchange(Direction::ClientToServer, exchange);
    match of_stream.next() {
        None => findings.raise(
            &own_stream::RULE,
            message.method_or_root(),
            "the request of this stream is answered, and log messages come before the answer",
        ),
        Some(request) if request.method_name() == Some("subscriptions/listen") => findings.raise(
            &own_stream::RULE,
            message.method_or_root(),
            "this is the stream of a subscription, and log messages go where the answer to their request goes",
        ),
        Some(request) => compare(asked_level(request), level, message, findings),
    }
}

/// Whether all requests that could have requested the message are known.
fn all_requests_are_known(message: &Message<'_>, session: &Session) -> bool {
    session.is_whole(message)
        && session.losses.unread[Direction::ClientToServer as usize] == 0
        && session.open_requests(Direction::ClientToServer) < message.policy.limits.open_requests
        // A message of a session with a handshake belongs to no particular request.
        && session.handshake.phase == Phase::Closed
}

fn asked_level(request: &OpenRequest) -> Option<LogLevel> {
    request.data()?.log_level
}

fn compare(
    requested: Option<LogLevel>,
    level: Node<'_>,
    message: &Message<'_>,
    findings: &mut Findings<'_>,
) {
    match (requested, LogLevel::read(level)) {
        (None, _) => findings.raise(
            &opt_in::RULE,
            message.method_or_root(),
            "no open request asks for log messages",
        ),
        (Some(requested), Some(sent)) if sent < requested => findings.raise(
            &per_request_threshold::RULE,
            level,
            "this level is below the one that the request requested for",
        ),
        _ => {}
    }
}
