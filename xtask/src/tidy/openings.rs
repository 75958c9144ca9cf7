//! Openings: a doc comment begins with a noun or a verb, never with a headless clause.

use super::lexer::Source;

/// Beginnings of headless clauses.
const HEADLESS: &[&str] = &[
    "How ",
    "So long ",
    "So many ",
    "So much ",
    "What ",
    "Whatever ",
    "When ",
    "Where ",
    "Wherever ",
    "Which ",
    "Who ",
    "Whoever ",
    "Whom ",
    "Whose ",
    "Why ",
];

/// Measures, which are nouns: "How long to wait".
const MEASURES: &[&str] = &[
    "How far ",
    "How long ",
    "How many ",
    "How much ",
    "How often ",
];

/// The indexes of lines that begin a doc comment with a headless clause.
pub(super) fn find(source: &Source<'_>) -> Vec<usize> {
    let mut previous = None;
    let mut found = Vec::new();
    for (index, line) in source.lines.iter().enumerate() {
        let marker = line.comment.and_then(marker);
        if marker.is_some() && marker != previous {
            let text = line.text.trim_start()[3..].trim_start();
            let begins = |with: &&str| text.starts_with(with);
            if HEADLESS.iter().any(begins) && !MEASURES.iter().any(begins) {
                found.push(index);
            }
        }
        previous = marker;
    }
    found
}

/// The slashes of a doc comment.
fn marker(comment: &str) -> Option<&str> {
    let marker = comment.get(..3)?;
    (matches!(marker, "///" | "//!") && !comment.starts_with("////")).then_some(marker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headless_openings_are_found() {
        let text = "//! What is here.\n\n/// The name.\n/// What follows is the same comment.\n\
                    struct A;\n    /// So many at once.\n    // What is no doc comment\n\
                    /// How a thing is done.\n///\n/// Why not.\n\n/// How long to wait.\n/// Whether it is.\n";
        assert_eq!(find(&Source::read(text)), [0, 5, 7]);
    }
}
