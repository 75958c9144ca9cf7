//! Suppresses violations that merely follow from one already reported.
//!
//! One fault may make several messages look wrong: a request that was not seen has progress, a
//! cancellation and an answer; a capability that was not declared is used again and again. The
//! first violation is reported, and its relations (see [`Rule`]) keep the others silent. This state
//! stays empty until something is reported.

use super::capabilities::Capabilities;
use super::{Bounded, Key, Session};
use crate::catalogue::{Once, Parties, Reveals, Rule, Use, Violation};
use crate::model::Fact;
use crate::syntax::Node;
use crate::{Direction, Party, Revision};

/// The reported violations of a session, as far as others follow from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consequences {
    /// The rules that were reported, each once for a party at fault.
    reported: Vec<(&'static Rule, Option<Party>)>,
    /// Capabilities that were reported as not declared, by the party that used them and the one
    /// that had to declare them.
    undeclared: [[Capabilities; 2]; 2],
    /// Values about which some rules have nothing more to say.
    values: Bounded<Key, Vec<About>>,
    /// Requests of each direction whose missing answer was reported.
    unanswered: [u64; 2],
    /// The sender of a stray answer, and the number of messages that its peer had sent until then.
    stray: Option<(Party, u64)>,
    /// The HTTP exchange with a stray answer, whose request was not seen.
    stray_exchange: Option<i64>,
}

/// The rules that a value silences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    /// One rule, reported for this value.
    Rule(&'static Rule),
    /// A stray answer with this id.
    StrayAnswer,
    /// Any rule about answers with this id.
    AnyAnswer,
    /// None: the answer with this id came before its request.
    EarlyAnswer,
}

impl About {
    fn concerns(self, rule: &Rule) -> bool {
        match self {
            Self::Rule(reported) => reported == rule,
            Self::StrayAnswer => rule.reveals == Some(Reveals::StrayAnswer),
            Self::AnyAnswer => matches!(
                rule.reveals,
                Some(Reveals::StrayAnswer | Reveals::AnswerOfOtherType | Reveals::SecondAnswer)
            ),
            Self::EarlyAnswer => false,
        }
    }
}

/// The context of a message that violates a rule.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) sender: Option<Party>,
    pub(crate) revision: Option<Revision>,
    /// The HTTP exchange that the message is part of.
    pub(crate) exchange: Option<i64>,
}

impl Context {
    fn direction(self) -> Option<Direction> {
        self.sender.map(|sender| match sender {
            Party::Client => Direction::ClientToServer,
            Party::Server => Direction::ServerToClient,
        })
    }

    /// The party at fault.
    fn culprit(self, rule: &Rule) -> Option<Party> {
        match rule.party {
            Parties::Only(party) => Some(party),
            Parties::Both => self.sender,
        }
    }

    /// The party that has to declare a capability, if it does so once for the whole session.
    fn declarer(self, used: Use) -> Option<Party> {
        let party = match (used, self.sender?) {
            (Use::Sender(_), sender) => sender,
            (Use::Receiver(_), Party::Client) => Party::Server,
            (Use::Receiver(_), Party::Server) => Party::Client,
        };
        let is_lasting = party == Party::Server || self.revision?.has(Fact::Handshake);
        is_lasting.then_some(party)
    }
}

impl Session {
    /// Whether an earlier fault explains a violation of a rule, for this value if there is one.
    #[cold]
    pub(crate) fn explains(&self, rule: &Rule, context: Context, at: Option<Node<'_>>) -> bool {
        self.has_gap_for(rule)
            || self.follows(rule, context)
            || self.was_undeclared(rule, context)
            || at.is_some_and(|at| self.was_reported_of(rule, at))
            || self.is_of_stray_exchange(rule, context)
            || self.is_of_batch(rule, context)
    }

    /// Tracks the violations of a message, and a limited number of values that they are about.
    #[cold]
    pub(crate) fn track_violations<'n>(
        &mut self,
        violations: &[Violation],
        context: Context,
        limit: usize,
        node: impl Fn(u32) -> Node<'n>,
    ) {
        for violation in violations {
            let (rule, value) = (violation.rule, violation.token.map(&node));
            let reported = (rule, context.culprit(rule));
            if !self.consequences.reported.contains(&reported) {
                self.consequences.reported.push(reported);
            }
            for used in rule.uses {
                self.track_use(*used, context);
            }
            if rule.once.contains(&Once::PerValue)
                && let Some(key) = value.and_then(|value| self.state.progress.keys.of(value))
            {
                self.track_value(About::Rule(rule), key, limit);
            }
            if let Some(reveals) = rule.reveals {
                self.track_revealed(reveals, context, value, limit);
            }
        }
    }

    /// Tracks a stray answer that an earlier fault explains: its peer may send another.
    pub(super) fn track_explained(&mut self, id: Node<'_>, limit: usize) {
        if let Some(key) = self.state.progress.keys.of(id) {
            self.track_value(About::StrayAnswer, key, limit);
        }
    }

    /// Tracks the id of a stray answer: the request may come after it.
    pub(super) fn track_early(&mut self, id: Node<'_>, limit: usize) {
        if let Some(key) = self.state.progress.keys.of(id) {
            self.track_value(About::EarlyAnswer, key, limit);
        }
    }

    /// Whether the answer to a request with this id came before it.
    pub(super) fn was_early(&self, id: Node<'_>) -> bool {
        let values = &self.consequences.values;
        let is_early = |about: &Vec<About>| about.contains(&About::EarlyAnswer);
        !values.is_empty()
            && (self.state.progress.keys.of(id))
                .is_some_and(|key| values.get(&key).is_some_and(is_early))
    }

    /// The number of open requests of a direction whose missing answers were reported.
    pub(super) fn known_unanswered(&self, direction: Direction) -> u64 {
        self.consequences.unanswered[direction as usize]
    }

    fn track_revealed(
        &mut self,
        reveals: Reveals,
        context: Context,
        value: Option<Node<'_>>,
        limit: usize,
    ) {
        match reveals {
            Reveals::StrayAnswer | Reveals::AnswerToNotification => {
                let sender = context.sender;
                self.consequences.stray = sender.map(|sender| (sender, self.sent_to(sender)));
                if reveals == Reveals::StrayAnswer {
                    self.consequences.stray_exchange = context.exchange;
                }
            }
            // The request that was matched is closed; an answer with either id may follow.
            Reveals::AnswerOfOtherType => self.permit_answers(value, limit),
            Reveals::SecondAnswer => {}
            Reveals::RequestOfSender
            | Reveals::RequestOfPeer
            | Reveals::AnswerToSender
            | Reveals::AnswerToPeer => {
                let Some(sender) = context.direction() else {
                    return;
                };
                match reveals {
                    Reveals::RequestOfSender => self.losses.untracked[sender as usize] += 1,
                    Reveals::RequestOfPeer => self.losses.untracked[sender.reverse() as usize] += 1,
                    Reveals::AnswerToSender => self.consequences.unanswered[sender as usize] += 1,
                    _ => self.consequences.unanswered[sender.reverse() as usize] += 1,
                }
            }
        }
    }

    /// Permits further answers with this id, as a number and as a string.
    pub(super) fn permit_answers(&mut self, id: Option<Node<'_>>, limit: usize) {
        let Some(id) = id else {
            return;
        };
        let keys = &self.state.progress.keys;
        for key in [keys.of(id), keys.of_other_type(id)].into_iter().flatten() {
            self.track_value(About::AnyAnswer, key, limit);
        }
    }

    /// Whether an earlier violation of the same party makes this one inevitable, or was the same.
    fn follows(&self, rule: &Rule, context: Context) -> bool {
        let culprit = context.culprit(rule);
        let explains = |root: &&'static Rule| {
            rule.follows.contains(root) || (*root == rule && rule.once.contains(&Once::PerSession))
        };
        let mut reported = self.consequences.reported.iter();
        reported.any(|(root, party)| *party == culprit && explains(root))
    }

    fn was_undeclared(&self, rule: &Rule, context: Context) -> bool {
        let Some(sender) = context.sender else {
            return false;
        };
        rule.uses.iter().any(|used| {
            let capability = used.capability();
            context.declarer(*used).is_some_and(|party| {
                let undeclared = self.consequences.undeclared[sender as usize][party as usize];
                undeclared.has(capability) || undeclared.has(capability.member())
            })
        })
    }

    fn track_value(&mut self, about: About, key: Key, limit: usize) {
        if let Some(known) = self.consequences.values.get_mut(&key) {
            if !known.contains(&about) {
                known.push(about);
            }
            return;
        }
        let dropped = self.consequences.values.insert(key, vec![about], limit);
        if dropped.is_some() {
            self.reached_limit_of("ids");
        }
    }

    fn is_of_stray_exchange(&self, rule: &Rule, context: Context) -> bool {
        rule.reveals == Some(Reveals::StrayAnswer)
            && context.exchange.is_some()
            && context.exchange == self.consequences.stray_exchange
    }

    /// Whether it may be a further answer to a batch that was not seen.
    fn is_of_batch(&self, rule: &Rule, context: Context) -> bool {
        let is_stray = matches!(
            rule.reveals,
            Some(Reveals::StrayAnswer | Reveals::AnswerToNotification)
        );
        let revision = context.revision;
        let has_batches = revision.is_some_and(|revision| revision.has(Fact::Batches));
        let is_next = |sender| self.consequences.stray == Some((sender, self.sent_to(sender)));
        is_stray && has_batches && context.sender.is_some_and(is_next)
    }

    /// The number of messages that the peer of a party has sent.
    fn sent_to(&self, party: Party) -> u64 {
        let other = match party {
            Party::Client => Direction::ServerToClient,
            Party::Server => Direction::ClientToServer,
        };
        self.spoken[other as usize]
    }

    fn was_reported_of(&self, rule: &Rule, at: Node<'_>) -> bool {
        let values = &self.consequences.values;
        let concerns = |known: &Vec<About>| known.iter().any(|about| about.concerns(rule));
        !values.is_empty()
            && (self.state.progress.keys.of(at))
                .is_some_and(|key| values.get(&key).is_some_and(concerns))
    }

    fn track_use(&mut self, used: Use, context: Context) {
        let (Some(sender), Some(party)) = (context.sender, context.declarer(used)) else {
            return;
        };
        let revision = context.revision;
        let has_handshake = revision.is_some_and(|revision| revision.has(Fact::Handshake));
        let declared = match party {
            Party::Client => self.handshake.client,
            Party::Server if has_handshake => self.handshake.server,
            Party::Server => self.handshake.discovered,
        };
        let undeclared = &mut self.consequences.undeclared[sender as usize][party as usize];
        let capability = used.capability();
        undeclared.insert(capability);
        let member = capability.member();
        if declared.is_some_and(|declared| !declared.has(member)) {
            undeclared.insert(member);
        }
    }
}
