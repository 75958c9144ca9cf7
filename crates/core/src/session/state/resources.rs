//! Tracks subscriptions to resources in the revisions with a handshake.

use core::time::Duration;
use std::collections::VecDeque;
use std::hash::BuildHasher;

use crate::catalogue::On;
use crate::frame::Carrier;
use crate::session::message::Message;
use crate::session::{Hook, Moment, Seed, Session, UriPrefix};
use crate::syntax::{Kind, Node};

/// The state: subscriptions to resources in the revisions with a handshake.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resources {
    seed: Seed,
    subscriptions: VecDeque<Subscription>,
    /// Whether one was dropped: an unknown resource may be that one.
    dropped: bool,
}

/// A resource that the client has subscribed to at some time.
#[derive(Clone, Debug)]
struct Subscription {
    hash: u64,
    uri: UriPrefix,
    /// The number of subscribe requests that were sent and not refused.
    claims: u32,
    /// The number of them that an unsubscribe request cancels.
    leaving: u32,
    /// The moment at which the last of them was cancelled.
    ended: Option<Moment>,
}

impl Resources {
    /// Whether the client has ever subscribed to a resource, or this is not known.
    pub(crate) fn was_subscribed(&self, uri: Node<'_>) -> bool {
        let Some(hash) = self.hash(uri) else {
            return true;
        };
        self.dropped || self.subscriptions.iter().any(|known| known.hash == hash)
    }

    /// Whether notifications about a resource are expected: the client subscribed to it, or to a
    /// resource that contains it.
    pub(crate) fn is_subscribed(&self, uri: Node<'_>, message: &Message<'_>) -> bool {
        let Some(text) = uri.text() else {
            return true;
        };
        self.dropped
            || self.subscriptions.iter().any(|known| {
                known.uri.strip_from(text.as_bytes()).is_some()
                    && (known.claims > 0 || known.may_be_late(message))
            })
    }

    fn hash(&self, uri: Node<'_>) -> Option<u64> {
        if uri.kind() != Kind::String {
            return None;
        }
        Some(self.seed.hash_one(uri.text()?.as_bytes()))
    }

    fn find_mut(&mut self, hash: u64) -> Option<&mut Subscription> {
        let mut all = self.subscriptions.iter_mut();
        all.find(|known| known.hash == hash)
    }
}

impl Subscription {
    /// Whether a notification may have been sent before the subscription ended: over HTTP it takes
    /// another way than the answer.
    fn may_be_late(&self, message: &Message<'_>) -> bool {
        const MAX_TRANSIT: Duration = Duration::from_secs(1);
        message.frame.carrier == Carrier::Http
            && self.ended.is_some_and(|ended| {
                message
                    .now()
                    .since(&ended)
                    .is_none_or(|time| time < MAX_TRANSIT)
            })
    }
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Call("resources/subscribe")], subscribe),
    Hook(&[On::Error("resources/subscribe")], refused),
    Hook(&[On::Call("resources/unsubscribe")], unsubscribe),
    Hook(&[On::Result("resources/unsubscribe")], unsubscribed),
    Hook(&[On::Error("resources/unsubscribe")], restore),
];

fn subscribe(message: &Message<'_>, session: &mut Session) {
    let Some(uri) = message.param("uri") else {
        return;
    };
    let resources = &mut *session.state.resources;
    let (Some(hash), Some(text)) = (resources.hash(uri), uri.text()) else {
        return;
    };
    let mut full = false;
    match resources.find_mut(hash) {
        Some(known) => known.claims = known.claims.saturating_add(1),
        None => {
            full = resources.subscriptions.len() >= message.policy.limits.subscriptions.max(1);
            if full {
                resources.subscriptions.pop_front();
                resources.dropped = true;
            }
            resources.subscriptions.push_back(Subscription {
                hash,
                uri: UriPrefix::of(text.as_bytes()),
                claims: 1,
                leaving: 0,
                ended: None,
            });
        }
    }
    if let Some(mut request) = session.newest_request() {
        request.data_mut().resource = Some(hash);
    }
    if full {
        session.reached_limit_of("subscriptions");
    }
}

fn refused(message: &Message<'_>, session: &mut Session) {
    if let Some(known) = asked_about(message, session) {
        known.claims = known.claims.saturating_sub(1);
    }
}

fn unsubscribe(message: &Message<'_>, session: &mut Session) {
    let resources = &mut *session.state.resources;
    let Some(hash) = message.param("uri").and_then(|uri| resources.hash(uri)) else {
        return;
    };
    if let Some(known) = resources.find_mut(hash) {
        known.leaving = known.claims;
    }
    if let Some(mut request) = session.newest_request() {
        request.data_mut().resource = Some(hash);
    }
}

fn unsubscribed(message: &Message<'_>, session: &mut Session) {
    if let Some(known) = asked_about(message, session) {
        known.claims = known.claims.saturating_sub(known.leaving);
        known.leaving = 0;
        known.ended = Some(message.now());
    }
}

fn restore(message: &Message<'_>, session: &mut Session) {
    if let Some(known) = asked_about(message, session) {
        known.leaving = 0;
    }
}

/// The subscription that the answered request refers to.
fn asked_about<'s>(
    message: &Message<'_>,
    session: &'s mut Session,
) -> Option<&'s mut Subscription> {
    let hash = message.request?.data()?.resource?;
    session.state.resources.find_mut(hash)
}
