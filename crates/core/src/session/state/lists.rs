//! Tracks lists as they were last returned: cursors, walks from page to page, and announced
//! changes.
//!
//! A walk begins with a request without cursor and ends with a page without `nextCursor`. The state
//! of a walk is stored with the cursor that continues it, so walks may overlap. To check a page
//! before the session has tracked it:
//!
//! - [`Lists::walk`]: the walk with this page, `None` if its beginning is not known;
//! - [`Lists::completed`]: the same if this page is the last one;
//! - [`Lists::last`]: the complete walk before, to compare `items` (the same entries in any order)
//!   and `order` with;
//! - [`Lists::unannounced`]: both, if a change between them would have had to be announced and was
//!   not.

mod hooks;
mod polls;

pub(super) use self::hooks::HOOKS;
use self::polls::Polls;
use crate::Direction;
use crate::frame::Carrier;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::{Bounded, Moment, Phase, Seed, Session, hash_of};
use crate::syntax::{Kind, Node};

/// A list that can be requested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
    Tasks,
    Roots,
}

const LISTS: [(List, &str); 6] = [
    (List::Tools, "tools/list"),
    (List::Prompts, "prompts/list"),
    (List::Resources, "resources/list"),
    (List::Templates, "resources/templates/list"),
    (List::Tasks, "tasks/list"),
    (List::Roots, "roots/list"),
];

impl List {
    /// The list that a message requests or returns.
    pub(crate) fn of(message: &Message<'_>) -> Option<Self> {
        let method = message.method()?;
        LISTS
            .into_iter()
            .find(|(_, name)| *name == method)
            .map(|(list, _)| list)
    }

    /// The member of a page that has the entries, and the member of an entry that is its name.
    fn members(self) -> (&'static str, &'static str) {
        match self {
            Self::Tools => ("tools", "name"),
            Self::Prompts => ("prompts", "name"),
            Self::Resources => ("resources", "uri"),
            Self::Templates => ("resourceTemplates", "uriTemplate"),
            Self::Tasks => ("tasks", "taskId"),
            Self::Roots => ("roots", "uri"),
        }
    }

    /// The direction of the pages of this list.
    fn shown_by(self, message: &Message<'_>) -> Option<Direction> {
        match self {
            Self::Roots => Some(Direction::ClientToServer),
            Self::Tasks => message.direction(),
            _ => Some(Direction::ServerToClient),
        }
    }
}

/// The state of a walk over the pages of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Walk {
    /// The position in the session where it began.
    pub(crate) begun: u64,
    /// A digest of the names of the entries, in any order.
    pub(crate) items: u64,
    /// A digest of the order of the entries.
    pub(crate) order: u64,
    /// The number of entries.
    pub(crate) count: u64,
    /// The `cacheScope` of the page before.
    pub(crate) scope: Option<CacheScope>,
}

/// The clients that may share a cached page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CacheScope {
    Public,
    Private,
}

impl CacheScope {
    pub(crate) fn read(scope: Node<'_>) -> Option<Self> {
        if scope.is_text("public") {
            Some(Self::Public)
        } else {
            scope.is_text("private").then_some(Self::Private)
        }
    }
}

/// The page that an open request requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    /// The walk before it; `None` if that is not known.
    walk: Option<Walk>,
    /// The hash of the cursor in the request.
    cursor: Option<u64>,
}

/// A cursor that a page returned.
#[derive(Clone, Debug)]
struct Cursor {
    walk: Option<Walk>,
    /// The number of times that it was returned, and that it was sent.
    shown: u32,
    sent: u32,
}

/// The last page of a walk.
#[derive(Clone, Copy, Debug)]
struct LastPage {
    cursor: u64,
    at: Moment,
    ttl: Option<u64>,
}

/// The state of one list.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Whether a walk began.
    begun: bool,
    /// The walk that was completed last.
    last: Option<Walk>,
    /// The position of the last announced change.
    changed: Option<u64>,
    /// The position from which changes are announced, in revisions with subscriptions.
    listening: Option<u64>,
    /// The last page of a walk of several pages, until the list is requested again.
    last_page: Option<LastPage>,
    polls: Polls,
}

/// The state of all lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    seed: Seed,
    cursors: Bounded<(List, u64), Cursor>,
    /// Whether a cursor was dropped: an unknown cursor may be that one.
    dropped: bool,
    each: [Known; LISTS.len()],
    /// The number of requests for lists.
    list_requests: u64,
}

/// The origin of a cursor that a client sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A page of this list returned it.
    Same,
    /// Pages of other lists returned it.
    Other,
    /// No page returned it, although the list was walked.
    Nowhere,
    /// No page returned it, and the list was not requested before.
    Earlier,
    /// Not known.
    Unknown,
}

impl Lists {
    /// The origin of the cursor of a request.
    pub(crate) fn origin(&self, list: List, cursor: Node<'_>) -> Origin {
        let Some(hash) = self.hash(cursor) else {
            return Origin::Unknown;
        };
        if self.cursors.contains_key(&(list, hash)) {
            return Origin::Same;
        }
        if self.dropped {
            return Origin::Unknown;
        }
        let mut lists = LISTS.iter().map(|(list, _)| *list);
        if lists.any(|other| self.cursors.contains_key(&(other, hash))) {
            Origin::Other
        } else if self.known(list).begun {
            Origin::Nowhere
        } else {
            Origin::Earlier
        }
    }

    /// Whether a request repeats the last page of a walk without a reason.
    pub(crate) fn repeats_last_page(&self, list: List, cursor: Node<'_>, now: &Moment) -> bool {
        let Some(page) = self.known(list).last_page else {
            return false;
        };
        let spent = || {
            let known = self.cursors.get(&(list, page.cursor));
            known.is_some_and(|known| known.sent >= known.shown)
        };
        // A stale page is a reason.
        let fresh = || match page.ttl {
            Some(ttl) => now
                .since(&page.at)
                .is_some_and(|passed| passed.as_millis() < u128::from(ttl)),
            None => true,
        };
        self.hash(cursor) == Some(page.cursor) && spent() && fresh()
    }

    /// Whether an answer returns the cursor of its own request.
    pub(crate) fn repeats_cursor(&self, message: &Message<'_>, next: Node<'_>) -> bool {
        let page = message.request.and_then(|request| request.data()?.page);
        page.and_then(|page| page.cursor)
            .is_some_and(|cursor| self.hash(next) == Some(cursor))
    }

    /// The walk before this page; `None` if its beginning is not known, `Some` without entries for
    /// the first page.
    pub(crate) fn before(message: &Message<'_>) -> Option<Walk> {
        message.request?.data()?.page?.walk
    }

    /// The walk with this page; `None` if its beginning is not known.
    pub(crate) fn walk(&self, message: &Message<'_>) -> Option<(List, Walk)> {
        let list = List::of(message)?;
        let walk = message.memo.walk(|| self.walk_of(list, message))?;
        Some((list, walk))
    }

    fn walk_of(&self, list: List, message: &Message<'_>) -> Option<Walk> {
        let (items, name) = list.members();
        let result = message.result()?;
        let mut walk = Self::before(message)?;
        let items = result
            .get(items)
            .filter(|items| items.kind() == Kind::Array)?;
        for item in items.items() {
            let name = self.hash(item.get(name)?)?;
            walk.items = walk.items.wrapping_add(name);
            walk.order = walk
                .order
                .rotate_left(5)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ name;
            walk.count += 1;
        }
        walk.scope = result.get("cacheScope").and_then(CacheScope::read);
        Some(walk)
    }

    /// The walk that this page completes.
    pub(crate) fn completed(&self, message: &Message<'_>) -> Option<(List, Walk)> {
        let more = message.result()?.get("nextCursor").is_some();
        if more { None } else { self.walk(message) }
    }

    /// The last completed walk over a list.
    pub(crate) fn last(&self, list: List) -> Option<&Walk> {
        self.known(list).last.as_ref()
    }

    /// The walk before and the one that this page completes, if a change between them had to be
    /// announced and no notification was seen. The caller checks whether the party declared to
    /// announce changes.
    pub(crate) fn unannounced(message: &Message<'_>, session: &Session) -> Option<(Walk, Walk)> {
        let lists = &session.state.lists;
        let list = List::of(message)?;
        let before = *lists.last(list)?;
        let known = lists.known(list);
        let announced = known.changed.is_some_and(|at| at > before.begun);
        // With subscriptions: the client subscribed before the first of both walks.
        let expected = !message.has(Fact::Subscriptions)
            || known.listening.is_some_and(|since| since < before.begun);
        // Over HTTP the notification takes another way than the answer: it may be late, or find no
        // stream.
        let one_way = message.frame.carrier != Carrier::Http;
        let unread = list
            .shown_by(message)
            .is_none_or(|direction| session.losses.answers[direction as usize] > 0);
        if announced || !expected || !one_way || unread || !session.is_whole(message) {
            return None;
        }
        Some((before, lists.completed(message)?.1))
    }

    fn known(&self, list: List) -> &Known {
        &self.each[list as usize]
    }

    fn known_mut(&mut self, list: List) -> &mut Known {
        &mut self.each[list as usize]
    }

    fn hash(&self, text: Node<'_>) -> Option<u64> {
        if text.kind() != Kind::String {
            return None;
        }
        match text.plain() {
            Some(plain) => Some(hash_of(self.seed, plain)),
            None => Some(hash_of(self.seed, text.text()?.as_bytes())),
        }
    }

    /// Tracks a cursor; `false` if another one was dropped for it.
    fn track(&mut self, list: List, hash: u64, walk: Option<Walk>, limit: usize) -> bool {
        if let Some(known) = self.cursors.get_mut(&(list, hash)) {
            known.walk = walk;
            known.shown = known.shown.saturating_add(1);
            return true;
        }
        let cursor = Cursor {
            walk,
            shown: 1,
            sent: 0,
        };
        let dropped = self.cursors.insert((list, hash), cursor, limit);
        self.dropped |= dropped.is_some();
        dropped.is_none()
    }
}

impl Session {
    /// Whether the opening of the session was seen, in revisions with a handshake. A session
    /// without it is reported once, and its consequences are not.
    pub(crate) fn is_opened_for(&self, message: &Message<'_>) -> bool {
        !message.has(Fact::Handshake) || self.handshake.phase != Phase::Closed
    }
}
