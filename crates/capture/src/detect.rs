//! Recognises the format of a source by its beginning.
//!
//! Names of files say little and standard input has none, so only the content counts. No more is
//! read than is needed: a program that writes to us message by message has the first one checked
//! before the second is written.

use mcp_assay::Limits;
use memchr::memchr;

use super::format::Format;
use super::reader::{Beginning, Likeness};
use super::text::{BYTE_ORDER_MARK, string_end};

/// Bytes of a source that are looked at.
const LOOK_AHEAD: usize = 256 << 10;

/// Lines of a log that are looked at.
const MOST_LINES: usize = 100;

/// The format of a source of this beginning; nothing if more of it has to be there.
pub fn detect(beginning: &[u8], at_end: bool, limits: &Limits) -> Option<Format> {
    let enough = at_end || beginning.len() >= LOOK_AHEAD;
    let text = beginning
        .strip_prefix(BYTE_ORDER_MARK)
        .unwrap_or(beginning)
        .trim_ascii_start();
    let found = match text {
        [] => None,
        [b'{', inner @ ..] => object(text, inner, at_end, limits),
        [b'[', inner @ ..] => match inner.trim_ascii_start() {
            [] => None,
            [b'{', inner @ ..] => entry(inner),
            _ => log(text, at_end),
        },
        _ => log(text, at_end),
    };
    found.or(enough.then(Format::capture))
}

/// The answer of the readers about a part of the beginning.
enum Answer {
    Found(Format),
    /// A reader needs more of the source.
    NeedsMore,
    Likely(Format),
    Nothing,
}

fn ask(part: &Beginning<'_>) -> Answer {
    let mut answer = Answer::Nothing;
    for format in Format::all() {
        match format.detect(part) {
            Likeness::Sure => return Answer::Found(format),
            Likeness::Unknown => return Answer::NeedsMore,
            Likeness::Some if matches!(answer, Answer::Nothing) => answer = Answer::Likely(format),
            Likeness::Some | Likeness::None => {}
        }
    }
    answer
}

/// A text that begins with an object.
fn object(text: &[u8], inner: &[u8], at_end: bool, limits: &Limits) -> Option<Format> {
    let inner = inner.trim_ascii_start();
    let Some(b'"') = inner.first() else {
        return (!inner.is_empty()).then(Format::capture);
    };
    let end = string_end(inner, 0)?;
    let part = Beginning::Object {
        key: &inner[1..end],
        after: &inner[end + 1..],
        line: match memchr(b'\n', text) {
            Some(end) => Some(&text[..end]),
            None => at_end.then_some(text),
        },
        limits,
    };
    match ask(&part) {
        Answer::Found(format) | Answer::Likely(format) => Some(format),
        Answer::NeedsMore => None,
        Answer::Nothing => Some(Format::capture()),
    }
}

/// A list that begins with an object: an export of entries, or a batch. The members of the first
/// object tell.
fn entry(inner: &[u8]) -> Option<Format> {
    let (mut depth, mut at) = (1_usize, 0);
    let mut expects_key = true;
    while depth > 0 {
        match inner.get(at)? {
            b'"' => {
                let end = string_end(inner, at)?;
                if depth == 1 && expects_key {
                    if let Answer::Found(format) = ask(&Beginning::EntryKey(&inner[at + 1..end])) {
                        return Some(format);
                    }
                    expects_key = false;
                }
                at = end;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 1 => expects_key = true,
            _ => {}
        }
        at += 1;
    }
    Some(Format::capture())
}

/// Lines of text, with or without messages among them.
fn log(text: &[u8], at_end: bool) -> Option<Format> {
    let mut likely = None;
    let mut rest = text;
    for _ in 0..MOST_LINES {
        let line = match memchr(b'\n', rest) {
            Some(end) => {
                let line = &rest[..end];
                rest = &rest[end + 1..];
                line
            }
            None if at_end && !rest.is_empty() => std::mem::take(&mut rest),
            None if at_end => break,
            None => return None,
        };
        match ask(&Beginning::Line(line)) {
            Answer::Found(format) => return Some(format),
            Answer::Likely(format) => likely = likely.or(Some(format)),
            Answer::NeedsMore | Answer::Nothing => {}
        }
    }
    Some(likely.unwrap_or_else(Format::capture))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> &'static str {
        let found = detect(text.as_bytes(), true, &Limits::DEFAULT);
        found.expect("an answer at the end").name()
    }

    const CLAUDE: &str =
        "2025-07-12T05:51:44.599Z [notes] [info] Message from client: {\"jsonrpc\":\"2.0\"}\n";
    const VSCODE: &str =
        "2026-07-24 02:03:14.089 [trace] [editor -> server] {\"jsonrpc\":\"2.0\"}\n";
    const TRACE: &str = "{\"seq\":0,\"direction\":\"client-to-server\",\"transport\":\"stdio\",\"kind\":\"lifecycle\",\"event\":\"transport-open\"}\n";

    #[test]
    fn the_content_tells() {
        let cases = [
            ("", "capture"),
            (" \n\n", "capture"),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
                "capture",
            ),
            ("{\"t\":1,\"dir\":\"c2s\",\"raw\":\"\"}\n", "capture"),
            ("Server ready\n{\"jsonrpc\":\"2.0\"}\n", "capture"),
            ("[INFO] ready\n", "capture"),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1}]\n", "capture"),
            (
                "[{\"id\":1,\"params\":{\"direction\":\"x\"},\"jsonrpc\":\"2.0\"}]",
                "capture",
            ),
            ("[]", "capture"),
            ("{\"log\":\"text\"}\n", "capture"),
            ("{\"log\":{\"version\":\"1.2\",\"entries\":[]}}", "har"),
            ("\u{feff}{\n  \"log\" : {\n", "har"),
            (
                "[\n  {\n    \"id\": \"1-a\",\n    \"direction\": \"request\"",
                "inspector",
            ),
            (
                "[{\"id\":\"1\",\"method\":\"POST\",\"url\":\"http://h/mcp\",\"requestHeaders\":{}}]",
                "inspector",
            ),
            (TRACE, "trace"),
            ("{\"seq\":0,\"kind\":\"x\"}\n", "capture"),
            (CLAUDE, "claude"),
            (VSCODE, "vscode"),
            ("[editor -> server] {\"jsonrpc\":\"2.0\"}\n", "vscode"),
            (
                "2025-07-12T05:51:44.599Z [info] [notes] Initializing server...\nTraceback\n",
                "claude",
            ),
            (
                "2026-07-24 02:03:14.031 [info] Starting server notes\n",
                "vscode",
            ),
            ("2025-07-12T05:51:44.599Z [notes] [info] ready\n", "capture"),
            (
                "2025-07-12T05:51:44.599Z INFO ready\n{\"jsonrpc\":\"2.0\"}\n",
                "capture",
            ),
        ];
        for (text, format) in cases {
            assert_eq!(whole(text), format, "{text}");
        }
        let late = format!(
            "{}{CLAUDE}",
            "    at Module._compile (node:internal)\n".repeat(50)
        );
        assert_eq!(whole(&late), "claude");
    }

    #[test]
    fn any_beginning_gives_the_same_answer_or_none() {
        for text in [
            CLAUDE,
            VSCODE,
            TRACE,
            "{\"log\": {\"version\":\"1.2\"}}",
            "[ {\"id\":\"1\",\"origin\":\"client\"}]",
        ] {
            let format = whole(text);
            for length in 0..=text.len() {
                let found = detect(&text.as_bytes()[..length], false, &Limits::DEFAULT);
                assert!(
                    found.is_none_or(|found| found.name() == format),
                    "{text} at {length}"
                );
            }
        }
    }

    #[test]
    fn one_message_is_enough() {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let found = |text: &[u8]| detect(text, false, &Limits::DEFAULT).map(Format::name);
        assert_eq!(found(line), Some("capture"));
        let banners = "Server ready\n".repeat(MOST_LINES);
        assert_eq!(found(banners.as_bytes()), Some("capture"));
    }
}
