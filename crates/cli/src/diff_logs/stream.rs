//! A log, line by line.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use mcp_assay::syntax::Tape;

use super::event::{Event, LIMITS, Print};
use super::fields::Ignored;
use crate::input::{Meter, Source};

/// A log that is read. Packed ones (`.gz`, `.zst`) are unpacked.
pub(super) struct Stream<'m> {
    name: String,
    lines: BufReader<Box<dyn Read + 'm>>,
    line: Vec<u8>,
    /// The number of the line, from 1.
    number: u64,
    tape: Tape,
}

/// The result of the first reading.
#[derive(Default)]
pub(super) struct Index {
    pub(super) prints: Vec<Print>,
    /// The line of each event.
    pub(super) lines: Vec<u64>,
    /// Lines that are no events, in words.
    pub(super) malformed: Vec<String>,
    /// The number of these lines; not all are kept.
    pub(super) malformed_count: usize,
}

/// The number of lines without events that are reported.
const MAX_NAMED: usize = 20;

impl<'m> Stream<'m> {
    /// Opens a log.
    pub(super) fn open(path: &Path, meter: &'m Meter) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let context = || format!("failed to read {name}");
        let kind = fs::metadata(path).with_context(context)?;
        if !kind.is_file() {
            // It is read twice.
            anyhow::bail!("failed to read {name}: it is no regular file");
        }
        let input = Source::File(path.to_owned())
            .open(meter)
            .with_context(context)?;
        Ok(Self {
            lines: BufReader::with_capacity(256 << 10, input),
            line: Vec::new(),
            number: 0,
            tape: Tape::new(),
            name,
        })
    }

    /// The next line that is not blank, without its newline.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<(u64, &[u8])>> {
        loop {
            self.line.clear();
            let most = LIMITS.bytes as u64 + 2;
            let count = (&mut self.lines)
                .take(most)
                .read_until(b'\n', &mut self.line)
                .with_context(|| format!("failed to read {}", self.name))?;
            if count == 0 {
                return Ok(None);
            }
            self.number += 1;
            if count as u64 == most {
                let (name, number) = (&self.name, self.number);
                anyhow::bail!("failed to read {name}: line {number} is too long for a log");
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some((self.number, self.line.trim_ascii())));
            }
        }
    }

    /// The event on a line further on.
    pub(super) fn event(&mut self, line: u64, ignored: &Ignored) -> anyhow::Result<Event> {
        let mut tape = std::mem::take(&mut self.tape);
        while let Some((number, text)) = self.next()? {
            if number == line {
                let event = Event::read(text, ignored, &mut tape);
                self.tape = tape;
                let name = &self.name;
                return event.map_err(|why| anyhow::anyhow!("{name}:{line} changed: {why}"));
            }
        }
        anyhow::bail!(
            "failed to read {}: it was changed while it was read",
            self.name
        )
    }

    /// Reads all of it.
    pub(super) fn index(mut self, ignored: &Ignored) -> anyhow::Result<Index> {
        let mut index = Index::default();
        let name = self.name.clone();
        let mut tape = std::mem::take(&mut self.tape);
        while let Some((number, text)) = self.next()? {
            match Event::read(text, ignored, &mut tape) {
                Ok(event) => {
                    index.prints.push(event.print());
                    index.lines.push(number);
                }
                Err(why) => {
                    index.malformed_count += 1;
                    if index.malformed.len() < MAX_NAMED {
                        index
                            .malformed
                            .push(format!("{name}:{number} is left out: {why}"));
                    }
                }
            }
        }
        Ok(index)
    }
}
