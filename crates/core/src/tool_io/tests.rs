//! What is wrong with documents of input and output.

use super::*;
use crate::registry::SchemaRegistry;

fn search() -> ToolIo {
    let registry = SchemaRegistry::default();
    let load = |text: &str| registry.load_text(text.as_bytes(), "test").unwrap();
    let input =
        load(r#"{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}"#);
    let output = load(r#"{"type":"object","required":["hits"]}"#);
    registry
        .tool_io(ToolId::new("search").unwrap(), input, Some(output))
        .unwrap()
}

fn texts(misfits: &[crate::Misfit]) -> Vec<String> {
    misfits.iter().map(ToString::to_string).collect()
}

#[test]
fn input_has_the_shared_shape_and_the_tools_own() {
    let search = search();
    for (document, expected) in [
        (
            r#"{"tool":"mcp.tool:search","input":{"query":"x"}}"#,
            &[][..],
        ),
        (
            r#"{"tool":"mcp.tool:search","input":{"query":"x"},"version":"1","metadata":{"a":1}}"#,
            &[],
        ),
        (
            r#"{"tool":"mcp.tool:search"}"#,
            &["the member `input` is missing"],
        ),
        (
            r#"{"input":{"query":"x"}}"#,
            &["the member `tool` is missing"],
        ),
        (
            r#"{"tool":"mcp.tool:search","input":{"query":1}}"#,
            &["/input/query: is of a type that is not allowed"],
        ),
        (
            r#"{"tool":"mcp.tool:search","input":null}"#,
            &["/input: is of a type that is not allowed"],
        ),
        (
            r#"{"tool":"search","input":{"query":"x"}}"#,
            &["/tool: does not match the pattern", "/tool: is too short"],
        ),
        (
            r#"{"tool":"mcp.tool:","input":{"query":"x"}}"#,
            &["/tool: is too short"],
        ),
        (
            r#"{"tool":"mcp.tool:other","input":{"query":"x"}}"#,
            &["/tool: names another tool"],
        ),
        (
            r#"{"tool":"mcp.tool:search","input":{"query":"x"},"version":"","metadata":[],"output":1}"#,
            &[
                "/metadata: is of a type that is not allowed",
                "/output: no such member is allowed here",
                "/version: is too short",
            ],
        ),
        (r"[]", &["is of a type that is not allowed"]),
        (
            r"{",
            &["not JSON at byte 1: the text ends in the middle of the message"],
        ),
    ] {
        let mut found = texts(&search.check_input(document.as_bytes()));
        found.sort();
        assert_eq!(found, expected, "{document}");
    }
}

#[test]
fn output_needs_no_input() {
    let search = search();
    for (document, expected) in [
        (
            r#"{"tool":"mcp.tool:search","output":{"hits":[]}}"#,
            &[][..],
        ),
        // What went in is kept with it, and is not judged again.
        (
            r#"{"tool":"mcp.tool:search","input":{},"output":{"hits":[]}}"#,
            &[],
        ),
        (
            r#"{"tool":"mcp.tool:search","output":{}}"#,
            &["/output: the member `hits` is missing"],
        ),
        (
            r#"{"tool":"mcp.tool:search"}"#,
            &["the member `output` is missing"],
        ),
        (
            r#"{"tool":"mcp.tool:other","output":{"hits":[]}}"#,
            &["/tool: names another tool"],
        ),
        (
            r#"{"output":{"hits":[]},"result":1}"#,
            &[
                "/result: no such member is allowed here",
                "the member `tool` is missing",
            ],
        ),
    ] {
        let mut found = texts(&search.check_output(document.as_bytes()));
        found.sort();
        assert_eq!(found, expected, "{document}");
    }
}

#[test]
fn without_an_output_schema_anything_may_come_out() {
    let registry = SchemaRegistry::default();
    let input = registry.load_text(b"true", "test").unwrap();
    let tool = registry
        .tool_io(ToolId::new("t").unwrap(), input, None)
        .unwrap();
    assert!(tool.check_output(br#"{"tool":"mcp.tool:t"}"#).is_empty());
    assert!(
        tool.check_output(br#"{"tool":"mcp.tool:t","output":7}"#)
            .is_empty()
    );
    assert_eq!(tool.check_output(br#"{"output":7}"#).len(), 1);
}
