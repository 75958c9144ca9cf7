//! Checks a cancellation once for all rules about its subject, its sender and its time.
//!
//! They exclude one another: a cancellation is wrong for one reason.

use super::{
    http_no_notification, in_flight, not_for_tasks, not_initialize, own_request,
    request_id_present, server_only_listen,
};
use crate::rules::prelude::*;
use crate::session::{ARRIVAL, Key, OpenRequest, used_id};

/// Checks cancellations.
pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Call("notifications/cancelled")],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(params) = message.params() else {
        return;
    };
    let Some(direction) = message.direction() else {
        if params.get("requestId").is_none() {
            nothing_named(params, findings);
        }
        return;
    };
    let modern = !message.has(Fact::ServerRequests);
    if modern && direction.sender() == Party::Client && message.frame.carrier == Carrier::Http {
        let text = "over HTTP a request is cancelled by closing the stream of its response";
        findings.raise(&http_no_notification::RULE, message.method_or_root(), text);
        return;
    }
    let Some(id) = params.get("requestId") else {
        nothing_named(params, findings);
        return;
    };
    let Some(key) = session.state.progress.keys.of(id) else {
        return;
    };
    if modern && direction.sender() == Party::Server {
        by_server(message, id, session, findings);
        return;
    }
    let open = session.open_request(direction, id);
    let method = open.map(OpenRequest::method_name);
    if direction.sender() == Party::Client
        && session.state.cancelled.is_initialize(key)
        && method.is_none_or(|method| method == Some("initialize"))
    {
        findings.raise(&not_initialize::RULE, id, "this is the id of `initialize`");
        return;
    }
    if open.is_none() {
        not_open(message, id, key, session, findings);
    }
}

fn nothing_named(params: Node<'_>, findings: &mut Findings<'_>) {
    let text = "`requestId` is missing, so nothing is cancelled";
    findings.raise(&request_id_present::RULE, params, text);
}

/// Checks a server, which sends no requests and may cancel only subscriptions.
fn by_server(message: &Message<'_>, id: Node<'_>, session: &Session, findings: &mut Findings<'_>) {
    let request_direction = Direction::ClientToServer;
    let wrong = match session.open_request(request_direction, id) {
        Some(request) => request.method_name() != Some("subscriptions/listen"),
        None => is_unknown(message, request_direction, id, session),
    };
    if wrong {
        let text = "a server may cancel nothing but a `subscriptions/listen` request";
        findings.raise(&server_only_listen::RULE, id, text);
    }
}

fn not_open(
    message: &Message<'_>,
    id: Node<'_>,
    key: Key,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let Some(direction) = message.direction() else {
        return;
    };
    if let Some(task) = session.state.tasks.made_by(direction, key) {
        let late = message.now().since(&task.created);
        if task.known || late.is_some_and(|passed| passed > ARRIVAL) {
            let text = "this request has become a task, which is stopped by `tasks/cancel`";
            findings.raise(&not_for_tasks::RULE, id, text);
        }
        return;
    }
    // Another rule checks a request that became a task of the extension.
    if session.state.ext_tasks.made_by(id).is_some() {
        return;
    }
    let cancelled = &session.state.cancelled;
    if cancelled.was_answered_long_before(direction, key, &message.now()) {
        findings.raise(
            &in_flight::RULE,
            id,
            "this request was answered long before",
        );
    } else if is_unknown(message, direction, id, session) {
        let text = match session.open_request(direction.reverse(), id) {
            Some(_) => "this is a request of the other side",
            None => "no request was sent with this id",
        };
        findings.raise(&own_request::RULE, id, text);
    }
}

/// Whether no request of a direction ever had this id.
fn is_unknown(
    message: &Message<'_>,
    request_direction: Direction,
    id: Node<'_>,
    session: &Session,
) -> bool {
    let mut buffer = Vec::new();
    let used = used_id(id, &mut buffer)
        .is_none_or(|id| session.state.requests.ids[request_direction as usize].contains(id));
    // An unreadable message may have been the request.
    !used
        && session.is_whole(message)
        && session.knows_all_ids()
        && session.losses.unread[request_direction as usize] == 0
}
