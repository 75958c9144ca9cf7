//! Patterns that run in linear time, and the cost of each.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::{PatternOptions, Regex, Validator};
use serde_json::{Value, json};

use super::fault::{SchemaFault, SchemaFaultKind};
use super::graph::{Graph, escape};
use super::limits::SchemaLimits;
use super::metered::{MeteredJson, MeteredNode};

/// Longer patterns are not compiled: translating one can take the square of its length.
const MAX_PATTERN: usize = 2048;

/// To translate a pattern it is read anew for each escape: escapes times length, for one pattern
/// and for all of a schema.
const MAX_READS: usize = 40_000;
const MAX_READS_OF_SCHEMA: usize = 400_000;

/// The size of a class of characters.
const CLASS_STATES: u64 = 100;

/// All patterns of a schema together.
const MAX_PATTERNS: usize = 64 << 10;

/// The size of the program of one pattern.
const MAX_PROGRAM_BYTES: usize = 1 << 20;

/// The patterns of a schema.
#[derive(Default)]
pub(super) struct Patterns {
    /// The most that the patterns of one subschema cost for a byte of text.
    pub(super) weight: u64,
    /// The number of different patterns.
    pub(super) count: usize,
    /// Those that do not run in linear time: the subschema, and the key for a key of
    /// `patternProperties`.
    pub(super) unchecked: Vec<(usize, Option<String>)>,
}

/// The settings of the linear engine.
pub(super) fn options() -> PatternOptions<Regex> {
    PatternOptions::regex()
        .size_limit(MAX_PROGRAM_BYTES)
        .dfa_size_limit(MAX_PROGRAM_BYTES)
}

/// Checks all patterns.
pub(super) fn inspect(graph: &Graph<'_>, limits: &SchemaLimits) -> Result<Patterns, SchemaFault> {
    let mut found = Patterns::default();
    let mut known: HashMap<&str, Class> = HashMap::new();
    let (mut length, mut reading) = (0, 0);
    for (index, node) in graph.nodes.iter().enumerate() {
        let own = graph.text(index, "pattern").map(|text| (text, None));
        let keys = node
            .value
            .get("patternProperties")
            .and_then(Value::as_object);
        let keys = keys.into_iter().flatten();
        let keys = keys.map(|(key, _)| (key.as_str(), Some(key)));
        let mut weight: u64 = 0;
        for (text, key) in own.into_iter().chain(keys) {
            let place = || match key {
                Some(key) => format!("{}/patternProperties/{}", graph.pointer(index), escape(key)),
                None => format!("{}/pattern", graph.pointer(index)),
            };
            let class = match known.get(text) {
                Some(class) => *class,
                None => {
                    length += text.len();
                    if known.len() >= limits.patterns || length > MAX_PATTERNS {
                        let kind = SchemaFaultKind::TooManySubschemas;
                        return Err(SchemaFault::new(kind, place()));
                    }
                    let cost = text.len() * text.matches('\\').count();
                    reading += cost;
                    let class = if cost > MAX_READS || reading > MAX_READS_OF_SCHEMA {
                        Class::Unsupported
                    } else {
                        classify(text)
                    };
                    known.insert(text, class);
                    class
                }
            };
            match class {
                Class::Linear(cost) => weight = weight.saturating_add(cost),
                Class::Unsupported => found.unchecked.push((index, key.cloned())),
                Class::Invalid => {
                    return Err(SchemaFault::new(SchemaFaultKind::BadPattern, place()));
                }
            }
        }
        found.weight = found.weight.max(weight);
    }
    found.count = known.len();
    Ok(found)
}

/// The fitness of a pattern for the linear engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// It can be run, with about this number of states.
    Linear(u64),
    /// It has look-around or back-references, or is too large.
    Unsupported,
    /// It is no regular expression.
    Invalid,
}

fn classify(pattern: &str) -> Class {
    // Over the tape, as for messages: for any other representation the whole crate would be
    // compiled once more.
    static EXPRESSION: LazyLock<Option<Validator<MeteredJson>>> = LazyLock::new(|| {
        jsonschema::options_for::<MeteredJson>()
            .should_validate_formats(true)
            .build(&json!({ "format": "regex" }))
            .ok()
    });
    if pattern.len() > MAX_PATTERN {
        return Class::Unsupported;
    }
    let linear = jsonschema::options_for::<MeteredJson>()
        .with_pattern_options(options())
        .build(&json!({ "pattern": pattern }));
    if linear.is_ok() {
        return Class::Linear(states(pattern));
    }
    let valid = EXPRESSION
        .as_ref()
        .is_some_and(|expression| expression.is_valid(MeteredNode::Text(pattern)));
    if valid {
        Class::Unsupported
    } else {
        Class::Invalid
    }
}

/// Estimates the states of a pattern's automaton: its length, times the factor of counted
/// repetitions.
fn states(pattern: &str) -> u64 {
    // The sizes of the open groups, and of the atom that a repetition would repeat.
    let mut open = vec![0_u64];
    let mut last = 0_u64;
    let mut chars = pattern.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => {
                let class = matches!(chars.next(), Some((_, 'p' | 'P')));
                last = if class { CLASS_STATES } else { 1 };
            }
            '(' => {
                open.push(0);
                continue;
            }
            ')' if open.len() > 1 => last = open.pop().unwrap_or(0),
            '{' => {
                let Some((bounds, _)) = pattern[at + 1..].split_once('}') else {
                    continue;
                };
                // The bounds and the brace after them.
                chars.nth(bounds.chars().count());
                let most = bounds
                    .split(',')
                    .filter_map(|bound| bound.trim().parse::<u64>().ok())
                    .max();
                // Braces that are no repetition hold the name of a class.
                let Some(most) = most else { continue };
                // The atom was counted once.
                last = last.saturating_mul(most.saturating_sub(1));
            }
            _ => last = 1,
        }
        if let Some(group) = open.last_mut() {
            *group = group.saturating_add(last);
        }
    }
    open.into_iter().fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_told_apart() {
        assert!(matches!(classify("^[a-z]+$"), Class::Linear(_)));
        assert!(matches!(classify(r"^\p{L}{2,8}$"), Class::Linear(_)));
        assert_eq!(classify("^(?=.*[A-Z]).+$"), Class::Unsupported);
        assert_eq!(classify(r"^(a+)\1$"), Class::Unsupported);
        assert_eq!(classify("(a{1000}){1000}"), Class::Unsupported);
        assert_eq!(classify("(["), Class::Invalid);
        assert_eq!(classify("(a"), Class::Invalid);
        assert_eq!(classify("a{2,1}"), Class::Invalid);
    }

    #[test]
    fn repetitions_count() {
        assert!(states("^[a-z]+$") < 10);
        assert!((1000..1100).contains(&states("a{1,1000}")));
        assert!(states("((a|b){50}){50}") > 2500);
        assert!(states(r"\{{3}") < 10);
        assert!(states("{{{{(((") < 10);
        assert!(states(r"\p{L}{2,8}") > 700);
    }
}
