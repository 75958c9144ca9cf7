//! Text to tokens. Newlines are tokens: an entry ends with its line.

use std::fmt;
use std::rc::Rc;

use super::diagnostic::{Diagnostic, Place};

/// A token and its start.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Token {
    /// The kind of token.
    pub(crate) kind: TokenKind,
    /// The start.
    pub(crate) place: Place,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A run of letters, digits and `_ - . /`: names, dates, methods, ranges, codes.
    Word(String),
    /// `"text"`, without its quotes.
    Quoted(String),
    /// One of `{ } ( ) [ ] , : = | ?`, `->` or `<->`.
    Mark(&'static str),
    /// `## text`, alone on its line; with its leading spaces.
    Doc(String),
    /// `# text`, with its leading spaces.
    Comment(String),
    /// The end of a line.
    Newline,
    /// The end of the file.
    End,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Quoted(text) => write!(f, "`\"{text}\"`"),
            Self::Mark(mark) => write!(f, "`{mark}`"),
            Self::Doc(_) => f.write_str("a documentation line"),
            Self::Comment(_) => f.write_str("a comment"),
            Self::Newline => f.write_str("the end of the line"),
            Self::End => f.write_str("the end of the file"),
        }
    }
}

/// Splits a file into tokens. The last one is [`TokenKind::End`], after a [`TokenKind::Newline`].
pub(crate) fn lex(file: &str, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let file: Rc<str> = file.into();
    let mut tokens = Vec::new();
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        lines = index + 1;
        lex_line(&file, lines, line, &mut tokens)?;
    }
    tokens.push(Token {
        kind: TokenKind::End,
        place: Place {
            file,
            line: lines + 1,
            column: 1,
        },
    });
    Ok(tokens)
}

const MARKS: [&str; 13] = [
    "<->", "->", "{", "}", "(", ")", "[", "]", ",", ":", "=", "|", "?",
];

fn lex_line(
    file: &Rc<str>,
    line: usize,
    text: &str,
    tokens: &mut Vec<Token>,
) -> Result<(), Diagnostic> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let column = text[..text.len() - rest.len()].chars().count() + 1;
        let place = Place {
            file: Rc::clone(file),
            line,
            column,
        };
        let Some(first) = rest.chars().next() else {
            tokens.push(Token {
                kind: TokenKind::Newline,
                place,
            });
            return Ok(());
        };
        let (kind, length) = if let Some(comment) = rest.strip_prefix("##") {
            if rest.len() != text.trim_start().len() {
                return Err(Diagnostic::new(
                    &place,
                    "found `##` after something else, expected documentation on a line of its own",
                ));
            }
            (TokenKind::Doc(comment.trim_end().to_owned()), rest.len())
        } else if let Some(comment) = rest.strip_prefix('#') {
            (
                TokenKind::Comment(comment.trim_end().to_owned()),
                rest.len(),
            )
        } else if let Some(after) = rest.strip_prefix('"') {
            let end = after.find('"').ok_or_else(|| {
                Diagnostic::new(&place, "found the end of the line, expected a closing `\"`")
            })?;
            (TokenKind::Quoted(after[..end].to_owned()), end + 2)
        } else if let Some(mark) = MARKS.into_iter().find(|mark| rest.starts_with(mark)) {
            (TokenKind::Mark(mark), mark.len())
        } else if is_word_char(first) {
            let length = word_length(rest);
            (TokenKind::Word(rest[..length].to_owned()), length)
        } else {
            return Err(Diagnostic::new(
                &place,
                format!(
                    "found `{}`, expected a name, a quoted name or a mark of the notation",
                    first.escape_default()
                ),
            ));
        };
        tokens.push(Token { kind, place });
        rest = &rest[length..];
    }
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$')
}

/// Ends a word before `->`, so that `client->server` reads as it looks.
fn word_length(text: &str) -> usize {
    text.char_indices()
        .find(|&(at, c)| !is_word_char(c) || text[at..].starts_with("->"))
        .map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        lex("t.wire", text)
            .unwrap()
            .into_iter()
            .map(|token| token.kind)
            .collect()
    }

    #[test]
    fn splits_words_marks_and_quotes() {
        use TokenKind::{Comment, End, Mark, Newline, Quoted, Word};
        let word = |text: &str| Word(text.into());
        assert_eq!(
            kinds("a->b <-> \"x/y\"? num(0..1) # c"),
            [
                word("a"),
                Mark("->"),
                word("b"),
                Mark("<->"),
                Quoted("x/y".into()),
                Mark("?"),
                word("num"),
                Mark("("),
                word("0..1"),
                Mark(")"),
                Comment(" c".into()),
                Newline,
                End
            ]
        );
    }

    #[test]
    fn places_count_characters() {
        let tokens = lex("t.wire", "\n  \"ä\" x").unwrap();
        assert_eq!(tokens[2].place.to_string(), "t.wire:2:7");
    }

    #[test]
    fn refuses_stray_characters_open_quotes_and_late_docs() {
        let message = |text: &str| lex("t.wire", text).unwrap_err().to_string();
        assert_eq!(
            message("a ;"),
            "t.wire:1:3: found `;`, expected a name, a quoted name or a mark of the notation"
        );
        assert_eq!(
            message("\"a"),
            "t.wire:1:1: found the end of the line, expected a closing `\"`"
        );
        assert_eq!(
            message("a ## b"),
            "t.wire:1:3: found `##` after something else, expected documentation on a line of its own"
        );
    }
}
