//! The messages that a server sends of its own accord before it answers.

pub(crate) mod tasks;

use std::collections::VecDeque;

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::answers::{ELICITATION, form, sampling, takes_forms};
use super::twist::Twist;

pub(crate) use self::tasks::after;

/// A message of the server.
pub(crate) struct Ask {
    /// Its name in checks.
    pub(crate) name: &'static str,
    /// The bytes that are sent.
    pub(crate) bytes: Vec<u8>,
    /// The id, if an answer is waited for.
    pub(crate) id: Option<Value>,
    /// Whether silence is held against the client by the rules that are always in force.
    pub(crate) owed: bool,
}

/// A text that may harm a client.
pub(crate) struct Harm {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// The name of the ping that follows something harmful.
pub(crate) const STILL_THERE: &str = "still there?";

/// The circumstances under which a server sends something.
pub(crate) struct Circumstances<'a> {
    pub(crate) revision: Revision,
    pub(crate) capabilities: &'a Value,
    pub(crate) over_stdio: bool,
    /// A place on the network where nobody has any business.
    pub(crate) bait: &'a str,
    /// The request that is about to be answered.
    pub(crate) open: &'a Value,
}

/// Makes ids: numbers and texts by turns, because a client has to give both back as they are.
#[derive(Default)]
pub(crate) struct Ids(u64);

impl Ids {
    fn next(&mut self) -> Value {
        self.0 += 1;
        if self.0.is_multiple_of(2) {
            json!(format!("assay-{}", self.0))
        } else {
            json!(1000 + self.0)
        }
    }
}

/// The messages that are sent before an answer, in their order.
pub(crate) struct Asks<'i> {
    ids: &'i mut Ids,
    asks: VecDeque<Ask>,
}

impl<'i> Asks<'i> {
    fn new(ids: &'i mut Ids) -> Self {
        let asks = VecDeque::new();
        Self { ids, asks }
    }

    pub(crate) fn next_id(&mut self) -> Value {
        self.ids.next()
    }

    pub(crate) fn push(&mut self, ask: Ask) {
        self.asks.push_back(ask);
    }

    pub(crate) fn request(&mut self, name: &'static str, method: &str, params: Option<Value>) {
        // These may have to wait for a person.
        let is_slow = matches!(method, "sampling/createMessage" | "elicitation/create");
        self.any_request(name, method, params, !is_slow);
    }

    pub(crate) fn any_request(
        &mut self,
        name: &'static str,
        method: &str,
        params: Option<Value>,
        owed: bool,
    ) {
        let id = self.ids.next();
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        self.asks.push_back(Ask {
            name,
            bytes: message.to_string().into_bytes(),
            id: Some(id),
            owed,
        });
    }

    pub(crate) fn say(&mut self, name: &'static str, text: &str) {
        self.asks.push_back(Ask {
            name,
            bytes: text.as_bytes().to_vec(),
            id: None,
            owed: false,
        });
    }

    fn notify(&mut self, name: &'static str, method: &str, params: Option<Value>) {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        self.say(name, &message.to_string());
    }
}

/// The messages before the first request is answered.
pub(crate) fn before_first(
    twist: Twist,
    ids: &mut Ids,
    circumstances: &Circumstances<'_>,
) -> VecDeque<Ask> {
    let mut asks = Asks::new(ids);
    match twist {
        Twist::Nothing if circumstances.revision.has(Fact::ServerRequests) => {
            declared(&mut asks, circumstances);
        }
        Twist::Asks(ask) => ask(&mut asks, circumstances),
        Twist::Harms(list, only) => {
            let all = list(circumstances).into_iter().enumerate();
            for (_, harm) in all.filter(|(at, _)| only.is_none_or(|only| only == *at)) {
                asks.say(harm.name, &harm.text);
                if circumstances.revision.has(Fact::ServerRequests) {
                    asks.any_request(STILL_THERE, "ping", None, false);
                }
            }
        }
        _ => {}
    }
    asks.asks
}

/// A ping before the handshake is over.
pub(crate) fn early_ping(ids: &mut Ids) -> VecDeque<Ask> {
    let mut asks = Asks::new(ids);
    asks.any_request("early ping", "ping", None, false);
    asks.asks
}

fn declared(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    let Circumstances {
        revision,
        capabilities,
        over_stdio,
        ..
    } = circumstances;
    asks.request("ping", "ping", None);
    if capabilities["roots"].is_object() {
        asks.request("roots", "roots/list", None);
    }
    if capabilities["sampling"].is_object() {
        asks.request("sampling", "sampling/createMessage", Some(sampling()));
    }
    if ELICITATION.contains(*revision) && takes_forms(capabilities) {
        asks.request("form", "elicitation/create", Some(form(*revision)));
    }
    // Over HTTP they have nothing to do with the request whose stream this is.
    if *over_stdio {
        for what in ["tools", "resources", "prompts"] {
            let method = format!("notifications/{what}/list_changed");
            asks.notify("change", &method, None);
        }
        let params = json!({"level": "info", "logger": "mcp-assay", "data": "a word for the log"});
        asks.notify("log", "notifications/message", Some(params));
        asks.request("ping again", "ping", None);
    }
}
