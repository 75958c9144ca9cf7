//! Checks one source, line by line.

use std::io;

use mcp_assay::syntax::{Tape, scan};
use mcp_assay::{Carrier, Direction, Frame, Limits, Validator};
use mcp_assay_report::{Origin, RecordFault};

use super::connections::Connections;
use super::report::Report;
use crate::capture::{Broken, Content, Guess, Payload, Record, guess, is_record};
use crate::config::Settings;
use crate::input::{Line, Lines, Meter, Prefix, Source};

/// A record may be longer than the message in it: every byte may be escaped as `\u0000`, and it has members of its own.
const ESCAPED: usize = 6;
const RECORD_OVERHEAD: usize = 64 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Checks sources, one after the other; keeps its memory.
pub(super) struct Checker<'s> {
    settings: &'s Settings,
    validator: Validator,
    /// Of records; messages have the validator's.
    tape: Tape,
    /// The bytes of a record's message, unescaped.
    payload: Vec<u8>,
}

/// Why a source was not checked to its end.
#[derive(Debug)]
pub(super) enum Failure {
    /// It could not be read.
    Read(io::Error),
    /// The report could not be written.
    Write(io::Error),
}

impl<'s> Checker<'s> {
    pub(super) fn new(settings: &'s Settings) -> Self {
        Self {
            settings,
            validator: settings.validator(),
            tape: Tape::new(),
            payload: Vec::new(),
        }
    }

    /// Checks a source. What was found before a failure is in the report.
    pub(super) fn check(
        &mut self,
        source: &Source,
        meter: &Meter,
        report: &mut Report<'_>,
    ) -> Result<(), Failure> {
        let input = source.open(meter).map_err(Failure::Read)?;
        let name = source.name();
        let mut lines = Lines::new(input, self.settings.policy.limits.bytes);
        let mut place = Place {
            source: &name,
            line: 0,
            connections: Connections::default(),
            report,
        };
        if let Some(text) = lines
            .whole_text(|text| self.judge_prefix(text))
            .map_err(Failure::Read)?
        {
            return self.line(text, &mut place).map_err(Failure::Write);
        }
        // Whoever writes to us line by line wants to read the report line by line.
        let is_live = matches!(source, Source::Stdin);
        loop {
            let mut flushed = Ok(());
            let line = lines.next(
                |line| record_limits(line, &self.settings.policy.limits).bytes,
                || {
                    if is_live {
                        flushed = place.report.flush();
                    }
                },
            );
            flushed.map_err(Failure::Write)?;
            let Some(line) = line.map_err(Failure::Read)? else {
                return Ok(());
            };
            self.line(line, &mut place).map_err(Failure::Write)?;
        }
    }

    /// What the beginning of a source can become, if it is to be one text.
    fn judge_prefix(&mut self, text: &[u8]) -> Prefix {
        let text = text
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(text)
            .trim_ascii_end();
        match scan(text, &self.settings.policy.limits, &mut self.tape) {
            Ok(()) => Prefix::Whole,
            Err(fault) if fault.start as usize >= text.len() => Prefix::Begun,
            Err(_) => Prefix::Broken,
        }
    }

    fn line(&mut self, line: Line<'_>, place: &mut Place<'_, '_>) -> io::Result<()> {
        place.line = line.number;
        match self.read_line(line, place) {
            Ok(()) => Ok(()),
            Err(Trouble::Write(error)) => Err(error),
            Err(Trouble::Record(broken)) => {
                let fault = RecordFault {
                    source: place.source,
                    line: line.number,
                    message: &broken.to_string(),
                };
                place.report.record_fault(&fault)
            }
        }
    }

    fn read_line(&mut self, line: Line<'_>, place: &mut Place<'_, '_>) -> Result<(), Trouble> {
        // A line may end in CRLF. What was cut stays as long as it is, above the limit.
        let bytes = if line.cut {
            line.bytes
        } else {
            line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes)
        };
        // Before a record a byte-order mark is the editor's; before a message it is a fault.
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let guess = guess(text);
        match guess {
            Guess::Blank if text.len() == bytes.len() => return Ok(()),
            Guess::Blank | Guess::Message => return self.bare(bytes, place),
            Guess::Unsure if line.cut => return self.bare(bytes, place),
            Guess::Record if line.cut => {
                return Err(Broken::from("it is far longer than the size limit").into());
            }
            Guess::Unsure | Guess::Record => {}
        }
        let limits = record_limits(text, &self.settings.policy.limits);
        let fault = scan(text, &limits, &mut self.tape).err();
        let Self {
            settings,
            validator,
            tape,
            payload,
        } = self;
        match (fault, tape.root(text)) {
            (None, Some(root)) if is_record(root) => {
                check_record(&Record::read(root)?, settings, validator, payload, place)
            }
            (Some(fault), _) if guess == Guess::Record => Err(Broken::not_json(fault.start).into()),
            _ => self.bare(bytes, place),
        }
    }

    /// A message as it is.
    fn bare(&mut self, bytes: &[u8], place: &mut Place<'_, '_>) -> Result<(), Trouble> {
        let mut frame = Frame::new(bytes);
        frame.direction = self.settings.direction;
        frame.answers = self.settings.answers.as_deref();
        place.check(&mut self.validator, None, frame)
    }
}

/// Where we are, and what is known there.
struct Place<'p, 'r> {
    source: &'p str,
    line: u64,
    connections: Connections,
    report: &'p mut Report<'r>,
}

impl Place<'_, '_> {
    fn check(
        &mut self,
        validator: &mut Validator,
        session: Option<&str>,
        frame: Frame<'_>,
    ) -> Result<(), Trouble> {
        let connection = self.connections.named(session);
        let checked = validator.check(&mut connection.session, frame);
        let origin = Origin {
            source: self.source,
            line: self.line,
            session,
        };
        Ok(self.report.message(&origin, &checked)?)
    }
}

/// Why a line came to nothing.
enum Trouble {
    Record(Broken),
    Write(io::Error),
}

impl From<Broken> for Trouble {
    fn from(broken: Broken) -> Self {
        Self::Record(broken)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Checks the message in a record, if there is one, and takes note of the rest.
fn check_record(
    record: &Record<'_>,
    settings: &Settings,
    validator: &mut Validator,
    buffer: &mut Vec<u8>,
    place: &mut Place<'_, '_>,
) -> Result<(), Trouble> {
    let session = record.session.as_deref();
    let connection = place.connections.named(session);
    let mut carrier = Carrier::Http;
    let mut header_revision = None;
    let message: Option<Payload<'_>> = match &record.content {
        Content::Line(payload) => {
            carrier = Carrier::Stdio;
            Some(*payload)
        }
        Content::Http(http, body) => {
            header_revision = connection.header_revision(record.exchange, http.revision);
            if record.direction == Direction::ServerToClient && !http.streamed {
                connection.end(record.exchange);
            }
            match body {
                Some(body) if http.carries_message(body.bytes(buffer)?) => Some(*body),
                _ => None,
            }
        }
        Content::Event(data) => {
            header_revision = connection.header_revision(record.exchange, None);
            *data
        }
        Content::End => {
            connection.end(record.exchange);
            None
        }
    };
    let Some(message) = message else {
        return Ok(());
    };
    let mut frame = Frame::new(message.bytes(buffer)?)
        .direction(record.direction)
        .carrier(carrier);
    frame.revision = record.revision;
    frame.header_revision = header_revision;
    frame.answers = record.answers.as_deref().or(settings.answers.as_deref());
    place.check(validator, session, frame)
}

/// The limits of a line: those of a message, unless it is a record around one.
fn record_limits(line: &[u8], limits: &Limits) -> Limits {
    let mut limits = *limits;
    if guess(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)) == Guess::Record {
        limits.bytes = limits
            .bytes
            .saturating_mul(ESCAPED)
            .saturating_add(RECORD_OVERHEAD);
    }
    limits
}
