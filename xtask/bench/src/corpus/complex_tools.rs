//! Tools with the schemas that typed frameworks generate: definitions that refer to one another,
//! unions, patterns, nested objects and structured results.

use super::Message;
use super::random::Random;
use super::text::{quote, sentence};

/// A list of tools that are all different.
pub(super) fn list(random: &mut Random, id: usize, count: usize) -> Message {
    let tools: Vec<String> = (0..count).map(|index| tool(random, index)).collect();
    let tools = tools.join(",");
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{tools}]}}}}"#);
    Message::result("tools/list", "ListToolsResult", text)
}

fn tool(random: &mut Random, index: usize) -> String {
    let description = quote(&sentence(random, 20));
    let (input, output) = (input_schema(random, index), output_schema(random, index));
    format!(
        r#"{{"name":"tool_{index}","title":"Tool {index}","description":{description},"inputSchema":{input},"outputSchema":{output},"annotations":{{"readOnlyHint":true,"openWorldHint":false}}}}"#
    )
}

fn input_schema(random: &mut Random, index: usize) -> String {
    let mut text = || quote(&sentence(random, 7));
    let filter = format!(
        r#""Filter":{{"type":"object","title":"Filter","properties":{{"field":{{"type":"string","description":{},"pattern":"^[a-z][a-z0-9_]*$","maxLength":64}},"operator":{{"type":"string","enum":["eq","ne","lt","gt","in"],"default":"eq"}},"value":{{"anyOf":[{{"type":"string"}},{{"type":"number"}},{{"type":"boolean"}},{{"type":"array","items":{{"type":"string"}},"maxItems":100}},{{"type":"null"}}],"default":null}}}},"required":["field","value"],"additionalProperties":false}}"#,
        text()
    );
    let sort = format!(
        r#""Sort":{{"type":"object","description":{},"properties":{{"by":{{"type":"string","minLength":1}},"descending":{{"type":"boolean","default":false}}}},"required":["by"]}}"#,
        text()
    );
    let range = format!(
        r#""Range":{{"type":"object","properties":{{"from":{{"type":"string","format":"date-time","description":{}}},"to":{{"type":"string","format":"date-time"}}}},"required":["from"]}}"#,
        text()
    );
    let target = format!(
        r#"{{"oneOf":[{{"type":"object","properties":{{"kind":{{"const":"path"}},"path":{{"type":"string","pattern":"^/[^ ]+$"}}}},"required":["kind","path"]}},{{"type":"object","properties":{{"kind":{{"const":"id"}},"id":{{"type":"integer","exclusiveMinimum":0}}}},"required":["kind","id"]}}],"description":{}}}"#,
        text()
    );
    format!(
        r##"{{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{{{filter},{sort},{range}}},"type":"object","title":"Arguments{index}","properties":{{"target":{target},"filters":{{"type":"array","items":{{"$ref":"#/$defs/Filter"}},"minItems":0,"maxItems":{},"description":{}}},"sort":{{"anyOf":[{{"$ref":"#/$defs/Sort"}},{{"type":"null"}}],"default":null}},"period":{{"$ref":"#/$defs/Range"}},"limit":{{"type":"integer","minimum":1,"maximum":{},"default":20,"description":{}}},"labels":{{"type":"object","additionalProperties":{{"type":"string"}},"description":{}}},"dry_run":{{"type":"boolean","default":false,"title":"Dry run"}}}},"required":["target"],"additionalProperties":false}}"##,
        10 + index % 7,
        text(),
        100 + index,
        text(),
        text()
    )
}

fn output_schema(random: &mut Random, index: usize) -> String {
    let text = quote(&sentence(random, 9));
    format!(
        r#"{{"type":"object","title":"Result{index}","properties":{{"total":{{"type":"integer","minimum":0}},"items":{{"type":"array","items":{{"type":"object","properties":{{"id":{{"type":"integer"}},"name":{{"type":"string","description":{text}}},"score":{{"type":["number","null"]}},"tags":{{"type":"array","items":{{"type":"string"}},"uniqueItems":true}}}},"required":["id","name"]}}}},"next":{{"type":["string","null"],"default":null}}}},"required":["total","items"]}}"#
    )
}
