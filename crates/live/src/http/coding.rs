//! Content codings of HTTP: bodies that come compressed are read as the receiver would read them.
//!
//! Decoding is bounded, and nothing is guessed: bytes behind the end of a coding, or a coding that
//! breaks off, make the body unreadable.

mod zstd;

use std::io::{self, Write};

use brotli_decompressor::DecompressorWriter;
use flate2::write::GzDecoder;
use flate2::{Decompress, FlushDecompress, Status};

use self::zstd::Zstd;

/// Codings that one body may have on top of each other.
const MAX_CODINGS: usize = 2;

/// Bytes that the decoder of Brotli gives at a time.
const CHUNK: usize = 16 << 10;

/// A content coding that can be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coding {
    /// RFC 1952.
    Gzip,
    /// RFC 1950, or the bare RFC 1951 that some senders mean.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

/// The codings that the values of `Content-Encoding` name, in the order in which they were applied;
/// `None` if one of them cannot be decoded.
#[must_use]
pub fn codings<'h>(values: impl IntoIterator<Item = &'h [u8]>) -> Option<Vec<Coding>> {
    let mut found = Vec::new();
    for value in values {
        for name in value.split(|byte| *byte == b',') {
            let coding = match name.trim_ascii().to_ascii_lowercase().as_slice() {
                b"" | b"identity" => continue,
                b"gzip" | b"x-gzip" => Coding::Gzip,
                b"deflate" => Coding::Deflate,
                b"br" => Coding::Brotli,
                b"zstd" => Coding::Zstd,
                _ => return None,
            };
            found.push(coding);
        }
    }
    (found.len() <= MAX_CODINGS).then_some(found)
}

/// The reason why a body cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// It is not what its head says.
    Broken,
    /// It is longer than is allowed.
    TooLong,
}

/// Decodes a body, in pieces of any size.
pub struct Decoder {
    /// The coding that was applied last comes first.
    stages: Vec<Stage>,
    /// Bytes that one piece may become.
    limit: usize,
    is_begun: bool,
}

impl Decoder {
    /// A decoder of codings in the order in which they were applied. One piece may become at most
    /// `limit` bytes.
    #[must_use]
    pub fn new(codings: &[Coding], limit: usize) -> Self {
        Self {
            stages: codings.iter().rev().copied().map(Stage::new).collect(),
            limit,
            is_begun: false,
        }
    }

    /// Decodes the next piece, as far as that can be done.
    pub fn decode(&mut self, piece: &[u8]) -> Result<Vec<u8>, DecodeError> {
        self.is_begun |= !piece.is_empty();
        let mut bytes = piece.to_vec();
        for stage in &mut self.stages {
            bytes = stage.decode(&bytes, self.limit)?;
        }
        Ok(bytes)
    }

    /// Whether everything has come; a body without a byte is whole, too.
    pub fn finish(&mut self) -> Result<(), DecodeError> {
        let is_whole = self.stages.iter_mut().all(Stage::is_whole);
        if self.is_begun && !is_whole {
            return Err(DecodeError::Broken);
        }
        Ok(())
    }

    /// Decodes a whole body.
    pub fn decode_whole(mut self, body: &[u8]) -> Result<Vec<u8>, DecodeError> {
        let decoded = self.decode(body)?;
        self.finish()?;
        Ok(decoded)
    }
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Decoder").finish_non_exhaustive()
    }
}

/// The decoder of one coding.
enum Stage {
    Gzip(Box<GzDecoder<Output>>),
    Deflate(Deflate),
    Brotli(Box<DecompressorWriter<Output>>),
    Zstd(Box<Zstd>),
}

impl Stage {
    fn new(coding: Coding) -> Self {
        match coding {
            Coding::Gzip => Self::Gzip(Box::new(GzDecoder::new(Output::default()))),
            Coding::Deflate => Self::Deflate(Deflate::default()),
            Coding::Brotli => {
                Self::Brotli(Box::new(DecompressorWriter::new(Output::default(), CHUNK)))
            }
            Coding::Zstd => Self::Zstd(Box::default()),
        }
    }

    fn decode(&mut self, piece: &[u8], limit: usize) -> Result<Vec<u8>, DecodeError> {
        match self {
            Self::Gzip(decoder) => {
                decoder.get_mut().room = limit;
                // Each flush hands the decoded bytes over.
                let done = decoder.write_all(piece).and_then(|()| decoder.flush());
                decoder.get_mut().take(&done)
            }
            Self::Deflate(decoder) => decoder.decode(piece, limit),
            Self::Brotli(decoder) => {
                decoder.get_mut().room = limit;
                let done = decoder.write_all(piece);
                decoder.get_mut().take(&done)
            }
            Self::Zstd(decoder) => decoder.decode(piece, limit),
        }
    }

    fn is_whole(&mut self) -> bool {
        match self {
            Self::Gzip(decoder) => decoder.try_finish().is_ok(),
            Self::Deflate(decoder) => decoder.is_over,
            Self::Brotli(decoder) => decoder.close().is_ok(),
            Self::Zstd(decoder) => decoder.is_whole(),
        }
    }
}

/// Decoded bytes, up to a limit.
#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
    room: usize,
    is_full: bool,
}

impl Output {
    fn take(&mut self, done: &io::Result<()>) -> Result<Vec<u8>, DecodeError> {
        match done {
            Ok(()) => Ok(std::mem::take(&mut self.bytes)),
            Err(_) if self.is_full => Err(DecodeError::TooLong),
            Err(_) => Err(DecodeError::Broken),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.room {
            self.is_full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The decoder of `deflate`, which has two meanings.
#[derive(Default)]
struct Deflate {
    /// Made when the header has come.
    decoder: Option<Decompress>,
    /// The beginning of the header.
    begun: Vec<u8>,
    is_over: bool,
}

impl Deflate {
    fn decode(&mut self, piece: &[u8], limit: usize) -> Result<Vec<u8>, DecodeError> {
        let mut input = piece;
        let begun;
        if self.decoder.is_none() {
            self.begun.extend_from_slice(piece);
            let [first, second, ..] = self.begun[..] else {
                return Ok(Vec::new());
            };
            let is_zlib =
                first & 0x0f == 8 && (u16::from(first) << 8 | u16::from(second)) % 31 == 0;
            self.decoder = Some(Decompress::new(is_zlib));
            begun = std::mem::take(&mut self.begun);
            input = &begun;
        }
        let (Some(decoder), mut out) = (&mut self.decoder, Vec::new()) else {
            return Ok(Vec::new());
        };
        while !input.is_empty() {
            if self.is_over {
                return Err(DecodeError::Broken);
            }
            let before = decoder.total_in();
            out.reserve(CHUNK);
            let done = decoder.decompress_vec(input, &mut out, FlushDecompress::None);
            if out.len() > limit {
                return Err(DecodeError::TooLong);
            }
            let read = decoder.total_in().wrapping_sub(before);
            input = usize::try_from(read)
                .ok()
                .and_then(|read| input.get(read..))
                .ok_or(DecodeError::Broken)?;
            match done {
                Ok(Status::StreamEnd) => self.is_over = true,
                Ok(Status::Ok) => {}
                Ok(Status::BufError) | Err(_) => return Err(DecodeError::Broken),
            }
        }
        // Output that did not fit with the last byte of the input.
        while !self.is_over {
            let before = out.len();
            out.reserve(CHUNK);
            match decoder.decompress_vec(&[], &mut out, FlushDecompress::None) {
                Ok(Status::StreamEnd) => self.is_over = true,
                Ok(_) if out.len() == before => break,
                Ok(_) => {}
                Err(_) => return Err(DecodeError::Broken),
            }
            if out.len() > limit {
                return Err(DecodeError::TooLong);
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    const TEXT: &[u8] =
        br#"{"jsonrpc":"2.0","id":1,"result":{"text":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}"#;

    /// `TEXT` in Brotli: one metablock that is stored, and the empty last one.
    fn brotli() -> Vec<u8> {
        let mut out = Vec::new();
        // A window of 16 bits, not the last metablock, four nibbles of length, uncompressed.
        let length = TEXT.len() as u32 - 1;
        let bits = length << 4 | 1 << 20;
        out.extend_from_slice(&bits.to_le_bytes()[..3]);
        out.extend_from_slice(TEXT);
        out.push(3);
        out
    }

    fn gzip() -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(TEXT).unwrap();
        encoder.finish().unwrap()
    }

    fn all() -> [(Coding, Vec<u8>); 5] {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(TEXT).unwrap();
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::fast());
        bare.write_all(TEXT).unwrap();
        [
            (Coding::Gzip, gzip()),
            (Coding::Deflate, zlib.finish().unwrap()),
            (Coding::Deflate, bare.finish().unwrap()),
            (Coding::Brotli, brotli()),
            (
                Coding::Zstd,
                compress_to_vec(TEXT, CompressionLevel::Fastest),
            ),
        ]
    }

    #[test]
    fn any_splitting_of_each_coding_gives_the_text() {
        for (coding, body) in all() {
            for size in [1, 2, 7, body.len()] {
                let mut decoder = Decoder::new(&[coding], 1000);
                let mut text = Vec::new();
                for piece in body.chunks(size) {
                    text.extend(decoder.decode(piece).unwrap());
                }
                assert_eq!(decoder.finish(), Ok(()), "{coding:?}, pieces of {size}");
                assert_eq!(text, TEXT, "{coding:?}, pieces of {size}");
            }
        }
    }

    #[test]
    fn bodies_that_break_off_go_on_or_grow_too_long_are_refused() {
        for (coding, body) in all() {
            let cut = Decoder::new(&[coding], 1000).decode_whole(&body[..body.len() - 1]);
            assert_eq!(cut, Err(DecodeError::Broken), "{coding:?}");
            let more = [&body[..], b"{}"].concat();
            let more = Decoder::new(&[coding], 1000).decode_whole(&more);
            assert_eq!(more, Err(DecodeError::Broken), "{coding:?}");
            let long = Decoder::new(&[coding], TEXT.len() - 1).decode_whole(&body);
            assert_eq!(long, Err(DecodeError::TooLong), "{coding:?}");
            assert_eq!(Decoder::new(&[coding], 1).decode_whole(b""), Ok(Vec::new()));
            let plain = Decoder::new(&[coding], 1000).decode_whole(TEXT);
            assert_eq!(plain, Err(DecodeError::Broken), "{coding:?}");
        }
    }

    #[test]
    fn codings_are_named_in_lists_and_undone_in_reverse() {
        let named = |values: &[&str]| codings(values.iter().map(|value| value.as_bytes()));
        assert_eq!(named(&["", "identity , "]), Some(vec![]));
        let both = named(&["X-GZIP", "br"]).unwrap();
        assert_eq!(both, [Coding::Gzip, Coding::Brotli]);
        for unknown in ["compress", "gzip;q=1", "gzip, br, gzip", "utf-7"] {
            assert_eq!(named(&[unknown]), None, "{unknown}");
        }
        let (inner, mut outer) = (gzip(), GzEncoder::new(Vec::new(), Compression::fast()));
        outer.write_all(&inner).unwrap();
        let twice = outer.finish().unwrap();
        let decoder = Decoder::new(&[Coding::Gzip, Coding::Gzip], 1000);
        assert_eq!(decoder.decode_whole(&twice), Ok(TEXT.to_vec()));
    }
}
