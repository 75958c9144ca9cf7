//! Keywords that mean different things in different dialects.

use super::{Scanned, fits, load, misfits};
use crate::registry::{Dialect, SchemaRegistry};

fn of(dialect: &str, rest: &str) -> String {
    format!(r#"{{"$schema":"{dialect}",{rest}}}"#)
}

const DRAFT_4: &str = "http://json-schema.org/draft-04/schema#";
const DRAFT_6: &str = "http://json-schema.org/draft-06/schema#";
const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019: &str = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020: &str = "https://json-schema.org/draft/2020-12/schema";

#[test]
fn every_dialect_has_its_names() {
    let all = [
        (DRAFT_4, Dialect::Draft4),
        (DRAFT_6, Dialect::Draft6),
        (DRAFT_7, Dialect::Draft7),
        ("http://json-schema.org/draft-07/schema", Dialect::Draft7),
        ("https://json-schema.org/draft-07/schema#", Dialect::Draft7),
        (DRAFT_2019, Dialect::Draft201909),
        (DRAFT_2020, Dialect::Draft202012),
    ];
    for (uri, dialect) in all {
        let compiled = load(&of(uri, r#""type":"object""#)).expect("a known dialect");
        assert_eq!(compiled.dialect(), dialect, "{uri}");
    }
}

#[test]
fn the_caller_names_the_default() {
    let schema = Scanned::new(r#"{"items":[{"type":"string"}]}"#);
    let registry = SchemaRegistry::default();
    let value = Scanned::new("[1]");
    let old = registry.load(schema.root(), Dialect::Draft7).unwrap();
    assert!(!old.accepts(value.root()));
    let new = registry.load(schema.root(), Dialect::Draft202012);
    assert_eq!(new.unwrap_err().pointer, "/items");
    assert_eq!(registry.len(), 2);
}

#[test]
fn items_as_a_list() {
    let rest = r#""items":[{"type":"string"}],"additionalItems":false"#;
    for dialect in [DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019] {
        fits(&of(dialect, rest), &[r#"["a"]"#, "[]"]);
        misfits(&of(dialect, rest), &["[1]", r#"["a","b"]"#]);
    }
    let rest = r#""prefixItems":[{"type":"string"}],"items":false"#;
    fits(&of(DRAFT_2020, rest), &[r#"["a"]"#, "[]"]);
    misfits(&of(DRAFT_2020, rest), &["[1]", r#"["a","b"]"#]);
    // Before 2020-12 nobody knew `prefixItems`.
    let rest = r#""prefixItems":[{"type":"string"}]"#;
    fits(&of(DRAFT_7, rest), &["[1]"]);
}

#[test]
fn exclusive_bounds() {
    let rest = r#""minimum":1,"exclusiveMinimum":true"#;
    fits(&of(DRAFT_4, rest), &["2"]);
    misfits(&of(DRAFT_4, rest), &["1"]);
    for dialect in [DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020] {
        let fault = load(&of(dialect, rest)).unwrap_err();
        assert_eq!(fault.pointer, "/exclusiveMinimum");
        assert_eq!(fault.keyword(), "exclusiveMinimum");
        misfits(&of(dialect, r#""exclusiveMinimum":1"#), &["1"]);
    }
}

#[test]
fn definitions_by_either_name() {
    for dialect in [DRAFT_4, DRAFT_7, DRAFT_2019, DRAFT_2020] {
        for name in ["definitions", "$defs"] {
            let rest = format!(
                r##""{name}":{{"a":{{"type":"string"}}}},"properties":{{"a":{{"$ref":"#/{name}/a"}}}}"##
            );
            fits(&of(dialect, &rest), &[r#"{"a":"x"}"#]);
            misfits(&of(dialect, &rest), &[r#"{"a":1}"#]);
        }
    }
}

#[test]
fn what_stands_beside_a_reference() {
    let rest = r##""definitions":{"a":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/a","minLength":3}}"##;
    fits(&of(DRAFT_7, rest), &[r#"{"a":"x"}"#]);
    misfits(&of(DRAFT_2020, rest), &[r#"{"a":"x"}"#]);
}

#[test]
fn conditions_and_dependencies() {
    let rest = r#""if":{"required":["a"]},"then":{"required":["b"]}"#;
    for dialect in [DRAFT_7, DRAFT_2020] {
        misfits(&of(dialect, rest), &[r#"{"a":1}"#]);
        fits(&of(dialect, rest), &[r#"{"a":1,"b":1}"#, "{}"]);
    }
    fits(&of(DRAFT_4, rest), &[r#"{"a":1}"#]);
    let rest = r#""dependencies":{"a":["b"],"c":{"required":["d"]}}"#;
    misfits(&of(DRAFT_7, rest), &[r#"{"a":1}"#, r#"{"c":1}"#]);
    let rest = r#""dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}"#;
    misfits(&of(DRAFT_2020, rest), &[r#"{"a":1}"#, r#"{"c":1}"#]);
}

#[test]
fn what_is_left_over() {
    let rest = r#""allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false"#;
    misfits(&of(DRAFT_2020, rest), &[r#"{"b":1}"#]);
    fits(&of(DRAFT_2020, rest), &[r#"{"a":1}"#]);
    fits(&of(DRAFT_7, rest), &[r#"{"b":1}"#]);
}

#[test]
fn references_that_depend_on_the_way() {
    let schema = of(
        DRAFT_2020,
        r##""$id":"https://x.example/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,
        "$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","type":"object","properties":{"children":{"type":"array",
        "items":{"$dynamicRef":"#node"}}}}}"##,
    );
    fits(&schema, &[r#"{"children":[{"children":[]}]}"#]);
    misfits(&schema, &[r#"{"children":[{"kids":[]}]}"#]);
}

#[test]
fn annotations_refuse_nothing() {
    let rest = r#""properties":{"a":{"format":"email"},"b":{"contentEncoding":"base64","contentMediaType":"application/json"}}"#;
    for dialect in [DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020] {
        fits(&of(dialect, rest), &[r#"{"a":"x","b":"?"}"#]);
    }
}

#[test]
fn a_dialect_named_inside_is_forgotten() {
    let schema = r#"{"properties":{"a":{"$schema":"urn:x","type":"string"}}}"#;
    fits(schema, &[r#"{"a":"x"}"#]);
    misfits(schema, &[r#"{"a":1}"#]);
}
