//! Faults of documents of input and output.

use std::sync::Arc;

use mcp_assay::registry::{
    LoadErrorKind, SchemaLimits, SchemaRegistry, SchemaSource, SchemaText, SourceFault,
};
use mcp_assay::{Frame, Policy, Session, Validator};

use super::*;

fn search() -> ToolIo {
    let registry = SchemaRegistry::default();
    let load = |text: &str| registry.load_text(text.as_bytes(), "test").unwrap();
    let input =
        load(r#"{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}"#);
    let output = load(r#"{"type":"object","required":["hits"]}"#);
    ToolIo::new(
        &registry,
        ToolId::new("search").unwrap(),
        input,
        Some(output),
    )
    .unwrap()
}

fn texts(misfits: &[crate::misfit::Misfit]) -> Vec<String> {
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
        // The input is kept with it, and is not checked again.
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
    let tool = ToolIo::new(&registry, ToolId::new("t").unwrap(), input, None).unwrap();
    assert!(tool.check_output(br#"{"tool":"mcp.tool:t"}"#).is_empty());
    assert!(
        tool.check_output(br#"{"tool":"mcp.tool:t","output":7}"#)
            .is_empty()
    );
    assert_eq!(tool.check_output(br#"{"output":7}"#).len(), 1);
}

/// A source of a few schemas.
#[derive(Debug)]
struct Shelf(&'static [(&'static str, &'static str)]);

impl SchemaSource for Shelf {
    fn read(&self, name: &str) -> Result<SchemaText, SourceFault> {
        let location = format!("shelf/{name}");
        match self.0.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Ok(SchemaText {
                bytes: text.as_bytes().to_vec(),
                stamp: (*text).to_owned(),
                location,
            }),
            None => Err(SourceFault::Missing {
                looked_for: location,
            }),
        }
    }
}

fn registry(shelf: Shelf) -> SchemaRegistry {
    SchemaRegistry::with_source(SchemaLimits::DEFAULT, Arc::new(shelf))
}

#[test]
fn the_schemas_of_a_tool_are_found_by_its_name() {
    let shelf = Shelf(&[
        ("tools/search.input", r#"{"required":["query"]}"#),
        ("tools/search.output", r#"{"required":["hits"]}"#),
        ("tools/%2E.%2Fa%2Fb%20%C3%BC.input", "{}"),
        ("tools/half.output", "{}"),
        ("tools/spoilt.input", "{}"),
        ("tools/spoilt.output", "{"),
    ]);
    let registry = registry(shelf);
    let load = |name: &str| ToolIo::load(&registry, &ToolId::new(name).unwrap());
    let search = load("search").unwrap();
    assert_eq!(
        search
            .check_input(br#"{"tool":"mcp.tool:search","input":{}}"#)
            .len(),
        1
    );
    assert!(search.output().is_some());
    let odd = load("../a/b ü").unwrap();
    assert!(odd.output().is_none());
    let missing = load("half").unwrap_err();
    assert_eq!(missing.kind, LoadErrorKind::NotFound);
    assert!(
        missing.message.ends_with("shelf/tools/half.input"),
        "{missing}"
    );
    let broken = load("spoilt").unwrap_err();
    assert_eq!(broken.kind, LoadErrorKind::Unusable);
    assert!(
        broken.message.contains("shelf/tools/spoilt.output"),
        "{broken}"
    );
}

#[test]
fn no_name_of_a_tool_leads_out_of_its_folder() {
    let registry = registry(Shelf(&[("secret.input", "{}"), ("../secret.input", "{}")]));
    for (name, looked_for) in [
        ("../secret", "shelf/tools/%2E.%2Fsecret.input"),
        ("../../secret", "shelf/tools/%2E.%2F..%2Fsecret.input"),
        ("/secret", "shelf/tools/%2Fsecret.input"),
    ] {
        let error = ToolIo::load(&registry, &ToolId::new(name).unwrap()).unwrap_err();
        assert_eq!(error.kind, LoadErrorKind::NotFound);
        assert!(error.message.ends_with(looked_for), "{error}");
    }
}

/// The schemas that a server publishes and those that have a name are compiled in one place.
#[test]
fn traffic_uses_the_same_cache() {
    let shelf = Shelf(&[("search", r#"{"required":["q"],"type":"object"}"#)]);
    let registry = Arc::new(registry(shelf));
    registry.load_named("search").unwrap();
    let list = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object","required":["q"]}}]}}"#;
    // The first call looks the schema up, not the list.
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{}}}"#;
    for _ in 0..2 {
        let mut validator = Validator::with_registry(Policy::default(), Arc::clone(&registry));
        let mut session = Session::new();
        let frame = Frame::new(list.as_bytes()).answers("tools/list");
        assert!(validator.check(&mut session, frame).violations().is_empty());
        let checked = validator.check(&mut session, Frame::new(call.as_bytes()));
        let mut rules = checked
            .violations()
            .iter()
            .map(|violation| violation.rule.name);
        assert!(rules.any(|name| name == "tools/arguments-match-schema"));
    }
    assert_eq!(registry.counters().compiled, 1);
    // The first call finds what was loaded; from then on the two lists share it.
    assert_eq!(registry.counters().hits, 1);
}

#[test]
fn a_document_of_either_kind_is_checked_by_its_shape() {
    let registry = SchemaRegistry::default();
    for (document, expected) in [
        (
            r#"{"tool":"mcp.tool:search","input":{"query":"x"}}"#,
            &[][..],
        ),
        (r#"{"tool":"mcp.tool:search","input":null}"#, &[]),
        (r#"{"tool":"mcp.tool:search","output":{"hits":[]}}"#, &[]),
        (
            r#"{"tool":"mcp.tool:search","input":{},"output":{},"version":"2","metadata":{}}"#,
            &[],
        ),
        (
            r#"{"tool":"mcp.tool:search"}"#,
            &["the member `input` is missing"],
        ),
        (
            r#"{"output":{},"version":""}"#,
            &["/version: is too short", "the member `tool` is missing"],
        ),
        (
            r#"{"tool":"search","output":1,"result":2}"#,
            &[
                "/result: no such member is allowed here",
                "/tool: does not match the pattern",
                "/tool: is too short",
            ],
        ),
        (
            r#"{"tool":"mcp.tool:a","tool":"mcp.tool:b","input":{"x":1,"x":2}}"#,
            &["/tool: the member is there twice"],
        ),
        (r#"{"tool":"mcp.tool:a","input":{"x":1,"x":2}}"#, &[]),
        ("7", &["is of a type that is not allowed"]),
        ("", &["not JSON at byte 0: the message is empty"]),
    ] {
        let mut found = texts(&check(document.as_bytes(), &registry));
        found.sort();
        assert_eq!(found, expected, "{document}");
    }
    let other = check_of(
        &ToolId::new("add").unwrap(),
        br#"{"tool":"mcp.tool:search","input":1}"#,
        &registry,
    );
    assert_eq!(texts(&other), ["/tool: names another tool"]);
}

/// The id of a schema is a URI, whatever the tool is called, and the schema says the same as the
/// check.
#[test]
fn the_schema_of_a_tool_has_its_id() {
    let registry = SchemaRegistry::default();
    for (name, id) in [
        ("search", "mcp.tool:search"),
        ("files/read_file", "mcp.tool:files/read_file"),
        ("a b#\u{fc}\"", "mcp.tool:a%20b%23%C3%BC%22"),
    ] {
        let tool = ToolId::new(name).unwrap();
        let text = schema_of(&tool);
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["$id"], id);
        assert_eq!(document["$defs"]["ToolId"]["const"], tool.to_string());
        let schema = registry.load_text(text.as_bytes(), "test").unwrap();
        for named in ["search", name] {
            let tool_id = format!("mcp.tool:{named}");
            let json = serde_json::json!({"tool": tool_id, "input": {}}).to_string();
            let is_same = named == name;
            assert_eq!(crate::misfits::fits(&schema, &json), is_same, "{json}");
            assert_eq!(
                check_of(&tool, json.as_bytes(), &registry).is_empty(),
                is_same
            );
        }
    }
}

#[test]
fn the_shared_schema_has_an_id() {
    for (schema, id) in [
        (SCHEMA, "urn:mcp-assay:tool-io:1.0"),
        (crate::envelope::SCHEMA, "urn:mcp-assay:envelope:1.0"),
    ] {
        let document: serde_json::Value = serde_json::from_str(schema).unwrap();
        assert_eq!(document["$id"], id);
        assert!(id.ends_with(crate::envelope::SCHEMA_VERSION));
    }
}
