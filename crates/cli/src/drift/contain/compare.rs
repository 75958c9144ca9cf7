//! The comparison: every condition of the accepting schema must follow from those of the other.

use serde_json::{Map, Value};

use super::Unnamed;
use super::answer::Answer;
use super::document::{Document, OPAQUE, asserts, is_same};
use super::narrow::{Choice, Narrow};
use super::types::Types;
use super::values;

/// So many schemas are looked at, and so deep: what comes from a stranger must come to an end.
const STEPS: u32 = 20_000;
const DEPTH: usize = 96;

/// Keywords that mean something only together, the opaque ones first.
const GROUPS: [(&[&str], &[&str]); 4] = [
    (&["if", "then", "else"], &[]),
    (&["contains", "minContains", "maxContains"], &[]),
    (&["prefixItems", "additionalItems"], &["items"]),
    (
        &["patternProperties"],
        &["properties", "additionalProperties"],
    ),
];

/// Keywords whose meaning depends on everything beside and around them.
const DEPENDENT: [&str; 4] = [
    "unevaluatedProperties",
    "unevaluatedItems",
    "$dynamicRef",
    "$recursiveRef",
];

/// A schema behind a reference, and the conditions it was met with; by their places.
type Met = (*const Value, Vec<*const Map<String, Value>>, Types);

/// A comparison under way.
pub(super) struct Comparison<'v> {
    pub(super) wide: &'v Document<'v>,
    pub(super) narrow: &'v Document<'v>,
    pub(super) unnamed: Unnamed,
    steps: u32,
    depth: usize,
    /// What is being compared.
    open: Vec<Met>,
}

impl<'v> Comparison<'v> {
    pub(super) fn new(wide: &'v Document<'v>, narrow: &'v Document<'v>, unnamed: Unnamed) -> Self {
        Self {
            wide,
            narrow,
            unnamed,
            steps: 0,
            depth: 0,
            open: Vec::new(),
        }
    }

    /// Whether a schema accepts everything under these conditions.
    pub(super) fn covers(&mut self, wide: &'v Value, narrow: &Narrow<'v>, at: &str) -> Answer {
        self.steps += 1;
        if self.steps > STEPS || self.depth >= DEPTH {
            return Answer::unknown(at, "the schema is too large to compare");
        }
        if narrow.is_never || narrow.types.is_empty() {
            return Answer::YES;
        }
        let object = match wide {
            Value::Bool(true) => return Answer::YES,
            Value::Bool(false) => return settle(Answer::no(at, "nothing is accepted"), narrow),
            Value::Object(object) => object,
            _ => return Answer::unknown(at, "it is not a schema"),
        };
        if !asserts(object) {
            return Answer::YES;
        }
        if let Some(values) = listed(narrow) {
            return self.covers_values(wide, narrow, &values, at);
        }
        self.depth += 1;
        let answer = settle(self.covers_all_conditions(object, narrow, at), narrow);
        let answer = match narrow.choices.split_last() {
            Some((choice, rest)) if !answer.is_yes() => {
                self.covers_each_branch(wide, narrow, *choice, rest, at)
            }
            _ => answer,
        };
        self.depth -= 1;
        answer
    }

    /// All branches of a choice have to be accepted.
    fn covers_each_branch(
        &mut self,
        wide: &'v Value,
        narrow: &Narrow<'v>,
        choice: Choice<'v>,
        rest: &[Choice<'v>],
        at: &str,
    ) -> Answer {
        let mut answer = Answer::YES;
        for branch in choice.branches {
            let mut part = Narrow {
                choices: rest.to_vec(),
                ..narrow.clone()
            };
            match part.add(branch, self.narrow) {
                Some(()) => answer.and(self.covers(wide, &part, at)),
                None => answer.and(Answer::unknown(at, "a reference leads nowhere")),
            }
        }
        // What one branch accepts may be what another accepts too, and so be excluded.
        let is_certain = !choice.is_exclusive || are_apart(choice.branches, self.narrow);
        if is_certain {
            answer
        } else {
            answer.doubtful()
        }
    }

    fn covers_values(
        &mut self,
        wide: &'v Value,
        narrow: &Narrow<'v>,
        values: &[&Value],
        at: &str,
    ) -> Answer {
        let mut answer = Answer::YES;
        for value in values {
            let is_possible = values::possible(narrow, value, self.narrow);
            let is_accepted = values::accepts(wide, value, self.wide, 0);
            match (is_possible, is_accepted) {
                (Some(false), _) | (_, Some(true)) => {}
                (Some(true), Some(false)) => {
                    answer.and(Answer::no(at, "a listed value is not accepted"));
                    break;
                }
                _ => answer.and(Answer::unknown(at, "a listed value cannot be judged")),
            }
        }
        answer
    }

    fn covers_all_conditions(
        &mut self,
        wide: &'v Map<String, Value>,
        narrow: &Narrow<'v>,
        at: &str,
    ) -> Answer {
        let mut answer = Answer::YES;
        if let Some(reference) = wide.get("$ref") {
            answer.and(self.covers_reference(reference, narrow, at));
            if self.wide.is_old {
                return answer;
            }
        }
        answer.and(covers_types(wide, narrow, at));
        if wide.contains_key("enum") || wide.contains_key("const") {
            let found = Answer::no(at, "only listed values are accepted");
            answer.and(if is_bounded(narrow) {
                found.doubtful()
            } else {
                found
            });
        }
        if let Some(parts) = wide.get("allOf") {
            for (index, part) in parts.as_array().into_iter().flatten().enumerate() {
                answer.and(self.covers(part, narrow, &format!("{at}/allOf/{index}")));
            }
        }
        for (name, is_exclusive) in [("anyOf", false), ("oneOf", true)] {
            if let Some(Value::Array(branches)) = wide.get(name) {
                let at = format!("{at}/{name}");
                if !is_exclusive || are_apart(branches, self.wide) {
                    answer.and(self.covers_by_branch(branches, narrow, &at));
                } else if !self.is_alike(&[name], wide, narrow) {
                    answer.and(Answer::unknown(&at, "branches of `oneOf` may overlap"));
                }
            }
        }
        answer.and(self.covers_opaque(wide, narrow, at));
        answer.and(super::scalars::covers(wide, narrow, at));
        if narrow.types.has_any(Types::OBJECT) && !wide.contains_key("patternProperties") {
            answer.and(self.covers_members(wide, narrow, at));
        }
        if narrow.types.has_any(Types::ARRAY) {
            answer.and(self.covers_items(wide, narrow, at));
        }
        answer
    }

    fn covers_reference(&mut self, reference: &Value, narrow: &Narrow<'v>, at: &str) -> Answer {
        let target = reference.as_str().and_then(|it| self.wide.resolve(it));
        let Some(target) = target else {
            return Answer::unknown(at, "a reference leads nowhere");
        };
        let conditions: Vec<_> = narrow
            .all
            .iter()
            .map(|it| std::ptr::from_ref(*it))
            .collect();
        let key = (std::ptr::from_ref(target), conditions, narrow.types);
        // Met again on the way down: if there were a value against it, it would have been found above.
        if self.open.contains(&key) {
            return Answer::YES;
        }
        self.open.push(key);
        let answer = self.covers(target, narrow, at);
        self.open.pop();
        answer
    }

    /// One branch has to accept everything, or each type has such a branch.
    fn covers_by_branch(&mut self, branches: &'v [Value], narrow: &Narrow<'v>, at: &str) -> Answer {
        for (index, branch) in branches.iter().enumerate() {
            if self
                .covers(branch, narrow, &format!("{at}/{index}"))
                .is_yes()
            {
                return Answer::YES;
            }
        }
        let types: Vec<_> = narrow.types.each().collect();
        let mut answer = Answer::YES;
        for types in types {
            let part = Narrow {
                types,
                ..narrow.clone()
            };
            let fitting: Vec<_> = branches
                .iter()
                .enumerate()
                .filter(|(_, branch)| {
                    Narrow::of(branch, self.wide)
                        .is_none_or(|branch| !branch.is_never && branch.types.has_any(types))
                })
                .collect();
            answer.and(match fitting.as_slice() {
                [] => Answer::no(at, format!("type {} is not accepted", types.names())),
                // The others accept nothing of this type.
                [(index, branch)] => self.covers(branch, &part, &format!("{at}/{index}")),
                several => {
                    let is_covered = several
                        .iter()
                        .any(|(_, branch)| self.covers(branch, &part, at).is_yes());
                    if is_covered {
                        Answer::YES
                    } else {
                        Answer::unknown(at, "no single branch accepts everything")
                    }
                }
            });
        }
        answer
    }

    /// Keywords that are not modelled must be said on the other side too.
    fn covers_opaque(&self, wide: &Map<String, Value>, narrow: &Narrow<'v>, at: &str) -> Answer {
        let mut answer = Answer::YES;
        for keyword in OPAQUE.iter().filter(|&&it| wide.contains_key(it)) {
            let group = GROUPS.iter().find(|(opaque, _)| opaque.contains(keyword));
            let related: Vec<_> = match group {
                Some((opaque, others)) => opaque.iter().chain(*others).copied().collect(),
                None => vec![*keyword],
            };
            if DEPENDENT.contains(keyword) || !self.is_alike(&related, wide, narrow) {
                answer.and(Answer::unknown(at, format!("`{keyword}` cannot be judged")));
            }
        }
        answer
    }

    /// Whether one of the conditions has the same under these keywords.
    fn is_alike(&self, keywords: &[&str], wide: &Map<String, Value>, narrow: &Narrow<'v>) -> bool {
        self.wide.is_old == self.narrow.is_old
            && narrow.all.iter().any(|object| {
                keywords
                    .iter()
                    .all(|&keyword| match (wide.get(keyword), object.get(keyword)) {
                        (None, None) => true,
                        (Some(left), Some(right)) => is_same(left, right),
                        _ => false,
                    })
            })
    }
}

fn covers_types(wide: &Map<String, Value>, narrow: &Narrow<'_>, at: &str) -> Answer {
    let Some(types) = Types::of_schema(wide) else {
        return Answer::unknown(at, "`type` cannot be understood");
    };
    let missing = narrow.types.without(types);
    if missing.is_empty() {
        return Answer::YES;
    }
    let answer = Answer::no(at, format!("type {} is not accepted", missing.names()));
    // A divisor may rule out the fractions.
    let only_fractions =
        !missing.has_any(Types::ALL.without(Types::NUMBER)) && !missing.has_any(Types::INTEGER);
    if only_fractions && narrow.has("multipleOf") {
        answer.doubtful()
    } else {
        answer
    }
}

/// What is found against it is certain only if the conditions say all there is.
fn settle(answer: Answer, narrow: &Narrow<'_>) -> Answer {
    if narrow.is_exact && narrow.choices.is_empty() {
        answer
    } else {
        answer.doubtful()
    }
}

/// The values that are possible, if they are few.
fn listed<'v>(narrow: &Narrow<'v>) -> Option<Vec<&'v Value>> {
    const FEW: [Value; 3] = [Value::Null, Value::Bool(false), Value::Bool(true)];
    const FEW_VALUES: &[Value] = &FEW;
    if let Some(values) = narrow.values() {
        return Some(values);
    }
    if !narrow.types.without(Types::FINITE).is_empty() {
        return None;
    }
    Some(FEW_VALUES.iter().collect())
}

/// Whether there may be few values although none are listed.
fn is_bounded(narrow: &Narrow<'_>) -> bool {
    [
        "maximum",
        "exclusiveMaximum",
        "maxLength",
        "maxItems",
        "maxProperties",
        "additionalProperties",
        "pattern",
        "format",
        "multipleOf",
    ]
    .into_iter()
    .any(|keyword| narrow.has(keyword))
}

/// Whether no value can fit two of the branches, by their types.
fn are_apart(branches: &[Value], document: &Document<'_>) -> bool {
    let mut met = Types::ALL.without(Types::ALL);
    branches.iter().all(|branch| {
        let Some(branch) = Narrow::of(branch, document) else {
            return false;
        };
        let is_apart = branch.is_never || !met.has_any(branch.types);
        met = met.or(branch.types);
        is_apart
    })
}
