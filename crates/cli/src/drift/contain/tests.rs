//! Cases by hand, then random ones with the `jsonschema` crate as the oracle.

use jsonschema::canonical::{Containment, options};
use serde_json::{Value, json};

use super::{Unnamed, accepts_all_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Is {
    Yes,
    No,
    Unknown,
}

fn ask(wide: &Value, narrow: &Value, unnamed: Unnamed) -> Is {
    let answer = accepts_all_of(wide, narrow, unnamed);
    if answer.is_yes() {
        Is::Yes
    } else if answer.against.is_empty() {
        Is::Unknown
    } else {
        Is::No
    }
}

/// Under each line: from the old schema to the new one, and what comes of it for arguments.
fn check(old: &Value, new: &Value, expected: Is) {
    let found = ask(new, old, Unnamed::NotSent);
    assert_eq!(found, expected, "from {old} to {new}");
    agree(old, new);
}

/// The oracle must never say the opposite.
fn agree(narrow: &Value, wide: &Value) -> Is {
    let ours = ask(wide, narrow, Unnamed::Any);
    let canonical = |schema: &Value| options().offline().canonicalize(schema);
    let (Ok(canonical_wide), Ok(canonical_narrow)) = (canonical(wide), canonical(narrow)) else {
        return ours;
    };
    let Ok(oracle) = canonical_wide.covers(&canonical_narrow) else {
        return ours;
    };
    match ours {
        Is::Yes => assert_ne!(oracle, Containment::No, "{wide} does not cover {narrow}"),
        // Schemas are taken to accept something.
        Is::No if is_fulfillable(narrow) => {
            assert_ne!(oracle, Containment::Yes, "{wide} covers {narrow}");
        }
        Is::No | Is::Unknown => {}
    }
    ours
}

fn is_fulfillable(schema: &Value) -> bool {
    let prepared = options().offline().prepare(schema);
    prepared.is_ok_and(|prepared| prepared.unsatisfiable().is_ok_and(|none| none.is_empty()))
}

fn object(properties: &Value, required: &Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

#[test]
fn members_of_objects() {
    let old = object(&json!({"a": {"type": "string"}}), &json!(["a"]));
    for (new, expected) in [
        (
            object(&json!({"a": {"type": "string"}}), &json!([])),
            Is::Yes,
        ),
        (
            object(&json!({"a": {"type": ["string", "null"]}}), &json!(["a"])),
            Is::Yes,
        ),
        (object(&json!({"a": {}}), &json!(["a"])), Is::Yes),
        (
            object(&json!({"a": {"type": "integer"}}), &json!(["a"])),
            Is::No,
        ),
        (
            object(
                &json!({"a": {"type": "string", "minLength": 1}}),
                &json!(["a"]),
            ),
            Is::No,
        ),
        (
            object(
                &json!({"a": {"type": "string", "pattern": "x"}}),
                &json!(["a"]),
            ),
            Is::Unknown,
        ),
        // A member that nobody knew of.
        (
            object(
                &json!({"a": {"type": "string"}, "b": {"type": "string"}}),
                &json!(["a"]),
            ),
            Is::Yes,
        ),
        (
            object(
                &json!({"a": {"type": "string"}, "b": {"type": "string"}}),
                &json!(["a", "b"]),
            ),
            Is::No,
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
            Is::No,
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            Is::No,
        ),
        (json!({"type": "object"}), Is::Yes),
        (json!(true), Is::Yes),
        (json!(false), Is::No),
    ] {
        check(&old, &new, expected);
    }
}

#[test]
fn closed_objects() {
    let closed = |properties: Value| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let old = closed(json!({"a": {"type": "string"}, "b": {"type": "integer"}}));
    check(
        &old,
        &closed(json!({"a": {"type": "string"}, "b": {"type": "number"}, "c": {}})),
        Is::Yes,
    );
    check(&old, &closed(json!({"a": {"type": "string"}})), Is::No);
    check(
        &old,
        &json!({"type": "object", "additionalProperties": {"type": ["string", "integer"]}}),
        Is::Yes,
    );
    check(
        &old,
        &json!({"type": "object", "additionalProperties": {"type": "string"}}),
        Is::No,
    );
    check(&closed(json!({"a": false})), &closed(json!({})), Is::Yes);
    let patterns = json!({"type": "object", "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false});
    check(&patterns, &patterns, Is::Yes);
    check(
        &patterns,
        &json!({"type": "object", "additionalProperties": false}),
        Is::Unknown,
    );
}

#[test]
fn values_and_bounds() {
    for (old, new, expected) in [
        (
            json!({"enum": ["a", "b"]}),
            json!({"enum": ["b", "a", "c"]}),
            Is::Yes,
        ),
        (json!({"enum": ["a", "b"]}), json!({"enum": ["a"]}), Is::No),
        (
            json!({"enum": ["a", "b"]}),
            json!({"type": "string"}),
            Is::Yes,
        ),
        (json!({"enum": ["a", 1]}), json!({"type": "string"}), Is::No),
        (
            json!({"enum": ["a", 1], "type": "string"}),
            json!({"type": "string"}),
            Is::Yes,
        ),
        (json!({"type": "string"}), json!({"enum": ["a"]}), Is::No),
        (
            json!({"type": "boolean"}),
            json!({"enum": [true, false]}),
            Is::Yes,
        ),
        (json!({"type": "boolean"}), json!({"const": true}), Is::No),
        (json!({"const": 1}), json!({"const": 1.0}), Is::Yes),
        (
            json!({"type": "integer", "minimum": 1}),
            json!({"type": "number", "exclusiveMinimum": 0}),
            Is::Yes,
        ),
        (
            json!({"type": "number", "minimum": 1}),
            json!({"type": "integer", "minimum": 1}),
            Is::No,
        ),
        (
            json!({"type": "number", "minimum": 0}),
            json!({"type": "number", "exclusiveMinimum": 0}),
            Is::No,
        ),
        (
            json!({"type": "number", "maximum": 5}),
            json!({"type": "number", "maximum": 6}),
            Is::Yes,
        ),
        (
            json!({"type": "integer", "multipleOf": 4}),
            json!({"type": "integer", "multipleOf": 2}),
            Is::Yes,
        ),
        (
            json!({"type": "string", "maxLength": 5}),
            json!({"type": "string", "maxLength": 4}),
            Is::No,
        ),
        (
            json!({"type": "string", "format": "uri"}),
            json!({"type": "string"}),
            Is::Yes,
        ),
        (
            json!({"type": "string"}),
            json!({"type": "string", "format": "uri"}),
            Is::Unknown,
        ),
        (
            json!({"type": "string"}),
            json!({"type": "string", "minimum": 3}),
            Is::Yes,
        ),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 3}),
            Is::No,
        ),
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            json!({"type": "array", "items": {"type": "number"}}),
            Is::Yes,
        ),
        (
            json!({"type": "array"}),
            json!({"type": "array", "items": {"type": "number"}}),
            Is::No,
        ),
        (
            json!({"type": "array", "maxItems": 0}),
            json!({"type": "array", "items": {"type": "number"}}),
            Is::Yes,
        ),
        (
            json!({"type": "string", "title": "a"}),
            json!({"type": "string", "title": "b", "default": "x"}),
            Is::Yes,
        ),
    ] {
        check(&old, &new, expected);
    }
}

#[test]
fn branches_and_references() {
    let optional = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
    check(&json!({"type": "string"}), &optional, Is::Yes);
    check(&optional, &json!({"type": ["null", "string"]}), Is::Yes);
    check(&json!({"type": ["null", "string"]}), &optional, Is::Yes);
    check(&optional, &json!({"type": "string"}), Is::No);
    check(&json!({"type": "integer"}), &optional, Is::No);
    check(
        &json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
        &optional,
        Is::Yes,
    );
    check(
        &optional,
        &json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
        Is::Yes,
    );
    check(
        &json!({"allOf": [{"type": "object", "required": ["a"]}, {"required": ["b"]}]}),
        &json!({"type": "object", "required": ["a", "b"]}),
        Is::Yes,
    );
    let pet = |name: Value| json!({"type": "object", "properties": {"pet": {"$ref": "#/$defs/Pet"}}, "$defs": {"Pet": {"type": "object", "properties": {"name": name}}}});
    check(
        &pet(json!({"type": "string"})),
        &pet(json!({"type": "string"})),
        Is::Yes,
    );
    check(
        &pet(json!({"type": "string"})),
        &pet(json!({"type": "integer"})),
        Is::No,
    );
    let tree = |more: Value| json!({"$ref": "#/$defs/Node", "$defs": {"Node": {"type": "object", "properties": {"value": more, "next": {"$ref": "#/$defs/Node"}}}}});
    check(
        &tree(json!({"type": "integer"})),
        &tree(json!({"type": "number"})),
        Is::Yes,
    );
    check(
        &tree(json!({"type": "number"})),
        &tree(json!({"type": "integer"})),
        Is::No,
    );
    check(
        &json!({"$ref": "https://example.com/x"}),
        &json!({"type": "string"}),
        Is::Unknown,
    );
    check(
        &json!({"$ref": "#/$defs/none"}),
        &json!({"type": "string"}),
        Is::Unknown,
    );
    check(
        &json!({"type": "string"}),
        &json!({"not": {"type": "integer"}}),
        Is::Unknown,
    );
    let conditional = json!({"if": {"type": "string"}, "then": {"minLength": 1}});
    check(&conditional, &conditional, Is::Yes);
    check(
        &conditional,
        &json!({"if": {"type": "string"}, "then": {"minLength": 2}}),
        Is::Unknown,
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
fn the_oracle_never_says_the_opposite() {
    let mut random = Random(7);
    let (mut yes, mut no, mut unknown) = (0, 0, 0);
    for _ in 0..3000 {
        let old = random.schema(3);
        let new = random.changed(&old, 3);
        match agree(&old, &new) {
            Is::Yes => yes += 1,
            Is::No => no += 1,
            Is::Unknown => unknown += 1,
        }
    }
    assert!(
        yes > 300 && no > 300,
        "{yes} yes, {no} no, {unknown} unknown"
    );
    assert!(unknown < yes + no, "{yes} yes, {no} no, {unknown} unknown");
}
