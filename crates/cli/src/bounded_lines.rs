//! Lines of commands on standard input, one at a time and none without bounds.

use std::io::{self, BufRead, Read as _};

/// The longest command, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The answer to a longer one.
pub(crate) const TOO_LONG: &str = "a command has at most 16 MiB";

/// The next line.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Text(Vec<u8>),
    /// It was read to its end and dropped.
    TooLong,
    End,
}

/// The next line, without its newline.
pub(crate) fn next(input: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let read = input
        .by_ref()
        .take(MAX_BYTES as u64 + 1)
        .read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if line.pop_if(|last| *last == b'\n').is_some() || line.len() <= MAX_BYTES {
        return Ok(Line::Text(line));
    }
    loop {
        let more = input.fill_buf()?;
        match memchr::memchr(b'\n', more) {
            Some(at) => {
                input.consume(at + 1);
                return Ok(Line::TooLong);
            }
            None if more.is_empty() => return Ok(Line::TooLong),
            None => {
                let count = more.len();
                input.consume(count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_long_ones_skipped() {
        let mut text = b"one\n".to_vec();
        text.extend(vec![b'x'; MAX_BYTES + 10]);
        text.extend(b"\n\nlast");
        let mut input = text.as_slice();
        let mut all = Vec::new();
        loop {
            match next(&mut input).unwrap() {
                Line::End => break,
                line => all.push(line),
            }
        }
        let text = |text: &[u8]| Line::Text(text.to_vec());
        assert_eq!(all, [text(b"one"), Line::TooLong, text(b""), text(b"last")]);
    }
}
