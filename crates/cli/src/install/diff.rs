//! The changes, for people and for `patch`.

use mcp_assay_report::visible;
use similar::TextDiff;

/// The unified diff of two texts. Characters that would act on a terminal are shown as escapes.
pub(crate) fn unified(name: &str, old: &str, new: &str) -> String {
    let name = visible(name);
    let diff = TextDiff::from_lines(old, new);
    let text = diff
        .unified_diff()
        .header(&name, &name)
        .context_radius(3)
        .to_string();
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => shown.push(character),
            // The line ends of Windows.
            '\r' if characters.peek() == Some(&'\n') => shown.push(character),
            _ if character.is_control() => shown.extend(character.escape_default()),
            _ => shown.push(character),
        }
    }
    shown
}
