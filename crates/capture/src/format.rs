//! The list of the readers, and the formats that follow from it.

use std::{fmt, io};

use mcp_assay::Limits;
use mcp_assay::syntax::{Node, Tape, scan};

use super::broken::Lost;
use super::claude::Claude;
use super::fidelity::{About, Reading};
use super::har::Har;
use super::inspector::Inspector;
use super::lines::Line;
use super::native::{Capture, Ndjson};
use super::places::Places;
use super::reader::{Beginning, Likeness, ReadDocument, ReadLines, Reader};
use super::record::Sink;
use super::recorder::Recorder;
use super::supergateway::Supergateway;
use super::text::BYTE_ORDER_MARK;
use super::trace::Trace;
use super::vscode::VsCode;

/// Every reader, in the order of the help text. The first reads whatever no other recognises.
static READERS: &[Entry] = &[
    Entry::of_lines::<Capture>(),
    Entry::of_lines::<Ndjson>(),
    Entry::of_lines::<Claude>(),
    Entry::of_lines::<VsCode>(),
    Entry::of_document::<Inspector>(),
    Entry::of_document::<Har>(),
    Entry::of_lines::<Trace>(),
    Entry::of_lines::<Supergateway>(),
    Entry::of_lines::<Recorder>(),
];

/// The largest text that is read as a document. It is held in memory as a whole, because answers
/// have to be sorted in among requests.
pub const DOCUMENT_LIMIT: usize = 256 << 20;

/// Levels that a document may have around its messages.
const AROUND: usize = 16;

/// Messages in a document, as a factor on the limit of tokens.
const MESSAGES: usize = 4;

/// A reader, as data.
struct Entry {
    about: About,
    detect: fn(&Beginning<'_>) -> Likeness,
    read: Read,
}

enum Read {
    Lines(fn() -> Box<dyn ReadLines>),
    Document(fn(Node<'_>, Places<'_>, &mut Reading, &mut dyn Sink) -> io::Result<()>),
}

impl Entry {
    const fn new<R: Reader>(read: Read) -> Self {
        Self {
            about: About {
                name: R::NAME,
                described: R::DESCRIBED,
                fidelity: R::FIDELITY,
                missing: R::MISSING,
                headers_remark: R::HEADERS_REMARK,
            },
            detect: R::detect,
            read,
        }
    }

    const fn of_lines<R: Reader + ReadLines + Default + 'static>() -> Self {
        Self::new::<R>(Read::Lines(|| Box::new(R::default())))
    }

    const fn of_document<R: Reader + ReadDocument>() -> Self {
        Self::new::<R>(Read::Document(R::read))
    }
}

/// The format of a source.
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

impl Format {
    /// All of them, in the order of the list of readers.
    pub fn all() -> impl Iterator<Item = Self> {
        READERS.iter().map(Self)
    }

    /// Lines that are records of a capture, or messages.
    #[must_use]
    pub fn capture() -> Self {
        Self(&READERS[0])
    }

    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }

    /// The name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.about.name
    }

    /// A source of this format, with its article; nothing for our own.
    #[must_use]
    pub fn described(self) -> Option<&'static str> {
        self.0.about.described
    }

    /// Whether a source is one JSON text, not lines.
    #[must_use]
    pub fn is_document(self) -> bool {
        matches!(self.0.read, Read::Document(_))
    }

    /// The promise of a source of this format before anything of it is read.
    #[must_use]
    pub fn reading(self) -> Reading {
        Reading::new(&self.0.about)
    }

    /// Reads a source that is one JSON text; one of lines has nothing for it.
    pub fn read_document(
        self,
        text: &[u8],
        limits: &Limits,
        reading: &mut Reading,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let Read::Document(read) = self.0.read else {
            return Ok(());
        };
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mut wide = *limits;
        wide.bytes = DOCUMENT_LIMIT;
        wide.depth = limits.depth.saturating_add(AROUND);
        wide.tokens = limits.tokens.saturating_mul(MESSAGES);
        let mut tape = Tape::new();
        let mut places = Places::new(text);
        if let Err(fault) = scan(text, &wide.for_scan(), &mut tape) {
            let line = places.line(fault.start);
            let why = format!("the file cannot be read from byte {} on", fault.start);
            return sink.lost(&Lost::at(line, why));
        }
        match tape.root(text) {
            Some(root) => read(root, places, reading, sink),
            None => Ok(()),
        }
    }

    /// The certainty that the beginning of a source is of this format.
    pub(crate) fn detect(self, part: &Beginning<'_>) -> Likeness {
        (self.0.detect)(part)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Format({})", self.name())
    }
}

/// Reads a source line by line.
pub struct LineReader {
    lines: Box<dyn ReadLines>,
    /// Whether its lines are messages and records: a byte-order mark is a fault of the writer.
    is_capture: bool,
}

impl LineReader {
    /// The reader of a format; nothing for those that are no lines.
    #[must_use]
    pub fn new(format: Format) -> Option<Self> {
        match format.0.read {
            Read::Lines(reader) => Some(Self {
                lines: reader(),
                is_capture: [Capture::NAME, Ndjson::NAME].contains(&format.0.about.name),
            }),
            Read::Document(_) => None,
        }
    }

    /// The longest line of this beginning.
    #[must_use]
    pub fn line_limit(&self, beginning: &[u8], limits: &Limits) -> usize {
        self.lines.line_limit(beginning, limits)
    }

    /// Reads a line.
    pub fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let mut line = line;
        if line.number == 1 && !self.is_capture {
            line.bytes = line
                .bytes
                .strip_prefix(BYTE_ORDER_MARK)
                .unwrap_or(line.bytes);
        }
        self.lines.line(line, limits, sink)
    }

    /// Reads the end of the source.
    pub fn end(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        self.lines.end(sink)
    }
}
