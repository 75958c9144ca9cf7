//! What an earlier fault leaves unknown.
//!
//! A message that is faulty, cannot be read or belongs to no request would have told something that later messages are judged by.
//! That fault was told; rules that would conclude from the gap it leaves keep silent.

use super::{Phase, Session};
use crate::Direction;
use crate::jsonrpc::MessageKind;
use crate::message::Message;
use crate::model::{Fact, MethodKind};
use crate::rules::Rule;
use crate::syntax::Kind;

/// Matters that messages tell of, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Doubts(u16);

impl Doubts {
    const NONE: Self = Self(0);
    /// Progress tokens in use.
    const TOKENS: Self = Self(1);
    /// Requests that ask for more input and are repeated.
    const ROUNDS: Self = Self(1 << 1);
    const TASKS: Self = Self(1 << 2);
    pub(super) const SUBSCRIPTIONS: Self = Self(1 << 3);
    const CURSORS: Self = Self(1 << 4);
    const TOOLS: Self = Self(1 << 5);
    const ELICITATIONS: Self = Self(1 << 6);
    const LOG_LEVEL: Self = Self(1 << 7);
    /// Notices that a list has changed.
    const CHANGES: Self = Self(1 << 8);
    /// Ids of requests.
    const IDS: Self = Self(1 << 9);
    /// What a server may ask a model for.
    const SAMPLING: Self = Self(1 << 10);
    /// The revision that was agreed on.
    const VERSION: Self = Self(1 << 11);
    /// All but the revision: an answer to the handshake that is lost leaves it open in other ways.
    pub(super) const ALL: Self = Self(!Self::VERSION.0);

    /// What a rule concludes from.
    fn of_rule(rule: &Rule) -> Self {
        match rule.name {
            "progress/token-known"
            | "progress/token-type-preserved"
            | "progress/token-unique"
            | "progress/stops-after-completion" => Self::TOKENS,
            "mrtr/response-keys-known"
            | "mrtr/retry-answers-all"
            | "mrtr/retry-same-request"
            | "mrtr/state-echoed"
            | "mrtr/state-not-invented"
            | "mrtr/state-not-shared" => Self::ROUNDS,
            "ext-tasks/update-outstanding-keys"
            | "tasks/create-result"
            | "tasks/finished"
            | "tasks/result-related-task" => Self::TASKS,
            "cancel/server-only-listen"
            | "resources/unsubscribe-after-subscribe"
            | "resources/updated-only-if-subscribed"
            | "subscriptions/ack-sent"
            | "subscriptions/close-graceful"
            | "subscriptions/id-matches" => Self::SUBSCRIPTIONS,
            "pagination/cursor-not-kept"
            | "pagination/cursor-opaque"
            | "pagination/cursor-same-list" => Self::CURSORS,
            "tools/call-listed" => Self::TOOLS,
            "elicitation/complete-known-id" => Self::ELICITATIONS,
            "logging/opt-in" | "logging/threshold" => Self::LOG_LEVEL,
            "prompts/list-changed-sent"
            | "resources/list-changed-sent"
            | "roots/list-changed-sent"
            | "tools/list-changed-sent" => Self::CHANGES,
            "cancel/own-request" => Self::IDS,
            "sampling/tool-use-offered" => Self::SAMPLING,
            "http/sse-deprecated" => Self::VERSION,
            _ => Self::NONE,
        }
    }

    /// What calls of a method and answers to it tell; a method that nobody knows may have been meant for any.
    fn told_by(method: Option<&str>) -> Self {
        match method {
            None => Self::ALL,
            Some("tools/call" | "prompts/get" | "resources/read") => {
                Self::ROUNDS.with(Self::TASKS).with(Self::ELICITATIONS)
            }
            Some("sampling/createMessage") => Self::TASKS.with(Self::SAMPLING),
            Some("elicitation/create") => Self::TASKS.with(Self::ELICITATIONS),
            Some("tools/list") => Self::CURSORS.with(Self::TOOLS),
            Some("prompts/list" | "resources/list" | "resources/templates/list") => Self::CURSORS,
            Some("tasks/list") => Self::CURSORS.with(Self::TASKS),
            Some("logging/setLevel") => Self::LOG_LEVEL,
            Some(
                "subscriptions/listen"
                | "notifications/subscriptions/acknowledged"
                | "resources/subscribe"
                | "resources/unsubscribe",
            ) => Self::SUBSCRIPTIONS,
            Some(name) if name.starts_with("tasks/") || name.starts_with("notifications/tasks") => {
                Self::TASKS
            }
            Some(name) if name.ends_with("/list_changed") => Self::CHANGES,
            Some(_) => Self::NONE,
        }
    }

    /// Whether requests of a method have progress to report: not those that are answered at once.
    fn tokens_of(method: Option<&str>) -> Self {
        match method {
            Some(
                "initialize"
                | "ping"
                | "server/discover"
                | "logging/setLevel"
                | "resources/subscribe"
                | "resources/unsubscribe",
            ) => Self::NONE,
            Some(name) if name.ends_with("/list") || name.starts_with("notifications/") => {
                Self::NONE
            }
            _ => Self::TOKENS,
        }
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Session {
    /// Whether a rule concludes from what is not known.
    pub(super) fn is_doubtful(&self, rule: &Rule) -> bool {
        self.doubts.meets(Doubts::of_rule(rule))
    }

    /// Takes note of a message that is not sound: what it tells is not known.
    #[cold]
    pub(super) fn doubt(&mut self, message: &Message<'_>) {
        let method = message.method();
        let mut doubts = Doubts::told_by(method);
        if message.exchange.envelope.is_call() {
            let is_unidentified = message.id().is_none_or(|id| id.kind() == Kind::Null);
            let form = message.exchange.form();
            let is_request = message.kind() == MessageKind::Request
                || form.is_some_and(|form| form.kind == MethodKind::Request);
            let token = message.meta().and_then(|meta| meta.get("progressToken"));
            if is_request && (is_unidentified || token.is_none()) {
                doubts = doubts.with(Doubts::tokens_of(method));
            }
            // A request declares for itself how much it wants to hear.
            if is_request && message.has(Fact::Stateless) {
                doubts = doubts.with(Doubts::LOG_LEVEL);
            }
            if is_request && is_unidentified {
                doubts = doubts.with(Doubts::IDS);
            }
            if method.map_or_else(
                || may_cancel(message),
                |name| name == "notifications/cancelled",
            ) {
                self.doubt_cancellation(message.direction());
            }
            if method.is_none_or(|name| name == "initialize" || name.ends_with("/initialized")) {
                self.doubt_opening(message.direction());
            }
        }
        if !message.exchange.envelope.is_call() && method == Some("initialize") {
            doubts = doubts.with(Doubts::VERSION);
        }
        let cursor = message.in_result("nextCursor");
        if cursor.is_some_and(|cursor| cursor.kind() == Kind::String) {
            doubts = doubts.without(Doubts::CURSORS);
        }
        // A task that was to be created goes on with its progress.
        let has_tasks = message.has(Fact::CoreTasks) || message.has(Fact::Stateless);
        if !message.exchange.envelope.is_call() && doubts.meets(Doubts::TASKS) && has_tasks {
            doubts = doubts.with(Doubts::TOKENS);
        }
        self.doubts = self.doubts.with(doubts);
    }

    /// Takes note that nobody knows which revision the parties have agreed on.
    pub(super) fn doubt_version(&mut self) {
        self.doubt_matter(Doubts::VERSION);
    }

    /// Whether the parties may have agreed on another revision than the one that is taken for it.
    pub(crate) fn doubts_version(&self) -> bool {
        self.doubts.meets(Doubts::VERSION)
    }

    /// Takes note of a message that is sound and yet does not tell what it should.
    pub(super) fn doubt_matter(&mut self, doubts: Doubts) {
        self.doubts = self.doubts.with(doubts);
    }

    /// Takes note of an answer that belongs to no request, and so to any of those that are open.
    pub(super) fn doubt_answer(&mut self, answer: &Message<'_>, asked: Direction) {
        // If none is open, the request was not seen, and with it what it told. That of the handshake shows by its answer.
        let opens = answer
            .result()
            .is_some_and(|result| result.get("serverInfo").is_some());
        if self.open_requests(asked) == 0 && !opens {
            self.doubts = Doubts::ALL;
        }
        let told = self
            .open_methods(asked)
            .map(|method| Doubts::told_by(method).with(Doubts::tokens_of(method)));
        self.doubts = told.fold(self.doubts.with(Doubts::IDS), Doubts::with);
    }

    /// Takes note of something that could not be read.
    #[cold]
    pub(crate) fn doubt_everything(&mut self, direction: Option<Direction>) {
        self.doubts = Doubts::ALL;
        self.doubt_cancellation(direction);
        self.doubt_opening(direction);
    }

    /// One of the sender's requests may have been taken back.
    pub(super) fn doubt_cancellation(&mut self, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.topics.cancelled.lost[direction as usize] += 1;
        }
    }

    /// The client may have said what opens a session.
    fn doubt_opening(&mut self, direction: Option<Direction>) {
        if direction != Some(Direction::ServerToClient) && self.handshake.phase != Phase::Open {
            self.handshake.disordered = true;
        }
    }
}

/// Whether a call of a method that nobody knows may have been meant to take back a request: it has no id of its own, and names
/// one, unless it is cut off.
fn may_cancel(call: &Message<'_>) -> bool {
    let is_cut = call
        .exchange
        .method_node()
        .is_none_or(|name| name.is_text(""));
    call.id().is_none() && (is_cut || call.param("requestId").is_some())
}
