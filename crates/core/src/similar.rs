//! "Did you mean": the known name that a misspelt one resembles.

/// The candidate nearest to a name, if it is near enough to be meant: another spelling
/// (`input_schema`), few typing errors, or a common beginning (`warn`).
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = name.chars().count();
    let allowed = (length / 3).clamp(1, 3);
    let letters = Letters::of(name);
    candidates
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            let distance = if folded(candidate).eq(folded(name)) {
                0
            } else if length.abs_diff(candidate.chars().count()) > allowed
                || letters.differ_by_more_than(allowed, candidate)
            {
                allowed + 1
            } else {
                strsim::osa_distance(name, candidate)
            };
            let is_near = distance <= allowed || begins_alike(name, candidate);
            is_near.then_some((distance.min(allowed), candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of names that are listed if none is similar.
const MAX_LISTED: usize = 16;

/// The sentence about an unknown name, with the one that was probably meant. A name without its
/// family finds the whole.
#[must_use]
pub fn unknown_text<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<_> = known.collect();
    let last = |candidate: &'a str| candidate.rsplit('/').next().unwrap_or(candidate);
    let meant = nearest(name, known.iter().copied()).or_else(|| {
        let end = known.iter().copied().map(last);
        let end = end.clone().find(|it| *it == name).or(nearest(name, end))?;
        known
            .iter()
            .copied()
            .find(|candidate| last(candidate) == end)
    });
    let text = format!("unknown {what} `{}`", name.escape_debug());
    match meant {
        Some(meant) => format!("{text}; did you mean `{meant}`?"),
        None if known.len() <= MAX_LISTED => format!("{text}; known are {}", known.join(", ")),
        None => text,
    }
}

fn begins_alike(name: &str, candidate: &str) -> bool {
    name.len().min(candidate.len()) >= 4
        && (name.starts_with(candidate) || candidate.starts_with(name))
}

/// The letters and digits alone, in lower case.
fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
}

/// The number of times that each character stands in a name. Characters share a place, so that
/// names differ by at least as many typing errors as their letters do: a cheap test that rules out
/// most candidates.
struct Letters([i32; Self::PLACES]);

impl Letters {
    const PLACES: usize = 64;

    fn of(name: &str) -> Self {
        let mut letters = Self([0; Self::PLACES]);
        letters.add(name, 1);
        letters
    }

    fn differ_by_more_than(&self, allowed: usize, other: &str) -> bool {
        let mut letters = Self(self.0);
        letters.add(other, -1);
        let more: i32 = letters.0.iter().filter(|count| **count > 0).sum();
        let less: i32 = letters.0.iter().filter(|count| **count < 0).sum();
        more.max(-less).unsigned_abs() as usize > allowed
    }

    fn add(&mut self, name: &str, by: i32) {
        for character in name.chars() {
            let count = &mut self.0[character as usize % Self::PLACES];
            *count = count.saturating_add(by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Letters, nearest, unknown_text};

    #[test]
    fn finds_other_spellings_and_typing_errors_only() {
        let known = ["inputSchema", "name", "description"];
        assert_eq!(
            nearest("input_schema", known.into_iter()),
            Some("inputSchema")
        );
        assert_eq!(
            nearest("descripton", known.into_iter()),
            Some("description")
        );
        assert_eq!(nearest("nmae", known.into_iter()), Some("name"));
        assert_eq!(nearest("uri", known.into_iter()), None);
        assert_eq!(
            nearest("warn", ["info", "warning"].into_iter()),
            Some("warning")
        );
    }

    #[test]
    fn an_unknown_name_says_what_was_meant_or_what_is_known() {
        let known = ["schema/wrong-type", "json/well-formed"];
        for (name, says) in [
            ("schema/wrong-typ", "; did you mean `schema/wrong-type`?"),
            ("wrong-type", "; did you mean `schema/wrong-type`?"),
            ("well-formd", "; did you mean `json/well-formed`?"),
            ("banana", "; known are schema/wrong-type, json/well-formed"),
        ] {
            let text = unknown_text("rule", name, known.into_iter());
            assert_eq!(text, format!("unknown rule `{name}`{says}"));
        }
        let many = || (0..17).map(|_| "x");
        assert_eq!(
            unknown_text("x", "abc\u{1b}", many()),
            "unknown x `abc\\u{1b}`"
        );
    }

    #[test]
    fn no_candidate_is_ruled_out_that_is_near() {
        let names = [
            "tools/list",
            "tool/list",
            "tolos/list",
            "tools/call",
            "tools/lists",
            "",
            "é",
            "ping",
            "prompts/list",
            "Tools/List",
            "tools-list",
            "stools/li",
            "resources/list",
        ];
        for name in names {
            for other in names {
                let distance = strsim::osa_distance(name, other);
                let letters = Letters::of(name);
                assert!(
                    !letters.differ_by_more_than(distance, other),
                    "{name} {other}"
                );
            }
        }
    }
}
