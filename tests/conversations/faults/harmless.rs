//! Changes that are no fault, each with its reason: they have to pass without a word.

use super::circumstances::{
    Case, changes_no_list, ends_session, ends_stream, has_no_event_id, is_answered_with_error,
    is_cancelled_at_once, is_cancelled_in_vain, is_complete_without_failure, is_empty_form,
    is_first, is_free_argument, is_free_call, is_free_data, is_free_name, is_get, is_http_refusal,
    is_legacy, is_listed_before_handshake, is_never_answered, is_not_challenged, is_of_one_era,
    is_of_subscription, is_refused, is_replay, is_replayed, is_stateless, is_taken_back,
    is_token_of_another, is_unused_capability, logs_nothing_after, may_be_overtaken, message,
    nothing_builds_on_it, nothing_is_asked_after, token_is_unused, uses_no_tool,
};
use super::message::is_call;

/// A kind of change that is no fault.
pub(crate) struct Harmless {
    /// The change; `*` stands for any.
    pub(crate) kind: &'static str,
    /// The kind of record, likewise.
    pub(crate) label: &'static str,
    when: When,
    /// The reason why it is none.
    pub(crate) why: &'static str,
}

/// Under which circumstances.
enum When {
    /// Always.
    Always,
    /// If the traffic has something about it.
    If(fn(&Case<'_>) -> bool),
}

impl Harmless {
    pub(crate) fn covers(&self, case: &Case<'_>) -> bool {
        matches(self.kind, &case.changed.kind)
            && matches(self.label, &case.changed.label)
            && match self.when {
                When::Always => true,
                When::If(holds) => holds(case),
            }
    }
}

use When::{Always, If};

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
    row("params-gone:mode", "* elicitation/create", If(|case| message(case)["params"]["mode"] == "form"), "a form needs no mode"),
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
    row("params-twin:progressToken", "server notifications/progress", If(is_token_of_another), "both tokens are in use"),
    row("params-value:name", "client prompts/get", Always, "a server may have prompts that it does not list"),
    row("params-value:name", "* tools/call", If(is_free_name), "no list of tools was seen"),
    row("params-value:name", "client tools/call", If(is_listed_before_handshake), "the list was one of before the handshake"),
    row("params-value:taskId", "* tasks/*", If(|case| !(case.changed.label.ends_with("tasks/result") || case.changed.label.ends_with("tasks/get") && is_answered_with_error(case))), "only probing shows which tasks a server knows"),
    row("params-value:taskId", "* notifications/tasks/status", Always, "nobody has to know of every task"),
    row("argument-gone:*", "* tools/call", If(is_free_argument), "the argument is optional, or the tool is not known"),
    row("argument-type:*", "* tools/call", If(is_free_name), "the tool is not known"),
    row("result-gone:content", "* result of elicitation/create", If(is_empty_form), "no member of the form is required"),
    row("result-gone:instructions", "*", Always, OPTIONAL),
    row("result-gone:isError", "*", If(is_complete_without_failure), OPTIONAL),
    row("result-gone:pollInterval*", "*", Always, OPTIONAL),
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
    row("twice", "http server *", If(is_replayed), REPLAY),
    row("error-gone:data", "server error of *", If(is_free_data), OPTIONAL),
    row("error-type:data", "server error of *", If(is_free_data), FREE),
    row("capability-gone:*", "*", If(is_unused_capability), "the capability is not used"),
    // An error in place of a result.
    row("result-to-error", "* result of *", If(nothing_builds_on_it), ERROR),
    // Ids.
    row("id-gone", "http server error of *", If(is_http_refusal), "the exchange shows what a refusal answers"),
    row("version-gone", "http server error of *", If(is_http_refusal), "a server may refuse in its own words"),
    row("id-type", "http client *", If(|case| is_call(&message(case)) && is_never_answered(case)), "any id will do where no answer comes"),
    row("id-value", "http client *", If(|case| is_call(&message(case)) && is_never_answered(case)), "any id will do where no answer comes"),
    // Records that are lost.
    row("drop", "* notifications/progress", Always, NOTICE),
    row("drop", "* notifications/message", Always, NOTICE),
    row("drop", "* notifications/elicitation/complete", Always, NOTICE),
    row("drop", "* notifications/resources/updated", Always, NOTICE),
    row("drop", "* notifications/*/list_changed", If(|case| changes_no_list(case) || may_be_overtaken(case)), NOTICE),
    row("drop", "* notifications/tasks*", Always, NOTICE),
    row("drop", "client notifications/cancelled", If(is_cancelled_in_vain), NOTICE),
    row("drop", "server notifications/cancelled", If(is_of_subscription), "a subscription may last until the end"),
    row("drop", "server notifications/subscriptions/acknowledged", If(is_cancelled_at_once), "a subscription that the server cancels was not accepted"),
    row("drop", "server result of subscriptions/listen", Always, "a subscription may last until the end"),
    row("drop", "server result of tools/call", If(is_taken_back), "the request is taken back"),
    row("drop", "http server result of tools/call", If(is_replay), "it was answered before, or could be taken up once more"),
    row("drop", "*client server/discover", If(|case| is_first(case) && is_of_one_era(case)), CUT),
    row("drop", "client tools/list", If(is_first), CUT),
    row("drop", "client initialize", If(|case| is_first(case) && is_answered_with_error(case)), CUT),
    row("drop", "client notifications/initialized", If(nothing_is_asked_after), "nobody asks for anything afterwards"),
    row("drop", "http client notifications/initialized", If(nothing_is_asked_after), "nobody asks for anything afterwards"),
    row("drop", "http client GET", If(|case| !case.name.contains("not there")), CUT),
    row("drop", "http client initialize", If(|case| case.changed.at == 0 || !(case.name.ends_with("event stream") || case.name.contains("starts anew"))), CUT),
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
    row("order", "*", If(|case| is_first(case) && is_stateless(case)), "a recording may begin with an answer"),
    row("exchange-twice", "http client initialize", Always, "every handshake opens a session"),
    row("exchange-twice", "http client *", If(is_stateless), "without a session an id is free once it was answered"),
    // Heads of HTTP.
    row("header-*:accept", "http client *", If(is_legacy), LEGACY),
    row("header-*:content-type", "http client *", If(is_legacy), LEGACY),
    row("response-header-gone:content-type", "http server 200 stream", If(is_legacy), LEGACY),
    row("status:202->200", "*", If(is_legacy), LEGACY),
    row("response-header-gone:content-type", "http server error of *", If(is_http_refusal), "a refusal may come as anything"),
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
    row("status:405->*", "*", If(|case| !is_get(case)), FAILS),
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
