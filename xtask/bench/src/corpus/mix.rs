//! A thousand messages in the order and proportions of an agent's session.
//!
//! Each answer follows its request and at most four requests are open at a time, so that the session has the work it has
//! in life: the method of a response is found by its id.

use mcp_assay::Direction::{self, ClientToServer, ServerToClient};

use super::Message;
use super::lists::{self, tool_name};
use super::random::Random;
use super::text::{document, quote, sentence, words};

/// How many of each exchange. Calls have 200 progress notifications among them.
const EXCHANGES: [(Exchange, usize); 16] = [
    (Exchange::Call, 310),
    (Exchange::Log, 60),
    (Exchange::Read, 14),
    (Exchange::ReadMissing, 6),
    (Exchange::Tools, 6),
    (Exchange::Resources, 4),
    (Exchange::Prompts, 3),
    (Exchange::Prompt, 4),
    (Exchange::Completion, 6),
    (Exchange::Ping, 6),
    (Exchange::SetLevel, 1),
    (Exchange::Elicitation, 2),
    (Exchange::Roots, 2),
    (Exchange::ResourceUpdated, 4),
    (Exchange::ToolsChanged, 3),
    (Exchange::Cancelled, 2),
];

const PROGRESS: usize = 200;
const OPEN_AT_A_TIME: usize = 4;

/// What belongs together: a request, what comes meanwhile, and the answer; or a lone notification.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exchange {
    Call,
    Log,
    Read,
    ReadMissing,
    Tools,
    Resources,
    Prompts,
    Prompt,
    Completion,
    Ping,
    SetLevel,
    Elicitation,
    Roots,
    ResourceUpdated,
    ToolsChanged,
    Cancelled,
}

pub(super) fn messages(random: &mut Random) -> Vec<Message> {
    let mut kinds: Vec<Exchange> = EXCHANGES
        .into_iter()
        .flat_map(|(kind, count)| std::iter::repeat_n(kind, count))
        .collect();
    random.shuffle(&mut kinds);
    let progress = progress_by_call(random);
    let mut calls = progress.into_iter();
    let mut waiting: Vec<Vec<Message>> = Vec::new();
    for (index, kind) in kinds.into_iter().enumerate() {
        let reports = if kind == Exchange::Call {
            calls.next().unwrap_or(0)
        } else {
            0
        };
        waiting.push(exchange(random, kind, index + 1, reports));
    }
    let mut messages = handshake();
    messages.extend(interleave(random, waiting));
    messages
}

/// How many progress notifications each call gets: four calls in five none, a few many.
fn progress_by_call(random: &mut Random) -> Vec<usize> {
    let calls = EXCHANGES[0].1;
    let mut reports = vec![0; calls];
    for _ in 0..PROGRESS {
        reports[random.below(calls / 5)] += 1;
    }
    random.shuffle(&mut reports);
    reports
}

fn interleave(random: &mut Random, exchanges: Vec<Vec<Message>>) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut waiting = exchanges.into_iter();
    let mut open: Vec<std::vec::IntoIter<Message>> = Vec::new();
    loop {
        if open.len() < OPEN_AT_A_TIME && (open.is_empty() || random.percent(40)) {
            open.extend(waiting.next().map(Vec::into_iter));
        }
        if open.is_empty() {
            return messages;
        }
        let chosen = random.below(open.len());
        messages.extend(open[chosen].next());
        if open[chosen].len() == 0 {
            open.swap_remove(chosen);
        }
    }
}

fn handshake() -> Vec<Message> {
    let initialized = notification("notifications/initialized", None);
    vec![
        super::small::initialize(),
        super::small::initialize_result(),
        Message::call("InitializedNotification", ClientToServer, initialized),
    ]
}

fn exchange(random: &mut Random, kind: Exchange, id: usize, reports: usize) -> Vec<Message> {
    match kind {
        Exchange::Call => call(random, id, reports),
        Exchange::Log => vec![log(random)],
        Exchange::Read => {
            let length = random.log_normal(2500.0, 1.0);
            let text = quote(&document(random, length));
            let contents = format!(
                r#"{{"contents":[{{"uri":"file:///workspace/src/part_{id}.rs","mimeType":"text/x-rust","text":{text}}}]}}"#
            );
            vec![
                read(id),
                answer("resources/read", "ReadResourceResult", id, &contents),
            ]
        }
        Exchange::ReadMissing => {
            let error = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32002,"message":"Resource not found","data":{{"uri":"file:///workspace/src/part_{id}.rs"}}}}}}"#
            );
            vec![read(id), Message::error("resources/read", error)]
        }
        Exchange::Tools => {
            // One server in six is a large one.
            let count = if random.percent(16) {
                100
            } else {
                random.between(8, 40)
            };
            let asked = request("ListToolsRequest", ClientToServer, id, "tools/list", "{}");
            vec![asked, lists::tools(random, id, count)]
        }
        Exchange::Resources => {
            let count = random.between(5, 50);
            let asked = request(
                "ListResourcesRequest",
                ClientToServer,
                id,
                "resources/list",
                r#"{"cursor":"cGFnZS0x"}"#,
            );
            vec![asked, lists::resources(random, id, count)]
        }
        Exchange::Prompts => {
            let count = random.between(3, 12);
            let asked = request(
                "ListPromptsRequest",
                ClientToServer,
                id,
                "prompts/list",
                "{}",
            );
            vec![asked, lists::prompts(random, id, count)]
        }
        Exchange::Prompt => prompt(random, id),
        Exchange::Completion => completion(random, id),
        Exchange::Ping => {
            let asked = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            vec![
                Message::call("PingRequest", ClientToServer, asked),
                answer("ping", "Result", id, "{}"),
            ]
        }
        Exchange::SetLevel => vec![
            request(
                "SetLevelRequest",
                ClientToServer,
                id,
                "logging/setLevel",
                r#"{"level":"info"}"#,
            ),
            answer("logging/setLevel", "Result", id, "{}"),
        ],
        Exchange::Elicitation => elicitation(random, id),
        Exchange::Roots => {
            let asked = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#);
            let roots = r#"{"roots":[{"uri":"file:///workspace","name":"workspace"}]}"#;
            vec![
                Message::call("ListRootsRequest", ServerToClient, asked),
                answer("roots/list", "ListRootsResult", id, roots).sent_by_client(),
            ]
        }
        Exchange::ResourceUpdated => vec![resource_updated(id)],
        Exchange::ToolsChanged => vec![tools_changed(id)],
        Exchange::Cancelled => vec![cancelled(id)],
    }
}

fn call(random: &mut Random, id: usize, reports: usize) -> Vec<Message> {
    let name = tool_name(random.below(60));
    let arguments = arguments(random);
    let meta = if reports > 0 {
        format!(r#","_meta":{{"progressToken":{id}}}"#)
    } else {
        String::new()
    };
    let params = format!(r#"{{"name":"{name}","arguments":{arguments}{meta}}}"#);
    let mut messages = vec![request(
        "CallToolRequest",
        ClientToServer,
        id,
        "tools/call",
        &params,
    )];
    for report in 1..=reports {
        let message = sentence(random, 9);
        let params = format!(
            r#"{{"progressToken":{id},"progress":{report},"total":{reports},"message":"{message}"}}"#
        );
        let text = notification("notifications/progress", Some(&params));
        messages.push(Message::call("ProgressNotification", ServerToClient, text));
    }
    let result = call_result(random);
    messages.push(answer("tools/call", "CallToolResult", id, &result));
    messages
}

fn arguments(random: &mut Random) -> String {
    let count = random.between(4, 9);
    let query = quote(&words(random, count));
    match random.below(6) {
        0 => format!(r#"{{"query":{query}}}"#),
        1 => format!(
            r#"{{"query":{query},"limit":{},"recursive":true}}"#,
            random.between(1, 200)
        ),
        2 => format!(
            r#"{{"path":"src/{}.rs","pattern":{query}}}"#,
            words(random, 3).replace(' ', "/")
        ),
        3 => format!(
            r#"{{"path":"src/lib.rs","range":{{"start":{},"end":9000}},"encoding":"utf-8","follow_links":false}}"#,
            random.below(9000)
        ),
        4 => format!(r#"{{"owner":"example","labels":["bug","help wanted"],"title":{query}}}"#),
        _ => {
            let length = random.between(80, 700);
            format!(
                r#"{{"path":"notes.md","content":{}}}"#,
                quote(&document(random, length))
            )
        }
    }
}

fn call_result(random: &mut Random) -> String {
    // Servers cut long outputs.
    let length = random.log_normal(2000.0, 1.2).min(78_000);
    match random.below(20) {
        0 => format!(
            r#"{{"content":[{{"type":"text","text":{}}}],"isError":true}}"#,
            quote(&sentence(random, 9))
        ),
        1..=4 => {
            // Structured, and the same once more as text: every quote of it is an escape.
            let rows = length / 180 + 1;
            let rows: Vec<String> = (0..rows)
                .map(|row| {
                    format!(
                        r#"{{"row":{row},"name":"{}","score":0.{row}}}"#,
                        words(random, 3)
                    )
                })
                .collect();
            let structured = format!(r#"{{"count":{},"rows":[{}]}}"#, rows.len(), rows.join(","));
            let text = quote(&structured);
            format!(
                r#"{{"content":[{{"type":"text","text":{text}}}],"structuredContent":{structured}}}"#
            )
        }
        5 | 6 => {
            let (first, second) = (
                quote(&document(random, length / 2)),
                quote(&document(random, length / 2)),
            );
            format!(
                r#"{{"content":[{{"type":"text","text":{first},"annotations":{{"audience":["assistant"],"priority":1}}}},{{"type":"text","text":{second}}},{{"type":"resource_link","uri":"file:///workspace/README.md","name":"README.md"}}]}}"#
            )
        }
        _ => format!(
            r#"{{"content":[{{"type":"text","text":{}}}]}}"#,
            quote(&document(random, length))
        ),
    }
}

fn log(random: &mut Random) -> Message {
    let (level, data) = (
        random.pick(&["debug", "info", "notice", "warning"]),
        sentence(random, 8),
    );
    let params = format!(r#"{{"level":"{level}","logger":"example.files","data":"{data}"}}"#);
    let text = notification("notifications/message", Some(&params));
    Message::call("LoggingMessageNotification", ServerToClient, text)
}

fn resource_updated(id: usize) -> Message {
    let params = format!(r#"{{"uri":"file:///workspace/src/part_{id}.rs"}}"#);
    let text = notification("notifications/resources/updated", Some(&params));
    Message::call("ResourceUpdatedNotification", ServerToClient, text)
}

fn tools_changed(id: usize) -> Message {
    let params = format!(r#"{{"_meta":{{"example/revision":{id}}}}}"#);
    let text = notification("notifications/tools/list_changed", Some(&params));
    Message::call("ToolListChangedNotification", ServerToClient, text)
}

fn cancelled(id: usize) -> Message {
    let params = format!(r#"{{"requestId":{id},"reason":"The user pressed stop"}}"#);
    let text = notification("notifications/cancelled", Some(&params));
    Message::call("CancelledNotification", ClientToServer, text)
}

fn read(id: usize) -> Message {
    let params = format!(r#"{{"uri":"file:///workspace/src/part_{id}.rs"}}"#);
    request(
        "ReadResourceRequest",
        ClientToServer,
        id,
        "resources/read",
        &params,
    )
}

fn prompt(random: &mut Random, id: usize) -> Vec<Message> {
    let params = format!(
        r#"{{"name":"review","arguments":{{"topic":"{}"}}}}"#,
        words(random, 3)
    );
    let (description, text) = (sentence(random, 6), quote(&document(random, 600)));
    let result = format!(
        r#"{{"description":"{description}","messages":[{{"role":"user","content":{{"type":"text","text":{text}}}}}]}}"#
    );
    vec![
        request(
            "GetPromptRequest",
            ClientToServer,
            id,
            "prompts/get",
            &params,
        ),
        answer("prompts/get", "GetPromptResult", id, &result),
    ]
}

fn completion(random: &mut Random, id: usize) -> Vec<Message> {
    let typed = words(random, 1);
    let params = format!(
        r#"{{"ref":{{"type":"ref/prompt","name":"review"}},"argument":{{"name":"topic","value":"{typed}"}}}}"#
    );
    let values: Vec<String> = (0..8).map(|_| quote(&words(random, 2))).collect();
    let result = format!(
        r#"{{"completion":{{"values":[{}],"total":8,"hasMore":false}}}}"#,
        values.join(",")
    );
    vec![
        request(
            "CompleteRequest",
            ClientToServer,
            id,
            "completion/complete",
            &params,
        ),
        answer("completion/complete", "CompleteResult", id, &result),
    ]
}

fn elicitation(random: &mut Random, id: usize) -> Vec<Message> {
    let params = format!(
        r#"{{"message":"{}","requestedSchema":{{"type":"object","properties":{{"branch":{{"type":"string","title":"Branch","minLength":1}},"force":{{"type":"boolean","default":false}}}},"required":["branch"]}}}}"#,
        sentence(random, 7)
    );
    let result = r#"{"action":"accept","content":{"branch":"main","force":false}}"#;
    vec![
        request(
            "ElicitRequest",
            ServerToClient,
            id,
            "elicitation/create",
            &params,
        ),
        answer("elicitation/create", "ElicitResult", id, result).sent_by_client(),
    ]
}

fn request(
    definition: &'static str,
    direction: Direction,
    id: usize,
    method: &str,
    params: &str,
) -> Message {
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
    Message::call(definition, direction, text)
}

fn notification(method: &str, params: Option<&str>) -> String {
    match params {
        Some(params) => format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#),
        None => format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#),
    }
}

fn answer(method: &'static str, definition: &'static str, id: usize, result: &str) -> Message {
    Message::result(
        method,
        definition,
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
    )
}
