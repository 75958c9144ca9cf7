//! Agreement of verdicts on a value on the tape, with a meter, and on the same value in a tree.

use jsonschema::json::conformance;
use proptest::prelude::*;
use serde_json::Value;

use super::Scanned;
use crate::registry::complexity::Work;
use crate::registry::meter::{Meter, Prices};
use crate::registry::metered::{MeteredJson, MeteredNode};
use crate::registry::{Dialect, Fit, SchemaRegistry};

#[test]
fn the_contract_of_a_representation_is_kept() {
    let document = Scanned::new(conformance::document().to_string());
    let meter = Meter::new(1_000_000, Prices::new(Work::default(), 1));
    let root = MeteredNode::Token(document.root(), &meter);
    conformance::assert_conformance::<MeteredJson>(&root);
    assert!(!meter.is_spent());
}

const SCHEMAS: [&str; 24] = [
    r#"{"type":["object","null"],"required":["a"]}"#,
    r#"{"properties":{"a":{"type":"integer"},"b":{"minimum":2}},"additionalProperties":false}"#,
    r#"{"patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"number"}}"#,
    r#"{"propertyNames":{"maxLength":1},"minProperties":1,"maxProperties":2}"#,
    r#"{"items":{"type":["integer","string"]},"minItems":1,"maxItems":2,"uniqueItems":true}"#,
    r#"{"prefixItems":[{"type":"integer"}],"items":{"type":"string"}}"#,
    r#"{"contains":{"type":"integer"},"minContains":1,"maxContains":2}"#,
    r#"{"anyOf":[{"type":"integer"},{"type":"string","minLength":2},{"required":["a"]}]}"#,
    r#"{"oneOf":[{"type":"integer"},{"minimum":2},{"required":["b"]}]}"#,
    r#"{"allOf":[{"required":["a"]},{"not":{"required":["b"]}}]}"#,
    r#"{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"maxProperties":1}}"#,
    r#"{"dependentRequired":{"a":["b"]},"dependentSchemas":{"b":{"minProperties":3}}}"#,
    r#"{"enum":[1,"a",null,[1],{"a":1}]}"#,
    r#"{"const":{"a":[1]}}"#,
    r#"{"type":"number","multipleOf":0.5,"exclusiveMaximum":3}"#,
    r#"{"type":"string","pattern":"^[a-c]+$","maxLength":3}"#,
    r##"{"anyOf":[{"type":["integer","string"]},{"items":{"$ref":"#"}}],"additionalProperties":{"$ref":"#"}}"##,
    r##"{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{"$ref":"#/$defs/y"}}},"y":{"type":"array","items":{"$ref":"#/$defs/x"}}}}"##,
    r#"{"anyOf":[{"properties":{"a":true},"required":["a"]},{"properties":{"b":true}}],"unevaluatedProperties":false}"#,
    r#"{"prefixItems":[true],"contains":{"type":"string"},"unevaluatedItems":false}"#,
    r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"integer"}],"additionalItems":{"type":"string"}}"#,
    r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","minimum":1,"exclusiveMinimum":true}"#,
    r#"{"$schema":"http://json-schema.org/draft-06/schema#","dependencies":{"a":["b"],"b":{"required":["a"]}}}"#,
    r##"{"$schema":"https://json-schema.org/draft/2019-09/schema","items":{"$recursiveRef":"#"},"maxItems":2}"##,
];

fn values() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["a", "b", "ab", "é", "\n"]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_i64..5).prop_map(Value::from),
        prop::sample::select(vec![0.5, 1.0, 2.25, 1e20]).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "abc", "abd", "é\"", "abca"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name.clone().prop_map(str::to_owned), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_tree_is_judged_alike(value in values()) {
        let registry = SchemaRegistry::default();
        let scanned = Scanned::new(value.to_string());
        for text in SCHEMAS {
            let schema: Value = serde_json::from_str(text).expect("the schema is JSON");
            let tree = jsonschema::options().should_validate_formats(false).build(&schema);
            let expected = tree.expect("the schema is fine").is_valid(&value);
            let compiled = registry.load(Scanned::new(text).root(), Dialect::Draft202012);
            let compiled = compiled.expect("the schema is fine");
            let mut told = 0;
            let fit = compiled.check(scanned.root(), &mut |_| told += 1);
            prop_assert_eq!(fit, if expected { Fit::Fits } else { Fit::Misfits }, "{} {}", text, value);
            prop_assert_eq!(told == 0, expected);
            prop_assert_eq!(compiled.accepts(scanned.root()), expected);
        }
    }
}
