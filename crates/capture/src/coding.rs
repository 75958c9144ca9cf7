//! Content codings of recorded bodies.
//!
//! Most recorders write bodies as a program sees them; some keep them as they were on the wire. The
//! header states the coding in both cases, so the bytes decide.

use std::io::{self, Read};

use brotli_decompressor::Decompressor;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::broken::Broken;
use super::zstd::ZstdFrames;

/// The bytes to which all bodies of a source may be unpacked: they are held in memory.
pub(super) const MAX_DECODED: usize = 256 << 20;

/// The first bytes of packed data.
const GZIP: &[u8] = b"\x1f\x8b";
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The size of the input buffer of the Brotli decoder.
const BUFFER: usize = 4 << 10;

/// The body without its coding; nothing if it has none. `budget` is the number of bytes that may
/// still be unpacked.
pub(super) fn decode(
    body: &[u8],
    coding: Option<&str>,
    budget: &mut usize,
) -> Result<Option<Vec<u8>>, Broken> {
    let coding = coding.unwrap_or_default().trim();
    if body.starts_with(GZIP) {
        return unpack(MultiGzDecoder::new(body), "gzip", budget).map(Some);
    }
    if body.starts_with(ZSTANDARD) {
        return unpack(ZstdFrames::new(body), "zstd", budget).map(Some);
    }
    if coding.is_empty() || coding.eq_ignore_ascii_case("identity") || is_text(body) {
        return Ok(None);
    }
    if coding.eq_ignore_ascii_case("deflate") {
        // The standard means the format of zlib, but some servers send the bare data.
        let unpacked = unpack(ZlibDecoder::new(body), "deflate", budget);
        return unpacked
            .or_else(|_| unpack(DeflateDecoder::new(body), "deflate", budget))
            .map(Some);
    }
    // Brotli has no mark of its own.
    if coding.eq_ignore_ascii_case("br") {
        return unpack(Decompressor::new(body, BUFFER), "br", budget).map(Some);
    }
    Err(still_packed(coding))
}

/// Whether a body is text already: messages and streams of events hold no control characters.
fn is_text(body: &[u8]) -> bool {
    let is_control = |character: char| character.is_control() && !character.is_whitespace();
    std::str::from_utf8(body).is_ok_and(|text| !text.contains(is_control))
}

fn unpack(packed: impl Read, coding: &str, budget: &mut usize) -> Result<Vec<u8>, Broken> {
    let mut body = Vec::new();
    let limit = *budget as u64 + 1;
    let read: io::Result<usize> = packed.take(limit).read_to_end(&mut body);
    match read {
        Ok(_) if body.len() > *budget => Err(Broken::from(format!(
            "the compressed bodies are larger than {} MiB when they are unpacked",
            MAX_DECODED >> 20
        ))),
        Ok(_) => {
            *budget -= body.len();
            Ok(body)
        }
        Err(_) => Err(Broken::from(format!(
            "a body is not valid {coding}, or not all of it was recorded"
        ))),
    }
}

fn still_packed(coding: &str) -> Broken {
    // The name of a coding is a short token; anything else is not worth repeating.
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_, ".contains(&byte);
    let named = coding.len() <= 32 && coding.bytes().all(is_token);
    let coding = if named { coding } else { "an unknown coding" };
    Broken::from(format!(
        "a body is still compressed ({coding}), which is not unpacked here: record it decoded"
    ))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    const MESSAGE: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

    fn packed<W: Write>(mut encoder: W, finish: impl Fn(W) -> io::Result<Vec<u8>>) -> Vec<u8> {
        encoder.write_all(MESSAGE).unwrap();
        finish(encoder).unwrap()
    }

    #[test]
    fn packed_bodies_are_unpacked_and_others_are_left() {
        let best = Compression::best();
        let gzip = packed(GzEncoder::new(Vec::new(), best), GzEncoder::finish);
        let zlib = packed(ZlibEncoder::new(Vec::new(), best), ZlibEncoder::finish);
        let bare = packed(
            DeflateEncoder::new(Vec::new(), best),
            DeflateEncoder::finish,
        );
        let zstd = compress_to_vec(MESSAGE, CompressionLevel::Fastest);
        let brotli = stored(MESSAGE);
        for (body, coding) in [
            (&gzip, Some("gzip")),
            (&gzip, Some("x-gzip")),
            (&gzip, None),
            (&zlib, Some("deflate")),
            (&bare, Some("Deflate")),
            (&zstd, Some("zstd")),
            (&zstd, None),
            (&brotli, Some("br")),
        ] {
            let unpacked = decode(body, coding, &mut 99).unwrap();
            assert_eq!(unpacked.as_deref(), Some(MESSAGE));
        }
        for coding in [None, Some("gzip"), Some("br"), Some("identity")] {
            assert_eq!(decode(MESSAGE, coding, &mut 0).unwrap(), None);
        }
        let told = |body: &[u8], coding| {
            let broken = decode(body, Some(coding), &mut 99).unwrap_err();
            broken.to_string()
        };
        assert!(told(&gzip[..20], "gzip").contains("not valid gzip"));
        assert!(told(&brotli[..20], "br").contains("not valid br"));
        assert!(told(&zstd[..20], "zstd").contains("not valid zstd"));
        assert!(told(b"\x00\x01", "lzma").contains("still compressed (lzma)"));
        assert!(told(b"\x00\x01", "\x1b[31m").contains("an unknown coding"));
    }

    /// A Brotli stream of one block that is not compressed, and of an empty one that ends it
    /// (RFC 7932, section 9).
    fn stored(text: &[u8]) -> Vec<u8> {
        let header = (text.len() as u32 - 1) << 4 | 1 << 20;
        [&header.to_le_bytes()[..3], text, &[3]].concat()
    }

    #[test]
    fn a_compressed_brotli_stream_is_unpacked() {
        // The message thirty times, as a compressor writes it.
        let packed = [
            "1b3704e02c0e6c1bd8d61776b0546c267d2db217d3b764d29245c4257560c85a",
            "640c4e6e4a42516bd52949aaf2051767b89dd30f00",
        ];
        let digits = packed.concat();
        let bytes = digits.as_bytes().chunks(2);
        let bytes = bytes.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16));
        let bytes: Vec<u8> = bytes.map(Result::unwrap).collect();
        let unpacked = decode(&bytes, Some("br"), &mut 2000).unwrap();
        assert_eq!(unpacked, Some(MESSAGE.repeat(30)));
        assert!(decode(&bytes, Some("br"), &mut 1000).is_err());
    }

    #[test]
    fn what_is_unpacked_is_limited_for_all_bodies_together() {
        let gzip = packed(
            GzEncoder::new(Vec::new(), Compression::best()),
            GzEncoder::finish,
        );
        let mut budget = MESSAGE.len() + 1;
        assert!(decode(&gzip, None, &mut budget).is_ok());
        let broken = decode(&gzip, None, &mut budget).unwrap_err();
        assert!(
            broken.to_string().contains("larger than 256 MiB"),
            "{broken}"
        );
    }
}
