//! Words, lines and JSON strings.

use super::random::Random;

const WORDS: [&str; 96] = [
    "a", "account", "after", "all", "an", "and", "archive", "are", "as", "at", "back", "batch",
    "be", "before", "branch", "build", "by", "cache", "call", "change", "check", "client",
    "column", "commit", "copy", "count", "date", "default", "each", "entry", "error", "every",
    "field", "file", "filter", "first", "for", "from", "group", "has", "if", "in", "index",
    "input", "into", "is", "it", "item", "key", "last", "limit", "line", "list", "local", "match",
    "message", "more", "name", "new", "no", "not", "of", "on", "one", "only", "or", "order",
    "output", "page", "path", "query", "range", "read", "record", "remote", "result", "row",
    "search", "server", "set", "state", "status", "store", "table", "text", "than", "that", "the",
    "time", "to", "type", "user", "value", "when", "with", "write",
];

const FOREIGN: [&str; 12] = [
    "café",
    "naïve",
    "señal",
    "größer",
    "Łódź",
    "Москва",
    "東京",
    "データ",
    "数据",
    "한국어",
    "→",
    "✓",
];

/// The indentation of lines of source code.
const CODE: [&str; 10] = [
    "    let ",
    "    if ",
    "        return ",
    "fn ",
    "    // ",
    "impl ",
    "        self.",
    "    for ",
    "\tmatch ",
    "const ",
];

/// The text as a JSON string, quotes included.
pub(super) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// `count` words with spaces between them.
pub(super) fn words(random: &mut Random, count: usize) -> String {
    let mut text = String::new();
    for _ in 0..count {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(random.pick(&WORDS));
    }
    text
}

/// A sentence of `count` words.
pub(super) fn sentence(random: &mut Random, count: usize) -> String {
    let mut text = words(random, count);
    text[..1].make_ascii_uppercase();
    text.push('.');
    text
}

/// Lines of prose and code, at least `length` bytes of JSON in all: about 45 bytes a line, one
/// escape each, and one line in 25 not ASCII.
pub(super) fn document(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 64);
    let mut escapes = 0;
    while text.len() + escapes < length {
        let start = text.len();
        // A line that begins with a tab or quotes something has more than one escape; longer ones
        // even it out.
        let target = random.between(24, 66);
        if random.percent(30) {
            let opening = random.pick(&CODE);
            escapes += usize::from(opening.starts_with('\t'));
            text.push_str(opening);
        }
        if random.percent(4) {
            text.push_str(random.pick(&FOREIGN));
            text.push(' ');
        }
        if random.percent(2) {
            text.push_str("\"ok\" ");
            escapes += 2;
        }
        while text.len() < start + target {
            text.push_str(random.pick(&WORDS));
            text.push(' ');
        }
        text.pop();
        text.push('\n');
        escapes += 1;
    }
    text
}

/// `length` characters of base64.
pub(super) fn base64(random: &mut Random, length: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (0..length)
        .map(|_| char::from(ALPHABET[random.below(64)]))
        .collect()
}
