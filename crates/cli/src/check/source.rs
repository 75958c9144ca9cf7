//! Checks one source, record by record.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_assay::syntax::{Tape, scan};
use mcp_assay::{Carrier, Direction, Ending, Frame, Http, Validator};
use mcp_assay_report::{Origin, RecordFault};
use memchr::memmem;

use super::connections::Connections;
use super::detection;
use super::documents;
use super::failure::Failure;
use super::report::Report;
use crate::capture::{
    Broken, Content, DOCUMENT_LIMIT, Fidelity, Format, Gap, LineReader, Lines, Lost, Missing,
    Payload, Prefix, Reading, Record, Sink,
};
use crate::config::{Sessions, Settings, ToolsLock};
use crate::input::{Growing, Meter, Signs, Source};
use crate::log::Event;
use crate::schemas;
use crate::tool_diff::Listing;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Checks sources, one after the other; keeps its memory.
pub(super) struct Checker<'s> {
    settings: &'s Settings,
    validators: Validators<'s>,
    /// For beginnings that may be one text; messages have the validator's.
    tape: Tape,
    /// The bytes of a record's message, unescaped.
    payload: Vec<u8>,
}

impl<'s> Checker<'s> {
    pub(super) fn new(settings: &'s Settings) -> Self {
        Self {
            settings,
            validators: Validators::new(settings),
            tape: Tape::new(),
            payload: Vec::new(),
        }
    }

    /// Checks a source. Findings before a failure are in the report.
    pub(super) fn check(
        &mut self,
        source: &Source,
        meter: &Meter,
        report: &mut Report<'_>,
    ) -> Result<(), Failure> {
        if let Some(against) = &self.settings.against {
            let validator = self.validators.of(Fidelity::Exact);
            return documents::check(source, against, (validator, &mut self.tape), meter, report);
        }
        let signs = self.settings.follow.as_ref();
        let input: Box<dyn io::Read + '_> = match (signs, source) {
            (Some(signs), Source::File(path)) => {
                Box::new(Growing::open(path, signs).map_err(Failure::Read)?)
            }
            _ => source.open(meter).map_err(Failure::Read)?,
        };
        let name = source.name();
        let limits = self.settings.policy.limits;
        let mut lines = Lines::new(input, limits.bytes);
        let format = detection::format_of(&mut lines, source, self.settings)?;
        let mut reading = format.reading();
        let mut whole = Ok(None);
        if !format.is_document() && signs.is_none() {
            whole = lines.whole_text(|text| judge_prefix(text, self.settings, &mut self.tape));
        }
        let mut place = Place {
            source: &name,
            settings: self.settings,
            validators: &mut self.validators,
            payload: &mut self.payload,
            connections: Connections::new(limits.sessions),
            first: FirstSession::Unseen,
            tools: match self.settings.tools {
                ToolsLock::Ignore => None,
                _ => Some(Listing::default()),
            },
            numbering: Numbering::Lines,
            report,
        };
        let result = match LineReader::new(format) {
            None => read_whole(&mut lines, format, &mut reading, &mut place),
            Some(mut reader) => match whole.map_err(Failure::Read)? {
                Some(text) => reader
                    .line(text, &limits, &mut place)
                    .map_err(Failure::Write),
                None => read_lines(&mut lines, &mut reader, source, &mut place),
            },
        };
        let result = match result {
            // If bodies were not kept, nothing can be called missing.
            Ok(()) if !reading.is_missing(Missing::Bodies) => place.end().map_err(Failure::Write),
            result => result,
        };
        if let Some(tools) = place.tools {
            meter.note_tools(source, tools.into_tools());
        }
        // Our own format needs no explanation, and a run may have thousands of files.
        if result.is_ok() && format.described().is_some() {
            meter.note(source, reading);
        }
        result
    }
}

/// Reads a source line by line.
fn read_lines(
    lines: &mut Lines<impl io::Read>,
    reader: &mut LineReader,
    source: &Source,
    place: &mut Place<'_, '_, '_>,
) -> Result<(), Failure> {
    let limits = place.settings.policy.limits;
    let signs = place.settings.follow.as_ref();
    // A writer that sends line by line expects the report line by line.
    let is_live = matches!(source, Source::Stdin) || signs.is_some();
    loop {
        let mut flushed = Ok(());
        let line = lines.next(
            |line| reader.line_limit(line, &limits),
            || {
                if is_live {
                    flushed = place.report.flush();
                }
            },
        );
        flushed.map_err(Failure::Write)?;
        let Some(line) = line.map_err(Failure::Read)? else {
            return reader.end(place).map_err(Failure::Write);
        };
        if signs.is_some_and(Signs::take_missed) {
            place.connections.lose_track();
        }
        reader.line(line, &limits, place).map_err(Failure::Write)?;
    }
}

/// Reads a source that is one text.
fn read_whole(
    lines: &mut Lines<impl io::Read>,
    format: Format,
    reading: &mut Reading,
    place: &mut Place<'_, '_, '_>,
) -> Result<(), Failure> {
    let limits = place.settings.policy.limits;
    let Some(text) = lines.rest(DOCUMENT_LIMIT).map_err(Failure::Read)? else {
        let what = format.described().unwrap_or("a file");
        return Err(Failure::Read(io::Error::other(format!(
            "{what} above {} MiB is not read, because it has to be held in memory",
            DOCUMENT_LIMIT >> 20
        ))));
    };
    let read = format.read_document(text, &limits, reading, place);
    read.map_err(Failure::Write)
}

/// The kinds of text that the beginning of a source can become.
fn judge_prefix(text: &[u8], settings: &Settings, tape: &mut Tape) -> Prefix {
    let text = text
        .strip_prefix(BYTE_ORDER_MARK)
        .unwrap_or(text)
        .trim_ascii_end();
    match scan(text, &settings.policy.limits.for_scan(), tape) {
        Ok(()) => Prefix::Whole,
        Err(fault) if fault.start as usize >= text.len() => Prefix::Begun,
        Err(_) => Prefix::Broken,
    }
}

/// A validator for the parts of each kind of bytes that can be checked.
struct Validators<'s> {
    settings: &'s Settings,
    exact: Validator,
    /// Few sources need it.
    reserialised: Option<Validator>,
}

impl<'s> Validators<'s> {
    fn new(settings: &'s Settings) -> Self {
        Self {
            settings,
            exact: settings.validator(),
            reserialised: None,
        }
    }

    fn of(&mut self, fidelity: Fidelity) -> &mut Validator {
        if fidelity == Fidelity::Exact {
            return &mut self.exact;
        }
        self.reserialised.get_or_insert_with(|| {
            let mut policy = self.settings.policy.clone();
            policy.layers = fidelity.layers(policy.layers);
            let mut validator = Validator::with_registry(policy, schemas::shared());
            if let Some(definitions) = &self.settings.definitions {
                validator.replace_definitions(Arc::clone(definitions) as Arc<_>);
            }
            validator
        })
    }
}

/// The position, and the facts known there.
struct Place<'p, 's, 'r> {
    source: &'p str,
    settings: &'p Settings,
    validators: &'p mut Validators<'s>,
    payload: &'p mut Vec<u8>,
    connections: Connections,
    first: FirstSession,
    /// The tools that were listed, if they are needed.
    tools: Option<Listing>,
    numbering: Numbering,
    report: &'p mut Report<'r>,
}

/// The meaning of the number of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    Lines,
    /// The source is one line: its entries are numbered, as `file.har#12`.
    Entries,
}

impl Numbering {
    /// The name and line of a place in a source.
    fn place(self, source: &str, number: u64) -> (Cow<'_, str>, u64) {
        match self {
            Self::Lines => (Cow::Borrowed(source), number),
            Self::Entries => (Cow::Owned(format!("{source}#{number}")), 1),
        }
    }
}

/// The session of the first record, by its name if it has one.
enum FirstSession {
    Unseen,
    Named(Option<Box<str>>),
}

impl Sink for Place<'_, '_, '_> {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        if matches!(record.content, Content::Nothing) && record.session.is_none() {
            // Something was not recorded, of whatever session.
            self.connections.add_gap();
            return Ok(());
        }
        if !self.wants(record.session.as_deref()) {
            return Ok(());
        }
        match self.check(record) {
            Ok(()) => Ok(()),
            Err(Trouble::Write(error)) => Err(error),
            Err(Trouble::Record(why)) => self.tell_lost(&Lost {
                line: record.line,
                session: record.session.as_deref(),
                direction: record.direction,
                why,
            }),
        }
    }

    fn lost(&mut self, lost: &Lost<'_>) -> io::Result<()> {
        // Without its session it may be of any, so it is reported and not skipped.
        if lost.session.is_some() && !self.wants(lost.session) {
            return Ok(());
        }
        self.tell_lost(lost)
    }

    fn number_entries(&mut self) {
        self.numbering = Numbering::Entries;
    }
}

impl Place<'_, '_, '_> {
    /// Whether records of this session are checked.
    fn wants(&mut self, session: Option<&str>) -> bool {
        self.report.begun = true;
        match self.settings.sessions {
            Sessions::All => true,
            Sessions::First => match &self.first {
                FirstSession::Named(first) => first.as_deref() == session,
                FirstSession::Unseen => {
                    self.first = FirstSession::Named(session.map(Box::from));
                    true
                }
            },
        }
    }

    fn tell_lost(&mut self, lost: &Lost<'_>) -> io::Result<()> {
        match lost.session {
            Some(name) => self.connections.named(Some(name)).session.lose_track(),
            // It may have been of any session.
            None => self.connections.lose_track(),
        }
        let (source, line) = self.numbering.place(self.source, lost.line);
        let fault = RecordFault {
            source: &source,
            line,
            message: &lost.why.to_string(),
        };
        if let Some(log) = self.report.log {
            log.record_fault(&fault, lost.session);
        }
        self.report.record_fault(&fault)
    }

    /// Checks a record: its message, if there is one, and the HTTP exchange that it is part of.
    fn check(&mut self, record: &Record<'_>) -> Result<(), Trouble> {
        let session = record.session.as_deref();
        let connection = self.connections.named(session);
        if connection.is_closed() && may_initialize(record) {
            // The next connection under the same name begins.
            let ended = connection.restart();
            let endings = self.validators.of(Fidelity::Exact).end(&ended);
            report_endings(
                self.report,
                (self.source, self.numbering),
                session,
                &endings,
            )?;
        }
        if record.gap == Some(Gap::Before) || matches!(record.content, Content::Nothing) {
            connection.session.lose_track();
        }
        // Without an exchange it is the end of the connection.
        if let (Content::End { by }, None) = (&record.content, record.exchange) {
            connection.close(*by);
            return Ok(());
        }
        let pairs = record.content.headers();
        let part = record.content.part(&pairs);
        // If a message was written anew, nothing is known of its carrier, nor whether all messages
        // are there.
        let exact = record.fidelity == Fidelity::Exact;
        let carrier = match &record.content {
            Content::Message(_) => Carrier::Unknown,
            _ if !exact => Carrier::Unknown,
            Content::Line(_) => Carrier::Stdio,
            _ => Carrier::Http,
        };
        let http = part
            .filter(|_| exact)
            .map(|part| Http::new(record.exchange, part));
        let bytes = match record.content.payload() {
            Some(payload) => payload.bytes(self.payload)?,
            None => &[],
        };
        let mut frame = match &http {
            Some(http) => Frame::over_http(bytes, http),
            None if !record.content.carries_message(bytes) => return Ok(()),
            None => Frame::new(bytes).carrier(carrier),
        };
        frame.at = record.line;
        frame.unterminated = record.unterminated;
        frame.time = record
            .time
            .and_then(|time| Duration::try_from_secs_f64(time).ok());
        frame.direction = record.direction.or(self.settings.direction);
        frame.revision = record.revision;
        frame.header_revision = match &record.content {
            Content::Message(_) | Content::Line(_) => None,
            content => connection.header_revision(
                record.exchange,
                content.header_revision(),
                self.settings.policy.limits.streams,
            ),
        };
        frame.answers = record
            .answers
            .as_deref()
            .or(self.settings.answers.as_deref());
        let validator = self.validators.of(record.fidelity);
        // The time is read only if it is written.
        let log = self.report.log.map(|log| (log, Instant::now()));
        let (carrier, time) = (frame.carrier, frame.time);
        let checked = validator.check(&mut connection.session, frame);
        if let Some(tools) = &mut self.tools {
            tools.see(session, &checked);
        }
        let (source, line) = self.numbering.place(self.source, record.line);
        let origin = Origin {
            source: &source,
            line,
            session,
            time,
            bare: record.bare,
        };
        if let Some((log, begun)) = log {
            log.message(&Event {
                origin,
                carrier,
                time,
                took: begun.elapsed(),
                checked: &checked,
            });
        }
        self.report.message(&origin, &checked)?;
        if record.gap == Some(Gap::After) {
            connection.session.lose_track();
        }
        if record.content.ends_exchange() {
            connection.end(record.exchange);
        }
        Ok(())
    }

    /// Ends the source, and the sessions in it.
    fn end(&mut self) -> io::Result<()> {
        let validator = self.validators.of(Fidelity::Exact);
        self.connections.settle();
        let place = (self.source, self.numbering);
        for (name, session) in self.connections.sessions() {
            report_endings(self.report, place, name, &validator.end(session))?;
        }
        if let Some(log) = self.report.log {
            log.end(|_| true);
        }
        Ok(())
    }
}

/// Reports what is missing at the end of a session.
fn report_endings(
    report: &mut Report<'_>,
    (source, numbering): (&str, Numbering),
    session: Option<&str>,
    endings: &[Ending],
) -> io::Result<()> {
    for ending in endings {
        let (source, line) = numbering.place(source, ending.at);
        let origin = Origin {
            source: &source,
            line,
            session,
            ..Origin::default()
        };
        if let Some(log) = report.log {
            log.ending(&origin, ending);
        }
        report.ending(&origin, ending)?;
    }
    Ok(())
}

/// Whether a record may be the `initialize` request of a client.
fn may_initialize(record: &Record<'_>) -> bool {
    let written = match record.content.payload() {
        Some(Payload::Text(text)) => text.raw(),
        Some(Payload::Bytes(bytes)) => bytes,
        Some(Payload::Base64(_)) | None => return false,
    };
    record.direction != Some(Direction::ServerToClient)
        && memmem::find(written, b"initialize").is_some()
        && memmem::find(written, b"protocolVersion").is_some()
}

/// The reason why a record could not be used.
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
