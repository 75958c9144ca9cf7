//! Documents that are refused, and the reasons.

use std::fs;
use std::path::Path;

use mcp_assay_json::{ScanLimits, Tape, scan};
use mcp_assay_model::Revision;
use serde_json::json;

use crate::json_schema::{SchemaDefinitions, SchemaError};

fn refuse(document: &str) -> SchemaError {
    SchemaDefinitions::new(document.as_bytes()).expect_err("the document is no good")
}

#[test]
fn a_document_that_is_no_good_is_refused_with_the_reason() {
    let cases = [
        (
            r#"{"$defs": "#,
            "read the schema: not JSON at line 1, column 10",
        ),
        (
            "[]",
            "use the schema: it has neither `$defs` nor `definitions`",
        ),
        (
            r#"{"$defs": {}}"#,
            "use the schema: it has neither `$defs` nor `definitions`",
        ),
        (
            r#"{"$schema": "https://example.com/mine", "$defs": {"A": {}}}"#,
            "use the schema: `$schema` names an unknown dialect",
        ),
        (
            r#"{"$defs": {"A": {"type": "object"}}}"#,
            "use the schema: no definition has a method (`properties.method.const`)",
        ),
        (
            r##"{"$defs": {"A": {"$ref": "#/$defs/B"}}}"##,
            "use the schema: `/$defs/A/$ref` refers to `#/$defs/B`, which is not in the document",
        ),
        (
            r#"{"$defs": {"A": {"$ref": "https://example.com/other.json"}}}"#,
            "use the schema: `/$defs/A/$ref` refers to `https://example.com/other.json`, which is not in the document",
        ),
    ];
    for (document, expected) in cases {
        assert_eq!(refuse(document).to_string(), expected);
    }
}

#[test]
fn a_document_that_is_not_json_schema_is_refused_at_the_place() {
    let not_a_type = refuse(r#"{"$defs": {"A": {"type": "thing"}}}"#);
    assert!(
        matches!(not_a_type, SchemaError::NotASchema { pointer, .. } if pointer == "/$defs/A/type")
    );
    let not_a_pattern =
        refuse(r#"{"definitions": {"A": {"properties": {"a": {"pattern": "(a"}}}}}"#);
    assert!(
        matches!(not_a_pattern, SchemaError::NotASchema { pointer, .. } if pointer.starts_with("/definitions/A/properties/a"))
    );
    // Needs backtracking, which a hostile string could make last forever.
    let not_linear = refuse(r#"{"$defs": {"A": {"patternProperties": {"(a)\\1": true}}}}"#);
    assert!(matches!(not_linear, SchemaError::NotASchema { .. }));
}

#[test]
fn values_that_look_like_keywords_are_left_alone() {
    let document = json!({"$defs": {"PingRequest": {
        "properties": {"method": {"const": "ping"}, "$ref": {"type": "string"}, "pattern": {"default": {"$ref": "#/nowhere"}}},
        "enum": [{"$ref": "#/nowhere", "method": "ping"}]
    }}});
    let definitions =
        SchemaDefinitions::new(document.to_string().as_bytes()).expect("a good document");
    assert_eq!(definitions.names().collect::<Vec<_>>(), ["PingRequest"]);
    assert_eq!(definitions.methods().collect::<Vec<_>>(), ["ping"]);
}

/// `MCP_ASSAY_OFFICIAL` names the folder of the official schemas, which are not part of this
/// repository.
#[test]
fn every_official_definition_can_be_compiled_and_accepts_its_examples() {
    let Some(folder) = std::env::var_os("MCP_ASSAY_OFFICIAL").filter(|folder| !folder.is_empty())
    else {
        // Written past the test harness, which hides the output of tests that pass.
        let why = "skipped: MCP_ASSAY_OFFICIAL does not name the folder of the official schemas";
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{why}\n"));
        return;
    };
    for revision in Revision::ALL {
        let folder = Path::new(&folder).join(revision.name());
        let document = fs::read(folder.join("schema.json")).expect("the schema can be read");
        let definitions = SchemaDefinitions::new(&document).expect("the schema can be used");
        for name in definitions.names() {
            let compiled = accepts(&definitions, name, b"null");
            assert!(compiled.is_some(), "{revision} {name}");
        }
        let examples = fs::read_dir(folder.join("examples")).into_iter().flatten();
        for folder in examples.map(|entry| entry.expect("a folder of examples")) {
            let name = folder.file_name().into_string().expect("a name in UTF-8");
            for example in fs::read_dir(folder.path()).expect("a folder of examples") {
                let path = example.expect("an example").path();
                let text = fs::read(&path).expect("an example can be read");
                let path = path.display();
                assert_eq!(accepts(&definitions, &name, &text), Some(true), "{path}");
            }
        }
    }
}

fn accepts(definitions: &SchemaDefinitions, name: &str, text: &[u8]) -> Option<bool> {
    let mut tape = Tape::new();
    scan(text, &ScanLimits::DEFAULT, &mut tape).expect("the text is JSON");
    definitions.accepts(name, tape.root(text)?, &tape)
}
