//! The format of a source: as the user states it, or as its content shows it.

use std::io::{self, Read};

use super::failure::Failure;
use crate::capture::{Detected, Detector, Format, Lines};
use crate::config::Settings;
use crate::input::{Meter, Source};

/// The format in which a source is read; a failure that names the kind of one that is not read.
pub(super) fn format_of(
    lines: &mut Lines<impl Read>,
    source: &Source,
    settings: &Settings,
) -> Result<Format, Failure> {
    let format = match settings.input_format {
        Some(format) => format,
        None => detected(lines, source, settings).map_err(Failure::Read)?,
    };
    if settings.follow.is_some() && format.is_document() {
        let what = format.described().unwrap_or("a document");
        return Err(Failure::Read(io::Error::other(format!(
            "it is {what}, which cannot be followed: it is one text, written at once"
        ))));
    }
    Ok(format)
}

fn detected(
    lines: &mut Lines<impl Read>,
    source: &Source,
    settings: &Settings,
) -> io::Result<Format> {
    let limits = settings.policy.limits;
    let mut detector = Detector::new(&limits);
    let mut found = lines
        .beginning(|text, at_end| detector.look(text, at_end))?
        .unwrap_or(Detected::Undecided);
    if matches!(found, Detected::Undecided) && settings.follow.is_none() && source.is_repeatable() {
        found = search(source, settings)?;
    }
    match found {
        Detected::Format(format) => Ok(format),
        // Lines that are piped in are meant to be messages.
        Detected::Foreign(kind) if kind.is_unknown() && matches!(source, Source::Stdin) => {
            Ok(Format::capture())
        }
        Detected::Foreign(kind) => Err(io::Error::other(kind.to_string())),
        _ => Ok(Format::capture()),
    }
}

/// Looks at all lines of a source that can be read again. Memory is limited by the longest line.
fn search(source: &Source, settings: &Settings) -> io::Result<Detected> {
    /// Bytes of a line that can show a format.
    const MAX_LINE: usize = 1 << 20;
    let (limits, meter) = (settings.policy.limits, Meter::default());
    let mut lines = Lines::new(source.open(&meter)?, MAX_LINE);
    let mut detector = Detector::new(&limits);
    while let Some(line) = lines.next(|_| MAX_LINE, || ())? {
        if let Some(format) = detector.line(line.bytes) {
            return Ok(Detected::Format(format));
        }
    }
    Ok(detector.end())
}
