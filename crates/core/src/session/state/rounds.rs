//! Tracks requests that were answered with a demand for more input, to recognise their repetition.

use std::collections::VecDeque;

use crate::Direction;
use crate::catalogue::On;
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::message::{Digester, KnownId, input_requests, input_responses, wants_input};
use crate::session::{Hook, Session};
use crate::syntax::{Kind, Node};

/// The state: requests that were answered with a demand for more input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    known: VecDeque<Round>,
    /// The serial of the next round.
    next: u64,
    /// Whether one was dropped at the limit.
    dropped: bool,
    pub(crate) digester: Digester,
}

/// The digests by which a repetition of a request is recognised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeatable {
    pub(crate) method: &'static str,
    /// The digest of its subject: the name of the tool or prompt, the URI.
    pub(crate) name: u64,
    /// The digest of its params, except those that a repetition adds or changes.
    params: u64,
    /// The round that it answers.
    answers: Option<u64>,
    /// The digest of its answers.
    responses: Option<u64>,
    /// Whether it has answers or a state.
    is_retry: bool,
}

impl Repeatable {
    /// Whether it brings the input that an earlier answer demands.
    pub(crate) fn is_retry(&self) -> bool {
        self.is_retry
    }

    /// Whether both request the same.
    fn is(&self, other: &Self) -> bool {
        self.method == other.method && self.params == other.params
    }
}

/// A request that was answered with a demand for more input.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    serial: u64,
    pub(crate) request: Repeatable,
    id: Option<KnownId>,
    /// The state that the repetition must return.
    pub(crate) state: Option<u64>,
    /// The demanded inputs, sorted: key and method; the method is empty if it is not allowed.
    inputs: Vec<(u64, &'static str)>,
    /// Whether it has more inputs than are tracked.
    pub(crate) more: bool,
    /// The digest of the answers with which it was repeated.
    responses: Option<u64>,
    /// The round that its repetition led to.
    next: Option<u64>,
}

impl Round {
    /// Whether this is the id of the request.
    pub(crate) fn has_id(&self, id: Node<'_>) -> bool {
        self.id.as_ref().is_some_and(|known| known.is(id))
    }

    /// The method of the input under a key, if there is one.
    pub(crate) fn input(&self, key: u64) -> Option<&'static str> {
        let position = self.inputs.binary_search_by_key(&key, |(known, _)| *known);
        Some(self.inputs.get(position.ok()?)?.1)
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.inputs.len()
    }
}

/// The round that a request answers.
pub(crate) struct Answered<'r> {
    pub(crate) round: &'r Round,
    pub(crate) relation: Relation,
}

/// The relation of a request to the one whose answers or state it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// It repeats it.
    Repeats,
    /// It is another request, which was seen before or repeats another round.
    IsAnother,
    /// It changes the request.
    Alters,
}

impl Rounds {
    /// The round that a request answers by its `inputResponses` or `requestState`; `None` if that
    /// is not certain.
    pub(crate) fn answered_by(
        &self,
        message: &Message<'_>,
        session: &Session,
    ) -> Option<Answered<'_>> {
        if self.known.is_empty() {
            return None;
        }
        let responses = input_responses(message);
        let state = self.state_of(message.params()?);
        if responses.is_none() && state.is_none() {
            return None;
        }
        let request = self.read(message)?;
        if let Some(state) = state
            && let Some(answered) = self.by_state(state, &request, responses, session, message)
        {
            return Some(answered);
        }
        // An unknown state may belong to a round that was dropped.
        if self.dropped {
            return None;
        }
        self.by_request(&request, responses, session, message)
    }

    fn by_state(
        &self,
        state: u64,
        request: &Repeatable,
        responses: Option<Node<'_>>,
        session: &Session,
        message: &Message<'_>,
    ) -> Option<Answered<'_>> {
        let newest_first = || {
            let rounds = self.known.iter().rev();
            rounds.filter(|round| round.state == Some(state))
        };
        if let Some(round) = newest_first().find(|round| round.request.is(request)) {
            let round = self.latest(round, responses);
            let relation = Relation::Repeats;
            return Some(Answered { round, relation });
        }
        let round = newest_first().next()?;
        let relation = self.otherwise(round, request, session, message);
        Some(Answered { round, relation })
    }

    /// Finds the round without the state: by the request, and by the keys of the answers.
    fn by_request(
        &self,
        request: &Repeatable,
        responses: Option<Node<'_>>,
        session: &Session,
        message: &Message<'_>,
    ) -> Option<Answered<'_>> {
        let open = || self.known.iter().filter(|round| round.next.is_none());
        let shares = |round: &&Round| responses.is_some_and(|keys| self.shares_key(round, keys));
        let same = || open().filter(|round| round.request.is(request));
        let relation = Relation::Repeats;
        if same().next().is_some() {
            let round = only(same().filter(shares)).or_else(|| only(same()))?;
            return Some(Answered { round, relation });
        }
        let round = only(open().filter(shares))?;
        let relation = self.otherwise(round, request, session, message);
        Some(Answered { round, relation })
    }

    /// The relation of a request that does not repeat the round whose state or answers it has.
    fn otherwise(
        &self,
        round: &Round,
        request: &Repeatable,
        session: &Session,
        message: &Message<'_>,
    ) -> Relation {
        let another = |other: &Round| other.serial != round.serial && other.request.is(request);
        let direction = message.direction().unwrap_or(Direction::ClientToServer);
        let waits = || {
            let waiting = session.waiting(direction).iter();
            waiting
                .filter_map(|waiting| waiting.data()?.repeatable.as_ref())
                .any(|known| known.is(request))
        };
        if self.known.iter().any(another) || waits() {
            Relation::IsAnother
        } else {
            Relation::Alters
        }
    }

    /// The round that an answer to this one refers to: a later one, unless the same answers are
    /// sent again.
    fn latest<'r>(&'r self, round: &'r Round, responses: Option<Node<'_>>) -> &'r Round {
        let sent = responses.map(|responses| self.digester.value(responses));
        let later = round
            .next
            .filter(|_| sent.is_some() && sent != round.responses)
            .and_then(|serial| self.known.iter().find(|round| round.serial == serial));
        // One step is enough: earlier ones were reported when they were sent.
        later.unwrap_or(round)
    }

    fn shares_key(&self, round: &Round, responses: Node<'_>) -> bool {
        responses
            .members()
            .any(|(key, _)| round.input(self.digester.text(key)).is_some())
    }

    /// The state in params or in a result.
    pub(crate) fn state_of(&self, holder: Node<'_>) -> Option<u64> {
        let state = holder.get("requestState")?;
        (state.kind() == Kind::String).then(|| self.digester.text(state))
    }

    fn read(&self, message: &Message<'_>) -> Option<Repeatable> {
        let (method, params) = (message.method()?, message.params()?);
        let name = params.get("name").or_else(|| params.get("uri"));
        let stays = |key: Node<'_>| {
            !key.is_text("_meta") && !key.is_text("inputResponses") && !key.is_text("requestState")
        };
        Some(Repeatable {
            method,
            name: name.map_or(0, |name| self.digester.value(name)),
            params: self.digester.members(params, stays),
            answers: None,
            responses: None,
            is_retry: ["inputResponses", "requestState"]
                .into_iter()
                .any(|name| message.mentions(name) && params.get(name).is_some()),
        })
    }
}

/// The item of an iterator with exactly one.
fn only<'r>(mut rounds: impl Iterator<Item = &'r Round>) -> Option<&'r Round> {
    rounds.next().filter(|_| rounds.next().is_none())
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(
        &[
            On::Where(Fact::InputRequests, &On::Call("tools/call")),
            On::Where(Fact::InputRequests, &On::Call("prompts/get")),
            On::Where(Fact::InputRequests, &On::Call("resources/read")),
        ],
        called,
    ),
    Hook(
        &[
            On::Where(Fact::InputRequests, &On::Result("tools/call")),
            On::Where(Fact::InputRequests, &On::Result("prompts/get")),
            On::Where(Fact::InputRequests, &On::Result("resources/read")),
        ],
        answered,
    ),
];

fn called(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::InputRequests) {
        return;
    }
    let rounds = &session.state.rounds;
    let Some(mut request) = rounds.read(message) else {
        return;
    };
    if let Some(answered) = rounds.answered_by(message, session) {
        request.answers = Some(answered.round.serial);
        let responses = input_responses(message);
        request.responses = responses.map(|responses| rounds.digester.value(responses));
    }
    if let Some(mut waiting) = session.newest_request() {
        waiting.data_mut().repeatable = Some(request);
    }
}

fn answered(message: &Message<'_>, session: &mut Session) {
    let Some(request) = message
        .request
        .and_then(|request| request.data())
        .and_then(|data| data.repeatable)
    else {
        return;
    };
    let Some(result) = message.result() else {
        return;
    };
    let wants = wants_input(result);
    let rounds = &mut *session.state.rounds;
    let next = wants.then_some(rounds.next);
    if let Some(before) = request.answers {
        rounds.went_on(before, next, request.responses);
    }
    if !wants {
        return;
    }
    let limit = message.policy.limits.elicitations.max(1);
    let mut inputs = Vec::new();
    let mut demanded = input_requests(message).into_iter().flat_map(Node::members);
    for (key, entry) in demanded.by_ref().take(limit) {
        let method = entry.get("method").map_or("", known_input);
        inputs.push((rounds.digester.text(key), method));
    }
    inputs.sort_unstable_by_key(|(key, _)| *key);
    inputs.dedup_by_key(|(key, _)| *key);
    let round = Round {
        serial: rounds.next,
        request,
        id: message.id().and_then(KnownId::of),
        state: rounds.state_of(result),
        inputs,
        more: demanded.next().is_some(),
        responses: None,
        next: None,
    };
    rounds.next += 1;
    rounds.known.push_back(round);
    if rounds.known.len() > limit {
        rounds.known.pop_front();
        rounds.dropped = true;
        session.reached_limit_of("requests that wait for input");
    }
}

impl Rounds {
    /// Tracks that a round was repeated and answered: it led to another round, or it is finished
    /// with those before it.
    fn went_on(&mut self, serial: u64, next: Option<u64>, responses: Option<u64>) {
        if next.is_some() {
            let round = self.known.iter_mut().find(|round| round.serial == serial);
            if let Some(round) = round {
                (round.next, round.responses) = (next, responses);
            }
            return;
        }
        let mut over = Some(serial);
        while let Some(serial) = over {
            self.known.retain(|round| round.serial != serial);
            let before = self.known.iter().find(|round| round.next == Some(serial));
            over = before.map(|round| round.serial);
        }
    }
}

/// The name of a method that an input request may have; empty for any other.
fn known_input(method: Node<'_>) -> &'static str {
    ["elicitation/create", "sampling/createMessage", "roots/list"]
        .into_iter()
        .find(|name| method.is_text(name))
        .unwrap_or_default()
}
