//! Conversations written down for tests: who sent which bytes, and what is wrong with them.
//!
//! `-->` is sent by the client, `<--` by the server. Carets mark the offending characters of the message above them, one line
//! of carets a violation, and the word behind them may name the rule:
//!
//! ```text
//! --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}
//!                                                                    ^ schema/wrong-type
//! ```
//!
//! Transcripts stand in the fenced blocks of Markdown files, under headings that say what they show. What a block's info
//! string means is for each test to say, and so is how messages are checked.

use mcp_assay::{Direction, Frame, Session, Span, Validator, Violation};

/// A heading of the second level, and what stands below it.
#[derive(Debug)]
pub struct Section<'a> {
    /// The text of the heading.
    pub heading: &'a str,
    /// The lines outside of blocks that are not empty.
    pub prose: Vec<&'a str>,
    /// The fenced blocks.
    pub blocks: Vec<Block<'a>>,
}

/// A fenced block.
#[derive(Debug)]
pub struct Block<'a> {
    /// What stands behind the fence.
    pub info: &'a str,
    /// The lines between the fences.
    pub lines: Vec<&'a str>,
}

/// The sections of a Markdown file.
///
/// # Errors
///
/// If a block stands before the first heading or is not closed.
pub fn sections(text: &str) -> Result<Vec<Section<'_>>, String> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for line in text.lines() {
        let fence = line.strip_prefix("```");
        match (open.take(), fence) {
            (Some(block), Some(_)) => sections
                .last_mut()
                .ok_or_else(|| format!("`{}` stands under no heading", block.info))?
                .blocks
                .push(block),
            (Some(mut block), None) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, Some(info)) => {
                let lines = Vec::new();
                open = Some(Block { info, lines });
            }
            (None, None) => match (line.strip_prefix("## "), sections.last_mut()) {
                (Some(heading), _) => sections.push(Section {
                    heading,
                    prose: Vec::new(),
                    blocks: Vec::new(),
                }),
                (None, Some(section)) if !line.trim().is_empty() => section.prose.push(line),
                (None, _) => {}
            },
        }
    }
    match open {
        Some(block) => Err(format!("`{}` is not closed", block.info)),
        None => Ok(sections),
    }
}

/// Messages in the order in which they were sent.
#[derive(Debug)]
pub struct Transcript {
    /// One a line.
    pub messages: Vec<Message>,
}

/// A message and what is wrong with it.
#[derive(Debug)]
pub struct Message {
    /// Who sent it.
    pub direction: Direction,
    /// As it was sent.
    pub bytes: Vec<u8>,
    /// The violations that are drawn below it.
    pub marks: Vec<Mark>,
}

/// A violation as it is drawn.
#[derive(Debug)]
pub struct Mark {
    /// The marked bytes of the message.
    pub span: Span,
    /// The rule, if the first word behind the carets names one.
    pub rule: Option<String>,
}

impl Mark {
    /// Whether this is where a violation is. The first caret also stands for the place before its character, where something
    /// is missing.
    #[must_use]
    pub fn is_at(&self, span: Span) -> bool {
        let nothing = span.start == span.end;
        self.span == span || nothing && self.span.start == span.start
    }
}

/// A violation that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The position of the message in the transcript.
    pub message: usize,
    /// The rule.
    pub rule: &'static str,
    /// The bytes of the message.
    pub span: Span,
}

impl Transcript {
    /// Reads the lines of a block.
    ///
    /// # Errors
    ///
    /// If a line is neither a message nor carets below one.
    pub fn read(lines: &[&str]) -> Result<Self, String> {
        let mut messages: Vec<Message> = Vec::new();
        let mut columns = Vec::new();
        for line in lines {
            let direction = match line.get(..4) {
                Some("--> ") => Direction::ClientToServer,
                Some("<-- ") => Direction::ServerToClient,
                _ => {
                    let mark = mark(line, &columns)
                        .ok_or_else(|| format!("neither a message nor carets below one: {line}"))?;
                    match messages.last_mut() {
                        Some(message) => message.marks.push(mark),
                        None => return Err(format!("carets below nothing: {line}")),
                    }
                    continue;
                }
            };
            let text = &line[4..];
            columns = offsets(text);
            messages.push(Message {
                direction,
                bytes: text.as_bytes().to_vec(),
                marks: Vec::new(),
            });
        }
        Ok(Self { messages })
    }

    /// Checks the messages of one session, and returns the violations that `wanted` lets pass, by message and place.
    pub fn run(
        &self,
        validator: &mut Validator,
        wanted: impl Fn(&Violation) -> bool,
    ) -> Vec<Found> {
        let mut session = Session::new();
        let mut found = Vec::new();
        for (position, message) in self.messages.iter().enumerate() {
            let frame = Frame::new(&message.bytes).direction(message.direction);
            let checked = validator.check(&mut session, frame);
            let violations = checked.violations().iter();
            found.extend(
                violations
                    .filter(|violation| wanted(violation))
                    .map(|violation| Found {
                        message: position,
                        rule: violation.rule.name,
                        span: violation.span,
                    }),
            );
        }
        found.sort_by_key(|found| (found.message, found.span.start, found.span.end));
        found
    }

    /// What is drawn but was not found, and the other way round; a mark that names no rule is of the one given.
    #[must_use]
    pub fn disagreement(&self, found: &[Found], unnamed: &str) -> Vec<String> {
        let mut rest = found.to_vec();
        let mut wrong = Vec::new();
        for (position, message) in self.messages.iter().enumerate() {
            for mark in &message.marks {
                let rule = mark.rule.as_deref().unwrap_or(unnamed);
                let at = rest.iter().position(|found| {
                    found.message == position && found.rule == rule && mark.is_at(found.span)
                });
                match at {
                    Some(at) => drop(rest.remove(at)),
                    None => wrong.push(format!(
                        "message {}: {rule} is not raised at {}..{}",
                        position + 1,
                        mark.span.start,
                        mark.span.end
                    )),
                }
            }
        }
        wrong.extend(rest.iter().map(|found| {
            format!(
                "message {}: {} is raised at {}..{}",
                found.message + 1,
                found.rule,
                found.span.start,
                found.span.end
            )
        }));
        wrong
    }
}

/// Reads a line of carets below a message of which the offset of each column is known.
fn mark(line: &str, columns: &[u32]) -> Option<Mark> {
    let (before, carets) = line.split_at(line.find('^')?);
    if !before.trim().is_empty() {
        return None;
    }
    let words = carets.trim_start_matches('^');
    let start = before.len().checked_sub("--> ".len())?;
    let end = start + (carets.len() - words.len());
    let rule = words.split_whitespace().next().filter(|word| is_rule(word));
    Some(Mark {
        span: Span {
            start: *columns.get(start)?,
            end: *columns.get(end)?,
        },
        rule: rule.map(str::to_owned),
    })
}

/// Whether a word looks like the name of a rule.
fn is_rule(word: &str) -> bool {
    let is_part = |part: &str| {
        let mut bytes = part.bytes();
        bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
            && bytes.all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
            })
    };
    word.split_once('/')
        .is_some_and(|(family, requirement)| is_part(family) && is_part(requirement))
}

/// The offset of each column of a message, and of those past it: a caret may stand where the text breaks off.
fn offsets(text: &str) -> Vec<u32> {
    let mut offsets: Vec<_> = text.char_indices().map(|(at, _)| at as u32).collect();
    offsets.extend([text.len() as u32; 2]);
    offsets
}
