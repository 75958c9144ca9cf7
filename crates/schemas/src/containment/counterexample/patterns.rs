//! Strings that a regular expression matches.

use regex_syntax::Parser;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The number of strings made from one part of an expression.
const MAX_SAMPLES: usize = 24;
/// The length in bytes of a string.
const MAX_BYTES: usize = 256;

/// Strings that a pattern matches; none if it uses what only backtracking engines know. `lengths`
/// are numbers of repetitions to try.
pub(super) fn samples(pattern: &str, lengths: &[usize]) -> Vec<String> {
    let Ok(hir) = Parser::new().parse(&with_ascii_classes(pattern)) else {
        return Vec::new();
    };
    sample(&hir, lengths)
}

/// The pattern with `\d` and `\w` written out: in JSON Schema they stand for ASCII alone.
fn with_ascii_classes(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len());
    let (mut in_class, mut characters) = (false, pattern.chars());
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let escaped = characters.next();
                let class = match escaped {
                    Some('d') => "0-9",
                    Some('w') => "A-Za-z0-9_",
                    _ => {
                        written.push('\\');
                        written.extend(escaped);
                        continue;
                    }
                };
                let (open, close) = if in_class { ("", "") } else { ("[", "]") };
                written.extend([open, class, close]);
                continue;
            }
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
        written.push(character);
    }
    written
}

fn sample(hir: &Hir, lengths: &[usize]) -> Vec<String> {
    let mut samples = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => vec![String::new()],
        HirKind::Literal(literal) => {
            let text = core::str::from_utf8(&literal.0).map(str::to_owned);
            text.into_iter().collect()
        }
        HirKind::Class(class) => characters(class).map(String::from).collect(),
        HirKind::Capture(capture) => sample(&capture.sub, lengths),
        HirKind::Alternation(branches) => {
            let branches: Vec<_> = branches.iter().map(|it| sample(it, lengths)).collect();
            by_turns(&branches)
        }
        HirKind::Concat(parts) => concatenate(parts.iter().map(|it| sample(it, lengths))),
        HirKind::Repetition(repetition) => {
            let inner = sample(&repetition.sub, lengths);
            let min = repetition.min as usize;
            let max = repetition.max.map_or(usize::MAX, |max| max as usize);
            let mut counts = vec![min, min.saturating_add(1), min.saturating_add(2)];
            counts.extend(repetition.max.map(|max| max as usize));
            counts.extend(lengths);
            counts.retain(|count| (min..=max).contains(count) && *count <= MAX_BYTES);
            repeat(&inner, &counts)
        }
    };
    samples.retain(|text| text.len() <= MAX_BYTES);
    let mut known = std::collections::HashSet::new();
    samples.retain(|text| known.insert(text.clone()));
    samples.truncate(MAX_SAMPLES);
    samples
}

/// Characters of a class: usual ones, then the ends of its ranges, readable ones first.
fn characters(class: &Class) -> impl Iterator<Item = char> + use<> {
    const USUAL: [char; 11] = ['a', 'A', '0', '-', '_', ' ', '.', 'b', 'z', 'Z', '9'];
    const MAX_RANGES: usize = 16;
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class
            .iter()
            .map(|it| (u32::from(it.start()), u32::from(it.end())))
            .collect(),
        Class::Bytes(class) => class
            .iter()
            .map(|it| (u32::from(it.start()), u32::from(it.end()).min(0x7f)))
            .collect(),
    };
    let has = |wanted: char| {
        let mut ranges = ranges.iter();
        ranges.any(|(start, end)| (*start..=*end).contains(&u32::from(wanted)))
    };
    let mut found: Vec<char> = USUAL.into_iter().filter(|it| has(*it)).take(6).collect();
    let ends = ranges.iter().take(MAX_RANGES);
    let mut ends: Vec<u32> = ends.flat_map(|(start, end)| [*start, *end]).collect();
    let readable = u32::from(' ')..=u32::from('~');
    ends.sort_by_key(|it| !readable.contains(it));
    found.extend(ends.into_iter().filter_map(char::from_u32).take(4));
    found.into_iter()
}

/// The first of each list, then the second of each, and so on.
fn by_turns(lists: &[Vec<String>]) -> Vec<String> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut result = Vec::new();
    for turn in 0..longest {
        result.extend(lists.iter().filter_map(|list| list.get(turn).cloned()));
    }
    result
}

/// Every part at its first sample, then one part at a time at its others.
fn concatenate(parts: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let parts: Vec<Vec<String>> = parts.collect();
    if parts.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let joined = |changed: usize, choice: usize| -> String {
        let pick = |(index, list): (usize, &Vec<String>)| {
            let choice = if index == changed { choice } else { 0 };
            list[choice].clone()
        };
        parts.iter().enumerate().map(pick).collect()
    };
    let mut result = vec![joined(0, 0)];
    for choice in 1..MAX_SAMPLES {
        for (index, list) in parts.iter().enumerate() {
            if choice < list.len() {
                result.push(joined(index, choice));
            }
        }
        if result.len() > MAX_SAMPLES {
            break;
        }
    }
    result
}

/// Each sample alone for each count, then all samples in turn.
fn repeat(inner: &[String], counts: &[usize]) -> Vec<String> {
    let mut result = Vec::new();
    let fits = |text: &str, count: usize| text.len().saturating_mul(count) <= MAX_BYTES;
    for turn in 0..inner.len().max(1) {
        for count in counts {
            match inner.get(turn) {
                Some(text) if fits(text, *count) => result.push(text.repeat(*count)),
                None if *count == 0 => result.push(String::new()),
                _ => {}
            }
        }
    }
    for count in counts {
        let mixed: String = inner
            .iter()
            .cycle()
            .take(*count)
            .map(String::as_str)
            .collect();
        result.insert(result.len().min(counts.len()), mixed);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::samples;

    #[test]
    fn samples_match_their_pattern() {
        for pattern in [
            "^[a-z]+$",
            "^(GET|POST)$",
            r"^\d{3}-\d{4}$",
            "^x-",
            "a?b*c+",
            r"^[A-Z][a-z]{2,5}( [A-Z])?$",
            r"^[^/]+/[^/]+$",
            r"^\w+@\w+\.\w{2,}$",
            r"^[\w.-]+\\[\d]$",
            "",
        ] {
            let found = samples(pattern, &[7]);
            assert!(!found.is_empty(), "{pattern}");
            let schema = serde_json::json!({ "pattern": pattern });
            let validator = jsonschema::validator_for(&schema).unwrap();
            for text in found {
                assert!(
                    validator.is_valid(&text.clone().into()),
                    "{pattern}: {text}"
                );
            }
        }
        assert_eq!(samples("(?=a)b(", &[]), Vec::<String>::new());
    }
}
