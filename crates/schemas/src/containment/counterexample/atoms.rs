//! Values without parts: constants, numbers and strings around the limits that schemas name.

use serde_json::{Map, Number, Value, json};

use super::patterns;

/// The longest string that is made for a limit on lengths.
const MAX_LENGTH: usize = 300;
/// The number of strings and of numbers at one place.
const MAX_ATOMS: usize = 160;

/// Strings that tell classes of characters and common notations apart.
const STRINGS: [&str; 15] = [
    "a",
    "",
    "A",
    "0",
    "ab",
    "a1",
    " ",
    "a b",
    "-",
    "é",
    "a/b",
    "Aa1!Aa1!Aa1!",
    "0123456789",
    "another value",
    "true",
];

/// Values that fit a format, for schemas that assert it.
const FORMATS: [(&str, &[&str]); 18] = [
    (
        "date-time",
        &["2020-02-29T12:00:00Z", "1999-12-31T23:59:59.5+01:00"],
    ),
    ("date", &["2020-02-29", "1999-12-31"]),
    ("time", &["12:00:00Z", "23:59:59.5+01:00"]),
    ("duration", &["P1D", "PT1H"]),
    ("email", &["a@example.com", "b.c@example.org"]),
    ("idn-email", &["a@example.com"]),
    ("hostname", &["example.com", "a"]),
    ("idn-hostname", &["example.com"]),
    ("ipv4", &["127.0.0.1", "10.0.0.255"]),
    ("ipv6", &["::1", "fe80::1"]),
    ("uri", &["https://example.com/a", "urn:a:b", "file:///a"]),
    ("uri-reference", &["/a", "https://example.com/a"]),
    ("iri", &["https://example.com/a"]),
    ("iri-reference", &["/a"]),
    ("uuid", &["2eb8aa08-aa98-11ea-b4aa-73b441d16380"]),
    ("uri-template", &["https://example.com/{a}", "/a"]),
    ("json-pointer", &["", "/a/0"]),
    ("regex", &["a", "^a$"]),
];

/// The values that schemas of a place list, and values next to them.
pub(super) fn listed(schemas: &[&Map<String, Value>]) -> Vec<Value> {
    let mut listed = Vec::new();
    for schema in schemas {
        listed.extend(schema.get("const").cloned());
        let values = schema.get("enum").and_then(Value::as_array);
        listed.extend(values.into_iter().flatten().cloned());
        for hint in ["default", "examples"] {
            match schema.get(hint) {
                Some(Value::Array(examples)) if hint == "examples" => {
                    listed.extend(examples.iter().take(4).cloned());
                }
                hint => listed.extend(hint.cloned()),
            }
        }
    }
    listed.truncate(MAX_ATOMS);
    let neighbours: Vec<Value> = listed.iter().take(32).flat_map(neighbours).collect();
    listed.extend(neighbours);
    listed
}

/// Values that differ from another in one respect.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => match number.as_f64() {
            Some(number) => [number + 1.0, number - 1.0, number + 0.5]
                .into_iter()
                .filter_map(of_float)
                .collect(),
            None => Vec::new(),
        },
        Value::String(text) => vec![
            json!(format!("{text}x")),
            json!(text.to_uppercase()),
            json!(text.to_lowercase()),
        ],
        Value::Array(items) => {
            let mut longer = items.clone();
            longer.push(Value::Null);
            let shorter = items.split_last().map(|(_, rest)| json!(rest));
            shorter.into_iter().chain([Value::Array(longer)]).collect()
        }
        Value::Object(members) => {
            let mut longer = members.clone();
            longer.insert("another member".to_owned(), Value::Null);
            let shorter = members.keys().take(4).map(|name| {
                let mut shorter = members.clone();
                shorter.remove(name);
                Value::Object(shorter)
            });
            shorter.chain([Value::Object(longer)]).collect()
        }
    }
}

/// Numbers at, next to and between the limits.
pub(super) fn numbers(schemas: &[&Map<String, Value>]) -> Vec<Value> {
    const LIMITS: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    let all = |keys: &[&str]| -> Vec<f64> {
        let values = schemas.iter().flat_map(|schema| {
            let values = keys.iter().filter_map(|key| schema.get(*key)?.as_f64());
            values.collect::<Vec<_>>()
        });
        values.take(24).collect()
    };
    let (limits, steps) = (all(&LIMITS), all(&["multipleOf"]));
    let mut numbers = vec![0.0, 1.0, -1.0, 0.5, 2.0, 3.0];
    for limit in &limits {
        numbers.extend([*limit, limit + 1.0, limit - 1.0, limit + 0.5, limit - 0.5]);
        numbers.extend([limit + 0.001, limit - 0.001]);
    }
    for step in steps
        .iter()
        .map(|step| step.abs())
        .filter(|step| *step > 0.0)
    {
        numbers.extend([1.0, 2.0, 3.0, 5.0, 7.0, -1.0].map(|factor| factor * step));
        numbers.extend(steps.iter().map(|other| other * step));
        numbers.extend([step / 2.0, step + 1.0]);
        for limit in &limits {
            let below = (limit / step).floor();
            numbers.extend([below - 1.0, below, below + 1.0, below + 2.0].map(|it| it * step));
        }
    }
    numbers.extend([
        1.5, 4.0, 5.0, 6.0, 7.0, 10.0, 0.1, 100.0, 1000.0, 1e6, -1e6, 1e15, -1e15,
    ]);
    let mut values: Vec<Value> = numbers.into_iter().filter_map(of_float).collect();
    // Limits that no floating-point number holds.
    for schema in schemas {
        for number in LIMITS.iter().filter_map(|key| schema.get(*key)) {
            values.push(number.clone());
            let whole = number.as_i64().into_iter();
            let around = whole.flat_map(|it| [it.saturating_sub(1), it.saturating_add(1)]);
            values.extend(around.map(Value::from));
        }
    }
    values.truncate(MAX_ATOMS);
    values
}

/// A number, whole if it has no fraction.
fn of_float(number: f64) -> Option<Value> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        return Some(json!(number as i64));
    }
    Number::from_f64(number).map(Value::Number)
}

/// Strings at the limits of length, of each pattern and format, and next to them.
pub(super) fn strings(schemas: &[&Map<String, Value>]) -> Vec<String> {
    let lengths = lengths(schemas, &["minLength", "maxLength"], MAX_LENGTH);
    let mut strings = Vec::new();
    for schema in schemas {
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
            let samples = patterns::samples(pattern, &lengths);
            strings.extend(samples.iter().take(6).flat_map(|it| variants(it)));
            strings.extend(samples);
        }
        if let Some(format) = schema.get("format").and_then(Value::as_str) {
            let known = FORMATS.iter().filter(|(name, _)| *name == format);
            let known = known.flat_map(|(_, samples)| samples.iter().copied());
            strings.extend(known.map(str::to_owned));
        }
    }
    strings.extend(STRINGS.map(str::to_owned));
    for length in lengths {
        strings.extend(["a", "0", "é"].map(|letter| letter.repeat(length)));
    }
    strings.truncate(MAX_ATOMS);
    strings
}

/// Strings that differ from another at one end, or in the case of letters.
fn variants(text: &str) -> Vec<String> {
    let mut variants = vec![text.to_owned()];
    for added in ["x", "0", "-", " ", "A"] {
        variants.extend([format!("{text}{added}"), format!("{added}{text}")]);
    }
    let mut shorter = text.chars();
    shorter.next();
    variants.push(shorter.as_str().to_owned());
    let mut shorter = text.chars();
    shorter.next_back();
    variants.push(shorter.as_str().to_owned());
    variants.extend([text.to_uppercase(), text.to_lowercase()]);
    variants
}

/// The limits on a number of things, and their neighbours, up to `most`.
pub(super) fn lengths(schemas: &[&Map<String, Value>], keys: &[&str], most: usize) -> Vec<usize> {
    let mut lengths = Vec::new();
    for schema in schemas {
        for limit in keys.iter().filter_map(|key| schema.get(*key)?.as_f64()) {
            // Limits are whole numbers, though some write them with a fraction of zero.
            #[expect(clippy::cast_sign_loss, reason = "negative limits become zero")]
            let limit = limit as usize;
            lengths.extend([limit.saturating_sub(1), limit, limit.saturating_add(1)]);
        }
    }
    lengths.retain(|length| *length <= most);
    lengths.sort_unstable();
    lengths.dedup();
    lengths.truncate(24);
    lengths
}
