//! Tracks elicitations: forms that wait for an answer, and the ids of elicitations by URL.

use crate::catalogue::On;
use crate::compiled_schema::{Schema, accepts_nothing};
use crate::model::Fact;
use crate::session::message::Message;
use crate::session::message::{Digester, input_responses, inputs, load};
use crate::session::{Bounded, Hook, Round, Session};
use crate::syntax::{Kind, Node};

/// The state: elicitations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elicitations {
    digester: Digester,
    /// Ids of elicitations by URL.
    issued: Bounded<u64, Issued>,
    /// Whether ids were dropped at the limit.
    dropped: bool,
    /// Elicitations that results have demanded.
    wanted: Bounded<WantedKey, Wanted>,
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

/// The elicitations by URL with one id.
#[derive(Clone, Debug)]
struct Issued {
    /// The URL of the first.
    url: Option<u64>,
    /// Whether another one has another URL.
    differs: bool,
    /// Whether a request issued one, not an error.
    by_request: bool,
}

/// Method, name and state of the request that waits for an elicitation, and its key.
type WantedKey = ((&'static str, u64, Option<u64>), u64);

/// An elicitation in a result that demands input.
#[derive(Clone, Debug)]
struct Wanted {
    form: Form,
    /// Whether another one with the same key has another form.
    differs: bool,
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
        self.issued.get(&id).is_some_and(|issued| {
            by_request && issued.by_request || issued.differs || issued.url != url
        })
    }

    /// Whether this id was never issued.
    pub(crate) fn is_unknown(&self, id: Node<'_>) -> bool {
        let hash = self.digester.value(id);
        !self.dropped && !self.issued.contains_key(&hash)
    }

    /// The elicitation under a key of a round, if that is certain.
    pub(crate) fn wanted(&self, round: &Round, key: u64) -> Option<&Form> {
        let request = (round.request.method, round.request.name, round.state);
        let wanted = self.wanted.get(&(request, key))?;
        (!wanted.differs).then_some(&wanted.form)
    }

    fn issue(
        &mut self,
        id: Node<'_>,
        url: Option<Node<'_>>,
        by_request: bool,
        limit: usize,
    ) -> bool {
        let id = self.digester.value(id);
        let url = url.map(|url| self.digester.value(url));
        if let Some(issued) = self.issued.get_mut(&id) {
            issued.differs |= issued.url != url;
            issued.by_request |= by_request;
            return true;
        }
        let issued = Issued {
            url,
            differs: false,
            by_request,
        };
        let dropped = self.issued.insert(id, issued, limit).is_some();
        self.dropped |= dropped;
        !dropped
    }

    /// Tracks an elicitation that a result demands; `false` if another one was dropped for it.
    fn want(&mut self, key: WantedKey, form: Form, limit: usize) -> bool {
        if let Some(wanted) = self.wanted.get_mut(&key) {
            wanted.differs |= !wanted.form.is(&form);
            return true;
        }
        let wanted = Wanted {
            form,
            differs: false,
        };
        self.wanted.insert(key, wanted, limit).is_none()
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
        let elicitations = &mut *session.state.elicitation;
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
    let limit = message.policy.limits.elicitations;
    let mut full = false;
    for input in inputs(message).filter(|input| input.asks("elicitation/create")) {
        let Some(params) = input.params else {
            continue;
        };
        let request = (request.method, request.name, state);
        let key = rounds.digester.text(input.key);
        let form = Form::read(message, params);
        let elicitations = &mut *session.state.elicitation;
        full |= !elicitations.want((request, key), form, limit);
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
    for (key, _) in responses.members() {
        let key = session.state.rounds.digester.text(key);
        session.state.elicitation.wanted.remove(&(request, key));
    }
}
