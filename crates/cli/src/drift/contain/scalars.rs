//! Bounds, lengths, counts and texts.

use serde_json::{Map, Value};

use super::answer::Answer;
use super::narrow::Narrow;
use super::types::Types;

/// Integers beyond have no double of their own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether the conditions on single values follow.
pub(super) fn covers(wide: &Map<String, Value>, narrow: &Narrow<'_>, at: &str) -> Answer {
    let mut answer = Answer::YES;
    if narrow.types.has_any(Types::NUMBER) {
        answer.and(numbers(wide, narrow, at));
    }
    if narrow.types.has_any(Types::STRING) {
        answer.and(count(
            wide,
            narrow,
            at,
            "minLength",
            "maxLength",
            narrow.largest("minLength"),
        ));
        answer.and(texts(wide, narrow, at));
    }
    if narrow.types.has_any(Types::ARRAY) {
        answer.and(count(
            wide,
            narrow,
            at,
            "minItems",
            "maxItems",
            narrow.largest("minItems"),
        ));
        let is_unique = narrow
            .keyword("uniqueItems")
            .any(|unique| *unique == Value::Bool(true));
        let is_short = narrow.smallest("maxItems").is_some_and(|most| most <= 1.0);
        if wide.get("uniqueItems") == Some(&Value::Bool(true)) && !is_unique && !is_short {
            let found = Answer::no(at, "items have to be unique");
            // Of some values there are not two equal ones to begin with.
            answer.and(if narrow.has("items") {
                found.doubtful()
            } else {
                found
            });
        }
    }
    if narrow.types.has_any(Types::OBJECT) {
        let required = required_count(narrow);
        let least = narrow.largest("minProperties").unwrap_or(0.0).max(required);
        let found = count(
            wide,
            narrow,
            at,
            "minProperties",
            "maxProperties",
            Some(least),
        );
        // What members there can be limits their number too.
        answer.and(if narrow.has("additionalProperties") {
            found.doubtful()
        } else {
            found
        });
    }
    answer
}

/// Least and most of something that is counted.
fn count(
    wide: &Map<String, Value>,
    narrow: &Narrow<'_>,
    at: &str,
    least: &str,
    most: &str,
    narrow_least: Option<f64>,
) -> Answer {
    let mut answer = Answer::YES;
    if let Some(bound) = wide.get(least) {
        answer.and(match bound.as_f64() {
            None => not_understood(at, least),
            Some(bound) if narrow_least.unwrap_or(0.0) >= bound => Answer::YES,
            Some(_) => Answer::no(at, format!("`{least}` is {bound}")),
        });
    }
    if let Some(bound) = wide.get(most) {
        answer.and(match (bound.as_f64(), narrow.smallest(most)) {
            (None, _) => not_understood(at, most),
            (Some(bound), Some(narrow)) if narrow <= bound => Answer::YES,
            (Some(_), _) => Answer::no(at, format!("`{most}` is {bound}")),
        });
    }
    // A pattern may say something about the length.
    if narrow.has("pattern") || narrow.has("format") {
        answer.doubtful()
    } else {
        answer
    }
}

fn texts(wide: &Map<String, Value>, narrow: &Narrow<'_>, at: &str) -> Answer {
    let mut answer = Answer::YES;
    for keyword in ["pattern", "format"] {
        if let Some(text) = wide.get(keyword)
            && !narrow.keyword(keyword).any(|other| other == text)
        {
            answer.and(Answer::unknown(at, format!("`{keyword}` is not the same")));
        }
    }
    answer
}

fn numbers(wide: &Map<String, Value>, narrow: &Narrow<'_>, at: &str) -> Answer {
    let mut answer = Answer::YES;
    let whole = !narrow.types.has_any(Types::NUMBER.without(Types::INTEGER));
    for side in [Side::LOWER, Side::UPPER] {
        for keyword in [side.inclusive, side.exclusive] {
            let Some(value) = wide.get(keyword) else {
                continue;
            };
            let bound = value
                .as_f64()
                .filter(|bound| bound.abs() < EXACT)
                .map(|bound| side.bound(bound, keyword == side.exclusive, whole));
            let Some(bound) = bound else {
                answer.and(not_understood(at, keyword));
                continue;
            };
            let is_within = [(side.inclusive, false), (side.exclusive, true)]
                .into_iter()
                .flat_map(|(keyword, excludes)| {
                    narrow.keyword(keyword).map(move |value| (value, excludes))
                })
                .filter_map(|(value, excludes)| Some(side.bound(value.as_f64()?, excludes, whole)))
                .any(|narrow| narrow >= bound);
            if !is_within {
                answer.and(Answer::no(at, format!("`{keyword}` is {value}")));
            }
        }
    }
    if let Some(divisor) = wide.get("multipleOf") {
        answer.and(multiples(divisor, narrow, whole, at));
    }
    // A divisor may keep numbers away from a bound.
    if narrow.has("multipleOf") {
        answer.doubtful()
    } else {
        answer
    }
}

fn multiples(divisor: &Value, narrow: &Narrow<'_>, whole: bool, at: &str) -> Answer {
    let is_whole = |number: f64| number.fract() == 0.0 && (1.0..EXACT).contains(&number.abs());
    let Some(wide) = divisor.as_f64() else {
        return not_understood(at, "multipleOf");
    };
    let follows = narrow.keyword("multipleOf").any(|narrow| {
        narrow == divisor
            || narrow
                .as_f64()
                .is_some_and(|it| is_whole(it) && is_whole(wide) && it % wide == 0.0)
    });
    #[expect(clippy::float_cmp, reason = "one is one")]
    let is_one = wide.abs() == 1.0;
    if follows || whole && is_one {
        return Answer::YES;
    }
    Answer::no(at, format!("`multipleOf` is {divisor}")).doubtful()
}

/// One end of a range. Bounds are compared as they grow stricter.
struct Side {
    inclusive: &'static str,
    exclusive: &'static str,
    sign: f64,
}

/// How far a bound is in, then whether it excludes itself.
type Bound = (f64, bool);

impl Side {
    const LOWER: Self = Self {
        inclusive: "minimum",
        exclusive: "exclusiveMinimum",
        sign: 1.0,
    };
    const UPPER: Self = Self {
        inclusive: "maximum",
        exclusive: "exclusiveMaximum",
        sign: -1.0,
    };

    fn bound(&self, number: f64, excludes: bool, whole: bool) -> Bound {
        let number = self.sign * number;
        if !whole {
            return (number, excludes);
        }
        // The first integer inside.
        if excludes {
            (number.floor() + 1.0, false)
        } else {
            (number.ceil(), false)
        }
    }
}

fn required_count(narrow: &Narrow<'_>) -> f64 {
    let mut names: Vec<_> = narrow
        .keyword("required")
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    names.sort_unstable();
    names.dedup();
    // No list is longer than that.
    u32::try_from(names.len()).map_or(f64::from(u32::MAX), f64::from)
}

fn not_understood(at: &str, keyword: &str) -> Answer {
    Answer::unknown(at, format!("`{keyword}` cannot be understood"))
}
