//! Faults of a schema, and their places.

use super::{Scanned, fits, load};
use crate::registry::SchemaFaultKind as Kind;

fn fault(schema: &str) -> (Kind, String) {
    let fault = load(schema).expect_err(schema);
    let scanned = Scanned::new(schema);
    let at = fault.locate(scanned.root());
    // A pointer that can be walked ends where it says.
    assert_eq!(at.pointer(), fault.pointer, "{schema}: {fault}");
    assert!(!fault.to_string().is_empty());
    (fault.kind.clone(), fault.pointer.clone())
}

#[track_caller]
fn not_a_schema(schema: &str, pointer: &str) {
    let (kind, at) = fault(schema);
    assert!(matches!(kind, Kind::NotASchema { .. }), "{kind:?}");
    assert_eq!(at, pointer);
}

#[test]
fn the_meta_schema_is_asked() {
    not_a_schema(r#"{"type":"object","required":"a"}"#, "/required");
    not_a_schema(r#"{"type":"objekt"}"#, "/type");
    not_a_schema(
        r#"{"properties":{"a":{"minLength":-1}}}"#,
        "/properties/a/minLength",
    );
    not_a_schema(
        r#"{"properties":{"a/b":{"items":3}}}"#,
        "/properties/a~1b/items",
    );
    not_a_schema(r#"{"anyOf":[]}"#, "/anyOf");
    not_a_schema("3", "");
    not_a_schema("null", "");
    not_a_schema("[]", "");
    let old = r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":{"items":{"items":{"type":"x"}}}}"#;
    not_a_schema(old, "/items/items/items/type");
    not_a_schema(
        r#"{"$schema":"http://json-schema.org/draft-04/schema#","required":[]}"#,
        "/required",
    );
    not_a_schema(r#"{"$schema":3}"#, "/$schema");
}

#[test]
fn unknown_dialects() {
    let (kind, at) = fault(r#"{"type":"object","$schema":"urn:x"}"#);
    assert_eq!((kind, at.as_str()), (Kind::UnknownDialect, "/$schema"));
}

#[test]
fn other_documents_are_not_fetched() {
    let all = [
        "http://x.example/s",
        "https://x.example/s.json#/a",
        "https://x.example/s#anchor",
        "file:///etc/passwd",
        "other.json",
        "other.json#/a",
        "urn:x:y",
    ];
    for reference in all {
        let schema = format!(r#"{{"properties":{{"a":{{"$ref":"{reference}"}}}}}}"#);
        let (kind, at) = fault(&schema);
        let expected = Kind::ExternalReference {
            reference: reference.to_owned(),
        };
        assert_eq!((kind, at.as_str()), (expected, "/properties/a/$ref"));
    }
    // Also in unusual places.
    let schema = r#"{"$defs":{"a":{"$ref":"https://x.example/s"}}}"#;
    assert_eq!(fault(schema).1, "/$defs/a/$ref");
}

#[test]
fn references_to_nothing() {
    for reference in ["#/$defs/b", "#anchor", "#/enum/0", "%%", "#/a/b/c"] {
        let schema = format!(r#"{{"enum":[1],"items":{{"$ref":"{reference}"}}}}"#);
        let (kind, at) = fault(&schema);
        let expected = Kind::DanglingReference {
            reference: reference.to_owned(),
        };
        assert_eq!((kind, at.as_str()), (expected, "/items/$ref"));
    }
    let schema = r##"{"$dynamicRef":"#nobody"}"##;
    assert_eq!(fault(schema).1, "/$dynamicRef");
}

#[test]
fn references_that_are_fine() {
    fits(
        r##"{"$ref":"#/x-parts/a","x-parts":{"a":{"type":"string"}}}"##,
        &[r#""x""#],
    );
    fits(
        r##"{"$ref":"#a","$defs":{"b":{"$anchor":"a","type":"string"}}}"##,
        &[r#""x""#],
    );
    fits(
        r##"{"$ref":"#/$defs/a%20b~1c","$defs":{"a b/c":{"type":"string"}}}"##,
        &[r#""x""#],
    );
    fits(
        r#"{"$id":"https://x.example/a","$ref":"b","$defs":{"b":{"$id":"b","type":"string"}}}"#,
        &[r#""x""#],
    );
    fits(
        r#"{"$id":"https://x.example/a","items":{"$ref":"https://x.example/a"}}"#,
        &["[[[]]]"],
    );
    fits(
        r#"{"properties":{"schema":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}}"#,
        &[r#"{"schema":{"type":"string"}}"#],
    );
    fits(
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"schema":{"$ref":"http://json-schema.org/draft-07/schema#"}}}"#,
        &[r#"{"schema":{"items":[{}]}}"#],
    );
    // Not references: a property of this name, and values.
    fits(
        r#"{"properties":{"$ref":{"type":"string"}},"default":{"$ref":"http://x.example/"},"enum":[{"$ref":"y"}]}"#,
        &[r#"{"$ref":"y"}"#],
    );
}

#[test]
fn patterns_that_are_none() {
    let (kind, at) = fault(r#"{"properties":{"a":{"pattern":"(["}}}"#);
    assert_eq!(
        (kind, at.as_str()),
        (Kind::BadPattern, "/properties/a/pattern")
    );
    let (kind, at) = fault(r#"{"patternProperties":{"(a":{}}}"#);
    assert_eq!(
        (kind, at.as_str()),
        (Kind::BadPattern, "/patternProperties/(a")
    );
    let old = r#"{"$schema":"http://json-schema.org/draft-07/schema#","pattern":"(["}"#;
    assert_eq!(fault(old).0, Kind::BadPattern);
}

#[test]
fn names_that_are_none() {
    not_a_schema(r#"{"$defs":{"a":{"$id":"%%"}}}"#, "/$defs/a/$id");
}
