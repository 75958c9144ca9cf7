//! Joins messages that were written over several lines.
//!
//! Nothing is guessed. Lines are held back only while they are the beginning of a JSON object or
//! array, and joined only if they become a message. Otherwise they go on as they came, one by one,
//! as they do when another whole message comes.

use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Envelope, Limits, Line, MessageKind};

/// Holds back lines that may become a message.
pub struct Joiner {
    limits: Limits,
    held: Vec<Held>,
    /// The lines as they came, one after the other.
    sent: Vec<u8>,
    /// The same without what stands between them.
    joined: Vec<u8>,
    beginning: Beginning,
    tape: Tape,
}

/// A line that is held back.
struct Held {
    number: u64,
    /// The end of it in `sent`.
    end: usize,
    unterminated: bool,
}

/// A line that goes on.
#[derive(Clone, Copy, Debug)]
pub struct JoinerLine<'a> {
    /// The number of the line, or of the first that was joined.
    pub number: u64,
    /// Its bytes.
    pub line: Line<'a>,
    /// The lines before they were joined, if they were.
    pub joined: Option<Joined>,
}

/// Lines that were joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joined {
    /// How many they were.
    pub lines: usize,
    /// Their bytes, with their newlines.
    pub bytes: usize,
}

impl Joiner {
    /// Holds back at most a message of these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self {
            limits: *limits,
            held: Vec::new(),
            sent: Vec::new(),
            joined: Vec::new(),
            beginning: Beginning::default(),
            tape: Tape::new(),
        }
    }

    /// Whether lines are held back.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Takes a line, and gives on the lines that cannot become a part of a longer message.
    pub fn take(&mut self, number: u64, line: Line<'_>, mut give: impl FnMut(JoinerLine<'_>)) {
        if self.holds() && (self.is_message(line.bytes) || !self.has_room(line.bytes)) {
            self.release(&mut give);
        }
        let mut status = self.beginning.line(line.bytes, self.limits.depth);
        if status == Status::Broken && self.holds() {
            self.release(&mut give);
            status = self.beginning.line(line.bytes, self.limits.depth);
        }
        if !self.holds() && (status != Status::Open || !self.has_room(line.bytes)) {
            self.beginning.clear();
            return give(JoinerLine {
                number,
                line,
                joined: None,
            });
        }
        self.hold(number, line);
        if status == Status::Whole {
            self.join(&mut give);
        } else if line.unterminated {
            self.release(give);
        }
    }

    /// Gives on the lines that are held back, as they came: nothing more comes.
    pub fn release(&mut self, mut give: impl FnMut(JoinerLine<'_>)) {
        let mut start = 0;
        for held in &self.held {
            let bytes = self.sent.get(start..held.end).unwrap_or_default();
            start = held.end;
            give(JoinerLine {
                number: held.number,
                line: Line {
                    bytes,
                    unterminated: held.unterminated,
                },
                joined: None,
            });
        }
        self.clear();
    }

    fn hold(&mut self, number: u64, line: Line<'_>) {
        self.sent.extend_from_slice(line.bytes);
        self.joined.extend_from_slice(line.bytes.trim_ascii());
        self.held.push(Held {
            number,
            end: self.sent.len(),
            unterminated: line.unterminated,
        });
    }

    /// Gives on a whole value as one line, if it is a message.
    fn join(&mut self, mut give: impl FnMut(JoinerLine<'_>)) {
        let joined = std::mem::take(&mut self.joined);
        if !self.is_message(&joined) {
            return self.release(give);
        }
        let unterminated = self.held.last().is_some_and(|held| held.unterminated);
        give(JoinerLine {
            number: self.held.first().map_or(0, |held| held.number),
            line: Line {
                bytes: &joined,
                unterminated,
            },
            joined: Some(Joined {
                lines: self.held.len(),
                bytes: self.sent.len() + self.held.len() - usize::from(unterminated),
            }),
        });
        self.clear();
    }

    fn clear(&mut self) {
        self.held.clear();
        // One long message must not keep its memory for ever.
        self.held.shrink_to(MAX_RETAINED / 64);
        for bytes in [&mut self.sent, &mut self.joined] {
            bytes.clear();
            bytes.shrink_to(MAX_RETAINED);
        }
        self.beginning.clear();
    }

    /// Whether a line can be held back too. Many short ones are as good as a few long ones at
    /// filling memory.
    fn has_room(&self, line: &[u8]) -> bool {
        self.sent.len() + line.len() <= self.limits.bytes && self.held.len() < MAX_HELD
    }

    /// Whether bytes are a message, or a batch of them.
    fn is_message(&mut self, bytes: &[u8]) -> bool {
        if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
            || scan(bytes, &self.limits.for_scan(), &mut self.tape).is_err()
        {
            return false;
        }
        let names_itself = |node: Node<'_>| {
            node.kind() == Kind::Object
                && Envelope::read(node).kind != MessageKind::Unreadable
                && node.get("jsonrpc").is_some()
        };
        let Some(root) = self.tape.root(bytes) else {
            return false;
        };
        match root.kind() {
            Kind::Array => root.items().next().is_some() && root.items().all(names_itself),
            _ => names_itself(root),
        }
    }
}

/// Memory that is kept from message to message.
const MAX_RETAINED: usize = 64 << 10;

/// Lines that are held back at most.
const MAX_HELD: usize = 1 << 20;

/// The beginning of a JSON value. Its strings and numbers are not checked.
#[derive(Default)]
struct Beginning {
    /// The brackets that wait to be closed.
    open: Vec<u8>,
    next: Next,
}

/// The tokens that may come next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Next {
    #[default]
    Start,
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// More must come.
    Open,
    /// The value is complete.
    Whole,
    /// It is not the beginning of an object or array.
    Broken,
}

impl Beginning {
    /// Takes a line: strings, numbers and words end on the line on which they begin.
    fn line(&mut self, mut line: &[u8], depth: usize) -> Status {
        loop {
            line = line.trim_ascii_start();
            let Some((&first, rest)) = line.split_first() else {
                return if self.open.is_empty() {
                    Status::Broken
                } else {
                    Status::Open
                };
            };
            let Some(length) = self.token(first, rest, depth) else {
                return Status::Broken;
            };
            line = line.get(length..).unwrap_or_default();
            if self.open.is_empty() {
                return if line.trim_ascii().is_empty() {
                    Status::Whole
                } else {
                    Status::Broken
                };
            }
        }
    }

    fn clear(&mut self) {
        self.open.clear();
        self.next = Next::default();
    }

    /// Takes the next token, and gives its length; `None` if it cannot stand here.
    fn token(&mut self, first: u8, rest: &[u8], depth: usize) -> Option<usize> {
        let (is_value, may_end) = match self.next {
            Next::Start => (matches!(first, b'{' | b'['), false),
            Next::Value => (true, false),
            Next::ValueOrEnd => (true, true),
            Next::KeyOrEnd | Next::CommaOrEnd => (false, true),
            Next::Key | Next::Colon => (false, false),
        };
        match first {
            b'{' | b'[' if is_value && self.open.len() < depth => {
                self.open.push(first);
                self.next = if first == b'{' {
                    Next::KeyOrEnd
                } else {
                    Next::ValueOrEnd
                };
                Some(1)
            }
            b'}' | b']' if may_end => {
                let fits = self.open.pop() == Some(if first == b'}' { b'{' } else { b'[' });
                self.next = Next::CommaOrEnd;
                fits.then_some(1)
            }
            b',' if self.next == Next::CommaOrEnd => {
                let in_object = self.open.last() == Some(&b'{');
                self.next = if in_object { Next::Key } else { Next::Value };
                Some(1)
            }
            b':' if self.next == Next::Colon => {
                self.next = Next::Value;
                Some(1)
            }
            b'"' if is_value => {
                self.next = Next::CommaOrEnd;
                string(rest)
            }
            b'"' if matches!(self.next, Next::Key | Next::KeyOrEnd) => {
                self.next = Next::Colon;
                string(rest)
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' if is_value => {
                self.next = Next::CommaOrEnd;
                let further = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                Some(1 + rest.iter().take_while(further).count())
            }
            _ => None,
        }
    }
}

/// The length of a string with both of its quotes; `rest` begins behind the first.
fn string(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', rest.get(at..)?)?;
        if rest.get(at) == Some(&b'"') {
            return Some(at + 2);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that go on; those that were joined have their count before them.
    fn joined(text: &str, limit: usize) -> Vec<String> {
        let mut limits = Limits::default();
        limits.bytes = limit;
        let (mut joiner, mut given) = (Joiner::new(&limits), Vec::new());
        let mut note = |one: JoinerLine<'_>| {
            let text = String::from_utf8_lossy(one.line.bytes);
            let count = one.joined.map(|joined| format!("{}: ", joined.lines));
            let end = if one.line.unterminated { "$" } else { "" };
            given.push(format!("{}{text}{end}", count.unwrap_or_default()));
        };
        let mut rest = text.split_inclusive('\n');
        for (number, line) in (1..).zip(&mut rest) {
            let bytes = line.trim_end_matches('\n');
            let unterminated = bytes.len() == line.len();
            let bytes = bytes.as_bytes();
            joiner.take(
                number,
                Line {
                    bytes,
                    unterminated,
                },
                &mut note,
            );
        }
        joiner.release(&mut note);
        given
    }

    #[test]
    fn what_becomes_a_message_is_joined() {
        let ping = r#"{"jsonrpc": "2.0","id": 1,"params": {},"method": "a b\"{"}"#;
        for text in [
            "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"params\": {},\n  \"method\": \"a b\\\"{\"\n}\n",
            "{\"jsonrpc\": \"2.0\",\r\n\t\"id\": 1,\r\n\"params\": {\r\n},\"method\": \"a b\\\"{\"\r\n}\r\n",
        ] {
            let given = joined(text, 1000);
            let [one] = &given[..] else {
                panic!("{given:?}");
            };
            assert!(one.ends_with(ping), "{one}");
        }
        let batch =
            "[\n{\"jsonrpc\":\"2.0\",\n\"method\":\"a\"},\n{\"jsonrpc\":\"2.0\",\"method\":\"b\"}]";
        let whole = batch.replace('\n', "");
        assert_eq!(joined(batch, 1000), [format!("4: {whole}$")]);
    }

    #[test]
    fn nothing_else_is_held_or_changed() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let loose = format!("{{\n{ping}");
        let of_other_kind = "{\n  \"level\": \"info\",\n  \"id\": 1\n}";
        let listed = format!("[\n{ping}\n]");
        for text in [
            ping,
            "Server ready",
            "[info] begins",
            "[12:30] begins",
            "{ a: 1,\n  b: 2\n}",
            "{\n\"a\": \"cut\n\"}",
            "{\"a\": 1\n2}",
            "{\"a\": 1}}\n",
            "[\n}\n",
            "{\n\n{\n[\n",
            "\n\n",
            "{",
            "{\"jsonrpc\":\"2.0\",\n\"method\":\"\\q\"}",
            of_other_kind,
            &loose,
            &listed,
        ] {
            let lines: Vec<_> = text.split_terminator('\n').collect();
            let given = joined(&format!("{text}\n"), 1000);
            let given: Vec<_> = given
                .iter()
                .map(|line| line.trim_end_matches('$'))
                .collect();
            let is_same = given == lines || given[..given.len() - 1] == lines[..];
            assert!(is_same, "{text:?} became {given:?}");
        }
    }

    #[test]
    fn what_grows_too_long_is_given_on_as_it_came() {
        let text = "{\"jsonrpc\":\"2.0\",\n\"method\":\"a\"}\n";
        assert_eq!(joined(text, 1000).len(), 1);
        assert_eq!(joined(text, 20).len(), 2);
        let deep = "[\n".repeat(2000);
        assert_eq!(joined(&deep, 1 << 20).len(), 2000);
    }
}
