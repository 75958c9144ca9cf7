//! Places of annotations for headers.

use super::Scanned;
use crate::registry::{ParamHeaders, ParamType};

fn found(schema: &str) -> Vec<String> {
    let schema = Scanned::new(schema);
    let mut found: Vec<_> = ParamHeaders::of(schema.root())
        .map(|header| {
            let path: Vec<_> = header.path.iter().map(|key| key.text().unwrap()).collect();
            let place = if header.is_static { "" } else { " not static" };
            let name = String::from_utf8_lossy(header.name.raw()).into_owned();
            format!("{name} {} {:?}{place}", path.join("."), header.declared)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn properties_at_any_depth() {
    let schema = r#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},
        "a":{"properties":{"b":{"type":"integer","x-mcp-header":"B"},"c":{"type":"number","x-mcp-header":""}}},
        "d":{"type":["string","null"],"x-mcp-header":3},"e":{"x-mcp-header":"E"},"f":{"type":"boolean","x-mcp-header":"F"},"g":{"type":"string"}}}"#;
    let expected = [
        r#""" a.c Other"#,
        r#""B" a.b Integer"#,
        r#""E" e Undeclared"#,
        r#""F" f Boolean"#,
        r#""Region" region String"#,
        "3 d Other",
    ];
    assert_eq!(found(schema), expected);
}

#[test]
fn places_where_they_must_not_be() {
    let annotated = r#"{"type":"string","x-mcp-header":"H"}"#;
    let all = [
        r#"{"properties":{"a":{"items":@}}}"#,
        r#"{"properties":{"a":{"anyOf":[@]}}}"#,
        r#"{"allOf":[{"properties":{"a":@}}]}"#,
        r#"{"if":{"properties":{"a":@}}}"#,
        r##"{"$defs":{"h":{"properties":{"a":@}}},"$ref":"#/$defs/h"}"##,
        r#"{"dependentSchemas":{"h":{"properties":{"a":@}}}}"#,
    ];
    for schema in all {
        let schema = schema.replace('@', annotated);
        assert_eq!(found(&schema), [r#""H" a String not static"#], "{schema}");
    }
    assert_eq!(
        found(&r#"{"patternProperties":{"a":@}}"#.replace('@', annotated)),
        [r#""H"  String not static"#]
    );
    assert_eq!(found(annotated), [r#""H"  String not static"#]);
}

#[test]
fn what_only_looks_like_one() {
    let schema = r#"{"properties":{"x-mcp-header":{"type":"string"}},"default":{"x-mcp-header":"a"},"enum":[{"x-mcp-header":"a"}],
        "x-other":{"x-mcp-header":"a"}}"#;
    assert!(found(schema).is_empty());
    assert!(found("3").is_empty());
}

#[test]
fn the_argument() {
    let schema = Scanned::new(
        r#"{"properties":{"a":{"properties":{"b":{"type":"integer","x-mcp-header":"B"}}}}}"#,
    );
    let header = ParamHeaders::of(schema.root()).next().unwrap();
    assert_eq!(header.declared, ParamType::Integer);
    let arguments = Scanned::new(r#"{"b":1,"a":{"b":2}}"#);
    let argument = header.argument(arguments.root()).unwrap();
    assert_eq!(argument.pointer(), "/a/b");
    assert!(header.argument(Scanned::new(r#"{"b":1}"#).root()).is_none());
}

#[test]
fn depth_is_no_matter() {
    let depth = 20_000;
    let schema = format!(
        "{}{}{}",
        r#"{"items":"#.repeat(depth),
        r#"{"x-mcp-header":"H"}"#,
        "}".repeat(depth)
    );
    assert_eq!(found(&schema).len(), 1);
}
