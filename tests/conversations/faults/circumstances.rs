//! The traffic around a change, which decides whether the change is a fault.

use mcp_assay::Direction;
use mcp_assay_testkit::traffic::{Head, Record};
use serde_json::{Value, json};

use super::change::Changed;
use super::message::{is_call, items};

/// A change of traffic.
pub(crate) struct Case<'c> {
    pub(crate) name: &'c str,
    pub(crate) before: &'c [Record],
    pub(crate) changed: &'c Changed,
}

/// The message that was changed, or the only one of its record.
pub(super) fn message(case: &Case<'_>) -> Value {
    let own = case.changed.message.clone();
    own.or_else(|| case.before[case.changed.at].value())
        .unwrap_or_default()
}

/// Every message after the change, with its direction.
pub(super) fn after(case: &Case<'_>) -> impl Iterator<Item = (Direction, Value)> {
    messages(&case.before[case.changed.at + 1..])
}

/// Every message before the change.
pub(super) fn before(case: &Case<'_>) -> impl Iterator<Item = (Direction, Value)> {
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
pub(super) fn is_first(case: &Case<'_>) -> bool {
    let own = case.before[case.changed.at].direction;
    let earlier = &case.before[..case.changed.at];
    earlier.iter().all(|record| record.direction == own)
}

/// The listed tool that is called; `None` if no list was seen.
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

pub(super) fn is_free_name(case: &Case<'_>) -> bool {
    let mut lists = before(case);
    let none = !lists.any(|(_, message)| message["result"]["tools"].is_array());
    let mirrored = case.before[case.changed.at].header("mcp-name").is_some();
    none && !mirrored && !is_of_a_round(case)
}

pub(super) fn is_free_call(case: &Case<'_>) -> bool {
    let record = &case.before[case.changed.at];
    let mut headers = record.headers().iter();
    let mirrored = headers.any(|(name, _)| name.to_ascii_lowercase().starts_with("mcp-param-"));
    let required = listed(case).map(|tool| tool["inputSchema"]["required"].clone());
    let wants =
        required.is_some_and(|required| required.as_array().is_some_and(|all| !all.is_empty()));
    let empty = message(case)["params"]["arguments"] == json!({});
    !mirrored && !wants && (empty || !is_of_a_round(case))
}

pub(super) fn is_free_argument(case: &Case<'_>) -> bool {
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

/// Whether nothing is reported under the token of a request, and `_meta` has nothing else that has
/// to be there.
pub(super) fn token_is_unused(case: &Case<'_>) -> bool {
    let meta = message(case)["params"]["_meta"].clone();
    let token = &meta["progressToken"];
    let lost = case.changed.kind == "params-gone:_meta";
    let has_more = meta.as_object().is_some_and(|meta| meta.len() > 1);
    if token.is_null() || (lost && has_more) {
        return false;
    }
    !after(case).any(|(_, later)| later["params"]["progressToken"] == *token)
}

pub(super) fn logs_nothing_after(case: &Case<'_>) -> bool {
    !after(case).any(|(_, later)| later["method"] == "notifications/message")
}

pub(super) fn uses_no_tool(case: &Case<'_>) -> bool {
    let id = message(case)["id"].clone();
    let mut answers = after(case).filter(|(_, later)| !is_call(later) && later["id"] == id);
    let answer = answers.next().map(|(_, answer)| answer.to_string());
    answer.is_none_or(|answer| !answer.contains("tool_use"))
}

/// Whether the stream takes up another one: what comes on it may have come before.
pub(super) fn is_replay(case: &Case<'_>) -> bool {
    let exchange = case.before[case.changed.at].exchange();
    let mut parts = case.before.iter();
    let id = message(case)["id"].clone();
    let resumes =
        parts.any(|part| part.exchange() == exchange && part.header("last-event-id").is_some());
    let answered = before(case).any(|(_, earlier)| !is_call(&earlier) && earlier["id"] == id);
    resumes && (answered || case.changed.kind == "drop")
}

/// Whether the event came before, on the stream that this one takes up.
pub(super) fn is_replayed(case: &Case<'_>) -> bool {
    let event = |record: &Record| match record.head() {
        Some(Head::Event { id, .. }) => id.clone(),
        _ => None,
    };
    let id = event(&case.before[case.changed.at]);
    let mut earlier = case.before[..case.changed.at].iter();
    id.is_some() && earlier.any(|record| event(record) == id)
}

pub(super) fn is_unused_capability(case: &Case<'_>) -> bool {
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

/// Whether no other round of input is known when this one is answered: it may have begun on another
/// connection.
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
pub(super) fn nothing_builds_on_it(case: &Case<'_>) -> bool {
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

pub(super) fn is_never_answered(case: &Case<'_>) -> bool {
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

/// Whether a cancellation changes nothing: the request is answered all the same, or lasts as long
/// as one likes.
pub(super) fn is_cancelled_in_vain(case: &Case<'_>) -> bool {
    let id = message(case)["params"]["requestId"].clone();
    let lasts = before(case)
        .any(|(_, asked)| asked["id"] == id && asked["method"] == "subscriptions/listen");
    let answered = messages(case.before).any(|(_, answer)| !is_call(&answer) && answer["id"] == id);
    lasts || answered
}

pub(super) fn nothing_is_asked_after(case: &Case<'_>) -> bool {
    !after(case)
        .any(|(_, later)| is_call(&later) && !later["id"].is_null() && later["method"] != "ping")
}

/// Whether the request was refused, or one before with the same id that may be meant.
pub(super) fn is_refused(case: &Case<'_>) -> bool {
    let exchange = case.before[case.changed.at].exchange();
    let id = message(case)["id"].clone();
    let asked_before = before(case).any(|(_, asked)| is_call(&asked) && asked["id"] == id);
    let mut parts = case
        .before
        .iter()
        .filter(|part| part.exchange() == exchange);
    let refused = parts
        .any(|part| matches!(part.head(), Some(Head::Response { status, .. }) if *status >= 400));
    refused || (asked_before && case.name.contains("starts anew"))
}

pub(super) fn is_stateless(case: &Case<'_>) -> bool {
    let record = &case.before[case.changed.at];
    let text = String::from_utf8_lossy(&record.bytes);
    record.header("mcp-method").is_some()
        || text.contains("io.modelcontextprotocol/protocolVersion")
}

/// Whether the server tells by its status that a stream, or the session, is not there.
pub(super) fn ends_stream(case: &Case<'_>) -> bool {
    let exchange = case.before[case.changed.at].exchange();
    let mut requests = case.before.iter();
    let is_get = requests.any(|record| {
        record.exchange() == exchange
            && matches!(record.head(), Some(Head::Request { method, .. }) if method == "GET")
    });
    let waits = case.name.contains("taken up again") && case.changed.at == 5;
    waits || (is_get && case.name.contains("opened again"))
}

pub(super) fn has_no_event_id(case: &Case<'_>) -> bool {
    let head = case.before[case.changed.at].head();
    !matches!(head, Some(Head::Event { id: Some(_), .. }))
}

/// Whether the transport of 2024-11-05 is spoken.
pub(super) fn is_legacy(case: &Case<'_>) -> bool {
    let mut records = case.before.iter();
    let endpoint = records.any(|record| {
        matches!(record.head(), Some(Head::Event { name: Some(name), .. }) if name == "endpoint")
    });
    endpoint && !(case.name.contains("falls back") && case.changed.at == 0)
}

pub(super) fn is_not_challenged(case: &Case<'_>) -> bool {
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
pub(super) fn is_taken_back(case: &Case<'_>) -> bool {
    let id = message(case)["id"].clone();
    messages(case.before).any(|(direction, other)| {
        direction == Direction::ClientToServer && other["params"]["requestId"] == id
    })
}

/// Whether the code of an error has no shape of its own for its data.
pub(super) fn is_free_data(case: &Case<'_>) -> bool {
    let code = message(case)["error"]["code"].as_i64();
    !matches!(code, Some(-32020 | -32021 | -32022 | -32042))
}

/// Whether the session ends with what is asked for.
pub(super) fn ends_session(case: &Case<'_>) -> bool {
    let deletes = case.changed.label.ends_with(" DELETE");
    let is_over = case.changed.label.ends_with(" GET") && case.name.contains("not there");
    deletes || is_over
}

/// Whether the token as another type is that of another request.
pub(super) fn is_token_of_another(case: &Case<'_>) -> bool {
    let twin = match &message(case)["params"]["progressToken"] {
        Value::Number(number) => json!(number.to_string()),
        _ => json!(5),
    };
    let asked = before(case).find(|(_, asked)| asked["params"]["_meta"]["progressToken"] == twin);
    let Some((_, asked)) = asked else {
        return false;
    };
    let is_answer =
        |(_, answer): (Direction, Value)| !is_call(&answer) && answer["id"] == asked["id"];
    let progress = |message: &Value| message["params"]["progress"].as_f64().unwrap_or_default();
    let own = progress(&message(case));
    let of_twin = |message: &Value| message["params"]["progressToken"] == twin;
    !before(case).any(is_answer)
        && before(case).all(|(_, earlier)| !of_twin(&earlier) || progress(&earlier) < own)
        && after(case).all(|(_, later)| !of_twin(&later) || progress(&later) > own)
}

/// Whether tools were listed only before the handshake.
pub(super) fn is_listed_before_handshake(case: &Case<'_>) -> bool {
    let earlier: Vec<_> = before(case).map(|(_, message)| message).collect();
    let listed = earlier
        .iter()
        .rposition(|message| message["result"]["tools"].is_array());
    let opened = earlier
        .iter()
        .rposition(|message| message["result"]["serverInfo"].is_object());
    matches!((listed, opened), (Some(listed), Some(opened)) if listed < opened)
}

/// Whether the client keeps to one era: with a handshake, or without.
pub(super) fn is_of_one_era(case: &Case<'_>) -> bool {
    let all: Vec<_> = after(case).map(|(_, message)| message).collect();
    let key = "io.modelcontextprotocol/protocolVersion";
    let opens = all.iter().any(|message| message["method"] == "initialize");
    let names = all
        .iter()
        .any(|message| message["params"]["_meta"][key].is_string());
    !(opens && names)
}

/// Whether it came on the stream of a GET: answers to a POST may overtake it.
pub(super) fn may_be_overtaken(case: &Case<'_>) -> bool {
    case.before[case.changed.at].exchange().is_some() && is_get(case)
}

/// Whether it concerns a subscription.
pub(super) fn is_of_subscription(case: &Case<'_>) -> bool {
    let id = message(case)["params"]["requestId"].clone();
    before(case).any(|(_, asked)| asked["id"] == id && asked["method"] == "subscriptions/listen")
}

/// Whether the form that is filled in wants nothing.
pub(super) fn is_empty_form(case: &Case<'_>) -> bool {
    let required = asked_by(case)["params"]["requestedSchema"]["required"].clone();
    required.as_array().is_none_or(Vec::is_empty)
}

/// The request that a message answers.
fn asked_by(case: &Case<'_>) -> Value {
    let id = message(case)["id"].clone();
    let own = case.before[case.changed.at].direction;
    let mut asked = before(case)
        .filter(|(direction, asked)| *direction != own && is_call(asked) && asked["id"] == id);
    asked.next().map(|(_, asked)| asked).unwrap_or_default()
}

/// Whether the result is one of a call that did not fail, or may be: a tool that has promised a
/// structured result gives one.
pub(super) fn is_complete_without_failure(case: &Case<'_>) -> bool {
    let result = message(case)["result"].clone();
    let name = asked_by(case)["params"]["name"].clone();
    let promised = before(case).any(|(_, list)| {
        let tools = list["result"]["tools"].as_array().cloned();
        let mut tools = tools.unwrap_or_default().into_iter();
        tools.any(|tool| tool["name"] == name && !tool["outputSchema"].is_null())
    });
    !promised || !result["structuredContent"].is_null()
}

/// Whether HTTP refuses the request, too.
pub(super) fn is_http_refusal(case: &Case<'_>) -> bool {
    let head = case.before[case.changed.at].head();
    matches!(head, Some(Head::Response { status, .. }) if *status >= 400)
}

/// Whether no list that is asked for again has changed.
pub(super) fn changes_no_list(case: &Case<'_>) -> bool {
    let method = message(case)["method"].clone();
    let method = method.as_str().unwrap_or_default();
    let Some(key) = method
        .strip_prefix("notifications/")
        .and_then(|rest| rest.strip_suffix("/list_changed"))
    else {
        return false;
    };
    let list = |(_, message): (Direction, Value)| {
        let list = message["result"][key].clone();
        list.is_array().then_some(list)
    };
    let earlier = before(case).filter_map(list).last();
    let later = after(case).find_map(list);
    earlier.is_none() || later.is_none() || earlier == later
}

/// Whether the server ends the subscription that it acknowledges, and says nothing else on it.
pub(super) fn is_cancelled_at_once(case: &Case<'_>) -> bool {
    let key = "io.modelcontextprotocol/subscriptionId";
    let id = message(case)["params"]["_meta"][key].clone();
    let mut later = after(case).filter(|(direction, later)| {
        let named = [
            &later["params"]["_meta"][key],
            &later["params"]["requestId"],
        ];
        *direction == Direction::ServerToClient && named.contains(&&id)
    });
    let next = later.next().map(|(_, later)| later["method"].clone());
    next == Some(json!("notifications/cancelled"))
}

/// Whether the request is answered with an error.
pub(super) fn is_answered_with_error(case: &Case<'_>) -> bool {
    let id = message(case)["id"].clone();
    let answer = after(case).find(|(_, later)| !is_call(later) && later["id"] == id);
    answer.is_some_and(|(_, answer)| answer["error"].is_object())
}

/// Whether the exchange is one of a GET.
pub(super) fn is_get(case: &Case<'_>) -> bool {
    let exchange = case.before[case.changed.at].exchange();
    case.before.iter().any(|record| {
        record.exchange() == exchange
            && matches!(record.head(), Some(Head::Request { method, .. }) if method == "GET")
    })
}
