//! The sessions of messages that name none.
//!
//! A connection is no session: behind a proxy several clients share one. So a session without an id
//! is one client, as far as its credentials, the software that it names, and the order of its
//! messages show. A message that can belong to no client that spoke before begins another session,
//! and the reason is reported.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::sync::LazyLock;
use std::time::Duration;

use foldhash::quality::RandomState;
use mcp_assay::syntax::{Kind, Node, Tape};
use mcp_assay::{Envelope, MessageKind};

use super::Identity;
use crate::ids::{canonical_id, root};

/// Clients with equal heads that are told apart; beyond that the one that was silent longest is
/// forgotten.
const MAX_ALIKE: usize = 8;

/// Ids and progress tokens that are tracked for each client; beyond that it starts again.
const MAX_USED: usize = 512;

/// The longest body that is read for what it says about its sender: nothing waits for a long one.
const MAX_BODY: usize = 64 << 10;

/// The headers that say which client, or which software, stands behind a connection.
const ORIGIN: [&str; 5] = [
    "user-agent",
    "forwarded",
    "x-forwarded-for",
    "x-real-ip",
    "x-client-id",
];

/// Random, so that nobody can construct the hash of another client.
static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// The reason why a session without an id begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SessionCut {
    /// It has the first messages that come, on its connection.
    Connection,
    /// Its credentials, or the addresses and the software that its heads name, are others.
    Credentials,
    /// Its `clientInfo` is another.
    ClientInfo,
    /// It repeats what one client says once: `initialize`, the notification that follows it, the id
    /// of a request, or a progress token.
    Order,
}

impl SessionCut {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Connection,
        Self::Credentials,
        Self::ClientInfo,
        Self::Order,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Credentials => "credentials",
            Self::ClientInfo => "clientInfo",
            Self::Order => "order",
        }
    }
}

/// The client that the head of a request shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClientHead {
    identity: Identity,
    origin: u64,
}

impl ClientHead {
    /// The client of this identity that sends these headers.
    pub fn new<'h>(
        identity: Identity,
        headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
    ) -> Self {
        let mut origin = 0_u64;
        for (name, value) in headers {
            let known = ORIGIN.iter().position(|it| it.eq_ignore_ascii_case(name));
            if let Some(known) = known {
                origin = origin.rotate_left(1) ^ SEED.hash_one((known, value));
            }
        }
        Self { identity, origin }
    }
}

/// The facts of a message that tell clients apart.
#[derive(Clone, Debug, Default)]
pub struct SenderFacts {
    /// Whether it opens a session.
    opens: bool,
    /// Whether it is the notification that follows `initialize`.
    is_initialized: bool,
    /// Its `clientInfo`.
    client: Option<u64>,
    /// The ids of its requests, and their progress tokens.
    used: Vec<u64>,
}

impl SenderFacts {
    /// Reads the body of a request; a long one says nothing.
    #[must_use]
    pub fn read(body: &[u8]) -> Self {
        let mut facts = Self::default();
        if body.is_empty() || body.len() > MAX_BODY {
            return facts;
        }
        let mut tape = Tape::new();
        match root(body, &mut tape) {
            Some(batch) if batch.kind() == Kind::Array => {
                for item in batch.items() {
                    facts.add(item);
                }
            }
            Some(message) => facts.add(message),
            None => {}
        }
        facts
    }

    /// Tracks whether the message is the request that opens a session.
    #[must_use]
    pub fn opening(self, opens: bool) -> Self {
        Self { opens, ..self }
    }

    /// Whether the message opens a session.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.opens
    }

    fn add(&mut self, message: Node<'_>) {
        if message.kind() != Kind::Object {
            return;
        }
        let envelope = Envelope::read(message);
        let params = message.get("params");
        let meta = params.and_then(|params| params.get("_meta"));
        let named = |name: &str| envelope.method().is_some_and(|method| method.is_text(name));
        let mut client = meta.and_then(|meta| meta.get("io.modelcontextprotocol/clientInfo"));
        match envelope.kind {
            MessageKind::Request => {
                if named("initialize") {
                    client = client.or_else(|| params?.get("clientInfo"));
                }
                if let Some(id) = envelope.id() {
                    self.used.push(SEED.hash_one((0, canonical_id(id.raw()))));
                }
                if let Some(token) = meta.and_then(|meta| meta.get("progressToken")) {
                    self.used
                        .push(SEED.hash_one((1, canonical_id(token.raw()))));
                }
            }
            MessageKind::Notification => {
                self.is_initialized |= named("notifications/initialized");
            }
            _ => {}
        }
        if let Some(client) = client {
            let text = |name| client.get(name).and_then(Node::text);
            self.client = Some(SEED.hash_one((text("name"), text("version"))));
        }
    }
}

/// The sessions of messages that name none: one for each client. `S` is the adapter's handle.
#[derive(Debug)]
pub struct UnnamedSessions<S> {
    clients: HashMap<ClientHead, Alike<S>, RandomState>,
    /// How many heads are tracked.
    capacity: usize,
}

/// The clients of one head.
#[derive(Debug)]
struct Alike<S> {
    /// The one that spoke last comes last.
    clients: Vec<Client<S>>,
    last_used: Duration,
}

#[derive(Debug)]
struct Client<S> {
    info: Option<u64>,
    session: S,
    cut: SessionCut,
    /// Whether the notification that follows `initialize` came, or `initialize` was not seen.
    is_initialized: bool,
    used: HashSet<u64, RandomState>,
}

/// The session of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assigned<S> {
    /// That of a client that spoke before.
    Known(S),
    /// One that has to begin, for this reason. The others are those of clients that look the same:
    /// from here on a message may belong to another of them, so nothing may be concluded from a
    /// missing one.
    Begins(SessionCut, Vec<S>),
}

impl<S: Clone> UnnamedSessions<S> {
    /// Tracks clients of at most `capacity` different heads.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            clients: HashMap::default(),
            capacity: capacity.max(1),
        }
    }

    /// Finds the session of a message. If one begins, [`Self::begin`] has to follow.
    pub fn assign(&mut self, head: ClientHead, facts: &SenderFacts, now: Duration) -> Assigned<S> {
        let is_first = self.clients.is_empty();
        let Some(alike) = self.clients.get_mut(&head) else {
            let cut = if is_first {
                SessionCut::Connection
            } else {
                SessionCut::Credentials
            };
            return Assigned::Begins(cut, Vec::new());
        };
        alike.last_used = now;
        let clients = &mut alike.clients;
        let found = clients.iter().rposition(|client| client.may_say(facts));
        if let Some(found) = found {
            let mut client = clients.remove(found);
            client.note(facts);
            let session = client.session.clone();
            clients.push(client);
            return Assigned::Known(session);
        }
        let doubtful = clients.iter().filter(|client| client.has_info_of(facts));
        let doubtful: Vec<_> = doubtful.map(|client| client.session.clone()).collect();
        let cut = if doubtful.is_empty() {
            SessionCut::ClientInfo
        } else {
            SessionCut::Order
        };
        Assigned::Begins(cut, doubtful)
    }

    /// A session begins with a message. Returns the sessions that are forgotten for it.
    pub fn begin(
        &mut self,
        head: ClientHead,
        facts: &SenderFacts,
        cut: SessionCut,
        session: S,
        now: Duration,
    ) -> Vec<S> {
        let mut client = Client {
            info: None,
            session,
            cut,
            is_initialized: !facts.opens,
            used: HashSet::default(),
        };
        client.note(facts);
        let is_full = self.clients.len() >= self.capacity && !self.clients.contains_key(&head);
        let mut forgotten = if is_full { self.evict() } else { Vec::new() };
        let alike = self.clients.entry(head).or_insert_with(|| Alike {
            clients: Vec::new(),
            last_used: now,
        });
        if alike.clients.len() >= MAX_ALIKE {
            forgotten.push(alike.clients.remove(0).session);
        }
        alike.clients.push(client);
        forgotten
    }

    /// A session has a name now. Returns the reason for which it had begun.
    pub fn release(&mut self, head: ClientHead, is_it: impl Fn(&S) -> bool) -> Option<SessionCut> {
        let alike = self.clients.get_mut(&head)?;
        let at = alike.clients.iter().position(|it| is_it(&it.session))?;
        let released = alike.clients.remove(at);
        if alike.clients.is_empty() {
            self.clients.remove(&head);
        }
        Some(released.cut)
    }

    /// Takes all sessions.
    pub fn take(&mut self) -> Vec<S> {
        let clients = self.clients.drain().flat_map(|(_, alike)| alike.clients);
        clients.map(|client| client.session).collect()
    }

    /// Forgets a sixteenth of the heads, those that were silent longest, so that this happens
    /// seldom.
    fn evict(&mut self) -> Vec<S> {
        let by_age = self.clients.iter();
        let mut by_age: Vec<_> = by_age.map(|(head, it)| (it.last_used, *head)).collect();
        let count = (by_age.len() / 16).max(1);
        by_age.select_nth_unstable_by_key(count - 1, |(last_used, _)| *last_used);
        let heads = by_age.iter().take(count);
        let forgotten = heads.filter_map(|(_, head)| self.clients.remove(head));
        let clients = forgotten.flat_map(|alike| alike.clients);
        clients.map(|client| client.session).collect()
    }
}

impl<S> Client<S> {
    /// Whether a message may be this client's.
    fn may_say(&self, facts: &SenderFacts) -> bool {
        let is_repeated = facts.opens
            || facts.used.iter().any(|used| self.used.contains(used))
            || (facts.is_initialized && self.is_initialized);
        self.has_info_of(facts) && !is_repeated
    }

    /// Whether it has the `clientInfo` of a message, as far as both are known.
    fn has_info_of(&self, facts: &SenderFacts) -> bool {
        match (self.info, facts.client) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }

    fn note(&mut self, facts: &SenderFacts) {
        self.info = facts.client.or(self.info);
        self.is_initialized |= facts.is_initialized;
        if self.used.len() + facts.used.len() > MAX_USED {
            self.used.clear();
        }
        self.used.extend(facts.used.iter().take(MAX_USED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;
    const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

    fn head(pairs: &[(&str, &str)]) -> ClientHead {
        let bytes = || pairs.iter().map(|(name, value)| (*name, value.as_bytes()));
        ClientHead::new(Identity::new(0, bytes()), bytes())
    }

    fn initialize(name: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"clientInfo":{{"name":"{name}","version":"1"}}}}}}"#
        )
    }

    fn request(id: &str, meta: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{"_meta":{{{meta}}}}}}}"#
        )
    }

    /// Sends messages of clients, and gives the number of the session of each, with the reason
    /// where one begins.
    fn sessions(messages: &[(ClientHead, String)]) -> Vec<(usize, Option<SessionCut>)> {
        let (mut sessions, mut last) = (UnnamedSessions::new(32), 0);
        let mut found = Vec::new();
        for (head, message) in messages {
            let opens = message.contains("\"initialize\"");
            let facts = SenderFacts::read(message.as_bytes()).opening(opens);
            found.push(match sessions.assign(*head, &facts, NOW) {
                Assigned::Known(session) => (session, None),
                Assigned::Begins(cut, _) => {
                    last += 1;
                    assert!(sessions.begin(*head, &facts, cut, last, NOW).is_empty());
                    (last, Some(cut))
                }
            });
        }
        found
    }

    #[test]
    fn one_client_on_a_connection_is_one_session() {
        let head = head(&[("user-agent", "a")]);
        let token = r#""progressToken":"t""#;
        let messages = [
            initialize("a"),
            INITIALIZED.to_owned(),
            request("1", ""),
            request("2", token),
            request("\"1\"", ""),
            String::new(),
        ];
        let found = sessions(&messages.map(|message| (head, message)));
        assert_eq!(found[0], (1, Some(SessionCut::Connection)));
        assert!(found[1..].iter().all(|it| *it == (1, None)), "{found:?}");
    }

    #[test]
    fn clients_of_one_connection_are_told_apart_and_the_reason_is_given() {
        let (one, other) = (
            head(&[("authorization", "Bearer 1")]),
            head(&[("authorization", "Bearer 2")]),
        );
        let elsewhere = head(&[
            ("authorization", "Bearer 1"),
            ("x-forwarded-for", "10.0.0.1"),
        ]);
        let info = |name: &str| {
            format!(r#""io.modelcontextprotocol/clientInfo":{{"name":"{name}","version":"1"}}"#)
        };
        let found = sessions(&[
            (one, initialize("a")),
            (other, initialize("a")),
            (one, INITIALIZED.to_owned()),
            (other, INITIALIZED.to_owned()),
            (one, request("1", "")),
            (other, request("1", "")),
            (elsewhere, request("1", "")),
            (one, request("2", &info("a"))),
            (one, request("1", &info("b"))),
        ]);
        let begins = |number, cut| (number, Some(cut));
        assert_eq!(
            found,
            [
                begins(1, SessionCut::Connection),
                begins(2, SessionCut::Credentials),
                (1, None),
                (2, None),
                (1, None),
                (2, None),
                begins(3, SessionCut::Credentials),
                (1, None),
                begins(4, SessionCut::ClientInfo),
            ]
        );
    }

    #[test]
    fn the_order_of_messages_tells_equal_clients_apart() {
        let head = head(&[]);
        let token = r#""progressToken":1"#;
        let messages = [
            initialize("a"),
            initialize("a"),
            INITIALIZED.to_owned(),
            INITIALIZED.to_owned(),
            request("1", ""),
            request("1", ""),
            request("1.0", ""),
            request("5", token),
            request("6", token),
        ];
        let found = sessions(&messages.map(|message| (head, message)));
        let numbers: Vec<_> = found.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 2, 2, 1, 1, 2, 3, 3, 2]);
        let cuts: Vec<_> = found.iter().filter_map(|(_, cut)| *cut).collect();
        let order = SessionCut::Order;
        assert_eq!(cuts, [SessionCut::Connection, order, order]);
    }

    #[test]
    fn sessions_of_equal_clients_are_doubtful_and_memory_is_bounded() {
        let (mut sessions, equal) = (UnnamedSessions::new(4), head(&[]));
        let facts = SenderFacts::read(request("1", "").as_bytes());
        for number in 0..MAX_ALIKE {
            let Assigned::Begins(cut, doubtful) = sessions.assign(equal, &facts, NOW) else {
                panic!("an id is repeated");
            };
            assert_eq!(doubtful.len(), number);
            assert!(sessions.begin(equal, &facts, cut, number, NOW).is_empty());
        }
        let cut = SessionCut::Order;
        assert_eq!(sessions.begin(equal, &facts, cut, 99, NOW), [0]);
        assert_eq!(sessions.release(equal, |it| *it == 99), Some(cut));
        for number in 100..103_u32 {
            let other = head(&[("user-agent", &number.to_string())]);
            let now = Duration::from_secs(u64::from(number));
            assert!(
                sessions
                    .begin(other, &facts, cut, number as usize, now)
                    .is_empty()
            );
        }
        let other = head(&[("user-agent", "other")]);
        let forgotten = sessions.begin(other, &facts, cut, 200, NOW);
        assert_eq!(forgotten, [1, 2, 3, 4, 5, 6, 7]);
        let mut left = sessions.take();
        left.sort_unstable();
        assert_eq!(left, [100, 101, 102, 200]);
        let many: String = (0..2 * MAX_USED).fold("[".to_owned(), |text, id| {
            text + &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"a"}},"#)
        });
        let many = SenderFacts::read((many + "1]").as_bytes());
        sessions.begin(equal, &many, cut, 1, NOW);
        let tracked = &sessions.clients[&equal].clients[0].used;
        assert_eq!(tracked.len(), MAX_USED);
    }
}
