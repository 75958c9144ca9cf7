//! Gaps in the state that earlier faults leave.
//!
//! A message that is faulty, cannot be read or belongs to no request would have changed the state that later messages are
//! checked against. That fault was reported; a rule that needs a part of the state with a gap stays silent.

use super::{Phase, Session};
use crate::Direction;
use crate::catalogue::{Rule, State};
use crate::envelope::MessageKind;
use crate::model::{Fact, MethodKind};
use crate::session::message::Message;
use crate::syntax::Kind;

/// The parts of the state that may be incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Gaps(u16);

impl Gaps {
    const NONE: Self = Self(0);
    /// All but the revision: an answer to the handshake that is lost leaves it open in other ways.
    pub(super) const ALL: Self = Self(!Self::of(State::AgreedRevision).0);

    /// A gap in one part of the state.
    pub(super) const fn of(state: State) -> Self {
        Self(1 << state as u16)
    }

    /// What calls of a method and answers to it tell; a method that nobody knows may have been meant for any.
    fn told_by(method: Option<&str>) -> Self {
        match method {
            None => Self::ALL,
            Some("tools/call" | "prompts/get" | "resources/read") => Self::of(State::InputRounds)
                .with(Self::of(State::Tasks))
                .with(Self::of(State::Elicitations)),
            Some("sampling/createMessage") => {
                Self::of(State::Tasks).with(Self::of(State::SamplingRequests))
            }
            Some("elicitation/create") => {
                Self::of(State::Tasks).with(Self::of(State::Elicitations))
            }
            Some("tools/list") => Self::of(State::Cursors).with(Self::of(State::ToolList)),
            Some("prompts/list" | "resources/list" | "resources/templates/list") => {
                Self::of(State::Cursors)
            }
            Some("tasks/list") => Self::of(State::Cursors).with(Self::of(State::Tasks)),
            Some("logging/setLevel") => Self::of(State::LogLevel),
            Some(
                "subscriptions/listen"
                | "notifications/subscriptions/acknowledged"
                | "resources/subscribe"
                | "resources/unsubscribe",
            ) => Self::of(State::Subscriptions),
            Some(name) if name.starts_with("tasks/") || name.starts_with("notifications/tasks") => {
                Self::of(State::Tasks)
            }
            Some(name) if name.ends_with("/list_changed") => Self::of(State::ListChanges),
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
            _ => Self::of(State::ProgressTokens),
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
    /// Whether a rule concludes from a part of the state that has a gap.
    pub(super) fn has_gap_for(&self, rule: &Rule) -> bool {
        let mut needs = rule.needs.iter();
        needs.any(|state| self.gaps.meets(Gaps::of(*state)))
    }

    /// Takes note of a message that is not sound: what it tells is not known.
    #[cold]
    pub(super) fn doubt(&mut self, message: &Message<'_>) {
        let method = message.method();
        let mut gaps = Gaps::told_by(method);
        if message.exchange.envelope.is_call() {
            let is_unidentified = message.id().is_none_or(|id| id.kind() == Kind::Null);
            let form = message.exchange.form();
            let is_request = message.kind() == MessageKind::Request
                || form.is_some_and(|form| form.kind == MethodKind::Request);
            let token = message.meta().and_then(|meta| meta.get("progressToken"));
            if is_request && (is_unidentified || token.is_none()) {
                gaps = gaps.with(Gaps::tokens_of(method));
            }
            // A request declares for itself how much it wants to hear.
            if is_request && message.has(Fact::Stateless) {
                gaps = gaps.with(Gaps::of(State::LogLevel));
            }
            if is_request && is_unidentified {
                gaps = gaps.with(Gaps::of(State::RequestIds));
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
            gaps = gaps.with(Gaps::of(State::AgreedRevision));
        }
        let cursor = message.in_result("nextCursor");
        if cursor.is_some_and(|cursor| cursor.kind() == Kind::String) {
            gaps = gaps.without(Gaps::of(State::Cursors));
        }
        // A task that was to be created goes on with its progress.
        let has_tasks = message.has(Fact::CoreTasks) || message.has(Fact::Stateless);
        if !message.exchange.envelope.is_call() && gaps.meets(Gaps::of(State::Tasks)) && has_tasks {
            gaps = gaps.with(Gaps::of(State::ProgressTokens));
        }
        self.gaps = self.gaps.with(gaps);
    }

    /// Takes note that nobody knows which revision the parties have agreed on.
    pub(super) fn doubt_version(&mut self) {
        self.doubt_matter(Gaps::of(State::AgreedRevision));
    }

    /// Whether the parties may have agreed on another revision than the one that is taken for it.
    pub(crate) fn doubts_version(&self) -> bool {
        self.gaps.meets(Gaps::of(State::AgreedRevision))
    }

    /// Takes note of a message that is sound and yet does not tell what it should.
    pub(super) fn doubt_matter(&mut self, gaps: Gaps) {
        self.gaps = self.gaps.with(gaps);
    }

    /// Takes note of an answer that belongs to no request, and so to any of those that are open.
    pub(super) fn doubt_answer(&mut self, answer: &Message<'_>, asked: Direction) {
        // If none is open, the request was not seen, and with it what it told. That of the handshake shows by its answer.
        let opens = answer
            .result()
            .is_some_and(|result| result.get("serverInfo").is_some());
        if self.open_requests(asked) == 0 && !opens {
            self.gaps = Gaps::ALL;
        }
        let told = self
            .open_methods(asked)
            .map(|method| Gaps::told_by(method).with(Gaps::tokens_of(method)));
        self.gaps = told.fold(self.gaps.with(Gaps::of(State::RequestIds)), Gaps::with);
    }

    /// Takes note of something that could not be read.
    #[cold]
    pub(crate) fn doubt_everything(&mut self, direction: Option<Direction>) {
        self.gaps = Gaps::ALL;
        self.doubt_cancellation(direction);
        self.doubt_opening(direction);
    }

    /// One of the sender's requests may have been taken back.
    pub(super) fn doubt_cancellation(&mut self, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.state.cancelled.lost[direction as usize] += 1;
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
