//! Values that a simple schema accepts are accepted by the validator; and the usual schemas of
//! tools are simple.

use mcp_assay_json::{ScanLimits, Tape, scan};

use super::super::dialect::Dialect;
use super::super::simple::Simple;
use super::super::{Fit, SchemaRegistry};

const SCHEMAS: &[&str] = &[
    r#"{"type":"object","properties":{"a":{"type":"string","minLength":1,"maxLength":3},"b":{"type":"integer","minimum":0,"maximum":9}},"required":["a"],"additionalProperties":false}"#,
    r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"array","items":{"type":"number"}}}}"#,
    r#"{"type":"object","properties":{"a":{"enum":["x","yy"],"default":"x"},"b":{"anyOf":[{"type":"null"},{"type":"object","required":["c"]}]}},"required":["b"]}"#,
    r#"{"properties":{"a":{"type":"boolean","title":"A"},"b":{}},"required":["b","c"]}"#,
];

const VALUES: &[&str] = &[
    "{}",
    r#"{"a":"x"}"#,
    r#"{"a":""}"#,
    r#"{"a":"xyzz"}"#,
    r#"{"a":"ééé","b":9}"#,
    r#"{"a":"\u0041\u0042\u0043","b":10}"#,
    r#"{"a":"x","b":-1}"#,
    r#"{"a":"x","b":1.0}"#,
    r#"{"a":"x","b":1.5}"#,
    r#"{"a":"x","b":1e0}"#,
    r#"{"a":"x","b":12345678901234567890}"#,
    r#"{"a":"x","b":-9223372036854775808}"#,
    r#"{"a":"x","c":1}"#,
    r#"{"a":1,"a":"x"}"#,
    r#"{"a":"x","a":1}"#,
    r#"{"\u0061":"x"}"#,
    r#"{"a":null,"b":[1,2.5,-3e2]}"#,
    r#"{"a":"yy","b":[1,"2"]}"#,
    r#"{"a":"y","b":null}"#,
    r#"{"a":"yy","b":null}"#,
    r#"{"b":{"c":1}}"#,
    r#"{"b":{"d":1},"c":null}"#,
    r#"{"a":true,"b":0,"c":[]}"#,
    r#"{"a":"true","b":0,"c":[]}"#,
    "[]",
    "null",
    r#""x""#,
    "5",
];

fn with<T>(text: &str, work: impl FnOnce(mcp_assay_json::Node<'_>) -> T) -> T {
    let mut tape = Tape::new();
    scan(text.as_bytes(), &ScanLimits::DEFAULT, &mut tape).expect("JSON");
    work(tape.root(text.as_bytes()).expect("a value"))
}

#[test]
fn a_simple_schema_is_never_wrong() {
    let registry = SchemaRegistry::default();
    let mut sure = 0;
    for schema in SCHEMAS {
        let simple = with(schema, |node| Simple::read(node, Dialect::Draft202012));
        let simple = simple.unwrap_or_else(|| panic!("not simple: {schema}"));
        // An equal schema that is not simple is checked by the validator alone.
        let full = schema.replacen('{', r#"{"allOf":[{}],"#, 1);
        assert!(with(&full, |node| Simple::read(node, Dialect::Draft202012)).is_none());
        let compiled = with(&full, |node| registry.load(node, Dialect::Draft202012));
        let compiled = compiled.expect("a schema");
        for value in VALUES {
            let (yes, fit) = with(value, |node| {
                (simple.surely_accepts(node), compiled.judge(node))
            });
            assert!(!yes || fit == Fit::Fits, "{schema} and {value}");
            sure += usize::from(yes);
        }
    }
    assert!(sure >= 12, "only {sure} values are known to fit at once");
}

#[test]
fn other_schemas_are_not_simple() {
    for schema in [
        r##"{"$ref":"#/$defs/a","$defs":{"a":{}}}"##,
        r#"{"type":"string","pattern":"^a"}"#,
        r#"{"not":{}}"#,
        r#"{"properties":{"a":{"const":1}}}"#,
        r#"{"minimum":0.5}"#,
        r#"{"minimum":-9223372036854775808}"#,
        r#"{"enum":[1,2]}"#,
        r#"{"type":"object","type":"string"}"#,
        r#"{"additionalProperties":{"type":"string"}}"#,
        r#"{"items":[{"type":"string"}]}"#,
        "true",
    ] {
        assert!(
            with(schema, |node| Simple::read(node, Dialect::Draft202012)).is_none(),
            "{schema}"
        );
    }
    let schema = SCHEMAS[0];
    assert!(with(schema, |node| Simple::read(node, Dialect::Draft4)).is_none());
}
