//! Changes that are no fault, each with its reason: they have to pass without a word.

use mcp_assay::Direction;
use mcp_assay_tests::traffic::{Head, Record};
use serde_json::{Value, json};

use super::change::Changed;
use super::message::{is_call, items};

/// A kind of change that is no fault.
pub(crate) struct Harmless {
    /// What was changed; `*` stands for anything.
    pub(crate) kind: &'static str,
    /// What kind of record it was, likewise.
    pub(crate) label: &'static str,
    when: When,
    /// Why it is none.
    pub(crate) why: &'static str,
}

/// Under which circumstances.
enum When {
    /// Always.
    Always,
    /// If the traffic has something about it.
    If(fn(&Case<'_>) -> bool),
    /// In these dialogues.
    In(&'static [&'static str]),
}

/// A change of traffic.
pub(crate) struct Case<'c> {
    pub(crate) name: &'c str,
    pub(crate) before: &'c [Record],
    pub(crate) changed: &'c Changed,
}

impl Harmless {
    pub(crate) fn covers(&self, case: &Case<'_>) -> bool {
        matches(self.kind, &case.changed.kind)
            && matches(self.label, &case.changed.label)
            && match self.when {
                When::Always => true,
                When::If(holds) => holds(case),
                When::In(names) => names.iter().any(|name| matches(name, case.name)),
            }
    }
}

use When::{Always, If, In};

const fn row(kind: &'static str, label: &'static str, when: When, why: &'static str) -> Harmless {
    Harmless {
        kind,
        label,
        when,
        why,
    }
}

const OPTIONAL: &str = "the member is optional, and nothing else depends on it";
const FREE: &str = "the member may have any type";
const NOTICE: &str = "nobody has to send this notification";
const AGAIN: &str = "it may be sent as often as one likes";
const CUT: &str = "a recording may lack a part of an exchange, or its beginning";
const LEGACY: &str = "the transport of 2024-11-05 says nothing of these headers and of the status";
const ERROR: &str = "a request may be answered with an error";
const STATUS: &str = "no clause names the status of an answer that has a body";
const REPLAY: &str = "what was answered before is not judged again";
const FAILS: &str = "a server may refuse or fail with any status";

#[rustfmt::skip]
pub(crate) const HARMLESS: &[Harmless] = &[
    // Members.
    row("params-gone:cursor", "*", Always, "a walk over a list may begin anew"),
    row("params-gone:includeContext", "*", Always, OPTIONAL),
    row("params-gone:logger", "*", Always, OPTIONAL),
    row("params-gone:message", "* notifications/progress", Always, OPTIONAL),
    row("params-gone:mode", "server elicitation/create", In(&["elicitation: several answers*"]), "a form needs no mode"),
    row("params-gone:modelPreferences", "*", Always, OPTIONAL),
    row("params-gone:reason", "*", Always, OPTIONAL),
    row("params-gone:requestState", "client tools/call", If(|case| message(case)["params"]["inputResponses"].is_null()), "a request with neither answers nor state is a new one"),
    row("params-gone:systemPrompt", "*", Always, OPTIONAL),
    row("params-gone:toolChoice", "*", Always, OPTIONAL),
    row("params-gone:tools", "server sampling/createMessage", If(uses_no_tool), "tools may be offered once and not again"),
    row("params-gone:total", "* notifications/progress", Always, OPTIONAL),
    row("params-gone:arguments", "* tools/call", If(is_free_call), "the tool is not known, or wants no argument"),
    row("params-gone:_meta", "http client tools/call", If(token_is_unused), "nothing is reported under the token"),
    row("meta-gone:progressToken", "* tools/call", If(token_is_unused), "nothing is reported under the token"),
    row("meta-gone:traceparent", "*", Always, OPTIONAL),
    row("meta-gone:io.modelcontextprotocol/logLevel", "client tools/call", If(logs_nothing_after), "nothing is logged afterwards"),
    row("params-type:data", "* notifications/message", Always, FREE),
    row("params-twin:progressToken", "server notifications/progress", If(|case| case.name.contains("two calls report at once") && case.changed.at == 5), "both tokens are in use"),
    row("params-value:name", "client prompts/get", Always, "a server may have prompts that it does not list"),
    row("params-value:name", "* tools/call", If(is_free_name), "no list of tools was seen"),
    row("params-value:name", "client tools/call", In(&["handshake: requests of both eras*", "handshake: a client probes*"]), "the list was one of the other era"),
    row("params-value:taskId", "* tasks/*", If(|case| !(case.name.contains("expires") || case.changed.label.ends_with("tasks/result"))), "only probing shows which tasks a server knows"),
    row("params-value:taskId", "* notifications/tasks/status", Always, "nobody has to know of every task"),
    row("argument-gone:*", "* tools/call", If(is_free_argument), "the argument is optional, or the tool is not known"),
    row("argument-type:*", "* tools/call", If(is_free_name), "the tool is not known"),
    row("result-gone:content", "http client result of elicitation/create", Always, "no member of the form is required"),
    row("result-gone:instructions", "*", Always, OPTIONAL),
    row("result-gone:isError", "*", If(|case| !case.name.starts_with("tools: arguments")), OPTIONAL),
    row("result-gone:pollInterval*", "*", Always, OPTIONAL),
    row("result-gone:statusMessage", "*", Always, OPTIONAL),
    row("result-gone:stopReason", "*", Always, OPTIONAL),
    row("result-item-gone:contents/mimeType", "*", Always, OPTIONAL),
    row("result-item-gone:prompts/arguments", "*", Always, OPTIONAL),
    row("result-item-gone:resources/mimeType", "*", Always, OPTIONAL),
    row("result-item-gone:roots/name", "*", Always, OPTIONAL),
    row("result-item-gone:tools/description", "*", Always, OPTIONAL),
    row("result-item-gone:tools/icons", "*", Always, OPTIONAL),
    row("result-item-gone:tools/outputSchema", "*", Always, OPTIONAL),
    row("result-item-gone:tools/title", "*", Always, OPTIONAL),
    row("result-gone:*", "http server result of tools/call", If(is_replay), REPLAY),
    row("result-type:*", "http server result of tools/call", If(is_replay), REPLAY),
    row("result-item-gone:*", "http server result of tools/call", If(is_replay), REPLAY),
    row("twice", "http server result of tools/call", If(is_replay), REPLAY),
    row("error-gone:data", "server error of *", If(is_free_data), OPTIONAL),
    row("error-type:data", "server error of *", If(is_free_data), FREE),
    row("capability-gone:*", "*", If(is_unused_capability), "the capability is not used"),
    // An error in place of a result.
    row("result-to-error", "* result of *", If(nothing_builds_on_it), ERROR),
    // Ids.
    row("id-*", "http server error of *", If(|case| case.changed.kind == "id-gone"), "the exchange shows what a refusal answers"),
    row("version-gone", "http server error of *", Always, "a server may refuse in its own words"),
    row("id-type", "http client *", If(|case| is_call(&message(case)) && is_never_answered(case)), "any id will do where no answer comes"),
    row("id-*", "http client initialize", If(|case| case.name.contains("falls back") && case.changed.at == 5 && matches!(case.changed.kind.as_str(), "id-type" | "id-value")), "the request that was refused before has the id of the answer"),
    row("id-value", "http client *", If(|case| is_call(&message(case)) && is_never_answered(case)), "any id will do where no answer comes"),
    // Records that are lost.
    row("drop", "* notifications/progress", Always, NOTICE),
    row("drop", "* notifications/message", Always, NOTICE),
    row("drop", "* notifications/elicitation/complete", Always, NOTICE),
    row("drop", "* notifications/resources/updated", Always, NOTICE),
    row("drop", "* notifications/resources/list_changed", Always, NOTICE),
    row("drop", "* notifications/tools/list_changed", If(|case| !case.name.contains("a list changes")), NOTICE),
    row("drop", "* notifications/tasks*", Always, NOTICE),
    row("drop", "client notifications/cancelled", If(is_cancelled_in_vain), NOTICE),
    row("drop", "server notifications/cancelled", In(&["subscriptions:*"]), NOTICE),
    row("drop", "server notifications/subscriptions/acknowledged", In(&["*ends a subscription with a cancellation"]), "a subscription that the server cancels was not accepted"),
    row("drop", "server result of subscriptions/listen", Always, "a subscription may last until the end"),
    row("drop", "server result of tools/call", If(is_taken_back), "the request is taken back"),
    row("drop", "http server result of tools/call", If(is_replay), "it was answered before, or could be taken up once more"),
    row("drop", "*client server/discover", If(|case| !case.name.contains("both eras")), "nobody has to ask what there is"),
    row("drop", "client tools/list", If(is_first), CUT),
    row("drop", "client initialize", If(|case| is_first(case) && case.name.contains("a refused version")), CUT),
    row("drop", "client notifications/initialized", If(nothing_is_asked_after), "the client asks for nothing afterwards"),
    row("drop", "http client notifications/initialized", If(|case| nothing_is_asked_after(case) && !case.name.contains("the server asks") || case.changed.at == 2 && case.name.contains("starts anew")), "the client asks for nothing afterwards"),
    row("drop", "http client GET", If(|case| !case.name.contains("not there")), CUT),
    row("drop", "http client initialize", If(|case| case.changed.at == 0 || !(case.name.ends_with("event stream") || case.name.contains("starts anew"))), CUT),
    row("drop", "http client DELETE", In(&["*one is cancelled"]), CUT),
    row("drop", "http client tools/*", If(|case| is_first(case) && !case.name.contains("given up") || is_refused(case)), CUT),
    row("drop", "http server 2*", Always, CUT),
    row("drop", "http server 4*", If(|case| case.changed.label != "http server 403" && !(case.name.contains("not there") || case.name.contains("without a session"))), CUT),
    row("drop", "http server end", Always, CUT),
    // Records that come again.
    row("twice", "* notifications/cancelled", Always, AGAIN),
    row("twice", "* notifications/elicitation/complete", Always, AGAIN),
    row("twice", "* notifications/initialized", Always, AGAIN),
    row("twice", "* notifications/message", If(has_no_event_id), AGAIN),
    row("twice", "*list_changed", If(has_no_event_id), AGAIN),
    row("twice", "* notifications/resources/updated", Always, AGAIN),
    row("twice", "* notifications/subscriptions/acknowledged", Always, AGAIN),
    row("twice", "* notifications/tasks*", Always, AGAIN),
    row("twice", "http server event endpoint", Always, AGAIN),
    row("twice", "client *", If(|case| is_first(case) && is_stateless(case)), "before the other side was heard its answers may be missing"),
    row("order", "*", If(|case| is_first(case) && is_stateless(case)), "a recording may begin with an answer"),
    row("exchange-twice", "http client initialize", Always, "every handshake opens a session"),
    row("exchange-twice", "http client *", If(is_stateless), "without a session an id is free once it was answered"),
    // Heads of HTTP.
    row("header-*:accept", "http client *", If(is_legacy), LEGACY),
    row("header-*:content-type", "http client *", If(is_legacy), LEGACY),
    row("response-header-gone:content-type", "http server 200 stream", If(is_legacy), LEGACY),
    row("status:202->200", "*", If(is_legacy), LEGACY),
    row("response-header-gone:content-type", "http server error of *", Always, "a refusal may come as anything"),
    row("response-header-gone:mcp-session-id", "*", Always, "a server need not have sessions"),
    row("header-wrong:mcp-session-id", "http client *", If(|case| !ends_session(case)), "it belongs to another session"),
    row("header-wrong:last-event-id", "http client GET", Always, "what the id stands for was not recorded"),
    row("header-*:authorization", "http client *", If(is_not_challenged), "the server has not asked for a token, or the client has none yet"),
    row("status:200->202", "http server *", Always, STATUS),
    row("status:200->500", "http server *", Always, STATUS),
    row("status:200->404", "http server *", If(|case| !ends_stream(case)), STATUS),
    row("status:202->404", "*", Always, FAILS),
    row("status:202->500", "*", Always, FAILS),
    row("status:204->*", "*", Always, "no clause names the status of the answer to a DELETE"),
    row("status:401->404", "*", Always, FAILS),
    row("status:401->500", "*", Always, FAILS),
    row("status:404->500", "http server 404", If(|case| !case.name.contains("not there")), FAILS),
    row("status:405->500", "*", Always, FAILS),
    row("status:405->*", "*", If(|case| !case.name.contains("without a stream for a GET")), FAILS),
];

/// Whether a text is of a pattern in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|start| rest.is_char_boundary(*start))
                .any(|start| matches(after, &rest[start..]))
        }),
    }
}

/// The message that was changed, or the only one of its record.
fn message(case: &Case<'_>) -> Value {
    let own = case.changed.message.clone();
    own.or_else(|| case.before[case.changed.at].value())
        .unwrap_or_default()
}

/// Every message after the change, with its direction.
fn after(case: &Case<'_>) -> impl Iterator<Item = (Direction, Value)> {
    messages(&case.before[case.changed.at + 1..])
}

/// Every message before the change.
fn before(case: &Case<'_>) -> impl Iterator<Item = (Direction, Value)> {
    messages(&case.before[..case.changed.at])
}

fn messages(records: &[Record]) -> impl Iterator<Item = (Direction, Value)> {
    records.iter().flat_map(|record| {
        let value = record.value().unwrap_or_default();
        let all = items(&value).to_vec();
        all.into_iter()
            .map(|message| (record.direction, message))
            .collect::<Vec<_>>()
    })
}

/// Whether the other side has not spoken yet.
fn is_first(case: &Case<'_>) -> bool {
    let own = case.before[case.changed.at].direction;
    let earlier = &case.before[..case.changed.at];
    earlier.iter().all(|record| record.direction == own)
}

/// What was listed for the tool that is called; `None` if no list was seen.
fn listed(case: &Case<'_>) -> Option<Value> {
    let name = message(case)["params"]["name"].clone();
    let mut lists = before(case).filter(|(_, message)| message["result"]["tools"].is_array());
    lists.find_map(|(_, message)| {
        let tools = message["result"]["tools"].as_array()?;
        tools.iter().find(|tool| tool["name"] == name).cloned()
    })
}

/// Whether the call answers what a server asked for, or is made again with such answers.
fn is_of_a_round(case: &Case<'_>) -> bool {
    let call = message(case);
    let is_retry = |message: &Value| {
        let params = &message["params"];
        !params["requestState"].is_null() || !params["inputResponses"].is_null()
    };
    let name = &call["params"]["name"];
    is_retry(&call)
        || after(case).any(|(_, later)| is_retry(&later) && later["params"]["name"] == *name)
}

fn is_free_name(case: &Case<'_>) -> bool {
    let mut lists = before(case);
    let none = !lists.any(|(_, message)| message["result"]["tools"].is_array());
    let mirrored = case.before[case.changed.at].header("mcp-name").is_some();
    none && !mirrored && !is_of_a_round(case)
}

fn is_free_call(case: &Case<'_>) -> bool {
    let record = &case.before[case.changed.at];
    let mut headers = record.headers().iter();
    let mirrored = headers.any(|(name, _)| name.to_ascii_lowercase().starts_with("mcp-param-"));
    let required = listed(case).map(|tool| tool["inputSchema"]["required"].clone());
    let wants =
        required.is_some_and(|required| required.as_array().is_some_and(|all| !all.is_empty()));
    let empty = message(case)["params"]["arguments"] == json!({});
    !mirrored && !wants && (empty || !is_of_a_round(case))
}

fn is_free_argument(case: &Case<'_>) -> bool {
    let Some(key) = case.changed.kind.strip_prefix("argument-gone:") else {
        return false;
    };
    let header = format!("mcp-param-{key}");
    let mirrored = case.before[case.changed.at].header(&header).is_some();
    let required = listed(case).map(|tool| tool["inputSchema"]["required"].clone());
    let wants = required.is_some_and(|required| {
        let all = required.as_array();
        all.is_some_and(|all| all.iter().any(|name| name == key))
    });
    !mirrored && !wants && !is_of_a_round(case)
}

/// Whether nothing is reported under the token of a request, and `_meta` has nothing else that has to be there.
fn token_is_unused(case: &Case<'_>) -> bool {
    let meta = message(case)["params"]["_meta"].clone();
    let token = &meta["progressToken"];
    let lost = case.changed.kind == "params-gone:_meta";
    !token.is_null()
        && !(lost && meta.as_object().is_some_and(|meta| meta.len() > 1))
        && !after(case).any(|(_, later)| later["params"]["progressToken"] == *token)
}

fn logs_nothing_after(case: &Case<'_>) -> bool {
    !after(case).any(|(_, later)| later["method"] == "notifications/message")
}

fn uses_no_tool(case: &Case<'_>) -> bool {
    let id = message(case)["id"].clone();
    let mut answers = after(case).filter(|(_, later)| !is_call(later) && later["id"] == id);
    let answer = answers.next().map(|(_, answer)| answer.to_string());
    answer.is_none_or(|answer| !answer.contains("tool_use"))
}

/// Whether the stream takes up another one: what comes on it may have come before.
fn is_replay(case: &Case<'_>) -> bool {
    let exchange = case.before[case.changed.at].exchange();
    let mut parts = case.before.iter();
    let id = message(case)["id"].clone();
    let resumes =
        parts.any(|part| part.exchange() == exchange && part.header("last-event-id").is_some());
    let answered = before(case).any(|(_, earlier)| !is_call(&earlier) && earlier["id"] == id);
    resumes && (answered || matches!(case.changed.kind.as_str(), "twice" | "drop"))
}

fn is_unused_capability(case: &Case<'_>) -> bool {
    let Some(key) = case.changed.kind.strip_prefix("capability-gone:") else {
        return false;
    };
    let (family, notice) = match key {
        "completions" => ("completion/", "-"),
        "logging" => ("logging/", "notifications/message"),
        "tools" => ("tools/", "notifications/tools/"),
        "resources" => ("resources/", "notifications/resources/"),
        "prompts" => ("prompts/", "notifications/prompts/"),
        "roots" => ("roots/", "notifications/roots/"),
        "sampling" => ("sampling/", "-"),
        "elicitation" => ("elicitation/", "-"),
        _ => return false,
    };
    !after(case).any(|(_, later)| {
        let method = later["method"].as_str().unwrap_or_default();
        let agreed = &later["params"]["notifications"][format!("{key}ListChanged")];
        let is_agreed = method.ends_with("/acknowledged") && *agreed == true;
        method.starts_with(family) || method.starts_with(notice) || is_agreed
    })
}

/// Whether no other round of input is known when this one is answered: it may have begun on another connection.
fn is_only_round(case: &Case<'_>) -> bool {
    let asks = |message: &Value| is_round(&message["result"]);
    let earlier = before(case).any(|(_, message)| asks(&message));
    let mut until_retry = after(case).take_while(|(_, message)| {
        let params = &message["params"];
        params["requestState"].is_null() && params["inputResponses"].is_null()
    });
    !earlier && !until_retry.any(|(_, message)| asks(&message))
}

fn is_round(result: &Value) -> bool {
    !result["inputRequests"].is_null() || !result["requestState"].is_null()
}

/// Whether no later message needs the result.
fn nothing_builds_on_it(case: &Case<'_>) -> bool {
    let asked = case.changed.label.rsplit(' ').next().unwrap_or_default();
    let result = message(case)["result"].clone();
    let opens = matches!(asked, "initialize" | "resources/subscribe");
    let goes_on = !result["nextCursor"].is_null()
        || (!result["task"].is_null() && case.name.contains("is polled"))
        || (!result["inputRequests"].is_null() && asked == "tasks/get")
        || (is_round(&result) && !is_only_round(case));
    let ends = result["status"] == "cancelled" && result["taskId"].is_string();
    let last_level = asked == "logging/setLevel" && {
        let mut later = after(case).map(|(_, later)| later["method"].clone());
        let method = later.find(|method| !method.is_null());
        method == Some(Value::from("notifications/message")) && case.changed.at > 6
    };
    !(opens || goes_on || ends || last_level)
}

fn is_never_answered(case: &Case<'_>) -> bool {
    let id = message(case)["id"].clone();
    let exchange = case.before[case.changed.at].exchange();
    let mut answers = case.before.iter().filter(|record| {
        record.direction == Direction::ServerToClient && record.exchange() == exchange
    });
    let here = answers.any(|record| {
        record
            .value()
            .is_some_and(|answer| answer["id"] == id && !is_call(&answer))
    });
    let cancelled = after(case).any(|(_, later)| later["params"]["requestId"] == id);
    !here && !cancelled && !is_answered_elsewhere(case, &id)
}

/// Whether the old transport, or a stream that is taken up, brings the answer.
fn is_answered_elsewhere(case: &Case<'_>, id: &Value) -> bool {
    let later = &case.before[case.changed.at + 1..];
    let again = later.iter().position(|record| {
        record
            .value()
            .is_some_and(|message| is_call(&message) && message["id"] == *id)
    });
    messages(&later[..again.unwrap_or(later.len())]).any(|(direction, answer)| {
        direction == Direction::ServerToClient && !is_call(&answer) && answer["id"] == *id
    })
}

/// Whether a cancellation changes nothing: the request is answered all the same, or lasts as long as one likes.
fn is_cancelled_in_vain(case: &Case<'_>) -> bool {
    let id = message(case)["params"]["requestId"].clone();
    let lasts = before(case)
        .any(|(_, asked)| asked["id"] == id && asked["method"] == "subscriptions/listen");
    let answered = messages(case.before).any(|(_, answer)| !is_call(&answer) && answer["id"] == id);
    lasts || answered
}

fn nothing_is_asked_after(case: &Case<'_>) -> bool {
    !after(case).any(|(direction, later)| {
        direction == Direction::ClientToServer
            && is_call(&later)
            && !later["id"].is_null()
            && later["method"] != "ping"
    })
}

/// Whether the request was refused, or one before with the same id that may be meant.
fn is_refused(case: &Case<'_>) -> bool {
    let exchange = case.before[case.changed.at].exchange();
    let id = message(case)["id"].clone();
    let asked_before = before(case).any(|(_, asked)| is_call(&asked) && asked["id"] == id);
    let mut parts = case
        .before
        .iter()
        .filter(|part| part.exchange() == exchange);
    let refused = parts
        .any(|part| matches!(part.head(), Some(Head::Response { status, .. }) if *status >= 400));
    let reused = case.name.contains("starts anew") && asked_before;
    refused || reused
}

fn is_stateless(case: &Case<'_>) -> bool {
    let record = &case.before[case.changed.at];
    let text = String::from_utf8_lossy(&record.bytes);
    record.header("mcp-method").is_some()
        || text.contains("io.modelcontextprotocol/protocolVersion")
}

/// Whether the server tells by its status that a stream, or the session, is not there.
fn ends_stream(case: &Case<'_>) -> bool {
    let exchange = case.before[case.changed.at].exchange();
    let mut requests = case.before.iter();
    let is_get = requests.any(|record| {
        record.exchange() == exchange
            && matches!(record.head(), Some(Head::Request { method, .. }) if method == "GET")
    });
    let waits = case.name.contains("taken up again") && case.changed.at == 5;
    waits || (is_get && case.name.contains("opened again"))
}

fn has_no_event_id(case: &Case<'_>) -> bool {
    let head = case.before[case.changed.at].head();
    !matches!(head, Some(Head::Event { id: Some(_), .. }))
}

/// Whether the transport of 2024-11-05 is spoken.
fn is_legacy(case: &Case<'_>) -> bool {
    let mut records = case.before.iter();
    let endpoint = records.any(|record| {
        matches!(record.head(), Some(Head::Event { name: Some(name), .. }) if name == "endpoint")
    });
    endpoint && !(case.name.contains("falls back") && case.changed.at == 0)
}

fn is_not_challenged(case: &Case<'_>) -> bool {
    let challenged = case.before[..case.changed.at]
        .iter()
        .any(|record| record.header("www-authenticate").is_some());
    let accepted = case.before[..case.changed.at].iter().any(
        |record| matches!(record.head(), Some(Head::Response { status, .. }) if *status < 400),
    );
    let opens = case.changed.label.ends_with(" initialize");
    let gone = case.changed.kind.starts_with("header-gone");
    !challenged || (gone && (!accepted || opens))
}

/// Whether the client takes back the request that is answered.
fn is_taken_back(case: &Case<'_>) -> bool {
    let id = message(case)["id"].clone();
    messages(case.before).any(|(direction, other)| {
        direction == Direction::ClientToServer && other["params"]["requestId"] == id
    })
}

/// Whether the code of an error has no shape of its own for its data.
fn is_free_data(case: &Case<'_>) -> bool {
    let code = message(case)["error"]["code"].as_i64();
    !matches!(code, Some(-32020 | -32021 | -32022 | -32042))
}

/// Whether the session ends with what is asked for.
fn ends_session(case: &Case<'_>) -> bool {
    let deletes =
        case.changed.label.ends_with(" DELETE") && !case.name.ends_with("one is cancelled");
    let is_over = case.changed.label.ends_with(" GET") && case.name.contains("not there");
    deletes || is_over
}
