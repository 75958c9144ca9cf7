//! Width: no line has more than 100 columns.
//!
//! Exempt are lines that cannot be broken: examples between fences, tables, URLs, single words,
//! and lines with a string literal.

use super::lexer::{Line, Source};

const MAX_COLUMNS: usize = 100;

/// The indexes of lines that are too long.
pub(super) fn find(source: &Source<'_>) -> Vec<usize> {
    let mut is_example = false;
    let mut found = Vec::new();
    for (index, line) in source.lines.iter().enumerate() {
        match line.comment {
            Some(comment) if words(comment).starts_with("```") => is_example = !is_example,
            Some(_) => {}
            None => is_example = false,
        }
        if line.text.chars().count() > MAX_COLUMNS && !is_example && can_be_broken(line) {
            found.push(index);
        }
    }
    found
}

fn can_be_broken(line: &Line<'_>) -> bool {
    match line.comment.map(words) {
        Some(words) => words.contains(' ') && !words.starts_with('|') && !words.contains("://"),
        None => !line.has_literal,
    }
}

fn words(comment: &str) -> &str {
    comment.trim_start_matches(['/', '!']).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[usize]) {
        assert_eq!(find(&Source::read(text)), expected, "{text}");
    }

    #[test]
    fn long_lines_are_found_unless_they_cannot_be_broken() {
        let long = "word ".repeat(21);
        check(&format!("/// {long}\n//! {long}\n// short"), &[0, 1]);
        check(&format!("let a = b; // {long}"), &[0]);
        check(&format!("f({});", long.replace(' ', ", ")), &[0]);
        check(&format!("/// ```\n/// {long}\n/// ```\n/// {long}"), &[3]);
        check(&format!("/// | {long} |\n/// https://a.b/ {long}"), &[]);
        check(&format!("/// {}\n", "w".repeat(120)), &[]);
        check(
            &format!("let a = \"{long}\";\nlet b = r#\"\n{long}\n\"#;"),
            &[],
        );
    }

    #[test]
    fn columns_are_characters() {
        check(&format!("// {}", "é ".repeat(48)), &[]);
    }
}
