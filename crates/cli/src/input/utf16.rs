//! UTF-16 as some shells write it, with or without a byte-order mark, as UTF-8.
//!
//! Everything behind this reads UTF-8; places and spans refer to that.

use std::io::{self, Read};

const CHUNK: usize = 64 << 10;

/// A source whose text is UTF-8 in the end.
pub(super) struct Transcoded<R> {
    source: R,
    coding: Coding,
    /// Bytes that were not given out yet, from `start` on.
    ready: Vec<u8>,
    start: usize,
    /// Bytes of a character that is not complete.
    rest: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Coding {
    /// The first bytes were not read yet.
    Unknown,
    /// Anything that is not UTF-16.
    Other,
    Utf16(fn([u8; 2]) -> u16),
}

impl<R: Read> Transcoded<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            coding: Coding::Unknown,
            ready: Vec::new(),
            start: 0,
            rest: Vec::new(),
        }
    }

    /// Reads the mark, if there is one.
    fn begin(&mut self) -> io::Result<()> {
        let mut first = [0; 2];
        let mut count = 0;
        while count < first.len() {
            match self.source.read(&mut first[count..]) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.coding = match &first[..count] {
            b"\xff\xfe" => Coding::Utf16(u16::from_le_bytes),
            b"\xfe\xff" => Coding::Utf16(u16::from_be_bytes),
            // Every text that is read begins with a character of ASCII, and no text has zeros.
            &[b' '..=b'~', 0] => {
                self.rest.extend_from_slice(&first);
                Coding::Utf16(u16::from_le_bytes)
            }
            &[0, b' '..=b'~'] => {
                self.rest.extend_from_slice(&first);
                Coding::Utf16(u16::from_be_bytes)
            }
            other => {
                self.ready.extend_from_slice(other);
                Coding::Other
            }
        };
        Ok(())
    }

    /// Reads and transcodes a chunk; whether there was any.
    fn transcode(&mut self, unit: fn([u8; 2]) -> u16) -> io::Result<bool> {
        let before = self.rest.len();
        self.rest.resize(before + CHUNK, 0);
        let read = self.source.read(&mut self.rest[before..]);
        self.rest.truncate(before + *read.as_ref().unwrap_or(&0));
        let count = read?;
        let mut units: Vec<u16> = self
            .rest
            .chunks_exact(2)
            .map(|pair| unit([pair[0], pair[1]]))
            .collect();
        // The other half of a character may come with the next chunk.
        if count > 0
            && units
                .last()
                .is_some_and(|unit| (0xd800..0xdc00).contains(unit))
        {
            units.pop();
        }
        let is_cut = count == 0 && self.rest.len() % 2 == 1;
        self.rest.drain(..2 * units.len());
        self.ready.clear();
        self.start = 0;
        let characters = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}'));
        let mut text: String = characters.collect();
        if is_cut {
            self.rest.clear();
            text.push('\u{fffd}');
        }
        self.ready.extend_from_slice(text.as_bytes());
        Ok(count > 0 || !self.ready.is_empty())
    }
}

impl<R: Read> Read for Transcoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if matches!(self.coding, Coding::Unknown) {
            self.begin()?;
        }
        loop {
            let ready = &self.ready[self.start..];
            if !ready.is_empty() {
                let count = ready.len().min(buffer.len());
                buffer[..count].copy_from_slice(&ready[..count]);
                self.start += count;
                return Ok(count);
            }
            match self.coding {
                Coding::Utf16(unit) => {
                    if !self.transcode(unit)? {
                        return Ok(0);
                    }
                }
                Coding::Unknown | Coding::Other => return self.source.read(buffer),
            }
        }
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

    fn read(bytes: &[u8], step: usize) -> Vec<u8> {
        let mut text = Vec::new();
        let mut source = Transcoded::new(Trickle(bytes, step));
        source.read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn text_is_transcoded_however_it_is_cut() {
        let text = "{\"a\":\"ä→😀\"}\r\nx";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little = units.iter().flat_map(|unit| unit.to_le_bytes());
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(little).collect();
        let big = units.iter().flat_map(|unit| unit.to_be_bytes());
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(big).collect();
        let unmarked = [&little[2..], &big[2..]];
        for step in 1..=9 {
            assert_eq!(read(&little, step), text.as_bytes());
            assert_eq!(read(&big, step), text.as_bytes());
            assert_eq!(read(unmarked[0], step), text.as_bytes());
            assert_eq!(read(unmarked[1], step), text.as_bytes());
            assert_eq!(read(text.as_bytes(), step), text.as_bytes());
        }
        for short in [&b""[..], b"x", b"\xff", b"\xfe"] {
            assert_eq!(read(short, 1), short);
        }
    }

    #[test]
    fn broken_text_shows_where_it_breaks() {
        let replacement = "\u{fffd}".as_bytes();
        assert_eq!(
            read(b"\xff\xfe\x00\xd8x\x00", 3),
            [replacement, b"x"].concat()
        );
        assert_eq!(read(b"\xff\xfe\x00\xd8", 3), replacement);
        assert_eq!(read(b"\xff\xfex\x00y", 2), [b"x", replacement].concat());
        assert_eq!(read(b"\xff\xfe", 2), b"");
    }
}
