//! A verdict over the tape is the verdict over a tree of values.

use std::sync::LazyLock;

use jsonschema::json::{JsonNumber, Node as _, SerdeJson, cmp, conformance};
use jsonschema::{PatternOptions, Validator};
use mcp_assay_json::{ScanLimits, Tape, scan};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::value::{TapeJson, TapeNode};

/// Scans a text and reads it as `jsonschema` does.
fn with_tape<T>(text: &str, look: impl FnOnce(TapeNode<'_>) -> T) -> T {
    let mut tape = Tape::new();
    scan(text.as_bytes(), &ScanLimits::DEFAULT, &mut tape).expect("the text is JSON");
    let root = tape
        .root(text.as_bytes())
        .expect("a scanned text has a root");
    look(TapeNode::new(root, &tape))
}

#[test]
fn the_tape_keeps_the_contract_of_a_representation() {
    with_tape(&conformance::document().to_string(), |root| {
        conformance::assert_conformance::<TapeJson>(&root);
    });
}

#[test]
fn the_contract_holds_for_other_spellings() {
    let text = r#"{ "str\u0069ng":"h\u00e9llo","integer":42,"float":15e-1, "boolean":false,"boolean":true,
        "null":null,"array":[10, 20,30],"duplicates":[1,{"a":1},{"a":1.0}],"object":{"nested":"","nested":"value"} }"#;
    with_tape(text, |root| {
        conformance::assert_conformance::<TapeJson>(&root);
    });
}

/// One schema or more for each family of keywords.
static SCHEMAS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let tree = json!({"$defs": {"tree": {
        "anyOf": [
            {"type": ["number", "string", "boolean", "null"]},
            {"type": "array", "items": {"$ref": "#/$defs/tree"}},
            {"type": "object", "required": ["a"], "additionalProperties": {"$ref": "#/$defs/tree"}},
        ]
    }}, "$ref": "#/$defs/tree"});
    let draft_04 = "http://json-schema.org/draft-04/schema#";
    let draft_07 = "http://json-schema.org/draft-07/schema#";
    vec![
        json!(true),
        json!(false),
        json!({"type": "object"}),
        json!({"type": "integer"}),
        json!({"type": ["number", "null"]}),
        json!({"items": {"type": "integer"}}),
        json!({"items": {"type": "string", "minLength": 1, "maxLength": 2}}),
        json!({"additionalProperties": {"type": "string"}}),
        json!({"properties": {"a": {"type": "integer"}, "b": false}, "required": ["a"]}),
        json!({"required": ["a", "b", "é"]}),
        json!({"properties": {"a/b": true, "n~m": {"minimum": 1}}, "additionalProperties": false}),
        json!({"patternProperties": {"^a": {"type": "number"}, "é": {"type": "array"}}}),
        json!({"patternProperties": {"b$": true}, "additionalProperties": {"const": null}}),
        json!({"propertyNames": {"minLength": 1, "pattern": "^[a-n]"}}),
        json!({"propertyNames": {"enum": ["a", "b"]}}),
        json!({"minProperties": 1, "maxProperties": 2}),
        json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"maxProperties": 1}}}),
        json!({"unevaluatedProperties": false, "properties": {"a": true}, "anyOf": [{"properties": {"b": {"type": "null"}}}, true]}),
        json!({"minItems": 1, "maxItems": 3}),
        json!({"uniqueItems": true}),
        json!({"items": {"uniqueItems": true}}),
        json!({"additionalProperties": {"uniqueItems": true}}),
        json!({"prefixItems": [{"type": "number"}], "items": {"type": "string"}}),
        json!({"contains": {"type": "integer"}, "minContains": 1, "maxContains": 2}),
        json!({"prefixItems": [true], "unevaluatedItems": {"type": "number"}}),
        json!({"items": {"minimum": 1, "maximum": 1e2}}),
        json!({"items": {"exclusiveMinimum": 1, "exclusiveMaximum": 9_007_199_254_740_993_u64}}),
        json!({"items": {"multipleOf": 2}}),
        json!({"items": {"multipleOf": 0.5}}),
        json!({"additionalProperties": {"multipleOf": 0.1}}),
        json!({"items": {"const": 1}}),
        json!({"items": {"const": "a"}}),
        json!({"const": {"a": 1, "b": [true, null]}}),
        json!({"additionalProperties": {"enum": [0, 1.5, "é", [], {"a": 1.0}, 18_446_744_073_709_551_615_u64]}}),
        json!({"items": {"pattern": "^\\w*$"}}),
        json!({"items": {"format": "uri"}}),
        json!({"contentEncoding": "base64"}),
        json!({"allOf": [{"type": "object"}, {"minProperties": 1}]}),
        json!({"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}, {"type": "array"}]}),
        json!({"not": {"required": ["a"]}}),
        json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"type": "array"}}),
        tree,
        json!({"$schema": draft_07, "items": [{"type": "number"}], "additionalItems": false}),
        json!({"$schema": draft_07, "dependencies": {"a": ["b"], "b": {"required": ["é"]}}}),
        json!({"$schema": draft_04, "additionalProperties": {"minimum": 1, "exclusiveMinimum": true}}),
    ]
});

static VALIDATORS: LazyLock<Vec<(Validator<TapeJson>, Validator<SerdeJson>)>> =
    LazyLock::new(|| {
        let pair = |schema| {
            let over_tape =
                jsonschema::options_for::<TapeJson>().with_pattern_options(PatternOptions::regex());
            let over_tree = jsonschema::options().with_pattern_options(PatternOptions::regex());
            let built = (over_tape.build(schema), over_tree.build(schema));
            (
                built.0.expect("a valid schema"),
                built.1.expect("a valid schema"),
            )
        };
        SCHEMAS.iter().map(pair).collect()
    });

/// The text means the same to both, whatever the schema.
fn agree(text: &str) {
    let tree: Value = serde_json::from_str(text).expect("the text is JSON");
    with_tape(text, |node| {
        for (schema, (over_tape, over_tree)) in SCHEMAS.iter().zip(&*VALIDATORS) {
            assert_eq!(
                over_tape.is_valid(node),
                over_tree.is_valid(&tree),
                "{schema} of {text}"
            );
            let found = places(over_tape.iter_errors(node));
            assert_eq!(
                found,
                places(over_tree.iter_errors(&tree)),
                "{schema} of {text}"
            );
            assert_eq!(
                over_tape.is_valid(node),
                found.is_empty(),
                "{schema} of {text}"
            );
        }
        assert!(cmp::equal(&node.to_value(), &tree), "{text}");
        assert!(node.equals_value(&tree), "{text}");
    });
}

fn places<'e>(errors: impl Iterator<Item = jsonschema::ValidationError<'e>>) -> Vec<String> {
    let place = |error: jsonschema::ValidationError<'_>| {
        format!("{} {}", error.instance_path(), error.kind().keyword())
    };
    let mut places: Vec<_> = errors.map(place).collect();
    places.sort();
    places
}

/// Strings in every spelling that JSON has for them.
fn string() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        6 => prop::sample::select(vec!["a", "b", "c", "n", "m", "/", "~", "é", "\u{1f980}", " ", "0"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["\\n", "\\\"", "\\\\", "\\/", "\\u0061", "\\u00E9", "\\ud83e\\udd80", "\\u0000"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(character, 0..4)
        .prop_map(|characters| format!("\"{}\"", characters.concat()))
}

/// Names that the schemas know, and others.
fn name() -> impl Strategy<Value = String> {
    let known = vec![
        "\"a\"",
        "\"b\"",
        "\"\\u0061\"",
        "\"é\"",
        "\"a/b\"",
        "\"n~m\"",
        "\"\"",
        "\"0\"",
    ];
    prop_oneof![4 => prop::sample::select(known).prop_map(str::to_owned), 1 => string()]
}

fn number() -> impl Strategy<Value = String> {
    let known = vec![
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "1.0",
        "1e0",
        "10e-1",
        "1.5",
        "15e-1",
        "2",
        "100",
        "1e2",
        "1E+2",
        "0.1",
        "0.30",
        "-3",
        "1e-7",
        "9007199254740992",
        "9007199254740993",
        "-9223372036854775808",
        "18446744073709551615",
        "1e19",
        "1e300",
        "1e-320",
    ];
    prop_oneof![
        4 => prop::sample::select(known).prop_map(str::to_owned),
        1 => (-1000..1000_i64).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => (-1.0e6..1.0e6_f64).prop_map(|number| number.to_string()),
    ]
}

fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        1 => prop::sample::select(vec!["null", "true", "false", "[]", "{}"]).prop_map(str::to_owned),
        2 => string(),
        3 => number(),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        let member = (name(), inner.clone()).prop_map(|(name, value)| format!("{name} :{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(member, 0..6)
                .prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn verdicts_over_tape_and_tree_agree(text in document()) {
        agree(&text);
    }
}

#[test]
fn of_a_repeated_key_the_last_one_counts() {
    for text in [
        r#"{"a":"x","a":1}"#,
        r#"{"a":1,"\u0061":"x"}"#,
        r#"{"a":1,"b":{"a":2,"a":3},"a":4,"b":null}"#,
        r#"{"a":{"a":1,"a":1},"b":0,"a":{"b":1}}"#,
        r#"[{"a":1},{"a":2,"a":1}]"#,
    ] {
        agree(text);
    }
}

#[test]
fn large_arrays_find_the_one_repeated_item() {
    let mut items: Vec<_> = (0..500)
        .map(|number| format!("{{\"a\":{number},\"b\":[\"{number}\"]}}"))
        .collect();
    agree(&format!("[{}]", items.join(",")));
    items.push("{\"b\":[\"\\u0037\"],\"a\":7.0}".to_owned());
    agree(&format!("[{}]", items.join(",")));
}

#[test]
fn numbers_beyond_64_bits_keep_their_digits() {
    let even = json!({"multipleOf": 2});
    let cases = [
        ("18446744073709551616", &even, true),
        ("18446744073709551617", &even, false),
        ("123456789012345678901234567891", &even, false),
        (
            "123456789012345678901234567891",
            &json!({"type": "integer"}),
            true,
        ),
        (
            "18446744073709551616",
            &json!({"exclusiveMinimum": 18_446_744_073_709_551_615_u64}),
            true,
        ),
        ("1e400", &json!({"type": "number", "minimum": 5}), true),
        ("-1e400", &json!({"minimum": 5}), false),
        ("1e400", &json!({"const": 5}), false),
        // This draft defines an integer by its spelling; a tree of values has lost that.
        (
            "1e19",
            &json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}),
            false,
        ),
        (
            "10000000000000000000000",
            &json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}),
            true,
        ),
    ];
    for (text, schema, expected) in cases {
        let validator = jsonschema::options_for::<TapeJson>()
            .build(schema)
            .expect("a valid schema");
        assert_eq!(
            with_tape(text, |node| validator.is_valid(node)),
            expected,
            "{schema} of {text}"
        );
    }
    with_tape("123456789012345678901234567890", |node| {
        let number = node.as_number().expect("a number");
        assert_eq!(number.as_str(), "123456789012345678901234567890");
        assert_eq!((number.as_u64(), number.as_i64()), (None, None));
    });
}

#[test]
fn references_in_a_circle_end() {
    let schema = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "propertyNames": {"$ref": "#/$defs/a"}});
    let validator = jsonschema::options_for::<TapeJson>()
        .build(&schema)
        .expect("a valid schema");
    assert!(with_tape(r#"{"":1,"x":2}"#, |node| validator.is_valid(node)));
}
