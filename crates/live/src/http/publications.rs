//! The tools that servers have published, for all sessions of the same client.
//!
//! A client may list tools on one connection and call them on another, with a session id, with
//! another, or without. Its credentials say who it is; a list that the server calls public is
//! everybody's.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use mcp_assay::syntax::Node;
use mcp_assay::{Direction, ListedTools, MessageKind, Session};

use crate::guard::{Decision, Judged};

/// Lists that are tracked at most; an arbitrary one makes room.
const MAX_LISTS: usize = 4096;

/// The headers that say who a client is.
pub const CREDENTIALS: [&str; 6] = [
    "authorization",
    "cookie",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-auth-token",
];

/// A client of a server, as its credentials show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Identity {
    upstream: usize,
    credentials: u64,
}

impl Identity {
    /// The identity of a client that sends these headers to one of several servers.
    pub fn new<'h>(
        upstream: usize,
        headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
    ) -> Self {
        // Random, so that nobody can construct the hash of another client.
        static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        let mut credentials = 0_u64;
        for (name, value) in headers {
            if CREDENTIALS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
            {
                let hash = SEED.hash_one((name.len(), value));
                credentials = credentials.rotate_left(1) ^ hash;
            }
        }
        Self {
            upstream,
            credentials,
        }
    }

    /// Whether it has credentials.
    #[must_use]
    pub fn has_credentials(&self) -> bool {
        self.credentials != 0
    }
}

/// The tools that servers have listed, by client.
#[derive(Debug, Default)]
pub struct Publications {
    lists: HashMap<Identity, ListedTools, RandomState>,
    /// The lists that are everybody's, by server.
    public: HashMap<usize, ListedTools, RandomState>,
}

/// A fact about the tools of a server that a message has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lesson {
    /// They were listed.
    Listed {
        /// Whether the list is everybody's.
        is_public: bool,
    },
    /// They have changed.
    Changed,
}

impl Lesson {
    /// The lesson of a message that was judged, if it is one.
    #[must_use]
    pub fn of(judged: &Judged<'_>) -> Option<Self> {
        let checked = &judged.checked;
        let is_forwarded = matches!(
            judged.action.decision(),
            Decision::Forward | Decision::Replace
        );
        if checked.direction() != Some(Direction::ServerToClient) || !is_forwarded {
            return None;
        }
        match (checked.kind(), checked.method().as_deref()) {
            (MessageKind::Response, Some("tools/list")) => {
                let result = checked.root().and_then(|root| root.get("result"));
                let scope = result.and_then(|result| result.get("cacheScope"));
                Some(Self::Listed {
                    is_public: scope.is_some_and(|scope| scope.is_text("public")),
                })
            }
            (MessageKind::Notification, Some("notifications/tools/list_changed")) => {
                Some(Self::Changed)
            }
            _ => None,
        }
    }
}

impl Publications {
    /// Lets a session know what the server has listed for its client elsewhere.
    pub fn recall(&self, identity: Identity, session: &mut Session) {
        if !session.lacks_tools() {
            return;
        }
        let public = || self.public.get(&identity.upstream);
        match self.lists.get(&identity).or_else(public) {
            Some(listed) => session.adopt_tools(listed),
            None => session.disown_tools(),
        }
    }

    /// Whether the server has listed a tool of this name for a client.
    #[must_use]
    pub fn knows(&self, identity: Identity, name: Node<'_>) -> bool {
        let public = || self.public.get(&identity.upstream);
        let listed = self.lists.get(&identity).or_else(public);
        listed.is_some_and(|listed| listed.has(name))
    }

    /// Tracks a list that somebody else has asked for.
    pub fn publish(&mut self, identity: Identity, listed: ListedTools) {
        self.track(identity, listed);
    }

    /// Tracks what a message has shown, after it was judged in its session.
    pub fn learn(&mut self, identity: Identity, session: &Session, lesson: Lesson) {
        match lesson {
            Lesson::Listed { is_public } => {
                if let Some(listed) = session.listed_tools() {
                    if is_public {
                        self.public.insert(identity.upstream, listed.clone());
                    }
                    self.track(identity, listed);
                }
            }
            Lesson::Changed => {
                self.lists.remove(&identity);
                self.public.remove(&identity.upstream);
            }
        }
    }

    fn track(&mut self, identity: Identity, listed: ListedTools) {
        if self.lists.len() >= MAX_LISTS && !self.lists.contains_key(&identity) {
            let any = self.lists.keys().next().copied();
            any.and_then(|any| self.lists.remove(&any));
        }
        self.lists.insert(identity, listed);
    }
}

#[cfg(test)]
mod tests {
    use mcp_assay::{Frame, Policy};

    use super::*;
    use crate::guard::{Guard, Mode};

    const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    const LISTED: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","required":["a"]}}]}}"#;
    const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    const CALL: &str =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{}}}"#;

    fn said(
        publications: &mut Publications,
        identity: Identity,
        session: &mut Session,
        direction: Direction,
        text: &str,
    ) -> Decision {
        let mut guard = Guard::new(Policy::default(), Mode::Enforce);
        if direction == Direction::ClientToServer {
            publications.recall(identity, session);
        }
        let judged = guard.judge(session, Frame::new(text.as_bytes()).direction(direction));
        let (decision, lesson) = (judged.action.decision(), Lesson::of(&judged));
        if let Some(lesson) = lesson {
            publications.learn(identity, session, lesson);
        }
        decision
    }

    #[test]
    fn arguments_are_checked_in_every_session_of_the_client_that_listed_the_tools() {
        let (to_server, to_client) = (Direction::ClientToServer, Direction::ServerToClient);
        let mut known = Publications::default();
        let client = |name: &'static str| [("Authorization", name.as_bytes())];
        let (one, other) = (
            Identity::new(0, client("Bearer 1")),
            Identity::new(0, client("Bearer 2")),
        );
        assert_ne!(one, other);
        assert_ne!(one, Identity::new(1, client("Bearer 1")));
        let (mut first, mut second, mut third) = (Session::new(), Session::new(), Session::new());
        for session in [&mut second, &mut third] {
            session.lose_track();
        }
        said(&mut known, one, &mut first, to_server, LIST);
        said(&mut known, one, &mut first, to_client, LISTED);
        let call = |known: &mut Publications, identity, session: &mut Session| {
            said(known, identity, session, to_server, CALL)
        };
        assert_eq!(call(&mut known, one, &mut second), Decision::Refuse);
        assert_eq!(call(&mut known, other, &mut third), Decision::Forward);
        said(&mut known, one, &mut first, to_client, CHANGED);
        assert_eq!(call(&mut known, one, &mut second), Decision::Forward);
    }
}
