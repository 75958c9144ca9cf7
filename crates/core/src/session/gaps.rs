//! Gaps that faulty messages leave in the state.
//!
//! A faulty, unreadable or unmatched message would have changed the state that later messages are
//! checked against. That fault was reported; a rule that needs a part of the state with a gap stays
//! silent.

use super::{BOTH, Phase, Session};
use crate::Direction;
use crate::catalogue::{Rule, State};
use crate::envelope::MessageKind;
use crate::model::{Fact, MethodKind};
use crate::session::message::Message;
use crate::syntax::{Kind, Node};

/// The parts of the state that may be incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Gaps(u16);

impl Gaps {
    const NONE: Self = Self(0);
    /// All parts except the revision: a lost answer to the handshake is tracked separately.
    pub(super) const ALL: Self = Self(!Self::of(State::AgreedRevision).0);

    /// A gap in one part of the state.
    pub(super) const fn of(state: State) -> Self {
        Self(1 << state as u16)
    }

    /// The parts that calls of a method and their answers change; an unknown method may change any.
    fn changed_by(method: Option<&str>) -> Self {
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

    /// The gap in the progress tokens that a request of a method leaves; requests that are answered
    /// at once leave none.
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
    /// Whether a rule needs a part of the state that has a gap.
    pub(super) fn has_gap_for(&self, rule: &Rule) -> bool {
        let mut needs = rule.needs.iter();
        needs.any(|state| self.gaps.meets(Gaps::of(*state)))
    }

    /// Tracks the gaps of a message that is not sound.
    #[cold]
    pub(super) fn add_message_gaps(&mut self, message: &Message<'_>) {
        let method = message.method();
        let mut gaps = Gaps::changed_by(method);
        if message.exchange.envelope.is_call() {
            let is_unidentified = message.id().is_none_or(|id| id.kind() == Kind::Null);
            let form = message.exchange.form();
            let is_request = message.kind() == MessageKind::Request
                || form.is_some_and(|form| form.kind == MethodKind::Request);
            let token = message.meta().and_then(|meta| meta.get("progressToken"));
            let has_meta = has_readable_meta(message);
            let lacks_token = token.is_none() && !has_meta;
            if method.is_none() && is_request && !is_unidentified {
                let known = Gaps::of(State::RequestIds).with(Gaps::of(State::ProgressTokens));
                gaps = gaps.without(known);
            }
            if is_request && (is_unidentified || lacks_token) {
                gaps = gaps.with(Gaps::tokens_of(method));
            }
            // A request sets its own log level.
            if is_request && message.has(Fact::Stateless) && (is_unidentified || !has_meta) {
                gaps = gaps.with(Gaps::of(State::LogLevel));
            }
            if is_request && is_unidentified {
                gaps = gaps.with(Gaps::of(State::RequestIds));
            }
            if method.map_or_else(
                || may_cancel(message),
                |name| name == "notifications/cancelled",
            ) {
                self.add_cancellation_gap(message.direction());
            }
            if method.is_none_or(|name| name == "initialize" || name.ends_with("/initialized")) {
                self.add_opening_gap(message.direction());
            }
        }
        if !message.exchange.envelope.is_call() && method == Some("initialize") {
            gaps = gaps.with(Gaps::of(State::AgreedRevision));
        }
        let cursor = message.in_result("nextCursor");
        if cursor.is_some_and(|cursor| cursor.kind() == Kind::String) {
            gaps = gaps.without(Gaps::of(State::Cursors));
        }
        // A task that the message should have created continues to send progress.
        let has_tasks = message.has(Fact::CoreTasks) || message.has(Fact::Stateless);
        if !message.exchange.envelope.is_call() && gaps.meets(Gaps::of(State::Tasks)) && has_tasks {
            gaps = gaps.with(Gaps::of(State::ProgressTokens));
        }
        self.gaps = self.gaps.with(gaps);
    }

    /// Tracks that the agreed revision is not known.
    pub(super) fn add_version_gap(&mut self) {
        self.add_gaps(Gaps::of(State::AgreedRevision));
    }

    /// Whether the parties may have agreed on another revision than the assumed one.
    pub(crate) fn has_version_gap(&self) -> bool {
        self.gaps.meets(Gaps::of(State::AgreedRevision))
    }

    /// Tracks the gaps of a sound message without the expected content.
    pub(super) fn add_gaps(&mut self, gaps: Gaps) {
        self.gaps = self.gaps.with(gaps);
    }

    /// Tracks the gaps of an answer that matches no request, and may belong to any open one.
    pub(super) fn add_answer_gaps(&mut self, answer: &Message<'_>, request_direction: Direction) {
        // An answer to a notification belongs to no request.
        let is_open = self.open_requests(request_direction) > 0;
        if !is_open && self.was_notified_last(request_direction) {
            return;
        }
        // If none is open, the request was not seen, and its content is unknown. A handshake is
        // recognised by its answer.
        let opens = answer
            .result()
            .is_some_and(|result| result.get("serverInfo").is_some());
        if !is_open && !opens {
            self.gaps = Gaps::ALL;
        }
        let gaps = self
            .open_methods(request_direction)
            .map(|method| Gaps::changed_by(method).with(Gaps::tokens_of(method)));
        self.gaps = gaps.fold(self.gaps.with(Gaps::of(State::RequestIds)), Gaps::with);
    }

    /// Tracks the gaps of bytes that could not be read.
    #[cold]
    pub(crate) fn add_all_gaps(&mut self, direction: Option<Direction>) {
        self.gaps = Gaps::ALL;
        self.add_cancellation_gap(direction);
        self.add_opening_gap(direction);
    }

    /// Tracks that the sender may have cancelled one of its requests.
    pub(super) fn add_cancellation_gap(&mut self, direction: Option<Direction>) {
        for sender in BOTH {
            if direction.is_none_or(|direction| direction == sender) {
                self.state.cancelled.lost[sender as usize] += 1;
            }
        }
    }

    /// Tracks that the client may have opened the session.
    fn add_opening_gap(&mut self, direction: Option<Direction>) {
        if direction != Some(Direction::ServerToClient) && self.handshake.phase != Phase::Open {
            self.handshake.disordered = true;
        }
    }
}

/// Whether everything in the `_meta` of a request is known, if only that there is none.
fn has_readable_meta(request: &Message<'_>) -> bool {
    let is_object = |node: Node<'_>| node.kind() == Kind::Object;
    let params = request.exchange.envelope.params();
    let meta = params.and_then(|params| params.get("_meta"));
    // In revisions that demand it of each request, a missing one was left out by mistake.
    let may_lack = !request.has(Fact::Stateless);
    !request.is_partial && params.is_none_or(is_object) && meta.map_or(may_lack, is_object)
}

/// Whether a call of an unknown method may be a cancellation: it has no id of its own and names
/// one, unless it is cut off.
fn may_cancel(call: &Message<'_>) -> bool {
    let is_cut = call
        .exchange
        .method_node()
        .is_none_or(|name| name.is_text(""));
    call.id().is_none() && (is_cut || call.param("requestId").is_some())
}
