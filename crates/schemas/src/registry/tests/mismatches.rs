//! Reports of a check.

use std::fmt::Write as _;

use super::{Scanned, fits, load, misfits};
use crate::registry::{Fit, Member};

/// `pointer keyword` of each mismatch, and the member it is about.
fn told(schema: &str, value: &str) -> Vec<String> {
    let compiled = load(schema).expect("the schema is fine");
    let value = Scanned::new(value);
    let mut told = Vec::new();
    let fit = compiled.check(value.root(), &mut |mismatch| {
        let at = value.root().at(mismatch.at);
        let mut line = format!("{} {}", at.pointer(), mismatch.keyword);
        match mismatch.member {
            None => {}
            Some(Member::Missing(name)) => write!(line, " -{name}").unwrap(),
            Some(Member::Extra(key)) => {
                write!(line, " +{}", value.root().at(key).text().unwrap()).unwrap();
            }
        }
        told.push(line);
    });
    assert_eq!(
        fit,
        if told.is_empty() {
            Fit::Fits
        } else {
            Fit::Misfits
        }
    );
    told
}

const TOOL: &str = r#"{"type":"object","required":["city","days"],"additionalProperties":false,"properties":{
    "city":{"type":"string","minLength":2},"days":{"type":"integer","minimum":1},
    "units":{"enum":["metric","imperial"]},"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true}}}"#;

#[test]
fn a_tool() {
    fits(TOOL, &[r#"{"city":"Rome","days":1.0,"tags":["a","b"]}"#]);
    let value = r#"{"city":"R","units":"si","tags":["a",1,"a"],"when":"now","why":null}"#;
    let mut found = told(TOOL, value);
    found.sort();
    let expected = [
        " additionalProperties +when",
        " additionalProperties +why",
        " required -days",
        "/city minLength",
        "/tags uniqueItems",
        "/tags/1 type",
        "/units enum",
    ];
    assert_eq!(found, expected);
    assert_eq!(told(TOOL, "[]"), [" type"]);
}

#[test]
fn a_value_within_a_message() {
    let compiled = load(r#"{"properties":{"a":{"type":"string"}}}"#).unwrap();
    let message = Scanned::new(r#"{"id":1,"params":{"arguments":{"x":[1,2],"a":3}}}"#);
    let arguments = message.root().get("params").unwrap().get("arguments");
    let arguments = arguments.unwrap();
    let mut at = Vec::new();
    compiled.check(arguments, &mut |mismatch| {
        at.push((mismatch.at, mismatch.schema.to_owned()));
    });
    let expected = arguments.get("a").unwrap().index();
    assert_eq!(at, [(expected, "/properties/a/type".to_owned())]);
}

#[test]
fn the_branch_that_was_meant() {
    let schema = r#"{"oneOf":[
        {"properties":{"kind":{"const":"a"},"size":{"type":"integer"}},"required":["kind","size"]},
        {"properties":{"kind":{"const":"b"},"name":{"type":"string"}},"required":["kind","name"]}]}"#;
    assert_eq!(told(schema, r#"{"kind":"b","name":1}"#), ["/name type"]);
    assert_eq!(told(schema, r#"{"kind":"a"}"#), [" required -size"]);
    assert_eq!(told(schema, r#"{"kind":"c"}"#), [" oneOf"]);
    let both = r#"{"oneOf":[{"type":"integer"},{"minimum":1}]}"#;
    assert_eq!(told(both, "3"), [" oneOf"]);
}

#[test]
fn names_and_leftovers() {
    assert_eq!(
        told(
            r#"{"propertyNames":{"pattern":"^[a-z]+$"}}"#,
            r#"{"a":1,"B":2}"#
        ),
        [" propertyNames +B"]
    );
    let schema = r#"{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}"#;
    assert_eq!(
        told(schema, r#"{"a":1,"b":2}"#),
        [" unevaluatedProperties +b"]
    );
    assert_eq!(
        told(r#"{"properties":{"a":false}}"#, r#"{"a":1}"#),
        ["/a false"]
    );
    assert_eq!(told("false", "1"), [" false"]);
    fits("true", &["1", "{}"]);
    fits("{}", &["1", "{}"]);
}

#[test]
fn escapes_and_numbers() {
    misfits(
        r#"{"properties":{"a":{"type":"string"}}}"#,
        &[r#"{"\u0061":1}"#],
    );
    fits(r#"{"const":1.0}"#, &["1", "1e0"]);
    fits(
        r#"{"type":"integer"}"#,
        &["1.0", "1e3", "123456789012345678901234567890"],
    );
    misfits(r#"{"maximum":9007199254740992}"#, &["9007199254740993"]);
    fits(r#"{"multipleOf":0.01}"#, &["19.99"]);
}

#[test]
fn of_many_mismatches_some_are_told() {
    let value = format!("[{}]", vec!["1"; 1000].join(","));
    assert_eq!(told(r#"{"items":{"type":"string"}}"#, &value).len(), 100);
    // So many that they are not collected.
    let value = format!("[{}]", vec!["1"; 20_000].join(","));
    assert_eq!(told(r#"{"items":{"type":"string"}}"#, &value), ["/0 type"]);
}
