//! The server of the mix: its lists, and calls and results that fit its schemas.

use super::lists::{self, Parameter, Tool};
use super::random::Random;
use super::text::{document, quote, sentence, words};

/// The sizes of the lists.
const TOOLS: usize = 30;
const RESOURCES: usize = 60;

/// The lists of a server, the same throughout a session.
pub(super) struct Server {
    pub(super) tools: Vec<Tool>,
    /// Entries of the list of resources.
    pub(super) resources: Vec<String>,
    /// Entries of the list of prompts.
    pub(super) prompts: Vec<String>,
}

impl Server {
    pub(super) fn new(random: &mut Random) -> Self {
        let names = [
            "review",
            "summarise",
            "explain",
            "translate",
            "plan",
            "test",
        ];
        Self {
            tools: (0..TOOLS)
                .map(|index| lists::tool(random, index * 5))
                .collect(),
            resources: (0..RESOURCES)
                .map(|index| lists::resource(random, index))
                .collect(),
            prompts: names
                .into_iter()
                .map(|name| lists::prompt(random, name))
                .collect(),
        }
    }
}

/// Arguments for a tool: the required ones, and about half of the rest.
pub(super) fn arguments(random: &mut Random, tool: &Tool) -> String {
    let mut members = Vec::new();
    for (position, (name, kind)) in tool.parameters.iter().enumerate() {
        if position < tool.required || random.percent(50) {
            members.push(format!(r#""{name}":{}"#, argument(random, *kind)));
        }
    }
    format!("{{{}}}", members.join(","))
}

fn argument(random: &mut Random, kind: Parameter) -> String {
    let count = random.between(4, 9);
    match kind {
        // Now and then a whole text is handed over.
        Parameter::Text if random.percent(20) => {
            let length = random.between(80, 700);
            quote(&document(random, length))
        }
        Parameter::Text | Parameter::ShortText => quote(&words(random, count)),
        Parameter::Choice => quote(random.pick(&["asc", "desc", "none"])),
        Parameter::Integer(maximum) => random.below(maximum + 1).to_string(),
        Parameter::Flag => random.percent(50).to_string(),
        Parameter::Texts => r#"["bug","help wanted"]"#.to_owned(),
        Parameter::Range => format!(r#"{{"before":{},"after":9000.5}}"#, random.below(9000)),
    }
}

/// A result of a tool, with structured content if it has a schema for it.
pub(super) fn call_result(random: &mut Random, tool: &Tool) -> String {
    // Servers cut long outputs.
    let length = random.log_normal(2000.0, 1.2).min(78_000);
    if random.percent(5) {
        return format!(
            r#"{{"content":[{{"type":"text","text":{}}}],"isError":true}}"#,
            quote(&sentence(random, 9))
        );
    }
    if tool.is_structured {
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
        return format!(
            r#"{{"content":[{{"type":"text","text":{text}}}],"structuredContent":{structured}}}"#
        );
    }
    if random.percent(12) {
        let (first, second) = (
            quote(&document(random, length / 2)),
            quote(&document(random, length / 2)),
        );
        return format!(
            r#"{{"content":[{{"type":"text","text":{first},"annotations":{{"audience":["assistant"],"priority":1}}}},{{"type":"text","text":{second}}},{{"type":"resource_link","uri":"file:///workspace/README.md","name":"README.md"}}]}}"#
        );
    }
    format!(
        r#"{{"content":[{{"type":"text","text":{}}}]}}"#,
        quote(&document(random, length))
    )
}
