//! Checks a notification once for all rules about messages on a subscription.

use super::{
    ack_first, ack_subset, change_only_on_listen, id_matches, id_tag, no_request_scoped,
    only_requested, only_requested_uris, silent_after_close,
};
use crate::rules::prelude::*;
use crate::session::{ARRIVAL, Notice, Phase, Subscription, Subscriptions, subscription_id};

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[
        On::Call(ACKNOWLEDGED),
        On::Call("notifications/tools/list_changed"),
        On::Call("notifications/prompts/list_changed"),
        On::Call("notifications/resources/list_changed"),
        On::Call("notifications/resources/updated"),
        On::Call("notifications/tasks"),
        On::Call("notifications/progress"),
        On::Call("notifications/message"),
    ],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if message.sender() == Some(Party::Client) {
        return;
    }
    let id = subscription_id(message);
    if let Some("notifications/progress" | "notifications/message") = message.method() {
        request_scoped(message, id, session, findings);
        return;
    }
    let Some(id) = id else {
        untagged(message, session, findings);
        return;
    };
    let subscriptions = &session.state.subscriptions;
    let Some(subscription) = subscriptions.named(id, &message.now()) else {
        unknown(message, id, session, findings);
        return;
    };
    if is_astray(message, subscription) {
        astray(message, id, session, findings);
    } else if let Some((ended, by)) = &subscription.ended {
        // A message that the server sent before it learnt of the end may arrive after it.
        let late = || {
            message
                .now()
                .since(ended)
                .is_some_and(|passed| passed > ARRIVAL)
        };
        if *by == Party::Server || late() {
            let text = "this subscription is over";
            findings.raise(&silent_after_close::RULE, id, text);
        }
    } else if message.method() == Some(ACKNOWLEDGED) {
        acknowledged(message, subscription, session, findings);
    } else {
        delivered(message, subscription, session, findings);
    }
}

/// Reports progress and log messages, which belong to a request and come with its answer.
fn request_scoped(
    message: &Message<'_>,
    id: Option<Node<'_>>,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let subscriptions = &session.state.subscriptions;
    // Another rule checks log messages on an HTTP stream.
    if message.frame.carrier == Carrier::Http && message.method() == Some("notifications/message") {
        return;
    }
    let of_stream = || subscriptions.on_exchange(message.now().exchange?);
    let subscription = match id {
        Some(id) => subscriptions.named(id, &message.now()),
        None => of_stream(),
    };
    // Another rule checks those about tasks.
    let about_tasks = subscription.is_some_and(Subscription::is_about_tasks);
    if (id.is_some() || subscription.is_some()) && !about_tasks {
        let text = "belongs to a request and is not sent on a subscription";
        findings.raise(&no_request_scoped::RULE, message.method_or_root(), text);
    }
}

/// Checks a notification that names no subscription.
fn untagged(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // A session with a handshake on the same connection has notifications of changes without
    // subscriptions.
    if session.handshake.phase != Phase::Closed {
        return;
    }
    let subscriptions = &session.state.subscriptions;
    // Only a requested notification is known to need a subscription.
    if message.method() == Some("notifications/tasks") && !is_watched(message, subscriptions) {
        return;
    }
    let subscribed = match message.now().exchange {
        Some(exchange) => subscriptions.on_exchange(exchange).is_some(),
        None => subscriptions.all().next().is_some(),
    };
    let in_other_way = !subscribed && session.is_whole(message) && !subscriptions.dropped;
    if in_other_way && message.method() != Some(ACKNOWLEDGED) {
        let text = "change notices come through `subscriptions/listen` only";
        findings.raise(&change_only_on_listen::RULE, message.method_or_root(), text);
    } else {
        let at = message
            .meta()
            .or(message.params())
            .unwrap_or(message.root());
        let text = "`io.modelcontextprotocol/subscriptionId` is missing in `_meta`";
        findings.raise(&id_tag::RULE, at, text);
    }
}

/// Whether an open subscription covers the task of a notification.
fn is_watched(message: &Message<'_>, subscriptions: &Subscriptions) -> bool {
    let Some(task) = message.param("taskId") else {
        return false;
    };
    subscriptions.all().any(|subscription| {
        let requested = subscription.requested.as_ref();
        subscription.ended.is_none()
            && requested.is_some_and(|requested| subscriptions.has_task(requested, task))
    })
}

/// Reports a notification for an unknown subscription.
fn unknown(message: &Message<'_>, id: Node<'_>, session: &Session, findings: &mut Findings<'_>) {
    let subscriptions = &session.state.subscriptions;
    if subscriptions.has_id_of_other_type(id) {
        let text = "the `subscriptions/listen` request has this id with another JSON type";
        findings.raise(&id_matches::RULE, id, text);
    } else if session.is_whole(message) && !subscriptions.dropped {
        findings.raise(
            &id_matches::RULE,
            id,
            "no `subscriptions/listen` request has this id",
        );
    }
}

/// Whether a notification is on the stream of another HTTP exchange than its subscription.
fn is_astray(message: &Message<'_>, subscription: &Subscription) -> bool {
    let (here, own) = (message.now().exchange, subscription.sent.exchange);
    here.is_some() && own.is_some() && here != own
}

fn astray(message: &Message<'_>, id: Node<'_>, session: &Session, findings: &mut Findings<'_>) {
    let subscriptions = &session.state.subscriptions;
    let here = message.now().exchange;
    if here.is_some_and(|here| subscriptions.on_exchange(here).is_some()) {
        let text = "this stream was opened by a `subscriptions/listen` request with another id";
        findings.raise(&id_matches::RULE, id, text);
    } else if message.method() != Some(ACKNOWLEDGED) {
        let text = "change notices come on the stream of `subscriptions/listen` only";
        findings.raise(&change_only_on_listen::RULE, message.method_or_root(), text);
    }
}

fn acknowledged(
    message: &Message<'_>,
    subscription: &Subscription,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    if subscription.hurried && subscription.agreed.is_none() {
        let text = "comes after a notification of the subscription, and must be the first";
        findings.raise(&ack_first::RULE, message.method_or_root(), text);
    }
    let (Some(requested), Some(agreed)) = (&subscription.requested, message.param("notifications"))
    else {
        return;
    };
    let declared = session.declared(Party::Server, message);
    let lacks = |capability| declared.is_some_and(|declared| !declared.has(capability));
    for (key, value) in agreed.members() {
        let (notice, capability) = match key {
            _ if key.is_text("toolsListChanged") => (Notice::Tools, Capability::Tools),
            _ if key.is_text("promptsListChanged") => (Notice::Prompts, Capability::Prompts),
            _ if key.is_text("resourcesListChanged") => (Notice::Resources, Capability::Resources),
            _ if key.is_text("resourceSubscriptions") => {
                let beyond = |uri: &Node<'_>| !requested.watches(*uri);
                if lacks(Capability::Resources) && value.items().next().is_some() {
                    findings.raise(&ack_subset::RULE, value, UNDECLARED);
                } else if let Some(uri) = value.items().find(beyond) {
                    findings.raise(
                        &ack_subset::RULE,
                        uri,
                        "the client did not ask for this URI",
                    );
                }
                continue;
            }
            _ if key.is_text("taskIds") => {
                let subscriptions = &session.state.subscriptions;
                let beyond = |task: &Node<'_>| !subscriptions.has_task(requested, *task);
                if let Some(task) = value.items().find(beyond) {
                    findings.raise(
                        &ack_subset::RULE,
                        task,
                        "the client did not ask for this task",
                    );
                }
                continue;
            }
            _ => continue,
        };
        if value.kind() != Kind::True {
            continue;
        }
        if !requested.has(notice) {
            findings.raise(&ack_subset::RULE, value, "the client did not ask for this");
        } else if lacks(capability) {
            findings.raise(&ack_subset::RULE, value, UNDECLARED);
        }
    }
}

const UNDECLARED: &str = "the server has not declared what these notices are about";

fn delivered(
    message: &Message<'_>,
    subscription: &Subscription,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let Some(requested) = &subscription.requested else {
        return;
    };
    let notice = match message.method() {
        Some("notifications/tools/list_changed") => Notice::Tools,
        Some("notifications/prompts/list_changed") => Notice::Prompts,
        Some("notifications/resources/list_changed") => Notice::Resources,
        Some("notifications/resources/updated") => Notice::Updates,
        _ => Notice::Tasks,
    };
    let at = message.method_or_root();
    if !requested.has(notice) {
        let text = "the subscription did not ask for this kind of notification";
        findings.raise(&only_requested::RULE, at, text);
        return;
    }
    let agreed = subscription.agreed.as_ref();
    if agreed.is_some_and(|agreed| !agreed.has(notice)) {
        let text = "the server did not agree to send this kind of notification";
        findings.raise(&only_requested::RULE, at, text);
        return;
    }
    match notice {
        Notice::Updates => {
            let uri = message
                .param("uri")
                .filter(|uri| uri.kind() == Kind::String);
            if let Some(uri) = uri.filter(|uri| !requested.watches(*uri)) {
                let text = "neither a listed resource nor below one";
                findings.raise(&only_requested_uris::RULE, uri, text);
            }
        }
        Notice::Tasks => {
            let task = message
                .param("taskId")
                .filter(|task| task.kind() == Kind::String);
            let subscriptions = &session.state.subscriptions;
            if let Some(task) = task.filter(|task| !subscriptions.has_task(requested, *task)) {
                let text = "the subscription did not ask for this task";
                findings.raise(&only_requested::RULE, task, text);
            }
        }
        _ => {}
    }
}
