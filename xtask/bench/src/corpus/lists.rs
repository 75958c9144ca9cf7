//! Lists as servers send them: tools with their input schemas, resources, prompts.

use std::fmt::Write;

use super::Message;
use super::random::Random;
use super::text::{quote, sentence, words};

const VERBS: [&str; 14] = [
    "search", "read", "write", "list", "create", "delete", "update", "move", "compare", "export",
    "import", "run", "describe", "watch",
];

const NOUNS: [&str; 16] = [
    "files",
    "issue",
    "branch",
    "commit",
    "table",
    "query",
    "message",
    "channel",
    "calendar_event",
    "invoice",
    "contact",
    "container",
    "deployment",
    "dashboard",
    "document",
    "secret_name",
];

const PARAMETERS: [&str; 18] = [
    "path",
    "query",
    "limit",
    "offset",
    "owner",
    "repository",
    "since",
    "until",
    "format",
    "recursive",
    "filter",
    "sort",
    "labels",
    "timeout_seconds",
    "dry_run",
    "encoding",
    "namespace",
    "options",
];

/// The name of a tool; the same `index` gives the same name.
fn tool_name(index: usize) -> String {
    let verb = VERBS[index % VERBS.len()];
    let noun = NOUNS[index / VERBS.len() % NOUNS.len()];
    match index / (VERBS.len() * NOUNS.len()) {
        0 => format!("{verb}_{noun}"),
        round => format!("{verb}_{noun}_{round}"),
    }
}

/// A tool as a list shows it, and the requirements of its schemas.
pub(super) struct Tool {
    pub(super) name: String,
    /// The entry of the list.
    json: String,
    /// The parameters in the order of the schema; the first `required` are.
    pub(super) parameters: Vec<(&'static str, Parameter)>,
    pub(super) required: usize,
    /// Whether it has an `outputSchema`.
    pub(super) is_structured: bool,
}

/// The type of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Parameter {
    Text,
    ShortText,
    Choice,
    /// From zero to this.
    Integer(usize),
    Flag,
    Texts,
    Range,
}

pub(super) fn tools(random: &mut Random, id: usize, count: usize) -> Message {
    let tools: Vec<Tool> = (0..count).map(|index| tool(random, index * 5)).collect();
    tools_page(id, &tools)
}

pub(super) fn tools_page(id: usize, tools: &[Tool]) -> Message {
    let tools: Vec<&str> = tools.iter().map(|tool| tool.json.as_str()).collect();
    let tools = tools.join(",");
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{tools}]}}}}"#);
    Message::result("tools/list", "ListToolsResult", text)
}

pub(super) fn tool(random: &mut Random, index: usize) -> Tool {
    let name = tool_name(index);
    let length = random.between(6, 24);
    let mut tool = format!(r#"{{"name":"{name}","#);
    if random.percent(50) {
        let _ = write!(tool, r#""title":{},"#, quote(&name.replace('_', " ")));
    }
    let _ = write!(
        tool,
        r#""description":{},"#,
        quote(&sentence(random, length))
    );
    let (schema, parameters, required) = input_schema(random);
    let _ = write!(tool, r#""inputSchema":{schema}"#);
    let is_structured = random.percent(20);
    if is_structured {
        tool.push_str(r#","outputSchema":{"type":"object","properties":{"count":{"type":"integer"},"items":{"type":"array","items":{"type":"string"}}},"required":["count"]}"#);
    }
    if random.percent(60) {
        let (reads, repeats) = (random.percent(50), random.percent(50));
        let _ = write!(
            tool,
            r#","annotations":{{"readOnlyHint":{reads},"destructiveHint":{},"idempotentHint":{repeats},"openWorldHint":true}}"#,
            !reads
        );
    }
    tool.push('}');
    Tool {
        name,
        json: tool,
        parameters,
        required,
        is_structured,
    }
}

fn input_schema(random: &mut Random) -> (String, Vec<(&'static str, Parameter)>, usize) {
    let first = random.below(PARAMETERS.len());
    let count = random.between(2, 5);
    // Steps of seven through eighteen names never meet.
    let names = |position: usize| PARAMETERS[(first + position * 7) % PARAMETERS.len()];
    let (mut members, mut parameters) = (Vec::new(), Vec::new());
    for position in 0..count {
        let (kind, schema) = parameter(random);
        members.push(format!(r#""{}":{schema}"#, names(position)));
        parameters.push((names(position), kind));
    }
    let needed = random.between(1, count);
    let required: Vec<String> = (0..needed).map(|position| quote(names(position))).collect();
    let closed = if random.percent(60) {
        r#","additionalProperties":false"#
    } else {
        ""
    };
    let dialect = if random.percent(25) {
        r#""$schema":"http://json-schema.org/draft-07/schema#","#
    } else {
        ""
    };
    let schema = format!(
        r#"{{{dialect}"type":"object","properties":{{{}}},"required":[{}]{closed}}}"#,
        members.join(","),
        required.join(",")
    );
    (schema, parameters, needed)
}

fn parameter(random: &mut Random) -> (Parameter, String) {
    let length = random.between(3, 10);
    let description = quote(&sentence(random, length));
    match random.below(8) {
        0 | 1 => (
            Parameter::Text,
            format!(r#"{{"type":"string","description":{description}}}"#),
        ),
        2 => (
            Parameter::ShortText,
            format!(
                r#"{{"type":"string","description":{description},"minLength":1,"maxLength":256}}"#
            ),
        ),
        3 => (
            Parameter::Choice,
            format!(
                r#"{{"type":"string","enum":["asc","desc","none"],"default":"asc","description":{description}}}"#
            ),
        ),
        4 => {
            let maximum = random.between(50, 9999);
            let schema = format!(
                r#"{{"type":"integer","description":{description},"minimum":0,"maximum":{maximum},"default":{}}}"#,
                random.below(50)
            );
            (Parameter::Integer(maximum), schema)
        }
        5 => (
            Parameter::Flag,
            format!(
                r#"{{"type":"boolean","description":{description},"default":{}}}"#,
                random.percent(50)
            ),
        ),
        6 => (
            Parameter::Texts,
            format!(
                r#"{{"type":"array","items":{{"type":"string"}},"description":{description}}}"#
            ),
        ),
        _ => (
            Parameter::Range,
            format!(
                r#"{{"type":"object","description":{description},"properties":{{"before":{{"type":"integer"}},"after":{{"type":"number"}}}},"additionalProperties":false}}"#
            ),
        ),
    }
}

pub(super) fn resources(random: &mut Random, id: usize, count: usize) -> Message {
    let resources: Vec<String> = (0..count).map(|index| resource(random, index)).collect();
    resources_page(id, &resources, Some("cGFnZS0y"))
}

pub(super) fn resources_page(id: usize, resources: &[String], next: Option<&str>) -> Message {
    let resources = resources.join(",");
    let next = next.map_or(String::new(), |next| format!(r#","nextCursor":"{next}""#));
    let text =
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resources":[{resources}]{next}}}}}"#);
    Message::result("resources/list", "ListResourcesResult", text)
}

pub(super) fn resource(random: &mut Random, index: usize) -> String {
    let (extension, kind) = [
        ("rs", "text/x-rust"),
        ("md", "text/markdown"),
        ("json", "application/json"),
        ("png", "image/png"),
    ][random.below(4)];
    let (folder, file) = (
        words(random, 2).replace(' ', "/"),
        words(random, 2).replace(' ', "_"),
    );
    let length = random.between(8, 26);
    let description = quote(&sentence(random, length));
    let mut resource = format!(
        r#"{{"uri":"file:///workspace/{folder}/{file}_{index}.{extension}","name":"{file}_{index}.{extension}","description":{description},"mimeType":"{kind}""#
    );
    if random.percent(70) {
        let _ = write!(resource, r#","size":{}"#, random.below(900_000));
    }
    if random.percent(40) {
        let _ = write!(
            resource,
            r#","annotations":{{"audience":["user","assistant"],"priority":0.{},"lastModified":"2025-11-{:02}T08:15:00Z"}}"#,
            random.between(1, 9),
            random.between(1, 28)
        );
    }
    resource.push('}');
    resource
}

pub(super) fn prompts_page(id: usize, prompts: &[String]) -> Message {
    let prompts = prompts.join(",");
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"prompts":[{prompts}]}}}}"#);
    Message::result("prompts/list", "ListPromptsResult", text)
}

/// A prompt with one argument, `topic`.
pub(super) fn prompt(random: &mut Random, name: &str) -> String {
    let (of_prompt, of_argument) = (quote(&sentence(random, 9)), quote(&sentence(random, 6)));
    format!(
        r#"{{"name":"{name}","description":{of_prompt},"arguments":[{{"name":"topic","description":{of_argument},"required":true}}]}}"#
    )
}
