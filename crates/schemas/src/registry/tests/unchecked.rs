//! Patterns that do not run in linear time are not checked, and that never refuses what the schema
//! accepts.

use super::{fits, load, misfits};

const LOOK: &str = "^(?=.*[A-Z]).{3,}$";

fn unchecked(schema: &str) -> Vec<String> {
    load(schema)
        .expect("the schema is fine")
        .unchecked()
        .to_vec()
}

#[test]
fn the_rest_is_checked() {
    let schema =
        format!(r#"{{"properties":{{"a":{{"type":"string","pattern":"{LOOK}","minLength":3}}}}}}"#);
    assert_eq!(unchecked(&schema), ["/properties/a/pattern"]);
    fits(&schema, &[r#"{"a":"abc"}"#, r#"{"a":"Abc"}"#]);
    misfits(&schema, &[r#"{"a":1}"#, r#"{"a":"x"}"#]);
    assert!(unchecked(r#"{"pattern":"^[a-z]{1,64}$"}"#).is_empty());
    misfits(r#"{"pattern":"^[a-z]{1,64}$"}"#, &[r#""A""#]);
}

#[test]
fn a_negation_goes_with_it() {
    let schema = format!(r#"{{"type":"string","not":{{"pattern":"{LOOK}"}}}}"#);
    assert_eq!(unchecked(&schema), ["/not", "/not/pattern"]);
    fits(&schema, &[r#""abc""#]);
    misfits(&schema, &["1"]);
}

#[test]
fn also_through_references() {
    let schema = format!(
        r##"{{"$defs":{{"strong":{{"pattern":"{LOOK}"}}}},"properties":{{"a":{{"oneOf":[{{"$ref":"#/$defs/strong"}},{{"maxLength":2}}]}},
        "b":{{"if":{{"$ref":"#/$defs/strong"}},"then":{{"minLength":9}}}},"c":{{"contains":{{"$ref":"#/$defs/strong"}},"maxContains":1}},
        "d":{{"anyOf":[{{"$ref":"#/$defs/strong"}},{{"type":"integer"}}]}}}}}}"##
    );
    let expected = [
        "/$defs/strong/pattern",
        "/properties/a/oneOf",
        "/properties/b/if",
        "/properties/b/then",
        "/properties/c/contains",
        "/properties/c/maxContains",
    ];
    assert_eq!(unchecked(&schema), expected);
    fits(
        &schema,
        &[r#"{"a":"x","b":"abc","c":["abc","abd"],"d":"x"}"#],
    );
}

#[test]
fn keys_and_what_they_leave_over() {
    let schema = format!(
        r#"{{"patternProperties":{{"{LOOK}":{{}},"^x-":{{"type":"string"}}}},"additionalProperties":false}}"#
    );
    assert_eq!(
        unchecked(&schema),
        [
            "/additionalProperties",
            &format!("/patternProperties/{LOOK}")
        ]
    );
    fits(&schema, &[r#"{"ABC":1}"#]);
    misfits(&schema, &[r#"{"x-a":1}"#]);
    let schema = format!(
        r#"{{"oneOf":[{{"properties":{{"a":{{"pattern":"{LOOK}"}}}}}},{{"required":["b"]}}],"unevaluatedProperties":false}}"#
    );
    assert_eq!(
        unchecked(&schema),
        [
            "/oneOf",
            "/oneOf/0/properties/a/pattern",
            "/unevaluatedProperties"
        ]
    );
    fits(&schema, &[r#"{"a":"Abc"}"#]);
}

#[test]
fn very_large_ones_too() {
    assert_eq!(unchecked(r#"{"pattern":"(a{1000}){1000}"}"#), ["/pattern"]);
    let long = "a".repeat(5000);
    assert_eq!(
        unchecked(&format!(r#"{{"pattern":"{long}"}}"#)),
        ["/pattern"]
    );
}
