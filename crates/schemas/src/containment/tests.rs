//! Cases by hand, then random schemas whose verdicts are compared with values.

use serde_json::{Value, json};

use super::Containment::{self, Proven, Refuted, Undecided};
use super::{Unnamed, accepts_all_of};

/// Checks the verdict on arguments that the old schema allows and the new one should accept.
fn check(old: &Value, new: &Value, expected: Containment) {
    let answer = accepts_all_of(new, old, Unnamed::NotSent);
    assert_eq!(answer.containment, expected, "from {old} to {new}");
    assert_eq!(answer.reasons.is_empty(), expected == Proven, "{answer:?}");
}

/// The same for the lines of a table: the old schema, the new one, the verdict.
fn check_all(table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (schemas, expected) = line.rsplit_once(" => ").unwrap();
        let (old, new) = schemas.split_once(" -> ").unwrap();
        let read = |text: &str| serde_json::from_str(text).unwrap();
        let expected = match expected {
            "yes" => Proven,
            "no" => Refuted,
            _ => Undecided,
        };
        check(&read(old), &read(new), expected);
    }
}

#[test]
fn members_of_objects() {
    let old = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    for (new, expected) in [
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}},"required":[]}"#,
            Proven,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"]}"#,
            Proven,
        ),
        (
            r#"{"type":"object","properties":{"a":{}},"required":["a"]}"#,
            Proven,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#,
            Refuted,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]}"#,
            Refuted,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string","pattern":"x"}},"required":["a"]}"#,
            Refuted,
        ),
        // A member that the old schema does not name.
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]}"#,
            Proven,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}"#,
            Refuted,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}"#,
            Refuted,
        ),
        (
            r#"{"type":"object","additionalProperties":{"type":"string"}}"#,
            Refuted,
        ),
        (r#"{"type":"object"}"#, Proven),
        ("true", Proven),
        ("false", Refuted),
    ] {
        check(&old, &serde_json::from_str(new).unwrap(), expected);
    }
}

#[test]
fn members_that_nobody_named() {
    check_all(
        r##"
        {"type":"object","properties":{"o":{"type":"object","properties":{"a":{}}}}} -> {"type":"object","properties":{"o":{"type":"object","properties":{"a":{},"b":{"type":"string"}}}}} => yes
        {"type":"object","properties":{"o":{"$ref":"#/$defs/O"}},"$defs":{"O":{"type":"object","properties":{"a":{}}}}} -> {"type":"object","properties":{"o":{"$ref":"#/$defs/O"}},"$defs":{"O":{"type":"object","properties":{"a":{},"b":{"type":"string"}}}}} => yes
        {"type":"object","properties":{"a":{}},"additionalProperties":{"type":"integer"}} -> {"type":"object","properties":{"a":{},"b":{"type":"string"}},"additionalProperties":{"type":"integer"}} => no
        {"type":"object","properties":{"a":{}},"required":["b"]} -> {"type":"object","properties":{"a":{},"b":{"type":"string"}}} => no
        {"allOf":[{"properties":{"k":{"properties":{"a":{}}}}},{"properties":{"k":{"properties":{"b":{}}}}}]} -> {"properties":{"k":{"properties":{"b":{"type":"string"}}}}} => unknown
        {"$id":"https://example.com/s","type":"object","properties":{"a":{}}} -> {"type":"object","properties":{"a":{},"b":{"type":"string"}}} => yes
        {"type":"object","properties":{"a":{}}} -> {"type":"object","properties":{"a":{},"b":{"type":"string"}},"dependentRequired":{"b":["a"]}} => yes
        "##,
    );
}

#[test]
fn members_of_results_may_be_any() {
    let old = json!({"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}});
    let new = json!({"type": "object", "properties": {"a": {}}});
    let verdict = |wide, narrow| accepts_all_of(wide, narrow, Unnamed::Any).containment;
    assert_eq!(verdict(&old, &new), Refuted, "`b` may be a string now");
    assert_eq!(verdict(&new, &old), Proven);
}

#[test]
fn closed_objects() {
    check_all(
        r#"
        {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false} -> {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{}},"additionalProperties":false} => yes
        {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false} -> {"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false} => no
        {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false} -> {"type":"object","additionalProperties":{"type":["string","integer"]}} => yes
        {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false} -> {"type":"object","additionalProperties":{"type":"string"}} => no
        {"type":"object","properties":{"a":false},"additionalProperties":false} -> {"type":"object","properties":{},"additionalProperties":false} => yes
        {"type":"object","patternProperties":{"^x":{"type":"string"}},"additionalProperties":false} -> {"type":"object","patternProperties":{"^x":{"type":"string"}},"additionalProperties":false} => yes
        {"type":"object","patternProperties":{"^x":{"type":"string"}},"additionalProperties":false} -> {"type":"object","additionalProperties":false} => no
        "#,
    );
}

#[test]
fn values_and_bounds() {
    check_all(
        r#"
        {"enum":["a","b"]} -> {"enum":["b","a","c"]} => yes
        {"enum":["a","b"]} -> {"enum":["a"]} => no
        {"enum":["a","b"]} -> {"type":"string"} => yes
        {"enum":["a",1]} -> {"type":"string"} => no
        {"enum":["a",1],"type":"string"} -> {"type":"string"} => yes
        {"type":"string"} -> {"enum":["a"]} => no
        {"type":"boolean"} -> {"enum":[true,false]} => yes
        {"type":"boolean"} -> {"const":true} => no
        {"const":1} -> {"const":1.0} => yes
        {"type":"integer","minimum":1} -> {"type":"number","exclusiveMinimum":0} => yes
        {"type":"number","minimum":1} -> {"type":"integer","minimum":1} => no
        {"type":"number","minimum":0} -> {"type":"number","exclusiveMinimum":0} => no
        {"type":"number","maximum":5} -> {"type":"number","maximum":6} => yes
        {"type":"integer","multipleOf":4} -> {"type":"integer","multipleOf":2} => yes
        {"type":"string","maxLength":5} -> {"type":"string","maxLength":4} => no
        {"type":"string","format":"uri"} -> {"type":"string"} => yes
        {"type":"string"} -> {"type":"string","format":"uri"} => unknown
        {"type":"string"} -> {"type":"string","minimum":3} => yes
        {"type":"array","items":{"type":"string"}} -> {"type":"array","items":{"type":"string"},"maxItems":3} => no
        {"type":"array","items":{"type":"integer"}} -> {"type":"array","items":{"type":"number"}} => yes
        {"type":"array"} -> {"type":"array","items":{"type":"number"}} => no
        {"type":"array","maxItems":0} -> {"type":"array","items":{"type":"number"}} => yes
        {"type":"string","title":"a"} -> {"type":"string","title":"b","default":"x"} => yes
        "#,
    );
}

#[test]
fn branches_and_references() {
    check_all(
        r##"
        {"type":"string"} -> {"anyOf":[{"type":"string"},{"type":"null"}]} => yes
        {"anyOf":[{"type":"string"},{"type":"null"}]} -> {"type":["null","string"]} => yes
        {"type":["null","string"]} -> {"anyOf":[{"type":"string"},{"type":"null"}]} => yes
        {"anyOf":[{"type":"string"},{"type":"null"}]} -> {"type":"string"} => no
        {"type":"integer"} -> {"anyOf":[{"type":"string"},{"type":"null"}]} => no
        {"oneOf":[{"type":"string"},{"type":"null"}]} -> {"anyOf":[{"type":"string"},{"type":"null"}]} => yes
        {"anyOf":[{"type":"string"},{"type":"null"}]} -> {"oneOf":[{"type":"string"},{"type":"null"}]} => yes
        {"allOf":[{"type":"object","required":["a"]},{"required":["b"]}]} -> {"type":"object","required":["a","b"]} => yes
        {"type":"object","properties":{"pet":{"$ref":"#/$defs/Pet"}},"$defs":{"Pet":{"type":"object","properties":{"name":{"type":"string"}}}}} -> {"type":"object","properties":{"pet":{"$ref":"#/$defs/Pet"}},"$defs":{"Pet":{"type":"object","properties":{"name":{"type":"string"}}}}} => yes
        {"type":"object","properties":{"pet":{"$ref":"#/$defs/Pet"}},"$defs":{"Pet":{"type":"object","properties":{"name":{"type":"string"}}}}} -> {"type":"object","properties":{"pet":{"$ref":"#/$defs/Pet"}},"$defs":{"Pet":{"type":"object","properties":{"name":{"type":"integer"}}}}} => no
        {"$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"value":{"type":"integer"},"next":{"$ref":"#/$defs/Node"}}}}} -> {"$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"value":{"type":"number"},"next":{"$ref":"#/$defs/Node"}}}}} => unknown
        {"$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"value":{"type":"number"},"next":{"$ref":"#/$defs/Node"}}}}} -> {"$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"value":{"type":"integer"},"next":{"$ref":"#/$defs/Node"}}}}} => no
        {"$ref":"https://example.com/x"} -> {"type":"string"} => unknown
        {"$ref":"#/$defs/none"} -> {"type":"string"} => unknown
        {"type":"string"} -> {"not":{"type":"integer"}} => yes
        {"if":{"type":"string"},"then":{"minLength":1}} -> {"if":{"type":"string"},"then":{"minLength":1}} => yes
        {"if":{"type":"string"},"then":{"minLength":1}} -> {"if":{"type":"string"},"then":{"minLength":2}} => no
        "##,
    );
}

#[test]
fn nothing_hangs() {
    // Every level doubles the ways through.
    let mut schema = json!({"type": "string"});
    for _ in 0..40 {
        schema = json!({"anyOf": [{"allOf": [schema, {"minLength": 1}]}, {"type": "integer", "minimum": 3}]});
    }
    let wide = json!({"anyOf": [schema, {"type": "null", "const": null}]});
    let narrow = json!({"anyOf": [{"type": ["string", "integer"]}, schema]});
    accepts_all_of(&wide, &narrow, Unnamed::Any);
    let circle = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#"}]}}, "$ref": "#/$defs/a"});
    accepts_all_of(&circle, &json!({"type": "string"}), Unnamed::Any);
    accepts_all_of(&json!({"type": "string"}), &circle, Unnamed::Any);
}

/// A small generator: the same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn schema(&mut self, depth: usize) -> Value {
        let kinds = if depth == 0 { 7 } else { 13 };
        match self.below(kinds) {
            0 => json!({"type": (["string", "integer", "null"][self.below(3)])}),
            1 => json!({"type": ([["string", "null"], ["integer", "boolean"]][self.below(2)])}),
            2 => {
                json!({"type": "string", "minLength": self.below(3), "maxLength": 3 + self.below(3)})
            }
            3 => json!({"type": (["integer", "number"][self.below(2)]), "minimum": self.below(3)}),
            4 => {
                json!({"type": "number", "exclusiveMinimum": self.below(2), "maximum": 3 + self.below(3)})
            }
            5 => json!({"enum": ([["a", "b"], ["a", "c"]][self.below(2)])}),
            6 => json!([true, {"const": 1}, {"type": "boolean"}, {}])[self.below(4)].clone(),
            7 => json!({"anyOf": [self.schema(depth - 1), self.schema(depth - 1)]}),
            8 => json!({"allOf": [self.schema(depth - 1), self.schema(depth - 1)]}),
            9 => json!({"oneOf": [self.schema(depth - 1), self.schema(depth - 1)]}),
            10 => {
                json!({"type": "array", "items": self.schema(depth - 1), "minItems": self.below(2)})
            }
            _ => self.object(depth),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut object = json!({"type": "object", "properties": {}});
        for name in ["a", "b"] {
            if !self.one_in(3) {
                object["properties"][name] = self.schema(depth - 1);
            }
        }
        if self.one_in(2) {
            object["required"] = json!([["a"], ["b"]][self.below(2)]);
        }
        match self.below(4) {
            0 => object["additionalProperties"] = json!(false),
            1 => object["additionalProperties"] = self.schema(depth - 1),
            _ => {}
        }
        object
    }

    /// The same schema, with a place or two made anew.
    fn changed(&mut self, schema: &Value, depth: usize) -> Value {
        if depth == 0 || self.one_in(4) {
            return self.schema(depth.min(1));
        }
        let mut changed = schema.clone();
        match &mut changed {
            Value::Object(members) => {
                for (key, value) in members.iter_mut() {
                    let holds = matches!(key.as_str(), "items" | "additionalProperties");
                    if holds && self.one_in(2) {
                        *value = self.changed(value, depth - 1);
                    } else if key == "properties" && self.one_in(2) {
                        for value in value.as_object_mut().into_iter().flatten() {
                            *value.1 = self.changed(value.1, depth - 1);
                        }
                    }
                }
            }
            other => *other = self.schema(1),
        }
        changed
    }
}

#[test]
fn verdicts_hold_for_values() {
    let values = json!([
        null, true, 0, 1, 2, 2.5, 4, 9, "", "a", "b", "abc", "abcdef", [], [1], ["a", null], {},
        {"a": 1}, {"a": "a"}, {"b": "a"}, {"b": {}}, {"a": null, "b": 3}, {"a": {"a": "c"}, "b": ["a"]}, {"c": true}
    ]);
    let mut random = Random(7);
    let (mut yes, mut no, mut unknown) = (0, 0, 0);
    for _ in 0..3000 {
        let old = random.schema(3);
        let new = random.changed(&old, 3);
        let accepts = |schema: &Value, value: &Value| jsonschema::is_valid(schema, value);
        let lost = || {
            let mut all = values.as_array().into_iter().flatten();
            all.find(|value| accepts(&old, value) && !accepts(&new, value))
        };
        match accepts_all_of(&new, &old, Unnamed::Any).containment {
            Proven => {
                assert_eq!(lost(), None, "from {old} to {new}");
                yes += 1;
            }
            Refuted => no += 1,
            Undecided => unknown += 1,
        }
    }
    assert!(
        yes > 300 && no > 300 && unknown < 200,
        "{yes} yes, {no} no, {unknown} unknown"
    );
}
