//! Paragraphs in lines of a given width.

use unicode_width::UnicodeWidthStr;

/// The words of a text in lines of at most `width` columns; a longer word gets a line of its own.
pub(crate) fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        // `lines` begins with one line and only grows.
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_keep_to_the_width() {
        assert_eq!(lines("one two  three", 7), ["one two", "three"]);
        assert_eq!(
            lines("a incomprehensible b", 5),
            ["a", "incomprehensible", "b"]
        );
        assert_eq!(lines("", 5), [""]);
    }
}
