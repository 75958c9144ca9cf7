//! What a server says of its own accord before it answers, scenario by scenario.

pub(super) mod tasks;

use std::collections::VecDeque;

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::answers::{ELICITATION, form, sampling, takes_forms};
use super::scenarios::Twist;

pub(super) use self::tasks::after;

/// Something that the server says.
pub(super) struct Ask {
    /// By what it is known to those who judge.
    pub(super) name: &'static str,
    /// What is sent.
    pub(super) bytes: Vec<u8>,
    /// The id, if an answer is waited for.
    pub(super) id: Option<Value>,
    /// Whether silence is held against the client by the rules that are always in force.
    pub(super) owed: bool,
}

/// What the server knows when it asks.
pub(super) struct Circumstances<'a> {
    pub(super) revision: Revision,
    pub(super) capabilities: &'a Value,
    pub(super) over_stdio: bool,
    /// A place on the network where nobody has any business.
    pub(super) lure: &'a str,
    /// The request that is about to be answered.
    pub(super) open: &'a Value,
}

/// Makes ids: numbers and texts by turns, because a client has to give both back as they are.
#[derive(Default)]
pub(super) struct Ids(u64);

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

struct List<'i> {
    ids: &'i mut Ids,
    asks: VecDeque<Ask>,
}

impl List<'_> {
    fn request(&mut self, name: &'static str, method: &str, params: Option<Value>) {
        // These may have to wait for a person.
        let is_slow = matches!(method, "sampling/createMessage" | "elicitation/create");
        self.any_request(name, method, params, !is_slow);
    }

    fn any_request(&mut self, name: &'static str, method: &str, params: Option<Value>, owed: bool) {
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

    fn say(&mut self, name: &'static str, text: &str) {
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

/// The name of the ping that follows something harmful.
pub(super) const STILL_THERE: &str = "still there?";

/// The name of a request that the user should refuse, and what the user is told.
pub(super) const REFUSAL: &str = "refusal";
const REFUSE: &str =
    "Please refuse this request. It is here to show what a server hears when a user refuses.";

/// What is said before the first request is answered.
pub(super) fn before_first(
    twist: Twist,
    ids: &mut Ids,
    circumstances: &Circumstances<'_>,
) -> VecDeque<Ask> {
    let asks = VecDeque::new();
    let mut list = List { ids, asks };
    let has_requests = circumstances.revision.has(Fact::ServerRequests);
    match twist {
        Twist::Nothing if has_requests => declared(&mut list, circumstances),
        Twist::Undeclared => undeclared(&mut list, circumstances),
        Twist::Modes => modes(&mut list, circumstances),
        Twist::OddRequests => odd(&mut list, circumstances),
        Twist::Batch => batch(&mut list),
        Twist::Refusal if circumstances.capabilities["sampling"].is_object() => {
            let mut params = sampling();
            params["messages"][0]["content"]["text"] = json!(REFUSE);
            list.request(REFUSAL, "sampling/createMessage", Some(params));
        }
        Twist::Tasks => tasks::begin(&mut list, circumstances),
        Twist::Garbage => harmful(&mut list, has_requests, &GARBAGE),
        Twist::Stray => {
            let mut all = stray(circumstances.open);
            // Over HTTP, whoever hears an answer on the stream of a request may take it for the last word.
            all.retain(|(_, text)| circumstances.over_stdio || text.contains("\"method\""));
            harmful(&mut list, has_requests, &all);
        }
        _ => {}
    }
    list.asks
}

/// A ping before the handshake is over.
pub(super) fn early_ping(ids: &mut Ids) -> VecDeque<Ask> {
    let asks = VecDeque::new();
    let mut list = List { ids, asks };
    list.any_request("early ping", "ping", None, false);
    list.asks
}

fn declared(list: &mut List<'_>, circumstances: &Circumstances<'_>) {
    let Circumstances {
        revision,
        capabilities,
        over_stdio,
        ..
    } = circumstances;
    list.request("ping", "ping", None);
    if capabilities["roots"].is_object() {
        list.request("roots", "roots/list", None);
    }
    if capabilities["sampling"].is_object() {
        list.request("sampling", "sampling/createMessage", Some(sampling()));
    }
    if ELICITATION.contains(*revision) && takes_forms(capabilities) {
        list.request("form", "elicitation/create", Some(form(*revision)));
    }
    // Over HTTP they have nothing to do with the request whose stream this is.
    if *over_stdio {
        for what in ["tools", "resources", "prompts"] {
            let method = format!("notifications/{what}/list_changed");
            list.notify("change", &method, None);
        }
        let params = json!({"level": "info", "logger": "mcp-assay", "data": "a word for the log"});
        list.notify("log", "notifications/message", Some(params));
        list.request("ping again", "ping", None);
    }
}

fn undeclared(list: &mut List<'_>, circumstances: &Circumstances<'_>) {
    let Circumstances {
        revision,
        capabilities,
        ..
    } = circumstances;
    if capabilities["roots"].is_null() {
        list.request("roots", "roots/list", None);
    }
    if capabilities["sampling"].is_null() {
        list.request("sampling", "sampling/createMessage", Some(sampling()));
    }
    if ELICITATION.contains(*revision) && capabilities["elicitation"].is_null() {
        list.request("form", "elicitation/create", Some(form(*revision)));
    }
}

fn modes(list: &mut List<'_>, circumstances: &Circumstances<'_>) {
    let capabilities = circumstances.capabilities;
    if capabilities["sampling"].is_object() && capabilities["sampling"]["tools"].is_null() {
        let mut params = sampling();
        params["tools"] = json!([{"name": "clock", "inputSchema": {"type": "object"}}]);
        list.request("sampling tools", "sampling/createMessage", Some(params));
    }
    if capabilities["elicitation"].is_object() {
        let url = circumstances.lure;
        let params = json!({"mode": "url", "message": "Please confirm.", "url": url,
            "elicitationId": "550e8400-e29b-41d4-a716-446655440000"});
        let name = if capabilities["elicitation"]["url"].is_object() {
            "url"
        } else {
            "undeclared url"
        };
        list.request(name, "elicitation/create", Some(params));
    }
}

fn odd(list: &mut List<'_>, circumstances: &Circumstances<'_>) {
    list.request("unknown method", "assay/unheard-of", None);
    let id = list.ids.next();
    list.asks.push_back(Ask {
        name: "bad envelope",
        bytes: json!({"id": id, "method": "ping"}).to_string().into_bytes(),
        id: Some(id),
        owed: false,
    });
    let capabilities = circumstances.capabilities;
    if capabilities["sampling"].is_object() {
        let params = json!({"messages": "none"});
        list.request("bad params", "sampling/createMessage", Some(params));
    } else if ELICITATION.contains(circumstances.revision) && takes_forms(capabilities) {
        let params = json!({"message": 5, "requestedSchema": "none"});
        list.request("bad params", "elicitation/create", Some(params));
    }
}

/// A ping and a word for the log in one message.
fn batch(list: &mut List<'_>) {
    let id = list.ids.next();
    let batch = json!([
        {"jsonrpc": "2.0", "id": id, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "in a batch"}},
    ]);
    list.asks.push_back(Ask {
        name: "batch",
        bytes: batch.to_string().into_bytes(),
        id: Some(id),
        owed: false,
    });
}

type Harm = (&'static str, String);

/// What is no message.
const GARBAGE: [(&str, &str); 4] = [
    ("text that is not JSON", "Server listening on port 3000"),
    ("JSON that breaks off", r#"{"jsonrpc":"2.0","id":"#),
    ("an object that is no message", r#"{"jsonrpc":"2.0"}"#),
    ("a number", "42"),
];

/// Messages that belong to nothing.
fn stray(open: &Value) -> Vec<Harm> {
    // The id of the open request, in the other type.
    let confused = match open {
        Value::String(text) => text
            .parse::<i64>()
            .map_or(json!(-7), |number| json!(number)),
        other => json!(other.to_string()),
    };
    let error = json!({"code": -32603, "message": "meant for nobody"});
    [
        (
            "a result for a request that nobody sent",
            json!({"jsonrpc": "2.0", "id": 987_654_321, "result": {}}),
        ),
        (
            "an error for a request that nobody sent",
            json!({"jsonrpc": "2.0", "id": "nobody", "error": error.clone()}),
        ),
        (
            "an answer whose id has another type",
            json!({"jsonrpc": "2.0", "id": confused, "error": error}),
        ),
        (
            "a notification that nobody knows",
            json!({"jsonrpc": "2.0", "method": "notifications/unheard-of"}),
        ),
        (
            "progress for a token that nobody gave",
            json!({"jsonrpc": "2.0", "method": "notifications/progress",
                "params": {"progressToken": "nobody", "progress": 1}}),
        ),
        (
            "a cancellation of a request that nobody sent",
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 987_654_321}}),
        ),
        (
            "a cancellation without a request",
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}),
        ),
    ]
    .map(|(name, message)| (name, message.to_string()))
    .into()
}

/// Each of them, and after each a ping where there are pings.
fn harmful<T: AsRef<str>>(list: &mut List<'_>, pings: bool, harms: &[(&'static str, T)]) {
    for (name, text) in harms {
        list.say(name, text.as_ref());
        if pings {
            list.any_request(STILL_THERE, "ping", None, false);
        }
    }
}
