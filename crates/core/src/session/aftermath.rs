//! What was told, and what follows from it.
//!
//! One fault may make several messages look wrong: a request that nobody saw has progress, a cancellation and an answer; a
//! capability that was not declared is used again and again. The first of them is told. What is noted here keeps the others
//! silent. Nothing of it is touched as long as nothing is told.

mod uses;

use std::collections::VecDeque;

use self::uses::{USES, Use};
use super::{Key, Session};
use crate::model::Fact;
use crate::rules::Rule;
use crate::syntax::{Kind, Node};
use crate::violation::Violation;
use crate::{Direction, Party, Revision};

/// What was told in a session, as far as something follows from it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aftermath {
    /// The entries of [`CONSEQUENCES`] whose root was told.
    roots: u64,
    /// The entries of [`USES`] that were told, by party, member and flag.
    capabilities: u128,
    /// Rules of [`ONCE_FOR_A_VALUE`], by their place there, with the value that they were told of.
    values: VecDeque<(usize, Key)>,
    /// Requests of each direction that are open because an answer is missing, which shows already.
    unanswered: [u64; 2],
    /// Ids of the last answers that came before any request with them.
    early: [Option<Key>; EARLY],
    /// How much the other side had said when an answer to nothing was told.
    unasked: Option<(Party, u64)>,
    /// The HTTP exchange that was told to carry an answer to nothing: what was posted in it was not seen.
    astray: Option<i64>,
}

/// Where a message stands of which something was told.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) sender: Option<Party>,
    pub(crate) revision: Option<Revision>,
    /// The HTTP exchange that it is part of.
    pub(crate) exchange: Option<i64>,
}

/// So many answers may come before their requests.
const EARLY: usize = 8;

/// So many values are remembered.
const VALUES: usize = 64;

/// A rule, and those that are not heard any more in the session once it was told.
const CONSEQUENCES: &[(&str, &[&str])] = &[
    // A request that nobody saw shows in several ways.
    (
        "progress/token-known",
        &["cancel/own-request", "logging/opt-in"],
    ),
    (
        "logging/opt-in",
        &["progress/token-known", "cancel/own-request"],
    ),
    (
        "cancel/own-request",
        &["progress/token-known", "logging/opt-in"],
    ),
    ("subscriptions/id-matches", &["cancel/own-request"]),
    // Rounds of input are recognised by what the request and the state before had in them.
    (
        "mrtr/retry-same-request",
        &["mrtr/state-not-shared", "mrtr/state-echoed"],
    ),
    (
        "mrtr/inputs-or-state",
        &["mrtr/state-not-invented", "mrtr/response-keys-known"],
    ),
    ("http/mcp-name-matches-body", &["mrtr/retry-same-request"]),
    (
        "resources/uri-valid",
        &[
            "mrtr/retry-same-request",
            "resources/unsubscribe-after-subscribe",
            "resources/updated-only-if-subscribed",
        ],
    ),
    ("tasks/tool-required", &["tasks/create-result"]),
    (
        "ext-tasks/status-payload",
        &["ext-tasks/update-outstanding-keys"],
    ),
    // Without its id a request for a stream is outside of the session, whatever the server makes of it.
    (
        "http/session-id-sent",
        &["http/get-sse-or-405", "http/session-delete"],
    ),
    ("http/get-sse-or-405", &["http/session-delete"]),
    // The first event of a stream has its id and what else is needed to take it up again.
    ("http/sse-priming-event", &["http/sse-retry-before-close"]),
    ("http/sse-retry-before-close", &["http/sse-resume-by-get"]),
    // The transport is the same in every event.
    ("http/sse-deprecated", &["http/sse-deprecated"]),
    // Who numbers events anew for each stream, or sends them again unasked, does so every time.
    (
        "http/sse-event-id-unique",
        &["http/sse-event-id-unique", "response/exactly-one"],
    ),
    // So does who sends what nobody has asked for.
    (
        "resources/updated-only-if-subscribed",
        &["resources/updated-only-if-subscribed"],
    ),
    // The call that is repeated has the right name, or had.
    ("tools/call-listed", &["mrtr/retry-same-request"]),
    // It was to open the session.
    (
        "schema/unknown-method",
        &[
            "http/no-session-id",
            "http/session-id-at-initialize",
            "version/discover-probe-first",
        ],
    ),
    (
        "jsonrpc/batch-one-kind",
        &["jsonrpc/batch-answer-per-request"],
    ),
    // What was in the batch is not known.
    (
        "jsonrpc/batch-not-empty",
        &[
            "jsonrpc/batch-answer-per-request",
            "response/id-known",
            "response/none-for-notification",
        ],
    ),
];

const ANSWER_TO_NOTHING: &str = "response/id-known";
const SECOND_ANSWER: &str = "response/exactly-one";
const ANSWER_TO_NOTIFICATION: &str = "response/none-for-notification";
const ANSWER_OF_OTHER_TYPE: &str = "response/id-type-preserved";

/// Rules that are told once of a value, though every message repeats it.
const ONCE_FOR_A_VALUE: &[&str] = &[
    "progress/stops-after-completion",
    "progress/token-known",
    "progress/token-type-preserved",
    ANSWER_TO_NOTHING,
    ANSWER_OF_OTHER_TYPE,
    SECOND_ANSWER,
];

/// Rules that an id violates that an open request has, too.
const REPEATED_ID: &[&str] = &["request/id-unique-in-flight"];

/// Rules that show that a request was not seen: one answer to nothing is explained by it.
const UNSEEN_REQUEST: &[&str] = &[
    "cancel/own-request",
    "logging/opt-in",
    "progress/stops-after-completion",
    "progress/token-known",
    "progress/token-type-preserved",
    "resources/updated-only-if-subscribed",
    "subscriptions/id-matches",
];

/// Rules that an answer that never came makes look violated: that it is missing is not told as well.
const UNSEEN_ANSWER: &[&str] = &[
    "elicitation/complete-known-id",
    "ext-tasks/update-outstanding-keys",
    "lifecycle/initialize-once",
    "mrtr/state-echoed",
    "mrtr/state-not-shared",
    "progress/token-unique",
];

impl Session {
    /// Whether something that was told before explains why a rule seems to be violated, by this value if it is one.
    #[cold]
    pub(crate) fn explains(&self, rule: &Rule, told: Context, at: Option<Node<'_>>) -> bool {
        self.is_doubtful(rule)
            || self.follows(rule)
            || self.was_undeclared(rule, told)
            || at.is_some_and(|at| self.was_told_of(rule, at))
            || self.is_astray(rule, told)
            || self.is_of_batch(rule, told)
    }

    /// Takes note of what was told about a message.
    #[cold]
    pub(crate) fn take_note_of_told<'n>(
        &mut self,
        violations: &[Violation],
        told: Context,
        node: impl Fn(u32) -> Node<'n>,
    ) {
        for violation in violations {
            let rule = violation.rule.name;
            for (place, (root, _)) in CONSEQUENCES.iter().enumerate() {
                self.aftermath.roots |= u64::from(*root == rule) << place;
            }
            for used in USES.iter().filter(|used| used.rule == rule) {
                self.take_note_of_use(used, told);
            }
            if let Some(place) = place_of_value(rule)
                && rule != SECOND_ANSWER
                && let Some(token) = violation.token
                && let Some(key) = self.topics.progress.keys.of(node(token))
            {
                self.remember_value(place, key);
            }
            // The request that it was taken for is closed; whichever was meant, an answer with the id of either may come.
            if rule == ANSWER_OF_OTHER_TYPE
                && let Some(id) = violation.token.map(&node)
            {
                self.forgive_answers(id);
            }
            // The request that had this id was counted as forgotten; but if it is answered, then under the same id.
            if REPEATED_ID.contains(&rule)
                && let Some(id) = violation.token.map(&node)
                && let Some(direction) = sender_direction(told)
            {
                self.forgive_answers(id);
                let forgotten = &mut self.forgotten[direction as usize];
                *forgotten = forgotten.saturating_sub(1);
            }
            if matches!(rule, ANSWER_TO_NOTHING | ANSWER_TO_NOTIFICATION) {
                let sender = told.sender;
                self.aftermath.unasked = sender.map(|sender| (sender, self.said_to(sender)));
            }
            if rule == ANSWER_TO_NOTHING {
                self.aftermath.astray = told.exchange;
            }
            let Some(sender) = sender_direction(told) else {
                continue;
            };
            if UNSEEN_REQUEST.contains(&rule) {
                let asker = match rule {
                    "cancel/own-request" => sender,
                    _ => sender.reverse(),
                };
                self.forgotten[asker as usize] += 1;
            }
            if UNSEEN_ANSWER.contains(&rule) {
                let asker = match rule {
                    "elicitation/complete-known-id" => sender.reverse(),
                    _ => sender,
                };
                self.aftermath.unanswered[asker as usize] += 1;
            }
        }
    }

    /// Takes note of an answer to nothing that something else explains: it may be sent again.
    pub(super) fn take_note_of_explained(&mut self, id: Node<'_>) {
        if let Some(place) = place_of_value(ANSWER_TO_NOTHING)
            && let Some(key) = self.topics.progress.keys.of(id)
        {
            self.remember_value(place, key);
        }
    }

    /// Answers with this id may come again, as a number and as a string.
    pub(super) fn forgive_answers(&mut self, id: Node<'_>) {
        let keys = &self.topics.progress.keys;
        let both = [keys.of(id), keys.of_other_type(id)];
        for rule in [ANSWER_TO_NOTHING, ANSWER_OF_OTHER_TYPE, SECOND_ANSWER] {
            for key in both.into_iter().flatten() {
                if let Some(place) = place_of_value(rule) {
                    self.remember_value(place, key);
                }
            }
        }
    }

    /// Takes note of the id of an answer to nothing: the request may come after it.
    pub(super) fn take_note_of_early(&mut self, id: Node<'_>) {
        // One with escapes is rare, and would have to be copied.
        let plain = Some(id).filter(|id| id.kind() != Kind::String || id.plain().is_some());
        if let Some(key) = plain.and_then(|id| self.topics.progress.keys.of(id)) {
            self.aftermath.early.rotate_right(1);
            self.aftermath.early[0] = Some(key);
        }
    }

    /// Whether the answer to a request with this id seems to have come before it.
    pub(super) fn was_early(&self, id: Node<'_>) -> bool {
        self.aftermath.early[0].is_some() && {
            let key = self.topics.progress.keys.of(id);
            key.is_some() && self.aftermath.early.contains(&key)
        }
    }

    /// How many requests of a direction are open because of what was told otherwise.
    pub(super) fn told_unanswered(&self, direction: Direction) -> u64 {
        self.aftermath.unanswered[direction as usize]
    }

    fn follows(&self, rule: &Rule) -> bool {
        self.aftermath.roots != 0
            && CONSEQUENCES
                .iter()
                .enumerate()
                .any(|(place, (_, consequences))| {
                    self.aftermath.roots >> place & 1 != 0 && consequences.contains(&rule.name)
                })
    }

    fn was_undeclared(&self, rule: &Rule, told: Context) -> bool {
        self.aftermath.capabilities != 0
            && USES
                .iter()
                .filter(|used| used.rule == rule.name)
                .any(|used| {
                    used.party(told).is_some_and(|party| {
                        let bits = used.member.bit(party, used.flag) | used.member.bit(party, 0);
                        self.aftermath.capabilities & bits != 0
                    })
                })
    }

    fn remember_value(&mut self, place: usize, key: Key) {
        self.aftermath.values.truncate(VALUES - 1);
        self.aftermath.values.push_front((place, key));
    }

    fn is_astray(&self, rule: &Rule, told: Context) -> bool {
        rule.name == ANSWER_TO_NOTHING
            && told.exchange.is_some()
            && told.exchange == self.aftermath.astray
    }

    /// Whether it may be one more answer to a batch that was not seen.
    fn is_of_batch(&self, rule: &Rule, told: Context) -> bool {
        let is_stray = matches!(rule.name, ANSWER_TO_NOTHING | ANSWER_TO_NOTIFICATION);
        let has_batches = told
            .revision
            .is_some_and(|revision| revision.has(Fact::Batches));
        is_stray
            && has_batches
            && told.sender.is_some_and(|sender| {
                self.aftermath.unasked == Some((sender, self.said_to(sender)))
            })
    }

    /// How much the other side has said.
    fn said_to(&self, party: Party) -> u64 {
        let other = match party {
            Party::Client => Direction::ServerToClient,
            Party::Server => Direction::ClientToServer,
        };
        self.spoken[other as usize]
    }

    fn was_told_of(&self, rule: &Rule, at: Node<'_>) -> bool {
        !self.aftermath.values.is_empty()
            && place_of_value(rule.name)
                .zip(self.topics.progress.keys.of(at))
                .is_some_and(|told| self.aftermath.values.contains(&told))
    }

    fn take_note_of_use(&mut self, used: &Use, told: Context) {
        let Some(party) = used.party(told) else {
            return;
        };
        self.aftermath.capabilities |= used.member.bit(party, used.flag);
        let has_handshake = told
            .revision
            .is_some_and(|revision| revision.has(Fact::Handshake));
        let declared = match party {
            Party::Client => self.handshake.client,
            Party::Server if has_handshake => self.handshake.server,
            Party::Server => self.handshake.discovered,
        };
        if declared.is_some_and(|declared| !declared.has(used.member.capability())) {
            self.aftermath.capabilities |= used.member.bit(party, 0);
        }
    }
}

fn sender_direction(told: Context) -> Option<Direction> {
    told.sender.map(|sender| match sender {
        Party::Client => Direction::ClientToServer,
        Party::Server => Direction::ServerToClient,
    })
}

fn place_of_value(rule: &str) -> Option<usize> {
    ONCE_FOR_A_VALUE.iter().position(|known| *known == rule)
}

#[cfg(test)]
mod tests {
    use super::uses::Member;
    use super::*;
    use crate::rules::find;

    #[test]
    fn every_name_is_that_of_a_rule() {
        let names = CONSEQUENCES
            .iter()
            .flat_map(|(root, consequences)| core::iter::once(root).chain(*consequences))
            .chain(ONCE_FOR_A_VALUE)
            .chain(UNSEEN_REQUEST)
            .chain(UNSEEN_ANSWER)
            .copied()
            .chain(USES.iter().map(|used| used.rule));
        for name in names {
            assert!(find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_root_and_every_capability_has_a_bit() {
        assert!(CONSEQUENCES.len() <= 64);
        assert_eq!(Member::Extension.bit(Party::Server, 3).count_ones(), 1);
    }
}
