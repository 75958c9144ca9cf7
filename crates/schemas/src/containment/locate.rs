//! Locates the difference of two schemas: the keywords of the accepting schema that do not accept
//! everything.

use jsonschema::canonical::Containment;
use serde_json::{Map, Value, json};

use super::Reading;

/// The number of reasons that are listed.
const MAX_REASONS: usize = 8;

/// The number of conditions that are compared one by one: each comparison reads whole schemas.
const MAX_QUESTIONS: usize = 200;

/// The reason if no keyword alone is the reason.
const UNKNOWN_PLACE: &str = "not everything is accepted";

const TYPES: [&str; 7] = [
    "array", "boolean", "null", "number", "integer", "object", "string",
];

/// A keyword of the accepting schema that does not accept everything, or that cannot be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reason {
    /// A JSON Pointer into the accepting schema.
    pub pointer: String,
    /// A sentence without a full stop.
    pub text: String,
}

impl Reason {
    pub(super) fn new(pointer: &str, text: impl Into<String>) -> Self {
        Self {
            pointer: pointer.to_owned(),
            text: text.into(),
        }
    }
}

/// The reasons for a verdict other than yes.
///
/// If the `jsonschema` crate does not know the place, the counterexample shows it.
pub(super) fn reasons(
    verdict: Containment,
    wide: &Value,
    narrow: &Value,
    counterexample: Option<&Value>,
) -> Vec<Reason> {
    let Some(reading) = Reading::of(narrow) else {
        return vec![Reason::new(
            "",
            "it is not a self-contained schema of usual size",
        )];
    };
    let mut search = Search {
        verdict,
        wide,
        narrow,
        reading,
        reasons: Vec::new(),
        questions: MAX_QUESTIONS,
    };
    search.schema("");
    let mut reasons = search.reasons;
    if let Some(value) = counterexample
        && let [Reason { pointer, text }] = reasons.as_slice()
        && pointer.is_empty()
        && text == UNKNOWN_PLACE
    {
        reasons = refusals(wide, value).unwrap_or(reasons);
    }
    reasons.truncate(MAX_REASONS);
    reasons
}

/// The keywords that refuse a value.
fn refusals(wide: &Value, value: &Value) -> Option<Vec<Reason>> {
    let options = jsonschema::options()
        .offline()
        .should_validate_formats(false);
    let validator = options.build(wide).ok()?;
    let mut reasons: Vec<Reason> = Vec::new();
    for error in validator.iter_errors(value).take(MAX_REASONS) {
        let path = error.schema_path().as_str();
        let (at, keyword) = path.rsplit_once('/').unwrap_or(("", path));
        let text = format!("`{}` does not accept everything", keyword.escape_debug());
        let reason = Reason::new(at, text);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    (!reasons.is_empty()).then_some(reasons)
}

struct Search<'v> {
    verdict: Containment,
    wide: &'v Value,
    narrow: &'v Value,
    reading: Reading<'v>,
    reasons: Vec<Reason>,
    /// Conditions that may still be compared.
    questions: usize,
}

impl Search<'_> {
    /// Finds the reasons at a place that both schemas have.
    fn schema(&mut self, at: &str) {
        let known = self.reasons.len();
        let schema = self.wide.pointer(at).and_then(Value::as_object);
        let mut keywords: Vec<_> = schema.into_iter().flatten().collect();
        keywords.sort_by_key(|(key, _)| *key != "required");
        for (key, value) in keywords {
            if self.reasons.len() >= MAX_REASONS {
                return;
            }
            self.keyword(at, key, value);
        }
        if self.reasons.len() == known {
            let text = match self.verdict {
                Containment::No => UNKNOWN_PLACE,
                _ => "the schemas cannot be compared",
            };
            self.reasons.push(Reason::new(at, text));
        }
    }

    fn keyword(&mut self, at: &str, key: &str, value: &Value) {
        match (key, value) {
            ("$defs" | "definitions" | "$schema" | "$id", _) => {}
            ("required", Value::Array(names)) => {
                for name in names.iter().filter_map(Value::as_str) {
                    if self.is_at_fault(at, json!({"required": [name]})) {
                        let text = format!("`{}` is required", name.escape_debug());
                        self.reasons.push(Reason::new(at, text));
                    }
                }
            }
            ("type", _) if self.is_at_fault(at, json!({"type": value})) => {
                self.types(at, value);
            }
            ("properties", Value::Object(properties)) => {
                for (name, schema) in properties {
                    if self.is_at_fault(at, json!({"properties": {name: schema}})) {
                        let name = name.replace('~', "~0").replace('/', "~1");
                        self.part(&format!("{at}/properties/{name}"));
                    }
                }
            }
            ("items", Value::Object(_)) if self.is_at_fault(at, json!({"items": value})) => {
                self.part(&format!("{at}/items"));
            }
            ("additionalProperties", _) => {
                let beside = self.wide.pointer(at).and_then(|it| it.get("properties"));
                let beside = beside.and_then(Value::as_object);
                let named: Map<_, _> = beside
                    .into_iter()
                    .flat_map(Map::keys)
                    .map(|name| (name.clone(), Value::Bool(true)))
                    .collect();
                if self.is_at_fault(at, json!({"properties": named, key: value})) {
                    let text = "other members are not accepted";
                    self.reasons.push(Reason::new(&format!("{at}/{key}"), text));
                }
            }
            _ if self.is_at_fault(at, json!({key: value})) => {
                let key = key.escape_debug();
                let text = match self.verdict {
                    Containment::No => format!("`{key}` does not accept everything"),
                    _ => format!("`{key}` cannot be decided"),
                };
                self.reasons.push(Reason::new(at, text));
            }
            _ => {}
        }
    }

    /// Finds the types that are not accepted. A whole number is a number, too, and is named for
    /// itself only if others are accepted.
    fn types(&mut self, at: &str, accepted: &Value) {
        let known = self.reasons.len();
        for name in TYPES {
            let condition = match name {
                "number" => json!({"anyOf": [{"not": {"type": name}}, {"type": "integer"}]}),
                _ => json!({"not": {"type": name}}),
            };
            let is_accepted = |it: &Value| *it == name || (name == "integer" && *it == "number");
            let others = accepted.as_array().map_or(&[][..], Vec::as_slice);
            let is_told = name == "integer"
                && self.reasons[known..]
                    .iter()
                    .any(|it| it.text.contains("number"));
            if is_told || is_accepted(accepted) || others.iter().any(is_accepted) {
                continue;
            }
            if self.is_at_fault(at, condition) {
                let text = format!("type {name} is not accepted");
                self.reasons.push(Reason::new(at, text));
            }
        }
        if self.reasons.len() == known {
            self.reasons
                .push(Reason::new(at, "its type is not accepted"));
        }
    }

    /// Descends where both have the place, and stops here otherwise.
    fn part(&mut self, at: &str) {
        if self.narrow.pointer(at).is_some_and(Value::is_object) {
            self.schema(at);
        } else {
            self.reasons.push(Reason::new(at, UNKNOWN_PLACE));
        }
    }

    /// Whether this condition alone leads to the verdict. Definitions stay where they are.
    fn is_at_fault(&mut self, at: &str, mut condition: Value) -> bool {
        if self.questions == 0 {
            return false;
        }
        self.questions -= 1;
        for key in ["$schema", "$defs", "definitions"] {
            if let (Some(value), Value::Object(condition)) = (self.wide.get(key), &mut condition) {
                condition.insert(key.to_owned(), value.clone());
            }
        }
        Reading::of(&condition).is_some_and(|it| it.covers(&self.reading, "", at) == self.verdict)
    }
}
