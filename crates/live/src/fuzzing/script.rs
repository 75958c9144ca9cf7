//! The notation of a script: settings on the first line, then a record on each line.
//!
//! A record begins with a letter. A small letter belongs to the first session, its capital to the
//! second one; the rest of the line is the exact text.
//!
//! | letter | record |
//! |---|---|
//! | `c` `s` `u` | a message of the client, the server, or of unknown direction |
//! | `i` `o` | a line on standard input, on standard output |
//! | `j` `p` | the same, and the stream ends without a newline |
//! | `q` | an HTTP request: `qPOST /mcp #1`, where `#1` numbers the exchange |
//! | `r` | an HTTP response: `r200 #1`, or `r200 #1 stream` |
//! | `e` | an event of a stream: `e#1 id:7 name:message retry:3000` |
//! | `z` | the end of a stream: `z#1` |
//! | `l` | messages were lost: the session is incomplete |
//!
//! The words `c2s` and `s2c` of an HTTP head replace its usual direction. Some lines only add to a
//! record, or to the one that follows, whatever the size of their letter:
//!
//! | letter | addition |
//! |---|---|
//! | `h` | a header of the HTTP head before it: `hname: value` |
//! | `b` | the body, or the data of the event, before it |
//! | `n` | a newline and more text for the message before it |
//! | `t` | milliseconds that pass |
//! | `a` | the method that the next record answers |
//! | `v` | the revision of the next record, counted from 1 |
//!
//! All other lines are skipped, so that a mutation seldom spoils a script.

use core::time::Duration;
use std::collections::BTreeMap;

use mcp_assay::{Carrier, Direction, Frame, Headers, Http, Part, Party, Revision};

use super::settings::{Settings, revision};

/// How many sessions are interleaved.
pub(super) const SESSIONS: usize = 2;

/// Further records are skipped: an input has to run in milliseconds.
const MAX_STEPS: usize = 128;

/// Settings, and what two sessions see.
pub(super) struct Script<'i> {
    pub(super) settings: Settings,
    pub(super) steps: Vec<Step<'i>>,
}

/// A message, a part of an HTTP exchange, or a gap.
pub(super) struct Step<'i> {
    pub(super) session: usize,
    content: Content<'i>,
    bytes: Vec<u8>,
    direction: Option<Direction>,
    answers: Option<&'i str>,
    revision: Option<Revision>,
    header_revision: Option<Revision>,
    time: Option<Duration>,
    at: u64,
}

enum Content<'i> {
    Line {
        carrier: Carrier,
        unterminated: bool,
    },
    Http {
        exchange: Option<i64>,
        head: Head<'i>,
        headers: Vec<(&'i str, &'i str)>,
    },
    Gap,
}

#[derive(Clone, Copy)]
enum Head<'i> {
    Request {
        method: &'i str,
        path: &'i str,
    },
    Response {
        status: u16,
        streamed: bool,
    },
    Event {
        name: Option<&'i str>,
        id: Option<&'i str>,
        retry: Option<u64>,
    },
    End {
        by: Option<Party>,
    },
}

impl<'i> Script<'i> {
    /// Reads a script; every input is one.
    pub(super) fn read(bytes: &'i [u8]) -> Self {
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let settings = Settings::read(lines.next().unwrap_or_default());
        let mut reader = Reader::default();
        for line in lines {
            reader.line(line);
        }
        let mut steps = reader.steps;
        name_revisions(&mut steps);
        if settings.has_no_clock {
            for step in &mut steps {
                step.time = None;
            }
        }
        Self { settings, steps }
    }

    /// Whether there are messages of both sessions.
    pub(super) fn has_both_sessions(&self) -> bool {
        let is_used = |session| self.steps.iter().any(|step| step.session == session);
        (0..SESSIONS).all(is_used)
    }
}

impl Step<'_> {
    /// Whether messages were lost here, and there is nothing to check.
    pub(super) fn is_gap(&self) -> bool {
        matches!(self.content, Content::Gap)
    }

    /// The part of an HTTP exchange that it is.
    pub(super) fn http(&self) -> Option<Http<'_>> {
        let Content::Http {
            exchange,
            head,
            headers,
        } = &self.content
        else {
            return None;
        };
        Some(Http::new(*exchange, head.part(Headers(headers))))
    }

    /// The frame, given the part of an HTTP exchange that it is.
    pub(super) fn frame<'f>(&'f self, http: Option<&'f Http<'f>>) -> Frame<'f> {
        let mut frame = match http {
            Some(http) if self.bytes.is_empty() => Frame::without_message(http),
            Some(http) => Frame::over_http(&self.bytes, http),
            None => Frame::new(&self.bytes),
        };
        if let Content::Line {
            carrier,
            unterminated,
        } = self.content
        {
            frame.carrier = carrier;
            frame.unterminated = unterminated;
        }
        frame.direction = self.direction;
        frame.answers = self.answers;
        frame.revision = self.revision;
        frame.header_revision = self.header_revision;
        frame.time = self.time;
        frame.at = self.at;
        frame
    }
}

impl<'i> Head<'i> {
    fn part<'f>(self, headers: Headers<'f>) -> Part<'f>
    where
        'i: 'f,
    {
        match self {
            Self::Request { method, path } => Part::Request {
                method,
                path,
                headers,
            },
            Self::Response { status, streamed } => Part::Response {
                status,
                headers,
                streamed,
            },
            Self::Event { name, id, retry } => Part::Event { name, id, retry },
            Self::End { by } => Part::End { by },
        }
    }
}

/// Reads the records.
#[derive(Default)]
struct Reader<'i> {
    steps: Vec<Step<'i>>,
    clock: Duration,
    answers: Option<&'i str>,
    revision: Option<Revision>,
}

impl<'i> Reader<'i> {
    fn line(&mut self, line: &'i [u8]) {
        let Some((letter, rest)) = line.split_first() else {
            return;
        };
        let text = core::str::from_utf8(rest).ok();
        match letter.to_ascii_lowercase() {
            b'h' => self.header(text),
            b'b' => self.body(rest),
            b'n' => self.more(rest),
            b't' => {
                let passed: Option<u32> = text.and_then(|text| text.parse().ok());
                self.clock += Duration::from_millis(u64::from(passed.unwrap_or(1000)));
            }
            b'a' => self.answers = text,
            b'v' => self.revision = text.and_then(|text| revision(text.parse().ok()?)),
            b'q' | b'r' | b'e' | b'z' => {
                if let Some((direction, content)) = text.and_then(|text| http(*letter, text)) {
                    self.step(*letter, Some(direction), content, &[]);
                }
            }
            b'l' => self.step(*letter, None, Content::Gap, &[]),
            other => {
                if let Some((direction, content)) = message(other) {
                    self.step(*letter, direction, content, rest);
                }
            }
        }
    }

    fn step(
        &mut self,
        letter: u8,
        direction: Option<Direction>,
        content: Content<'i>,
        bytes: &[u8],
    ) {
        if self.steps.len() == MAX_STEPS {
            return;
        }
        self.clock += Duration::from_millis(1);
        self.steps.push(Step {
            session: usize::from(letter.is_ascii_uppercase()),
            content,
            bytes: bytes.to_vec(),
            direction,
            answers: self.answers.take(),
            revision: self.revision.take(),
            header_revision: None,
            time: Some(self.clock),
            at: self.steps.len() as u64,
        });
    }

    fn header(&mut self, text: Option<&'i str>) {
        if let (Some(Content::Http { headers, .. }), Some((name, value))) = (
            self.steps.last_mut().map(|step| &mut step.content),
            text.and_then(|text| text.split_once(':')),
        ) {
            headers.push((name, value));
        }
    }

    fn body(&mut self, bytes: &[u8]) {
        if let Some(step) = self.steps.last_mut()
            && matches!(step.content, Content::Http { .. })
        {
            step.bytes = bytes.to_vec();
        }
    }

    fn more(&mut self, bytes: &[u8]) {
        if let Some(step) = self.steps.last_mut()
            && !step.is_gap()
        {
            step.bytes.push(b'\n');
            step.bytes.extend_from_slice(bytes);
        }
    }
}

/// A message that comes on its own.
fn message<'i>(letter: u8) -> Option<(Option<Direction>, Content<'i>)> {
    let direction = match letter {
        b'c' | b'i' | b'j' => Some(Direction::ClientToServer),
        b's' | b'o' | b'p' => Some(Direction::ServerToClient),
        b'u' => None,
        _ => return None,
    };
    let carrier = match letter {
        b'c' | b's' | b'u' => Carrier::Unknown,
        _ => Carrier::Stdio,
    };
    let content = Content::Line {
        carrier,
        unterminated: matches!(letter, b'j' | b'p'),
    };
    Some((direction, content))
}

/// The head of a part of an HTTP exchange.
fn http(letter: u8, text: &str) -> Option<(Direction, Content<'_>)> {
    let words = || text.split(' ');
    let field = |key: &str| words().find_map(|word| word.strip_prefix(key));
    let has = |wanted: &str| words().any(|word| word == wanted);
    let mut direction = Direction::ServerToClient;
    let head = match letter.to_ascii_lowercase() {
        b'q' => {
            direction = Direction::ClientToServer;
            let mut words = words();
            Head::Request {
                method: words.next()?,
                path: words.next()?,
            }
        }
        b'r' => Head::Response {
            status: words().next()?.parse().ok()?,
            streamed: has("stream"),
        },
        b'e' => Head::Event {
            name: field("name:"),
            id: field("id:"),
            retry: field("retry:").and_then(|value| value.parse().ok()),
        },
        _ => Head::End {
            by: field("by:").and_then(Party::named),
        },
    };
    if has("c2s") {
        direction = Direction::ClientToServer;
    } else if has("s2c") {
        direction = Direction::ServerToClient;
    }
    let content = Content::Http {
        exchange: field("#").and_then(|number| number.parse().ok()),
        head,
        headers: Vec::new(),
    };
    Some((direction, content))
}

/// All parts of an exchange have the revision that a header of it names.
fn name_revisions(steps: &mut [Step<'_>]) {
    let mut named = BTreeMap::new();
    for step in steps {
        let Content::Http {
            exchange: Some(exchange),
            headers,
            ..
        } = &step.content
        else {
            continue;
        };
        let key = (step.session, *exchange);
        let header = Headers(headers).get("mcp-protocol-version");
        if let Some(revision) = header.and_then(|value| value.parse::<Revision>().ok()) {
            named.insert(key, revision);
        }
        step.header_revision = named.get(&key).copied();
    }
}
