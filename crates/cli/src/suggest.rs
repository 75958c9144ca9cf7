//! "Did you mean" for names that clap does not know.

use std::fmt::Write;

/// The number of names that are listed if none is similar.
const LISTED: usize = 16;

/// The error for an unknown name, with the one that was probably meant.
pub(crate) fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> anyhow::Error {
    anyhow::Error::msg(unknown_text(what, name, known))
}

/// The same, as a text.
pub(crate) fn unknown_text<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> String {
    let known: Vec<_> = known.collect();
    let mut text = format!("unknown {what} `{}`", name.escape_debug());
    // Writing to a string cannot fail.
    if let Some(meant) = nearest(name, known.iter().copied()) {
        let _ = write!(text, "; did you mean `{meant}`?");
    } else if known.len() <= LISTED {
        let _ = write!(text, "; known are {}", known.join(", "));
    }
    text
}

/// The known name that is most similar, if any is. A name without its family finds the whole.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const ENOUGH: f64 = 0.6;
    let likeness = |candidate: &str| {
        let last = candidate.rsplit('/').next().unwrap_or(candidate);
        let whole = strsim::normalized_damerau_levenshtein(name, candidate);
        whole.max(strsim::normalized_damerau_levenshtein(name, last))
    };
    known
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness >= ENOUGH)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = [
            "schema/missing-member",
            "schema/wrong-type",
            "json/well-formed",
        ];
        let meant = |name| nearest(name, known.into_iter());
        assert_eq!(meant("schema/mising-member"), Some("schema/missing-member"));
        assert_eq!(meant("wrong-type"), Some("schema/wrong-type"));
        assert_eq!(meant("well-formd"), Some("json/well-formed"));
        assert_eq!(meant("banana"), None);
    }

    #[test]
    fn lists_the_known_ones_if_they_are_few() {
        let text = unknown_text("format", "xml", ["human", "json"].into_iter());
        assert_eq!(text, "unknown format `xml`; known are human, json");
    }
}
