//! Tracks elicitations: forms that wait for an answer, and the ids of elicitations by URL.

use std::collections::VecDeque;

use crate::catalogue::On;
use crate::compiled_schema::{Schema, accepts_nothing};
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::message::{Digester, input_responses, inputs, load};
use crate::session::{Hook, Round, Session};
use crate::syntax::{Kind, Node};

/// The state: elicitations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elicitations {
    digester: Digester,
    issued: VecDeque<Issued>,
    /// Whether ids were dropped at the limit.
    dropped: bool,
    /// Elicitations that results have demanded.
    wanted: VecDeque<Wanted>,
}

/// The data of an elicitation.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// Whether it is a URL to visit, not a form.
    pub(crate) url: bool,
    /// The schema that the answer must fit, if it can be enforced.
    pub(crate) schema: Option<Schema>,
    /// Whether a form may be returned empty.
    pub(crate) needs_nothing: bool,
}

/// An id of an elicitation by URL.
#[derive(Clone, Debug)]
struct Issued {
    id: u64,
    url: Option<u64>,
    /// Whether a request issued it, not an error.
    by_request: bool,
}

/// An elicitation in a result that demands input.
#[derive(Clone, Debug)]
struct Wanted {
    /// Method, name and state of the request that waits for it.
    request: (&'static str, u64, Option<u64>),
    key: u64,
    form: Form,
}

impl Elicitations {
    /// Whether another elicitation has this id. An error may repeat the same one.
    pub(crate) fn is_used(&self, id: Node<'_>, url: Option<Node<'_>>, by_request: bool) -> bool {
        if self.issued.is_empty() || id.kind() != Kind::String {
            return false;
        }
        let (id, url) = (
            self.digester.value(id),
            url.map(|url| self.digester.value(url)),
        );
        self.issued
            .iter()
            .any(|issued| issued.id == id && (by_request && issued.by_request || issued.url != url))
    }

    /// Whether this id was never issued.
    pub(crate) fn is_unknown(&self, id: Node<'_>) -> bool {
        let hash = self.digester.value(id);
        !self.dropped && self.issued.iter().all(|issued| issued.id != hash)
    }

    /// The elicitation under a key of a round, if that is certain.
    pub(crate) fn wanted(&self, round: &Round, key: u64) -> Option<&Form> {
        let request = (round.request.method, round.request.name, round.state);
        let mut forms = self
            .wanted
            .iter()
            .filter(|wanted| wanted.key == key && wanted.request == request)
            .map(|wanted| &wanted.form);
        let first = forms.next()?;
        forms.all(|form| form.is(first)).then_some(first)
    }

    fn issue(
        &mut self,
        id: Node<'_>,
        url: Option<Node<'_>>,
        by_request: bool,
        limit: usize,
    ) -> bool {
        let issued = Issued {
            id: self.digester.value(id),
            url: url.map(|url| self.digester.value(url)),
            by_request,
        };
        self.issued.push_back(issued);
        let full = self.issued.len() > limit.max(1);
        if full {
            self.issued.pop_front();
            self.dropped = true;
        }
        !full
    }
}

impl Form {
    fn read(message: &Message<'_>, params: Node<'_>) -> Self {
        let url = is_url(params);
        let schema = params
            .get("requestedSchema")
            .filter(|schema| !url && schema.kind() == Kind::Object)
            .and_then(|schema| load(message, schema).ok());
        Self {
            url,
            needs_nothing: schema.as_ref().is_none_or(accepts_nothing),
            schema,
        }
    }

    fn is(&self, other: &Self) -> bool {
        self.url == other.url
            && match (&self.schema, &other.schema) {
                (Some(own), Some(other)) => own.is(other),
                (None, None) => true,
                _ => false,
            }
    }
}

/// Whether an elicitation is a URL to visit.
pub(crate) fn is_url(params: Node<'_>) -> bool {
    params.get("mode").is_some_and(|mode| mode.is_text("url"))
}

/// The code of an error that asks the user to visit URLs first.
pub(crate) const URL_REQUIRED: i64 = -32042;

/// The elicitations in such an error, of any shape.
pub(crate) fn required<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    if message.error_code() != Some(URL_REQUIRED) {
        return None;
    }
    let data = message.root().get("error")?.get("data")?;
    data.get("elicitations")
        .filter(|elicitations| elicitations.kind() == Kind::Array)
}

pub(super) static HOOKS: &[Hook] = &[
    Hook(&[On::Call("elicitation/create")], track_request),
    Hook(&[On::AnyError], refused),
    Hook(
        &[
            On::Where(Fact::InputRequests, &On::Result("tools/call")),
            On::Where(Fact::InputRequests, &On::Result("prompts/get")),
            On::Where(Fact::InputRequests, &On::Result("resources/read")),
        ],
        wants,
    ),
    Hook(
        &[
            On::Where(Fact::InputRequests, &On::Call("tools/call")),
            On::Where(Fact::InputRequests, &On::Call("prompts/get")),
            On::Where(Fact::InputRequests, &On::Call("resources/read")),
        ],
        repeated,
    ),
];

fn track_request(message: &Message<'_>, session: &mut Session) {
    let Some(params) = message.params() else {
        return;
    };
    let form = Form::read(message, params);
    if let Some(id) = params.get("elicitationId").filter(|_| form.url) {
        let limit = message.policy.limits.elicitations;
        let elicitations = &mut session.state.elicitation;
        if !elicitations.issue(id, params.get("url"), true, limit) {
            session.reached_limit_of("elicitations");
        }
    }
    if let Some(mut request) = session.newest_request() {
        request.data_mut().elicitation = Some(form);
    }
}

fn refused(message: &Message<'_>, session: &mut Session) {
    let Some(required) = required(message) else {
        return;
    };
    let limit = message.policy.limits.elicitations;
    for elicitation in required.items() {
        let Some(id) = elicitation.get("elicitationId") else {
            continue;
        };
        let url = elicitation.get("url");
        if !session.state.elicitation.issue(id, url, false, limit) {
            session.reached_limit_of("elicitations");
        }
    }
}

fn wants(message: &Message<'_>, session: &mut Session) {
    if !message.has(Fact::InputRequests) {
        return;
    }
    let repeatable = message
        .request
        .and_then(|request| request.data()?.repeatable);
    let (Some(request), Some(result)) = (repeatable, message.result()) else {
        return;
    };
    let rounds = &session.state.rounds;
    let state = rounds.state_of(result);
    let limit = message.policy.limits.elicitations.max(1);
    let mut full = false;
    for input in inputs(message).filter(|input| input.asks("elicitation/create")) {
        let Some(params) = input.params else {
            continue;
        };
        let wanted = Wanted {
            request: (request.method, request.name, state),
            key: rounds.digester.text(input.key),
            form: Form::read(message, params),
        };
        let known = &mut session.state.elicitation.wanted;
        known.push_back(wanted);
        if known.len() > limit {
            known.pop_front();
            full = true;
        }
    }
    if full {
        session.reached_limit_of("elicitations");
    }
}

/// Drops the elicitations of a request that was repeated with answers.
fn repeated(message: &Message<'_>, session: &mut Session) {
    if session.state.elicitation.wanted.is_empty() {
        return;
    }
    let Some(responses) = input_responses(message) else {
        return;
    };
    let rounds = &session.state.rounds;
    let Some(answered) = rounds.answered_by(message, session) else {
        return;
    };
    let round = answered.round;
    let request = (round.request.method, round.request.name, round.state);
    let keys: Vec<u64> = responses
        .members()
        .map(|(key, _)| rounds.digester.text(key))
        .collect();
    let wanted = &mut session.state.elicitation.wanted;
    wanted.retain(|wanted| wanted.request != request || !keys.contains(&wanted.key));
}
