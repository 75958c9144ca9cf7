//! Tracks subscriptions: their filters, their acknowledgments, and their ends.

use std::collections::VecDeque;

use crate::catalogue::{On, State};
use crate::model::Fact;
use crate::session::gaps::Gaps;
use crate::session::message::Message;
use crate::session::message::{Digester, KnownId};
use crate::session::{Hook, Moment, Session, UriPrefix};
use crate::syntax::{Kind, Node};
use crate::{Party, Revision};

/// The key of `_meta` under which a message names its subscription.
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The state: subscriptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subscriptions {
    known: VecDeque<Subscription>,
    /// Whether one was dropped at the limit.
    pub(crate) dropped: bool,
    digester: Digester,
}

/// A subscription: a `subscriptions/listen` request.
#[derive(Clone, Debug)]
pub(crate) struct Subscription {
    id: KnownId,
    pub(crate) sent: Moment,
    pub(crate) revision: Revision,
    /// The requested filter; `None` if it could not be read.
    pub(crate) requested: Option<Filter>,
    /// The filter that the server acknowledged.
    pub(crate) agreed: Option<Filter>,
    /// Whether a message came for it before the acknowledgment.
    pub(crate) hurried: bool,
    /// Whether the missing acknowledgment was reported.
    pub(crate) reported: bool,
    /// The moment of its end, and the party that ended it.
    pub(crate) ended: Option<(Moment, Party)>,
}

impl Subscription {
    /// Whether it covers tasks.
    pub(crate) fn is_about_tasks(&self) -> bool {
        let requested = self.requested.as_ref();
        requested.is_some_and(|requested| requested.has(Notice::Tasks))
    }
}

/// A filter of notifications.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    tools: bool,
    prompts: bool,
    resources: bool,
    /// Without slashes at their ends.
    uris: Vec<UriPrefix>,
    tasks: Vec<u64>,
}

/// A kind of notification that a filter selects as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notice {
    Tools,
    Prompts,
    Resources,
    /// Updates of any resource.
    Updates,
    /// The state of any task.
    Tasks,
}

impl Filter {
    /// Whether it selects notifications of a kind.
    pub(crate) fn has(&self, notice: Notice) -> bool {
        match notice {
            Notice::Tools => self.tools,
            Notice::Prompts => self.prompts,
            Notice::Resources => self.resources,
            Notice::Updates => !self.uris.is_empty(),
            Notice::Tasks => !self.tasks.is_empty(),
        }
    }

    /// Whether it selects a resource, or one that contains it.
    pub(crate) fn watches(&self, uri: Node<'_>) -> bool {
        let mut text = Vec::new();
        let uri = uri.plain().unwrap_or_else(|| {
            uri.text_into(&mut text);
            &text
        });
        self.uris.iter().any(|watched| is_below(uri, watched))
    }

    /// Adds all of another filter.
    fn widen(&mut self, other: &Self) {
        self.tools |= other.tools;
        self.prompts |= other.prompts;
        self.resources |= other.resources;
        self.uris.extend_from_slice(&other.uris);
        self.tasks.extend_from_slice(&other.tasks);
    }
}

/// Whether a URI equals another, or continues its path.
fn is_below(uri: &[u8], watched: &UriPrefix) -> bool {
    watched
        .strip_from(uri)
        .is_some_and(|rest| matches!(rest.first(), None | Some(b'/' | b'?' | b'#')))
}

impl Subscriptions {
    /// The subscription with this id, by value and type: that of the HTTP exchange, or else the
    /// newest.
    pub(crate) fn named(&self, id: Node<'_>, now: &Moment) -> Option<&Subscription> {
        now.exchange
            .and_then(|exchange| self.on_exchange(exchange))
            .filter(|subscription| subscription.id.is(id))
            .or_else(|| self.known.iter().rev().find(|known| known.id.is(id)))
    }

    /// Whether the id of a subscription differs from a value only in its JSON type.
    pub(crate) fn has_id_of_other_type(&self, id: Node<'_>) -> bool {
        self.known
            .iter()
            .any(|subscription| subscription.id.is_of_other_type(id))
    }

    /// The subscription that was opened by an HTTP exchange.
    pub(crate) fn on_exchange(&self, exchange: i64) -> Option<&Subscription> {
        self.known
            .iter()
            .find(|subscription| subscription.sent.exchange == Some(exchange))
    }

    /// All tracked subscriptions.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Subscription> {
        self.known.iter()
    }

    /// Whether a task is in a filter.
    pub(crate) fn has_task(&self, filter: &Filter, task: Node<'_>) -> bool {
        filter.tasks.contains(&self.digester.text(task))
    }

    /// Reads a filter; `None` if it has the wrong shape, or is too long to track.
    fn read(&self, filter: Node<'_>, limit: usize) -> Option<Filter> {
        let flag = |name: &str| match filter.get(name).map(Node::kind) {
            None | Some(Kind::False) => Some(false),
            Some(Kind::True) => Some(true),
            Some(_) => None,
        };
        let texts = |name: &str| -> Option<Vec<Node<'_>>> {
            let Some(list) = filter.get(name) else {
                return Some(Vec::new());
            };
            let texts: Vec<_> = list.items().take(limit + 1).collect();
            let readable = list.kind() == Kind::Array
                && texts.len() <= limit
                && texts.iter().all(|text| text.kind() == Kind::String);
            readable.then_some(texts)
        };
        if filter.kind() != Kind::Object {
            return None;
        }
        Some(Filter {
            tools: flag("toolsListChanged")?,
            prompts: flag("promptsListChanged")?,
            resources: flag("resourcesListChanged")?,
            uris: texts("resourceSubscriptions")?
                .into_iter()
                .map(watched)
                .collect(),
            tasks: texts("taskIds")?
                .into_iter()
                .map(|task| self.digester.text(task))
                .collect(),
        })
    }

    fn named_mut(&mut self, id: Node<'_>, now: &Moment) -> Option<&mut Subscription> {
        let own =
            |known: &Subscription| now.exchange.is_some() && known.sent.exchange == now.exchange;
        let named = || self.known.iter().enumerate().rev();
        let position = named()
            .find(|(_, known)| known.id.is(id) && own(known))
            .or_else(|| named().find(|(_, known)| known.id.is(id)))?
            .0;
        self.known.get_mut(position)
    }
}

fn watched(uri: Node<'_>) -> UriPrefix {
    let mut text = Vec::new();
    uri.text_into(&mut text);
    without_slash(&text)
}

fn without_slash(uri: &[u8]) -> UriPrefix {
    UriPrefix::of(uri.strip_suffix(b"/").unwrap_or(uri))
}

/// The subscription that a notification or result names.
pub(crate) fn subscription_id<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    message
        .meta()?
        .get(SUBSCRIPTION_ID)
        .filter(|id| matches!(id.kind(), Kind::String | Kind::Number))
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Call("subscriptions/listen")], opened),
    Hook(&[On::Result("subscriptions/listen")], ended),
    Hook(&[On::Error("subscriptions/listen")], refused),
    Hook(
        &[On::Call("notifications/subscriptions/acknowledged")],
        acknowledged,
    ),
    Hook(&[On::Call("notifications/cancelled")], cancelled),
    Hook(
        &[
            On::Call("notifications/tools/list_changed"),
            On::Call("notifications/prompts/list_changed"),
            On::Call("notifications/resources/list_changed"),
            On::Call("notifications/resources/updated"),
            On::Call("notifications/tasks"),
        ],
        delivered,
    ),
];

fn opened(message: &Message<'_>, session: &mut Session) {
    let Some(id) = message.id() else {
        return;
    };
    let limit = message.policy.limits.subscriptions.max(1);
    let subscriptions = &mut *session.state.subscriptions;
    // Over HTTP each has its own stream, and two clients may use the same id.
    let apart = message.now().exchange.is_some();
    subscriptions
        .known
        .retain(|known| !known.id.is(id) || (apart && known.ended.is_none()));
    let Some(known) = KnownId::of(id) else {
        return;
    };
    let filter = message.param("notifications");
    let requested = filter.and_then(|filter| subscriptions.read(filter, limit));
    let mut is_full = filter.is_some_and(|filter| is_longer(filter, limit));
    if subscriptions.known.len() >= limit {
        let mut known = subscriptions.known.iter();
        let over = known.position(|known| known.ended.is_some());
        is_full |= over.is_none();
        subscriptions.known.remove(over.unwrap_or(0));
        subscriptions.dropped = true;
    }
    subscriptions.known.push_back(Subscription {
        id: known,
        sent: message.now(),
        revision: message.revision(),
        requested,
        agreed: None,
        hurried: false,
        reported: false,
        ended: None,
    });
    if is_full {
        session.reached_limit_of("subscriptions");
    }
}

fn ended(message: &Message<'_>, session: &mut Session) {
    let (Some(id), Some(sender)) = (message.id(), message.sender()) else {
        return;
    };
    if let Some(subscription) = session.state.subscriptions.named_mut(id, &message.now()) {
        // A subscription that ends without an acknowledgment was reported.
        subscription.reported = true;
        subscription.ended.get_or_insert((message.now(), sender));
    }
}

/// Drops a subscription whose request was refused.
fn refused(message: &Message<'_>, session: &mut Session) {
    if let Some(id) = message.id() {
        let known = &mut session.state.subscriptions.known;
        known.retain(|subscription| !subscription.id.is(id));
    }
}

fn acknowledged(message: &Message<'_>, session: &mut Session) {
    let subscriptions = &mut *session.state.subscriptions;
    let limit = message.policy.limits.subscriptions.max(1);
    let filter = message.param("notifications");
    let agreed = filter.and_then(|filter| subscriptions.read(filter, limit));
    let is_long = filter.is_some_and(|filter| is_longer(filter, limit));
    let named = subscription_id(message);
    let Some(subscription) = named.and_then(|id| subscriptions.named_mut(id, &message.now()))
    else {
        session.add_gaps(Gaps::of(State::Subscriptions));
        return;
    };
    match (agreed, &mut subscription.requested) {
        (Some(agreed), Some(requested)) if subscription.agreed.is_none() => {
            // An excess over the request was reported here, and is not reported again for each
            // notification.
            requested.widen(&agreed);
            subscription.agreed = Some(agreed);
        }
        // An unreadable or repeated acknowledgment leaves the agreed filter unknown.
        _ => {
            subscription.requested = None;
            subscription.agreed = Some(Filter::default());
        }
    }
    if is_long {
        session.reached_limit_of("subscriptions");
    }
}

/// Whether a list of a filter is longer than the limit.
fn is_longer(filter: Node<'_>, limit: usize) -> bool {
    let lists = ["resourceSubscriptions", "taskIds"];
    let mut lists = lists.into_iter().filter_map(|name| filter.get(name));
    lists.any(|list| list.items().nth(limit).is_some())
}

fn cancelled(message: &Message<'_>, session: &mut Session) {
    let (Some(id), Some(sender)) = (message.param("requestId"), message.sender()) else {
        return;
    };
    if let Some(subscription) = session.state.subscriptions.named_mut(id, &message.now()) {
        subscription.ended.get_or_insert((message.now(), sender));
    }
}

fn delivered(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::Subscriptions) {
        return;
    }
    let subscriptions = &mut *session.state.subscriptions;
    let named = subscription_id(message);
    if let Some(subscription) = named.and_then(|id| subscriptions.named_mut(id, &message.now()))
        && subscription.agreed.is_none()
        && subscription.ended.is_none()
    {
        subscription.hurried = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{is_below, without_slash};

    #[test]
    fn a_resource_is_below_another_if_it_continues_its_path() {
        for uri in [
            "file:///a",
            "file:///a/",
            "file:///a/b",
            "file:///a?q",
            "file:///a#f",
        ] {
            assert!(
                is_below(uri.as_bytes(), &without_slash(b"file:///a")),
                "{uri}"
            );
            assert!(
                is_below(uri.as_bytes(), &without_slash(b"file:///a/")),
                "{uri}"
            );
        }
        for uri in ["file:///ab", "file:///", "file:///b/a", ""] {
            assert!(
                !is_below(uri.as_bytes(), &without_slash(b"file:///a")),
                "{uri}"
            );
        }
    }
}
