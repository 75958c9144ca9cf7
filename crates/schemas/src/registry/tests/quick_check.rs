//! A schema that is deferred compiles, whatever is changed in it; and the usual schemas of tools
//! are deferred.

use serde_json::{Value, json};

use super::super::Dialect;
use super::super::pattern_syntax::is_plain_pattern;
use super::{Scanned, SchemaRegistry};

const USUAL: &[&str] = &[
    r#"{"type":"object"}"#,
    r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"path":{"type":"string","description":"a path","minLength":1,"maxLength":256},"limit":{"type":"integer","minimum":0,"exclusiveMaximum":100.5,"default":10},"tags":{"type":["array","null"],"items":{"type":"string"},"minItems":1,"uniqueItems":true}},"required":["path","limit"],"additionalProperties":false}"#,
    r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Order","type":"object","$defs":{"Item":{"type":"object","properties":{"sku":{"type":"string","pattern":"^[A-Z]{2}-\\d+$"},"price":{"$ref":"#/$defs/Price"}}},"Price":{"type":"number","multipleOf":1,"exclusiveMinimum":0}},"properties":{"items":{"type":"array","items":{"$ref":"#/$defs/Item"}},"pair":{"prefixItems":[{"type":"string"},true]}}}"##,
    r#"{"properties":{"kind":{"const":"a","x-order":1},"value":{"anyOf":[{"type":"null"},{"oneOf":[{"enum":["x",1,null,{"a":[1]}]},{"not":{"type":"string","format":"uri"}}]}],"examples":["x"],"deprecated":true},"rest":{"if":{"required":["a"]},"then":{"maxProperties":3},"else":{"allOf":[{"minProperties":1}]}}},"patternProperties":{"^x-":{"type":"boolean"}},"propertyNames":{"maxLength":20}}"#,
];

/// Values that are right in some places and wrong in others.
fn fragments() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(""),
        json!("string"),
        json!("text"),
        json!("^(a"),
        json!("[z-a]"),
        json!("a{2,1}"),
        json!("#/$defs/Item"),
        json!("#/$defs/None"),
        json!("other.json#/a"),
        json!("http://json-schema.org/draft-04/schema#"),
        json!([]),
        json!([1]),
        json!(["a", "a"]),
        json!(["string"]),
        json!([{"type": "text"}]),
        json!({}),
        json!({"type": "text"}),
        json!({"a": 1}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/Item"}),
        json!({"$id": "::"}),
    ]
}

/// Keywords that may take the place of another.
const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "const",
    "minimum",
    "multipleOf",
    "maxLength",
    "pattern",
    "anyOf",
    "not",
    "$ref",
    "$defs",
    "$id",
    "$anchor",
    "$dynamicRef",
    "dependencies",
    "dependentRequired",
    "contains",
    "unevaluatedProperties",
    "patternProperties",
    "additionalItems",
    "format",
    "default",
    "uniqueItems",
    "x-mcp-header",
    "$schema",
    "unknown",
];

/// Whether a schema is deferred; then it loads, too.
fn is_deferred(registry: &SchemaRegistry, text: &str, default: Dialect) -> bool {
    let schema = Scanned::new(text);
    let Some(deferred) = registry.defer(schema.root(), default) else {
        return false;
    };
    if let Err(fault) = registry.load(schema.root(), default) {
        panic!("{text} is deferred: {fault}");
    }
    assert!(deferred.compiled(registry).is_some(), "{text}");
    true
}

#[test]
fn usual_schemas_are_deferred() {
    let registry = SchemaRegistry::default();
    for schema in USUAL {
        assert!(
            is_deferred(&registry, schema, Dialect::Draft202012),
            "{schema}"
        );
    }
    let compiled = registry.counters().compiled;
    let again = Scanned::new(USUAL[1]);
    assert!(registry.defer(again.root(), Dialect::Draft202012).is_some());
    assert_eq!(registry.counters().compiled, compiled);
}

#[test]
fn a_schema_is_compiled_at_its_first_use() {
    let registry = SchemaRegistry::default();
    let schema = Scanned::new(USUAL[1]);
    let deferred = registry.defer(schema.root(), Dialect::Draft202012);
    let deferred = deferred.expect("it is deferred");
    assert_eq!(registry.counters().compiled, 0);
    let value = Scanned::new(r#"{"path":"","limit":3}"#);
    for _ in 0..2 {
        let compiled = deferred.compiled(&registry).expect("it compiles");
        assert!(!compiled.accepts(value.root()));
        assert_eq!(registry.counters().compiled, 1);
    }
}

#[test]
fn no_schema_with_a_fault_is_deferred() {
    let (mut deferred, mut others) = (0, 0);
    let mut count = |registry: &SchemaRegistry, text: &str, dialect| {
        if is_deferred(registry, text, dialect) {
            deferred += 1;
        } else {
            others += 1;
        }
    };
    for schema in USUAL {
        let registry = SchemaRegistry::default();
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        let mut pointers = Vec::new();
        collect(&schema, String::new(), &mut pointers);
        for pointer in &pointers {
            for (number, fragment) in fragments().into_iter().enumerate() {
                let mut changed = schema.clone();
                *changed.pointer_mut(pointer).expect("a place") = fragment;
                let dialect = [Dialect::Draft202012, Dialect::Draft7][number % 2];
                count(&registry, &changed.to_string(), dialect);
            }
            let Some((holder, key)) = pointer.rsplit_once('/') else {
                continue;
            };
            for keyword in KEYWORDS {
                let mut changed = schema.clone();
                if let Some(members) = changed.pointer_mut(holder).and_then(Value::as_object_mut) {
                    let value = members.remove(key).unwrap_or_default();
                    members.insert((*keyword).to_owned(), value);
                    count(&registry, &changed.to_string(), Dialect::Draft202012);
                }
            }
        }
    }
    assert!(deferred > 200 && others > 1000, "{deferred} {others}");
}

fn collect(value: &Value, pointer: String, into: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                collect(member, format!("{pointer}/{name}"), into);
            }
        }
        Value::Array(items) => {
            for (position, item) in items.iter().enumerate() {
                collect(item, format!("{pointer}/{position}"), into);
            }
        }
        _ => {}
    }
    into.push(pointer);
}

#[test]
fn doubtful_schemas_are_left_to_the_compiler() {
    let registry = SchemaRegistry::default();
    let deep = format!("{}true{}", r#"{"items":"#.repeat(40), "}".repeat(40));
    let names: Vec<_> = (0..40).map(|name| format!("\"n{name}\"")).collect();
    let doubling: Vec<_> = (0..20)
        .map(|level| {
            let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", level + 1);
            format!("\"d{level}\":{{\"allOf\":[{next},{next}]}}")
        })
        .collect();
    for schema in [
        r#"{"type":"string","type":"string"}"#.to_owned(),
        r##"{"$ref":"#"}"##.to_owned(),
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}}"##.to_owned(),
        r#"{"$id":"a"}"#.to_owned(),
        r#"{"pattern":"^(?=a)"}"#.to_owned(),
        r#"{"x-a":{"$id":"b"}}"#.to_owned(),
        r#"{"minimum":1e400}"#.to_owned(),
        format!("{{\"required\":[{}]}}", names.join(",")),
        format!("{{\"$defs\":{{{},\"d20\":{{}}}}}}", doubling.join(",")),
        deep,
    ] {
        assert!(
            !is_deferred(&registry, &schema, Dialect::Draft202012),
            "{schema}"
        );
    }
}

#[test]
fn plain_patterns_are_regular_expressions() {
    const PATTERNS: &[&str] = &[
        r"^[a-z0-9_-]+$",
        r"^\d{4}-\d{2,}$",
        r"^(https?://)?([\w.-]+\.)+[a-z]{2,6}(/.*)?$",
        r"^(?:a|b|)*?c$",
        r#"["'<>]"#,
    ];
    let quoted = |pattern: &str| json!(pattern).to_string();
    for pattern in PATTERNS {
        assert!(is_plain_pattern(quoted(pattern).as_bytes()), "{pattern}");
    }
    for pattern in [
        r"(?=a)", r"(a)\1", r"\p{L}", r"[[a]]", r"[a&&b]", "[]", "[z-a]", "a{2,1}", "a{", "(a",
        "a)", "*", "a**", "^*", r"\-", r"\x41", "[a-\\d]", "[--a]", "a{9999}",
    ] {
        assert!(!is_plain_pattern(quoted(pattern).as_bytes()), "{pattern}");
    }
    let registry = SchemaRegistry::default();
    let (mut plain, mut doubtful) = (0, 0);
    for pattern in PATTERNS {
        for (at, _) in pattern.char_indices() {
            for added in r"^$|()[]{}*+?.\-,:=d1aé".chars() {
                let mut changed = (*pattern).to_owned();
                changed.insert(at, added);
                let schema = format!("{{\"pattern\":{}}}", quoted(&changed));
                if is_deferred(&registry, &schema, Dialect::Draft202012) {
                    plain += 1;
                } else {
                    doubtful += 1;
                }
            }
        }
    }
    assert!(plain > 300 && doubtful > 300, "{plain} {doubtful}");
}
