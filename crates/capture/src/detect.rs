//! Recognises the format of a source by its beginning.
//!
//! Names of files say little and standard input has none, so only the content counts. No more is
//! read than is needed: a program that writes to us message by message has the first one checked
//! before the second is written. A log may begin with any number of lines of other programs.

use mcp_assay::Limits;
use mcp_assay::syntax::{Kind, Tape, scan};
use memchr::memchr;

use super::foreign::Foreign;
use super::format::Format;
use super::guess::{Guess, guess, may_begin_record};
use super::reader::{Beginning, Likeness};
use super::text::{BYTE_ORDER_MARK, string_end};

/// Bytes of a source that are held to find its format.
const LOOK_AHEAD: usize = 1 << 20;

/// The kind of a source.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Detected {
    /// A format that is read.
    Format(Format),
    /// A kind that is known and not read, or no traffic at all.
    Foreign(&'static Foreign),
    /// The beginning does not show it: the rest of the source may.
    Undecided,
}

/// The kind of a source of this beginning; nothing if more of it has to be there.
#[must_use]
pub fn detect(beginning: &[u8], at_end: bool, limits: &Limits) -> Option<Detected> {
    Detector::new(limits).look(beginning, at_end)
}

/// Finds the kind of a source while more and more of it is read.
pub struct Detector<'l> {
    limits: &'l Limits,
    tape: Tape,
    /// The bytes of the beginning whose lines were looked at.
    searched: usize,
    /// A format that the source could have.
    likely: Option<Format>,
    /// A kind that is not read, and that the source could be.
    foreign: Option<&'static Foreign>,
    /// Whether a line is JSON, or all are blank: then it is a capture if nothing else is found.
    may_be_capture: bool,
    has_text: bool,
    has_zeros: bool,
}

impl<'l> Detector<'l> {
    /// A detector that has seen nothing.
    #[must_use]
    pub fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            tape: Tape::new(),
            searched: 0,
            likely: None,
            foreign: None,
            may_be_capture: false,
            has_text: false,
            has_zeros: false,
        }
    }

    /// Looks at the beginning of a source, which is longer each time.
    pub fn look(&mut self, beginning: &[u8], at_end: bool) -> Option<Detected> {
        let unmarked = beginning.strip_prefix(BYTE_ORDER_MARK).unwrap_or(beginning);
        let text = unmarked.trim_ascii_start();
        let found = match text {
            _ if self.searched > 0 => self.lines(beginning, at_end),
            [] if at_end => Some(Detected::Format(Format::capture())),
            [] => None,
            [b'{', inner @ ..] => match self.object(text, inner, at_end) {
                Object::Found(format) => Some(Detected::Format(format)),
                Object::NeedsMore => None,
                Object::OfOther => self.lines(beginning, at_end),
            },
            [b'[', inner @ ..] => match inner.trim_ascii_start() {
                [] if !at_end => None,
                [b'{', inner @ ..] => entry(inner),
                _ => self.lines(beginning, at_end),
            },
            _ => match Foreign::of_bytes(beginning) {
                Some(kind) => Some(Detected::Foreign(kind)),
                None => self.lines(beginning, at_end),
            },
        };
        // An object that is longer than what is held is a message or a record.
        let is_long = self.searched == 0 && text.starts_with(b"{");
        found.or_else(|| match (at_end, beginning.len() >= LOOK_AHEAD) {
            (true, _) => Some(Detected::Format(Format::capture())),
            (false, true) if is_long => Some(Detected::Format(Format::capture())),
            (false, true) => Some(Detected::Undecided),
            (false, false) => None,
        })
    }

    /// Looks at a line; the format if that is certain.
    pub fn line(&mut self, line: &[u8]) -> Option<Format> {
        match ask(&Beginning::Line(line)) {
            Answer::Found(format) => return Some(format),
            Answer::Likely(format) => self.likely = self.likely.or(Some(format)),
            Answer::NeedsMore | Answer::Nothing => {}
        }
        let text = line.trim_ascii();
        self.has_text |= !text.is_empty();
        self.has_zeros |= memchr(0, text).is_some();
        self.foreign = self.foreign.or_else(|| Foreign::of_line(line));
        let is_long = text.len() >= LOOK_AHEAD && text.starts_with(b"{");
        self.may_be_capture |=
            is_long || text.starts_with(b"\"jsonrpc\"") || self.is_of_capture(text);
        None
    }

    /// The kind of a source of which all lines were looked at.
    #[must_use]
    pub fn end(&self) -> Detected {
        match (self.likely, self.foreign) {
            (Some(format), _) => Detected::Format(format),
            (None, Some(kind)) => Detected::Foreign(kind),
            (None, None) if self.may_be_capture || !self.has_text => {
                Detected::Format(Format::capture())
            }
            (None, None) if self.has_zeros => Detected::Foreign(Foreign::without_message(&[0])),
            (None, None) => Detected::Foreign(Foreign::without_message(&[])),
        }
    }

    /// Lines of text, with or without messages among them.
    fn lines(&mut self, beginning: &[u8], at_end: bool) -> Option<Detected> {
        if self.searched == 0 && beginning.starts_with(BYTE_ORDER_MARK) {
            self.searched = BYTE_ORDER_MARK.len();
        }
        while let Some(rest) = beginning.get(self.searched..) {
            let line = match memchr(b'\n', rest) {
                Some(end) => &rest[..end],
                None if at_end && !rest.is_empty() => rest,
                None if at_end => return Some(self.end()),
                None => return None,
            };
            self.searched += (line.len() + 1).min(rest.len());
            if let Some(format) = self.line(line) {
                return Some(Detected::Format(format));
            }
        }
        None
    }

    /// A text that begins with an object.
    fn object(&mut self, text: &[u8], inner: &[u8], at_end: bool) -> Object {
        let inner = inner.trim_ascii_start();
        let Some(b'"') = inner.first() else {
            return match inner {
                [] if !at_end => Object::NeedsMore,
                _ => Object::Found(Format::capture()),
            };
        };
        let Some(end) = string_end(inner, 0) else {
            return Object::NeedsMore;
        };
        let key = &inner[1..end];
        let line = match memchr(b'\n', text) {
            Some(end) => Some(&text[..end]),
            None => at_end.then_some(text),
        };
        let part = Beginning::Object {
            key,
            after: &inner[end + 1..],
            line,
            limits: self.limits,
        };
        match (ask(&part), line) {
            (Answer::Found(format) | Answer::Likely(format), _) => Object::Found(format),
            (Answer::Nothing, Some(line)) if Foreign::of_line(line).is_some() => Object::OfOther,
            (Answer::Nothing, _) if may_begin_message(key) => Object::Found(Format::capture()),
            (Answer::NeedsMore, _) | (Answer::Nothing, None) => Object::NeedsMore,
            // One of another program on a line of its own may stand before a log.
            (Answer::Nothing, Some(line))
                if guess(line) != Guess::Record && self.is_json(line.trim_ascii()) =>
            {
                Object::OfOther
            }
            // An object over several lines is one message, unless it is something else.
            (Answer::Nothing, Some(line)) if line.trim_ascii() == b"{" && !at_end => {
                Object::NeedsMore
            }
            (Answer::Nothing, Some(_)) if at_end && self.is_other(text.trim_ascii()) => {
                Object::OfOther
            }
            (Answer::Nothing, Some(_)) => Object::Found(Format::capture()),
        }
    }

    /// Whether a line is a whole object or list that may be a message or a record, right or wrong.
    fn is_of_capture(&mut self, line: &[u8]) -> bool {
        self.is_json(line) && !self.is_other_object(line)
    }

    /// Whether a text is a whole object that has nothing of a message or a record.
    fn is_other(&mut self, text: &[u8]) -> bool {
        self.is_json(text) && self.is_other_object(text)
    }

    /// The same for a text that was scanned.
    fn is_other_object(&self, text: &[u8]) -> bool {
        let Some(object) = self
            .tape
            .root(text)
            .filter(|root| root.kind() == Kind::Object)
        else {
            return false;
        };
        let mut members = object.members().peekable();
        let is_foreign = |key: &[u8]| !may_begin_message(key) && !may_begin_record(key);
        members.peek().is_some() && members.all(|(key, _)| key.plain().is_some_and(is_foreign))
    }

    /// Whether a line is a whole object or list.
    fn is_json(&mut self, line: &[u8]) -> bool {
        let is_enclosed = matches!(line, [b'{', .., b'}'] | [b'[', .., b']']);
        is_enclosed && scan(line, &self.limits.for_scan(), &mut self.tape).is_ok()
    }
}

/// The result of a look at an object.
enum Object {
    Found(Format),
    NeedsMore,
    /// It is an object of another program.
    OfOther,
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
        match (format.detect(part), &answer) {
            (Likeness::Sure, _) => return Answer::Found(format),
            (Likeness::Unknown, _) => answer = Answer::NeedsMore,
            (Likeness::Some, Answer::Nothing) => answer = Answer::Likely(format),
            (Likeness::Some | Likeness::None, _) => {}
        }
    }
    answer
}

/// Whether an object whose first key is this is a message or a record.
fn may_begin_message(key: &[u8]) -> bool {
    matches!(
        key,
        b"jsonrpc" | b"id" | b"method" | b"params" | b"result" | b"error"
    )
}

/// A list that begins with an object: an export of entries, or a batch. The members of the first
/// object tell.
fn entry(inner: &[u8]) -> Option<Detected> {
    let (mut depth, mut at) = (1_usize, 0);
    let mut expects_key = true;
    let mut keys: Vec<&[u8]> = Vec::new();
    while depth > 0 {
        match inner.get(at)? {
            b'"' => {
                let end = string_end(inner, at)?;
                if depth == 1 && expects_key {
                    let key = &inner[at + 1..end];
                    if let Answer::Found(format) = ask(&Beginning::EntryKey(key)) {
                        return Some(Detected::Format(format));
                    }
                    // More keys than any known entry has tell nothing.
                    if keys.len() < 16 {
                        keys.push(key);
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
    Some(
        match Foreign::of_keys(|key| keys.contains(&key.as_bytes())) {
            Some(kind) => Detected::Foreign(kind),
            None => Detected::Format(Format::capture()),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foreign::NO_CAPTURE;

    fn name(detected: Detected) -> &'static str {
        match detected {
            Detected::Format(format) => format.name(),
            Detected::Foreign(kind) => kind.described,
            Detected::Undecided => "undecided",
        }
    }

    fn whole(text: &str) -> &'static str {
        let found = detect(text.as_bytes(), true, &Limits::DEFAULT);
        name(found.expect("an answer at the end"))
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
            ("[INFO] ready\n", NO_CAPTURE.described),
            ("fn main() {\n    body();\n}\n", NO_CAPTURE.described),
            ("# notes\n\n[link]\n", NO_CAPTURE.described),
            ("ready\n{\n  \"jsonrpc\": \"2.0\"\n}\n", "capture"),
            ("ready\n{\"a\":1}\n", NO_CAPTURE.described),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1}]\n", "capture"),
            (
                "[{\"id\":1,\"params\":{\"direction\":\"x\"},\"jsonrpc\":\"2.0\"}]",
                "capture",
            ),
            ("[]", "capture"),
            ("{\"log\":\"text\"}\n", NO_CAPTURE.described),
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
            ("{\"seq\":0,\"kind\":\"x\"}\n", NO_CAPTURE.described),
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
            (
                "2025-07-12T05:51:44.599Z [notes] [info] ready\n",
                NO_CAPTURE.described,
            ),
            (
                "2025-07-12T05:51:44.599Z INFO ready\n{\"jsonrpc\":\"2.0\"}\n",
                "capture",
            ),
        ];
        for (text, format) in cases {
            assert_eq!(whole(text), format, "{text}");
        }
        for foreign in [
            "    at Module._compile (node:internal)\n",
            "{\"level\":30,\"msg\":\"x\"}\n",
        ] {
            for (log, format) in [(CLAUDE, "claude"), (VSCODE, "vscode")] {
                let late = format!("{}{log}", foreign.repeat(5000));
                assert_eq!(whole(&late), format);
            }
        }
    }

    /// A source that is longer than what is held in memory is looked at line by line.
    #[test]
    fn a_log_is_found_behind_any_number_of_lines() {
        let foreign = "    at Module._compile (node:internal)\n".repeat(LOOK_AHEAD / 32);
        let limits = Limits::DEFAULT;
        let found = detect(foreign.as_bytes(), false, &limits);
        assert_eq!(found.map(name), Some("undecided"));
        let mut detector = Detector::new(&limits);
        let mut lines = foreign.lines().chain(CLAUDE.lines());
        let found = lines.find_map(|line| detector.line(line.as_bytes()));
        assert_eq!(found.map(Format::name), Some("claude"));
        assert!(matches!(detector.end(), Detected::Foreign(_)));
        let long = format!("{{\"id\":1,\"result\":\"{}", "x".repeat(LOOK_AHEAD));
        assert_eq!(
            detect(long.as_bytes(), false, &limits).map(name),
            Some("capture")
        );
        let mut detector = Detector::new(&limits);
        assert!(detector.line(long.as_bytes()).is_none());
        assert_eq!(name(detector.end()), "capture");
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
                    found.is_none_or(|found| name(found) == format),
                    "{text} at {length}"
                );
            }
        }
    }

    #[test]
    fn one_message_is_enough() {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let found = |text: &[u8]| detect(text, false, &Limits::DEFAULT).map(name);
        assert_eq!(found(line), Some("capture"));
        let banners = format!(
            "{}{}",
            "Server ready\n".repeat(500),
            "{\"jsonrpc\":\"2.0\"}\n"
        );
        assert_eq!(found(banners.as_bytes()), Some("capture"));
    }
}
