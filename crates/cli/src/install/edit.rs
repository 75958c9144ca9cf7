//! Replaces single places of a text.

use std::ops::Range;

use super::document::{Launch, Notation, own_line};

/// A place of a text and its replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    range: Range<usize>,
    text: String,
}

/// The text with places replaced. They must not overlap.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut result = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for edit in edits {
        result.push_str(&text[done..edit.range.start]);
        result.push_str(&edit.text);
        done = edit.range.end;
    }
    result.push_str(&text[done..]);
    result
}

/// Puts a program and arguments before a command. The command moves with its quotes, so that it can
/// move back.
pub(super) fn wrap(
    text: &str,
    notation: Notation,
    launch: &Launch,
    program: &str,
    arguments: &[String],
) -> Vec<Edit> {
    let mut tokens: Vec<_> = arguments
        .iter()
        .map(|argument| notation.quote(argument))
        .collect();
    tokens.push(text[launch.command.range.clone()].to_owned());
    let added = match &launch.arguments {
        // The spaces inside the brackets mark a member that was added: see `unwrap`.
        None => Edit {
            range: launch.gap.at..launch.gap.at,
            text: format!("{}[ {} ]", launch.gap.before, tokens.join(", ")),
        },
        Some(array) => match array.items.first() {
            None => {
                let inside = array.range.start + 1;
                Edit {
                    range: inside..inside,
                    text: tokens.join(", "),
                }
            }
            Some(first) => {
                let at = first.range.start;
                let between = format!(",{}", own_line(text, at).unwrap_or(" "));
                Edit {
                    range: at..at,
                    text: tokens.join(&between) + &between,
                }
            }
        },
    };
    vec![
        Edit {
            range: launch.command.range.clone(),
            text: notation.quote(program),
        },
        added,
    ]
}

/// Removes the arguments before the command at `inner`.
pub(super) fn unwrap(text: &str, launch: &Launch, inner: usize) -> Vec<Edit> {
    let mut edits = Vec::with_capacity(2);
    if let Some(array) = &launch.arguments
        && let [first, ..] = array.items.as_slice()
        && let Some(command) = array.items.get(inner)
    {
        edits.push(Edit {
            range: launch.command.range.clone(),
            text: text[command.range.clone()].to_owned(),
        });
        let range = match array.items.get(inner + 1) {
            Some(next) => first.range.start..next.range.start,
            None if was_added(text, launch) => launch.gap.at..array.range.end,
            None => {
                let end = array.range.end - 1;
                // A comma after the last one must go with it.
                if text[command.range.end..end].contains(',') {
                    first.range.start..end
                } else {
                    first.range.start..command.range.end
                }
            }
        };
        edits.push(Edit {
            range,
            text: String::new(),
        });
    }
    edits
}

/// Whether `wrap` made the array because there was none.
fn was_added(text: &str, launch: &Launch) -> bool {
    let start = launch.gap.at + launch.gap.before.len();
    launch.arguments.as_ref().is_some_and(|array| {
        array.range.start == start
            && text[launch.gap.at..].starts_with(&launch.gap.before)
            && text[start..].starts_with("[ ")
    })
}
