//! A thousand messages in the order and proportions of an agent's session.
//!
//! A dialogue that breaks no rule: one server shows the same tools, resources and prompts
//! throughout, arguments and structured results fit the schemas of its tools, each answer follows
//! its request and at most four requests are open at a time, progress is reported under given
//! tokens, and cursors, subscriptions and cancellations refer to earlier messages. So a session has
//! realistic work.

use mcp_assay::Direction::{self, ClientToServer, ServerToClient};

use super::Message;
use super::lists;
use super::random::Random;
use super::server::{self, Server};
use super::text::{document, quote, sentence, words};

/// The number of each exchange. Calls have 200 progress notifications among them.
const EXCHANGES: [(Exchange, usize); 16] = [
    (Exchange::Call, 310),
    (Exchange::Log, 60),
    (Exchange::Read, 14),
    (Exchange::ReadMissing, 6),
    (Exchange::Tools, 6),
    (Exchange::Resources, 2),
    (Exchange::Prompts, 3),
    (Exchange::Prompt, 4),
    (Exchange::Completion, 6),
    (Exchange::Ping, 5),
    (Exchange::SetLevel, 1),
    (Exchange::Elicitation, 2),
    (Exchange::Roots, 2),
    (Exchange::Subscription, 1),
    (Exchange::ToolsChanged, 3),
    (Exchange::Cancelled, 2),
];

const PROGRESS: usize = 200;
const OPEN_AT_A_TIME: usize = 4;

/// The ids that each party has given to its requests so far.
#[derive(Default)]
struct Ids {
    client: usize,
    server: usize,
}

impl Ids {
    fn of_client(&mut self) -> usize {
        self.client += 1;
        self.client
    }

    fn of_server(&mut self) -> usize {
        self.server += 1;
        self.server
    }
}

/// A group of messages: a request, the messages meanwhile, and the answer; or a lone notification.
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
    Subscription,
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
    let server = Server::new(random);
    let mut ids = Ids::default();
    let mut waiting: Vec<Vec<Message>> = Vec::new();
    for kind in kinds {
        let reports = if kind == Exchange::Call {
            calls.next().unwrap_or(0)
        } else {
            0
        };
        waiting.push(exchange(random, &server, kind, &mut ids, reports));
    }
    let mut messages = handshake();
    messages.extend(interleave(random, waiting));
    messages
}

/// The number of progress notifications of each call: none for four calls in five, many for a few.
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

fn exchange(
    random: &mut Random,
    server: &Server,
    kind: Exchange,
    ids: &mut Ids,
    reports: usize,
) -> Vec<Message> {
    match kind {
        Exchange::Call => call(random, server, ids.of_client(), reports),
        Exchange::Log => vec![log(random)],
        Exchange::Read => {
            let id = ids.of_client();
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
            let id = ids.of_client();
            let error = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32002,"message":"Resource not found","data":{{"uri":"file:///workspace/src/part_{id}.rs"}}}}}}"#
            );
            vec![read(id), Message::error("resources/read", error)]
        }
        Exchange::Tools => {
            let id = ids.of_client();
            let asked = request("ListToolsRequest", ClientToServer, id, "tools/list", "{}");
            vec![asked, lists::tools_page(id, &server.tools)]
        }
        Exchange::Resources => resources(server, ids),
        Exchange::Prompts => {
            let id = ids.of_client();
            let method = "prompts/list";
            vec![
                request("ListPromptsRequest", ClientToServer, id, method, "{}"),
                lists::prompts_page(id, &server.prompts),
            ]
        }
        Exchange::Prompt => prompt(random, ids.of_client()),
        Exchange::Completion => completion(random, ids.of_client()),
        Exchange::Ping => {
            let id = ids.of_client();
            let asked = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            vec![
                Message::call("PingRequest", ClientToServer, asked),
                answer("ping", "Result", id, "{}"),
            ]
        }
        Exchange::SetLevel => {
            let (id, method) = (ids.of_client(), "logging/setLevel");
            let params = r#"{"level":"info"}"#;
            vec![
                request("SetLevelRequest", ClientToServer, id, method, params),
                answer(method, "Result", id, "{}"),
            ]
        }
        Exchange::Elicitation => elicitation(random, ids.of_server()),
        Exchange::Roots => {
            let id = ids.of_server();
            let asked = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#);
            let roots = r#"{"roots":[{"uri":"file:///workspace","name":"workspace"}]}"#;
            vec![
                Message::call("ListRootsRequest", ServerToClient, asked),
                answer("roots/list", "ListRootsResult", id, roots).sent_by_client(),
            ]
        }
        Exchange::Subscription => subscription(ids.of_client()),
        Exchange::ToolsChanged => vec![tools_changed(random)],
        Exchange::Cancelled => {
            let id = ids.of_client();
            vec![read(id), cancelled(id)]
        }
    }
}

/// A walk over the two pages of the list.
fn resources(server: &Server, ids: &mut Ids) -> Vec<Message> {
    let asked = |id, params: &str| {
        let method = "resources/list";
        request("ListResourcesRequest", ClientToServer, id, method, params)
    };
    let (first, second) = (ids.of_client(), ids.of_client());
    let (front, back) = server.resources.split_at(server.resources.len() / 2);
    let cursor = format!("cGFnZS0y-{first}");
    vec![
        asked(first, "{}"),
        lists::resources_page(first, front, Some(&cursor)),
        asked(second, &format!(r#"{{"cursor":"{cursor}"}}"#)),
        lists::resources_page(second, back, None),
    ]
}

fn call(random: &mut Random, server: &Server, id: usize, reports: usize) -> Vec<Message> {
    let tool = &server.tools[random.below(server.tools.len())];
    let arguments = server::arguments(random, tool);
    let meta = if reports > 0 {
        format!(r#","_meta":{{"progressToken":{id}}}"#)
    } else {
        String::new()
    };
    let params = format!(
        r#"{{"name":"{}","arguments":{arguments}{meta}}}"#,
        tool.name
    );
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
    let result = server::call_result(random, tool);
    messages.push(answer("tools/call", "CallToolResult", id, &result));
    messages
}

fn log(random: &mut Random) -> Message {
    let (level, data) = (
        random.pick(&["info", "notice", "warning"]),
        sentence(random, 8),
    );
    let params = format!(r#"{{"level":"{level}","logger":"example.files","data":"{data}"}}"#);
    let text = notification("notifications/message", Some(&params));
    Message::call("LoggingMessageNotification", ServerToClient, text)
}

fn subscription(id: usize) -> Vec<Message> {
    let params = format!(r#"{{"uri":"file:///workspace/src/part_{id}.rs"}}"#);
    let method = "resources/subscribe";
    let updated = |revision: usize| {
        let params = format!(
            r#"{{"uri":"file:///workspace/src/part_{id}.rs","_meta":{{"com.example/revision":{revision}}}}}"#
        );
        let text = notification("notifications/resources/updated", Some(&params));
        Message::call("ResourceUpdatedNotification", ServerToClient, text)
    };
    vec![
        request("SubscribeRequest", ClientToServer, id, method, &params),
        answer(method, "Result", id, "{}"),
        updated(1),
        updated(2),
    ]
}

/// A notice after which the list is the same as before: servers send it when a tool came and went.
fn tools_changed(random: &mut Random) -> Message {
    let params = format!(
        r#"{{"_meta":{{"com.example/revision":{}}}}}"#,
        random.below(1 << 20)
    );
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
