//! What a source is, by its beginning.
//!
//! Names of files say little and standard input has none, so only the content counts. No more is asked for than is needed: who
//! writes to us message by message has the first one checked before the second is written.

use mcp_assay::Limits;
use memchr::{memchr, memmem};

use super::format::Format;
use super::guess::{Guess, guess};
use super::likeness::Likeness;
use super::text::{BYTE_ORDER_MARK, string_end};
use super::{claude, trace, vscode};

/// How far we look.
const LOOK_AHEAD: usize = 256 << 10;

/// How many lines of a log we look at.
const MOST_LINES: usize = 100;

/// The members that an entry of an Inspector export has and a message has not.
const INSPECTOR: [&[u8]; 4] = [
    b"direction",
    b"origin",
    b"requestHeaders",
    b"responseHeaders",
];

/// The members with which an event of a trace may begin.
const TRACE: [&[u8]; 5] = [b"seq", b"ts", b"direction", b"transport", b"kind"];

/// What a source of this beginning is; nothing if more of it has to be seen.
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
    found.or(enough.then_some(Format::Capture))
}

/// A text that begins with an object.
fn object(text: &[u8], inner: &[u8], at_end: bool, limits: &Limits) -> Option<Format> {
    let inner = inner.trim_ascii_start();
    let Some(b'"') = inner.first() else {
        return (!inner.is_empty()).then_some(Format::Capture);
    };
    let end = string_end(inner, 0)?;
    let key = &inner[1..end];
    if key == b"log" {
        let mut rest = inner[end + 1..].trim_ascii_start().iter();
        let colon = rest.next()?;
        let value = rest.find(|byte| !byte.is_ascii_whitespace())?;
        let is_archive = *colon == b':' && *value == b'{';
        return Some(if is_archive {
            Format::Har
        } else {
            Format::Capture
        });
    }
    if !TRACE.contains(&key) {
        return Some(Format::Capture);
    }
    let line = match memchr(b'\n', text) {
        Some(end) => &text[..end],
        None if at_end => text,
        None => return None,
    };
    Some(if trace::resembles(line, limits) {
        Format::Trace
    } else {
        Format::Capture
    })
}

/// A list that begins with an object: an export of entries, or a batch. The members of the first tell.
fn entry(inner: &[u8]) -> Option<Format> {
    let (mut depth, mut at) = (1_usize, 0);
    let mut expects_key = true;
    while depth > 0 {
        match inner.get(at)? {
            b'"' => {
                let end = string_end(inner, at)?;
                if depth == 1 && expects_key {
                    let key = &inner[at + 1..end];
                    if key == b"jsonrpc" {
                        return Some(Format::Capture);
                    }
                    if INSPECTOR.contains(&key) {
                        return Some(Format::Inspector);
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
    Some(Format::Capture)
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
        for (format, likeness) in [
            (Format::Claude, claude::resembles(line)),
            (Format::VsCode, vscode::resembles(line)),
        ] {
            match likeness {
                Likeness::Sure => return Some(format),
                Likeness::Some => likely = likely.or(Some(format)),
                Likeness::None => {}
            }
        }
        // Traffic with text before it: what a server says on its standard output.
        let is_traffic = match guess(line) {
            Guess::Record => true,
            Guess::Message => {
                line.trim_ascii_start().starts_with(b"{")
                    && memmem::find(line, b"\"jsonrpc\"").is_some()
            }
            Guess::Blank | Guess::Unsure => false,
        };
        if is_traffic {
            return Some(Format::Capture);
        }
    }
    Some(likely.unwrap_or(Format::Capture))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Format {
        detect(text.as_bytes(), true, &Limits::DEFAULT).expect("an answer at the end")
    }

    const CLAUDE: &str =
        "2025-07-12T05:51:44.599Z [notes] [info] Message from client: {\"jsonrpc\":\"2.0\"}\n";
    const VSCODE: &str =
        "2026-07-24 02:03:14.089 [trace] [editor -> server] {\"jsonrpc\":\"2.0\"}\n";
    const TRACE: &str = "{\"seq\":0,\"direction\":\"client-to-server\",\"transport\":\"stdio\",\"kind\":\"lifecycle\",\"event\":\"transport-open\"}\n";

    #[test]
    fn the_content_tells() {
        let cases = [
            ("", Format::Capture),
            (" \n\n", Format::Capture),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
                Format::Capture,
            ),
            ("{\"t\":1,\"dir\":\"c2s\",\"raw\":\"\"}\n", Format::Capture),
            ("Server ready\n{\"jsonrpc\":\"2.0\"}\n", Format::Capture),
            ("[INFO] ready\n", Format::Capture),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1}]\n", Format::Capture),
            (
                "[{\"id\":1,\"params\":{\"direction\":\"x\"},\"jsonrpc\":\"2.0\"}]",
                Format::Capture,
            ),
            ("[]", Format::Capture),
            ("{\"log\":\"text\"}\n", Format::Capture),
            (
                "{\"log\":{\"version\":\"1.2\",\"entries\":[]}}",
                Format::Har,
            ),
            ("\u{feff}{\n  \"log\" : {\n", Format::Har),
            (
                "[\n  {\n    \"id\": \"1-a\",\n    \"direction\": \"request\"",
                Format::Inspector,
            ),
            (
                "[{\"id\":\"1\",\"method\":\"POST\",\"url\":\"http://h/mcp\",\"requestHeaders\":{}}]",
                Format::Inspector,
            ),
            (TRACE, Format::Trace),
            ("{\"seq\":0,\"kind\":\"x\"}\n", Format::Capture),
            (CLAUDE, Format::Claude),
            (VSCODE, Format::VsCode),
            ("[editor -> server] {\"jsonrpc\":\"2.0\"}\n", Format::VsCode),
            (
                "2025-07-12T05:51:44.599Z [info] [notes] Initializing server...\nTraceback\n",
                Format::Claude,
            ),
            (
                "2026-07-24 02:03:14.031 [info] Starting server notes\n",
                Format::VsCode,
            ),
            (
                "2025-07-12T05:51:44.599Z [notes] [info] ready\n",
                Format::Capture,
            ),
            (
                "2025-07-12T05:51:44.599Z INFO ready\n{\"jsonrpc\":\"2.0\"}\n",
                Format::Capture,
            ),
        ];
        for (text, format) in cases {
            assert_eq!(whole(text), format, "{text}");
        }
        let late = format!(
            "{}{CLAUDE}",
            "    at Module._compile (node:internal)\n".repeat(50)
        );
        assert_eq!(whole(&late), Format::Claude);
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
                    found.is_none_or(|found| found == format),
                    "{text} at {length}"
                );
            }
        }
    }

    #[test]
    fn one_message_is_enough() {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        assert_eq!(detect(line, false, &Limits::DEFAULT), Some(Format::Capture));
        let banners = "Server ready\n".repeat(MOST_LINES);
        assert_eq!(
            detect(banners.as_bytes(), false, &Limits::DEFAULT),
            Some(Format::Capture)
        );
    }
}
