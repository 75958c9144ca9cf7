//! The one place that writes while a progress bar may be on the terminal.

use std::io::{self, Write};

use super::progress::Progress;
use crate::output;

/// The report's destination; removes the bar while it writes.
pub(super) struct Screen<'p> {
    out: Box<dyn Write>,
    progress: &'p Progress,
}

impl<'p> Screen<'p> {
    pub(super) fn new(out: Box<dyn Write>, progress: &'p Progress) -> Self {
        Self { out, progress }
    }
}

impl Write for Screen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self { out, progress } = self;
        progress.suspend(|| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reports a source that could not be checked.
pub(super) fn complain(progress: &Progress, error: &anyhow::Error) {
    progress.suspend(|| output::complain(error));
}
