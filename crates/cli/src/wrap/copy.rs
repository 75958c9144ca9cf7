//! One direction: from where it is read to where it is written, with what could not be written yet.

use std::time::Instant;

use mcp_assay::{Direction, Lines};
use mcp_assay_live::lines::{Delivery, Joiner};

use super::events::{Read, Written};
use super::system::{Input, Output};

/// Above this much that waits to be written nothing more is read.
const FULL: usize = 1 << 20;

/// Above this much that waits in a direction nothing is read that may be refused in it.
const FULL_OF_REFUSALS: usize = 16 << 20;

/// One direction.
pub(super) struct Copy {
    pub(super) direction: Direction,
    /// `None` when it is at its end.
    pub(super) from: Option<Input>,
    /// `None` when nobody reads any more, or when everything was written.
    pub(super) to: Option<Output>,
    pub(super) lines: Lines,
    /// The size of the largest message.
    pub(super) limit: usize,
    /// Joins messages that were written over several lines, if that is wanted.
    pub(super) joiner: Option<Joiner>,
    /// The time at which the joiner releases the lines that it holds.
    pub(super) held_until: Option<Instant>,
    waiting: Vec<u8>,
    written: usize,
}

impl Copy {
    pub(super) fn new(
        direction: Direction,
        from: Option<Input>,
        to: Option<Output>,
        limit: usize,
    ) -> Self {
        Self {
            direction,
            from,
            to,
            lines: Lines::new(limit),
            limit,
            joiner: None,
            held_until: None,
            waiting: Vec::new(),
            written: 0,
        }
    }

    /// Reads what is there.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Read {
        match &self.from {
            Some(from) => from.read(buffer),
            None => Read::Later,
        }
    }

    /// Whether bytes wait to be written.
    pub(super) fn is_behind(&self) -> bool {
        self.written < self.waiting.len() || self.to.as_ref().is_some_and(Output::is_busy)
    }

    /// Whether so many wait that no more should come.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() - self.written >= FULL
    }

    /// Whether so many wait that no refusal should be added.
    pub(super) fn is_full_of_refusals(&self) -> bool {
        self.waiting.len() - self.written >= FULL_OF_REFUSALS
    }

    /// Writes bytes, or keeps them until they can be written.
    pub(super) fn write(&mut self, mut bytes: &[u8]) {
        if !self.is_behind() {
            while let Some(to) = &self.to
                && !bytes.is_empty()
            {
                match to.write(bytes) {
                    Written::Some(count) => bytes = bytes.get(count..).unwrap_or_default(),
                    Written::Later => break,
                    Written::Gone => self.to = None,
                }
            }
        }
        if self.to.is_some() {
            self.waiting.extend_from_slice(bytes);
        }
    }

    /// Queues a delivery, to be written with what follows.
    pub(super) fn queue(&mut self, delivery: &Delivery<'_>) {
        if self.to.is_some() {
            delivery.write(&mut self.waiting);
        }
    }

    /// Writes what waits, as far as it goes.
    pub(super) fn flush(&mut self) {
        while self.is_behind() {
            let Some(to) = &self.to else { break };
            match to.write(self.waiting.get(self.written..).unwrap_or_default()) {
                Written::Some(count) => self.written += count,
                Written::Later => return,
                Written::Gone => self.to = None,
            }
        }
        self.waiting.clear();
        self.waiting.shrink_to(FULL);
        self.written = 0;
    }
}
