//! Hooks that run when a list is requested, returned or changed.

use super::{LastPage, List, Page, Walk};
use crate::catalogue::On;
use crate::session::message::Message;
use crate::session::{Hook, Session};
use crate::syntax::Kind;

pub(in crate::session::state) static HOOKS: &[Hook] = &[
    Hook(
        &[
            On::Call("tools/list"),
            On::Call("prompts/list"),
            On::Call("resources/list"),
            On::Call("resources/templates/list"),
            On::Call("tasks/list"),
            On::Call("roots/list"),
        ],
        track_request,
    ),
    Hook(
        &[
            On::Result("tools/list"),
            On::Result("prompts/list"),
            On::Result("resources/list"),
            On::Result("resources/templates/list"),
            On::Result("tasks/list"),
            On::Result("roots/list"),
        ],
        shown,
    ),
    Hook(
        &[
            On::Call("notifications/tools/list_changed"),
            On::Call("notifications/prompts/list_changed"),
            On::Call("notifications/resources/list_changed"),
            On::Call("notifications/roots/list_changed"),
        ],
        changed,
    ),
    Hook(
        &[On::Call("notifications/subscriptions/acknowledged")],
        listening,
    ),
    Hook(
        &[
            On::Result("subscriptions/listen"),
            On::Error("subscriptions/listen"),
            On::Call("notifications/cancelled"),
        ],
        stop_listening,
    ),
];

fn track_request(message: &Message<'_>, session: &mut Session) {
    let Some(list) = List::of(message) else {
        return;
    };
    let now = message.now();
    let lists = &session.state.lists;
    let regular = lists.is_regular(&lists.known(list).polls, message, session);
    let others = lists.others(session);
    let lists = &mut *session.state.lists;
    lists.list_requests += u64::from(list != List::Roots);
    lists.known_mut(list).last_page = None;
    let page = match message.param("cursor") {
        None => {
            let known = lists.known_mut(list);
            known.begun = true;
            let polls = &mut known.polls;
            polls.regular = if regular {
                polls.regular.saturating_add(1)
            } else {
                0
            };
            polls.requested_at = Some(now);
            polls.others = others;
            let walk = Some(Walk {
                begun: now.order,
                ..Walk::default()
            });
            Page { walk, cursor: None }
        }
        Some(cursor) => {
            let cursor = lists.hash(cursor);
            let known = cursor.and_then(|hash| lists.cursors.get_mut(&(list, hash)));
            let walk = known.and_then(|known| {
                known.sent = known.sent.saturating_add(1);
                known.walk
            });
            Page { walk, cursor }
        }
    };
    if let Some(mut request) = session.newest_request() {
        request.data_mut().page = Some(page);
    }
}

fn shown(message: &Message<'_>, session: &mut Session) {
    let (Some(list), Some(result)) = (List::of(message), message.result()) else {
        return;
    };
    let page = message.request.and_then(|request| request.data()?.page);
    let ttl = result
        .get("ttlMs")
        .and_then(|ttl| u64::try_from(ttl.as_i64()?).ok());
    let lists = &mut *session.state.lists;
    let walk = lists.walk(message).map(|(_, walk)| walk);
    let cursor = page.and_then(|page| page.cursor);
    if cursor.is_none() {
        let polls = &mut lists.known_mut(list).polls;
        polls.answered = Some(message.now());
        polls.ttl = ttl;
    }
    match result.get("nextCursor") {
        Some(next) => {
            let limit = message.policy.limits.cursors;
            let tracked = lists
                .hash(next)
                .is_none_or(|hash| lists.track(list, hash, walk, limit));
            if !tracked {
                session.reached_limit_of("cursors");
            }
        }
        None => {
            let known = lists.known_mut(list);
            known.last = walk;
            known.last_page = cursor.map(|cursor| LastPage {
                cursor,
                at: message.now(),
                ttl,
            });
        }
    }
}

fn changed(message: &Message<'_>, session: &mut Session) {
    let lists: &[List] = match message.method() {
        Some("notifications/tools/list_changed") => &[List::Tools],
        Some("notifications/prompts/list_changed") => &[List::Prompts],
        Some("notifications/resources/list_changed") => &[List::Resources, List::Templates],
        Some("notifications/roots/list_changed") => &[List::Roots],
        _ => &[],
    };
    for list in lists {
        session.state.lists.known_mut(*list).changed = Some(message.now().order);
    }
}

fn listening(message: &Message<'_>, session: &mut Session) {
    let Some(filter) = message.param("notifications") else {
        return;
    };
    for (list, flag) in [
        (List::Tools, "toolsListChanged"),
        (List::Prompts, "promptsListChanged"),
        (List::Resources, "resourcesListChanged"),
        (List::Templates, "resourcesListChanged"),
    ] {
        let wanted = filter
            .get(flag)
            .is_some_and(|flag| flag.kind() == Kind::True);
        let known = session.state.lists.known_mut(list);
        if wanted && known.listening.is_none() {
            known.listening = Some(message.now().order);
        }
    }
}

/// A subscription may be over: no notification is expected until another one is acknowledged.
fn stop_listening(_: &Message<'_>, session: &mut Session) {
    for known in &mut session.state.lists.each {
        known.listening = None;
    }
}
