//! Changes of schemas over all keywords of draft 2020-12 and draft-07: breaking, compatible or
//! unknown, for the parties that know only the old schema.

use mcp_assay_schemas::containment::{Answer, Containment, Unnamed, accepts_all_of};
use serde_json::Value;

/// One line of the table.
struct Change<'t> {
    line: &'t str,
    sender: Sender,
    old: Value,
    new: Value,
    expected: &'t str,
}

#[derive(Clone, Copy, PartialEq)]
enum Sender {
    Caller,
    Tool,
}

impl Change<'_> {
    /// The schema that must accept, and the one that describes what is sent.
    fn sides(&self) -> (&Value, &Value) {
        match self.sender {
            Sender::Caller => (&self.new, &self.old),
            Sender::Tool => (&self.old, &self.new),
        }
    }

    fn decide(&self) -> Answer {
        let (wide, narrow) = self.sides();
        let unnamed = match self.sender {
            Sender::Caller => Unnamed::NotSent,
            Sender::Tool => Unnamed::Any,
        };
        accepts_all_of(wide, narrow, unnamed)
    }
}

fn changes() -> Vec<Change<'static>> {
    let lines = include_str!("changes.txt").lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut changes = Vec::new();
    for line in lines {
        let (who, rest) = line.split_once(' ').expect("a sender");
        let (schemas, expected) = rest.rsplit_once(" => ").expect("a verdict");
        let (old, new) = schemas.split_once(" -> ").expect("two schemas");
        let read = |text: &str| {
            let mut schema: Value = serde_json::from_str(text.trim()).expect("JSON");
            if who.ends_with('7') {
                schema["$schema"] = Value::from("http://json-schema.org/draft-07/schema#");
            }
            schema
        };
        changes.push(Change {
            line,
            sender: if who.starts_with("in") {
                Sender::Caller
            } else {
                Sender::Tool
            },
            old: read(old),
            new: read(new),
            expected,
        });
    }
    changes
}

#[test]
fn every_change_gets_the_expected_verdict() {
    let changes = changes();
    assert!(changes.len() >= 90, "{}", changes.len());
    let mut wrong = Vec::new();
    for change in &changes {
        let verdict = match change.decide().containment {
            Containment::Proven => "compatible",
            Containment::Refuted => "breaking",
            Containment::Undecided => "unknown",
        };
        if verdict != change.expected {
            wrong.push(format!("{verdict}: {}", change.line));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unknown = changes.iter().filter(|it| it.expected == "unknown").count();
    assert!(unknown <= 6, "{unknown}");
}

#[test]
fn every_breaking_change_shows_a_value_that_proves_it() {
    for change in changes().iter().filter(|it| it.expected == "breaking") {
        let answer = change.decide();
        let Some(value) = answer.counterexample else {
            panic!("no value: {}", change.line);
        };
        let (wide, narrow) = change.sides();
        // Validators of their own, with the settings that the crate has by itself.
        assert!(
            jsonschema::is_valid(narrow, &value),
            "{value}: {}",
            change.line
        );
        assert!(
            !jsonschema::is_valid(wide, &value),
            "{value}: {}",
            change.line
        );
        assert!(!answer.reasons.is_empty(), "{}", change.line);
    }
}

#[test]
fn the_search_gives_the_same_value_every_time() {
    for change in changes().iter().take(40) {
        let (first, second) = (change.decide(), change.decide());
        assert_eq!(
            first.counterexample, second.counterexample,
            "{}",
            change.line
        );
    }
}

/// Schemas that are made to cost: each must be decided, or given up, in bounded work.
#[test]
fn schemas_of_strangers_are_given_up_in_time() {
    let names: Vec<String> = (0..3000).map(|index| format!("m{index}")).collect();
    let members: serde_json::Map<_, _> = names
        .iter()
        .map(|name| {
            (
                name.clone(),
                serde_json::json!({"type": "object", "properties": {"a": {}}}),
            )
        })
        .collect();
    let many = serde_json::json!({"type": "object", "properties": members, "required": names});
    let slow = serde_json::json!({"type": "string", "pattern": "^(?=(a+)+$)((a|a)*)*b"});
    let wide = serde_json::json!({"type": "string", "pattern": "^((a+)+)+$"});
    let deep = (0..60).fold(serde_json::json!({"type": "string"}), |inner, _| {
        serde_json::json!({"type": "array", "minItems": 100, "items": {"type": "object", "properties": {"a": inner}, "required": ["a"]}})
    });
    for (new, old) in [
        (&many, &slow),
        (&slow, &many),
        (&wide, &slow),
        (&deep, &many),
        (&many, &deep),
    ] {
        accepts_all_of(new, old, Unnamed::NotSent);
    }
}
