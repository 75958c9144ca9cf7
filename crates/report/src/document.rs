//! A whole document: its head, the rendered pieces in their order, the summary.

use std::io::{self, Write};

use crate::{Reporter, Totals};

/// Takes rendered pieces in input order and makes a document of them in the end, for formats that
/// group or sort findings.
///
/// Pieces are bytes, because they are rendered on other threads and wait in bounded channels. The
/// memory of a collector is bounded, too: it counts the pieces that it leaves out.
pub trait Collector: Write + Send {
    /// Writes the document.
    fn finish(self: Box<Self>, totals: &Totals, out: &mut dyn Write) -> io::Result<()>;
}

/// The document of a run: takes rendered pieces, with separators between them.
pub struct Document<'r, W> {
    reporter: &'r dyn Reporter,
    collector: Option<Box<dyn Collector>>,
    out: W,
}

impl<'r, W: Write> Document<'r, W> {
    /// Begins the document.
    pub fn begin(reporter: &'r dyn Reporter, mut out: W) -> io::Result<Self> {
        let collector = reporter.collector();
        if collector.is_none() {
            reporter.begin(&mut out)?;
        }
        Ok(Self {
            reporter,
            collector,
            out,
        })
    }

    /// The writer.
    pub(crate) fn writer(&mut self) -> &mut W {
        &mut self.out
    }

    /// Ends the document with the summary, and gives the writer back.
    pub fn finish(mut self, totals: &Totals) -> io::Result<W> {
        match self.collector {
            Some(collector) => collector.finish(totals, &mut self.out)?,
            None => self.reporter.finish(totals, &mut self.out)?,
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Document<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.collector {
            Some(collector) => collector.write(bytes),
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Makes a document of lines, one for each piece.
pub(crate) trait Gather: Send {
    /// Takes the next line, without its newline.
    fn line(&mut self, line: &[u8]) -> io::Result<()>;

    /// Writes the document.
    fn finish(self, totals: &Totals, out: &mut dyn Write) -> io::Result<()>;
}

/// Cuts pieces into lines again, however they were cut into chunks on the way.
pub(crate) struct Lines<G> {
    gather: G,
    begun: Vec<u8>,
}

impl<G: Gather> Lines<G> {
    pub(crate) fn new(gather: G) -> Self {
        Self {
            gather,
            begun: Vec::new(),
        }
    }
}

impl<G: Gather> Write for Lines<G> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            if self.begun.is_empty() {
                self.gather.line(&rest[..end])?;
            } else {
                self.begun.extend_from_slice(&rest[..end]);
                self.gather.line(&self.begun)?;
                self.begun.clear();
            }
            rest = &rest[end + 1..];
        }
        self.begun.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<G: Gather> Collector for Lines<G> {
    fn finish(self: Box<Self>, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        self.gather.finish(totals, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Joined(String);

    impl Gather for Joined {
        fn line(&mut self, line: &[u8]) -> io::Result<()> {
            let line = String::from_utf8_lossy(line);
            self.0.extend(["[", &line, "]"]);
            Ok(())
        }

        fn finish(self, _: &Totals, out: &mut dyn Write) -> io::Result<()> {
            out.write_all(self.0.as_bytes())
        }
    }

    #[test]
    fn lines_survive_any_cutting() {
        let text = b"one\n\ntwo and more\nthree\n";
        for size in 1..=text.len() {
            let mut lines = Box::new(Lines::new(Joined::default()));
            for chunk in text.chunks(size) {
                lines.write_all(chunk).unwrap();
            }
            let mut out = Vec::new();
            lines.finish(&Totals::default(), &mut out).unwrap();
            assert_eq!(out, b"[one][][two and more][three]");
        }
    }
}
