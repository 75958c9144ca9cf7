//! Lines of a stream, as slices of one buffer that never holds more than the longest line it has
//! to.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

/// How much is read at once.
const CHUNK: usize = 256 << 10;

/// Cuts a stream into lines.
pub struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    /// The bytes that were read and not yet given out: `buffer[start..end]`.
    start: usize,
    end: usize,
    number: u64,
    at_end: bool,
    /// How long a line may be, unless its beginning says otherwise.
    limit: usize,
}

/// A line, without the newline that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes; of one above the limit only the first, one more than the limit.
    pub bytes: &'a [u8],
    /// Whether it was above the limit.
    pub cut: bool,
}

/// The state of the beginning of a JSON text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// It is a whole text.
    Whole,
    /// More is needed.
    Begun,
    /// It is no JSON, whatever follows.
    Broken,
}

impl<R: Read> Lines<R> {
    /// The lines of a source; `limit` is the longest that is given as a whole.
    pub fn new(source: R, limit: usize) -> Self {
        // Zeroed memory comes from the system as it is touched, so a small input stays small.
        Self {
            source,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            number: 0,
            at_end: false,
            limit,
        }
    }

    /// The next line. `limit_of` says, by the beginning of a line above the limit, how long that
    /// one may be; `before_read` is called before the source is, which may make us wait.
    pub fn next(
        &mut self,
        limit_of: impl Fn(&[u8]) -> usize,
        mut before_read: impl FnMut(),
    ) -> io::Result<Option<Line<'_>>> {
        let mut searched = 0;
        let length = loop {
            let pending = &self.buffer[self.start..self.end];
            if let Some(at) = memchr(b'\n', &pending[searched..]) {
                break searched + at;
            }
            searched = pending.len();
            if self.at_end {
                if pending.is_empty() {
                    return Ok(None);
                }
                break searched;
            }
            if searched > self.limit {
                let limit = limit_of(pending);
                if searched > limit {
                    return self.skip_rest(limit + 1).map(Some);
                }
            }
            before_read();
            self.fill()?;
        };
        let line = self.start..self.start + length;
        self.start = (line.end + 1).min(self.end);
        self.number += 1;
        let bytes = &self.buffer[line];
        let limit = if bytes.len() > self.limit {
            limit_of(bytes)
        } else {
            self.limit
        };
        let cut = bytes.len() > limit;
        Ok(Some(Line {
            number: self.number,
            bytes: if cut { &bytes[..=limit] } else { bytes },
            cut,
        }))
    }

    /// Keeps the first bytes of a line that is too long, and reads on to its newline without
    /// keeping the rest.
    fn skip_rest(&mut self, kept: usize) -> io::Result<Line<'_>> {
        let rest = self.start + kept;
        let line = self.start..rest;
        if self.buffer.len() < rest + CHUNK {
            self.buffer.resize(rest + CHUNK, 0);
        }
        // The newline cannot be in what is pending: it was searched.
        loop {
            let count = read(&mut self.source, &mut self.buffer[rest..])?;
            self.end = rest + count;
            if count == 0 {
                self.at_end = true;
                self.start = self.end;
                break;
            }
            if let Some(at) = memchr(b'\n', &self.buffer[rest..self.end]) {
                self.start = rest + at + 1;
                break;
            }
        }
        self.number += 1;
        Ok(Line {
            number: self.number,
            bytes: &self.buffer[line],
            cut: true,
        })
    }

    /// Applies `judge` to the beginning of the stream, and again to more of it until
    /// it answers, and told whether that is all there is. To be asked first; everything is still
    /// there to be read.
    pub fn beginning<T>(
        &mut self,
        mut judge: impl FnMut(&[u8], bool) -> Option<T>,
    ) -> io::Result<Option<T>> {
        loop {
            let pending = &self.buffer[self.start..self.end];
            let judgement = judge(pending, self.at_end);
            if judgement.is_some() || self.at_end {
                return Ok(judgement);
            }
            self.fill()?;
        }
    }

    /// Everything that is left, if it is not longer than `most`.
    pub fn rest(&mut self, most: usize) -> io::Result<Option<&[u8]>> {
        while !self.at_end {
            if self.end - self.start > most {
                return Ok(None);
            }
            self.fill()?;
        }
        let rest = &self.buffer[self.start..self.end];
        Ok(Some(rest).filter(|rest| rest.len() <= most))
    }

    /// If the whole stream is one JSON text over several lines, within the limit: that text. To be
    /// asked first. If it is not, the lines are still all there.
    ///
    /// No more is read than is needed to tell: `judge` sees the beginning again whenever it has
    /// doubled.
    pub fn whole_text(
        &mut self,
        mut judge: impl FnMut(&[u8]) -> Prefix,
    ) -> io::Result<Option<Line<'_>>> {
        let mut judged = 0;
        loop {
            let pending = &self.buffer[self.start..self.end];
            match first_line(pending, self.at_end) {
                FirstLine::Unfinished => {}
                FirstLine::StandsAlone => return Ok(None),
                FirstLine::MayGoOn(first) => {
                    let known = if self.at_end {
                        pending.len()
                    } else {
                        memrchr(b'\n', pending).unwrap_or(0)
                    };
                    if self.at_end || (known > first && known >= 2 * judged) {
                        judged = known;
                        match judge(&pending[..known]) {
                            Prefix::Broken => return Ok(None),
                            Prefix::Whole if self.at_end => break,
                            Prefix::Begun if self.at_end => return Ok(None),
                            Prefix::Whole | Prefix::Begun => {}
                        }
                    }
                }
            }
            if pending.len() > self.limit || self.at_end {
                return Ok(None);
            }
            self.fill()?;
        }
        let pending = &self.buffer[self.start..self.end];
        let text = pending.trim_ascii();
        let before = pending.len() - pending.trim_ascii_start().len();
        let number = 1 + memchr_iter(b'\n', &pending[..before]).count() as u64;
        self.start = self.end;
        Ok(Some(Line {
            number,
            bytes: text,
            cut: false,
        }))
    }

    /// Reads more behind what is pending.
    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let count = read(&mut self.source, &mut self.buffer[self.end..])?;
        self.end += count;
        self.at_end = count == 0;
        Ok(())
    }
}

fn read(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

enum FirstLine {
    /// Its end was not read yet.
    Unfinished,
    /// It is a message of its own, or nothing that could go on.
    StandsAlone,
    /// It opens what it does not close; ends at this offset.
    MayGoOn(usize),
}

/// Looks at the ends of the first line that is not blank. A look is enough, so that no message is
/// scanned twice.
fn first_line(pending: &[u8], at_end: bool) -> FirstLine {
    // A byte-order mark is a fault of the message, not a sign of lines.
    let text = pending
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(pending)
        .trim_ascii_start();
    let skipped = pending.len() - text.len();
    let (line, ended) = match memchr(b'\n', text) {
        Some(at) => (text[..at].trim_ascii_end(), true),
        None => (text, at_end),
    };
    match line {
        [] if !at_end => FirstLine::Unfinished,
        [b'{', .., b'}'] | [b'[', .., b']'] if ended => FirstLine::StandsAlone,
        [b'{' | b'[', ..] if ended => FirstLine::MayGoOn(skipped + line.len()),
        [b'{' | b'[', ..] => FirstLine::Unfinished,
        _ => FirstLine::StandsAlone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn all(text: &[u8], step: usize, limit: usize) -> Vec<(u64, Vec<u8>, bool)> {
        let mut lines = Lines::new(Trickle(text, step), limit);
        let mut found = Vec::new();
        while let Some(line) = lines.next(|_| limit, || ()).unwrap() {
            found.push((line.number, line.bytes.to_vec(), line.cut));
        }
        found
    }

    #[test]
    fn any_splitting_gives_the_same_lines() {
        let text = b"one\n\ntwo and more\nlast";
        let expected = [
            (1, "one", false),
            (2, "", false),
            (3, "two an", true),
            (4, "last", false),
        ];
        for step in 1..=text.len() {
            let found = all(text, step, 5);
            let found: Vec<_> = found
                .iter()
                .map(|(number, bytes, cut)| (*number, std::str::from_utf8(bytes).unwrap(), *cut))
                .collect();
            assert_eq!(found, expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn one_text_over_many_lines_is_told_from_lines() {
        let judge = |text: &[u8]| match serde_json::from_slice::<serde_json::Value>(text) {
            Ok(_) => Prefix::Whole,
            Err(error) if error.is_eof() => Prefix::Begun,
            Err(_) => Prefix::Broken,
        };
        let cases = [
            ("{\n  \"a\": [\n1\n]\n}\n", true),
            ("\n[\n{\"a\": 1}\n]", true),
            ("{\"a\":\n1} \n\n", true),
            ("{\"a\":1}\n{\"a\":2}\n", false),
            ("{\"a\":1}", false),
            ("{\"a\":\n{\"a\":1}\n{\"a\":2}\n", false),
            ("{\n}\n{\n}\n", false),
            ("hello\n{\n}\n", false),
            ("", false),
        ];
        for (text, expected) in cases {
            for step in [1, 2, 3, 100] {
                let mut lines = Lines::new(Trickle(text.as_bytes(), step), 1000);
                let whole = lines
                    .whole_text(judge)
                    .unwrap()
                    .map(|line| line.bytes.to_vec());
                assert_eq!(whole.is_some(), expected, "{text:?}");
                let rest = std::iter::from_fn(|| {
                    lines.next(|_| 1000, || ()).unwrap().map(|line| line.number)
                })
                .count();
                assert_eq!(
                    rest,
                    if expected { 0 } else { text.lines().count() },
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn the_beginning_is_looked_at_and_kept() {
        for step in [1, 3, 100] {
            let mut lines = Lines::new(Trickle(b"one\ntwo\n", step), 100);
            let judge = |text: &[u8], _| memchr(b'\n', text).map(|end| text[..end].to_vec());
            assert_eq!(lines.beginning(judge).unwrap(), Some(b"one".to_vec()));
            let line = lines.next(|_| 100, || ()).unwrap().unwrap();
            assert_eq!((line.number, line.bytes), (1, &b"one"[..]));
            assert_eq!(lines.rest(4).unwrap(), Some(&b"two\n"[..]));
            let mut lines = Lines::new(Trickle(b"one\ntwo\n", step), 100);
            assert_eq!(lines.rest(7).unwrap(), None);
        }
        let mut lines = Lines::new(Trickle(b"", 1), 100);
        assert_eq!(lines.beginning(|_, _| None::<()>).unwrap(), None);
        assert_eq!(lines.rest(0).unwrap(), Some(&b""[..]));
    }

    #[test]
    fn a_long_line_is_not_kept() {
        let long = 3 * CHUNK + 17;
        let mut text = vec![b'x'; long];
        text.extend_from_slice(b"\nnext\n");
        text.extend(vec![b'y'; long]);
        let limit = CHUNK + 5;
        let mut lines = Lines::new(Trickle(&text, CHUNK / 3), limit);
        let line = lines.next(|_| limit, || ()).unwrap().unwrap();
        assert!(
            line.cut
                && line.bytes.len() == limit + 1
                && line.bytes.iter().all(|byte| *byte == b'x')
        );
        let line = lines.next(|_| limit, || ()).unwrap().unwrap();
        assert_eq!(
            (line.number, line.bytes, line.cut),
            (2, &b"next"[..], false)
        );
        let line = lines.next(|_| limit, || ()).unwrap().unwrap();
        assert!(line.cut && line.number == 3 && line.bytes.len() == limit + 1);
        assert_eq!(lines.next(|_| limit, || ()).unwrap(), None);
        assert!(lines.buffer.len() <= 4 * CHUNK);
    }
}
