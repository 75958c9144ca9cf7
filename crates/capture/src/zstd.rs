//! Zstandard data: all frames of a file or body, one after the other, with their checksums.

use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Unpacks Zstandard data while it is read.
pub struct ZstdFrames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: Read> ZstdFrames<R> {
    /// Unpacks all frames of a source.
    pub fn new(source: R) -> Self {
        Self {
            source: BufReader::with_capacity(64 << 10, source),
            decoder: FrameDecoder::new(),
            in_frame: false,
        }
    }

    /// Begins the next frame, after those without data; returns whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut self.source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(broken(&error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        match self.decoder.get_checksum_from_data() {
            Some(stated) if self.decoder.get_calculated_checksum() != Some(stated) => {
                Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the Zstandard checksum does not match the data",
                ))
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                if !self.next_frame()? {
                    return Ok(0);
                }
                self.in_frame = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.source, one)
                    .map_err(|error| broken(&error))?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.end_frame()?;
        }
    }
}

fn broken(error: &FrameDecoderError) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("not valid Zstandard data: {error}"),
    )
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn unpack(packed: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        ZstdFrames::new(packed)
            .read_to_string(&mut text)
            .map(|_| text)
    }

    #[test]
    fn frames_follow_each_other() {
        let mut packed = compress_to_vec(&b"one\n"[..], CompressionLevel::Fastest);
        packed.extend_from_slice(&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'x', b'y', b'z']);
        packed.extend(compress_to_vec(&b""[..], CompressionLevel::Fastest));
        packed.extend(compress_to_vec(&b"two\n"[..], CompressionLevel::Fastest));
        assert_eq!(unpack(&packed).unwrap(), "one\ntwo\n");
        assert_eq!(unpack(b"").unwrap(), "");
    }

    #[test]
    fn broken_data_is_an_error() {
        let packed = compress_to_vec(&[b'a'; 1000][..], CompressionLevel::Fastest);
        assert!(unpack(&packed[..packed.len() - 5]).is_err());
        assert!(unpack(b"not zstandard at all").is_err());
        assert!(unpack(&[0x50, 0x2a, 0x4d, 0x18, 9, 0, 0, 0, b'x']).is_err());
    }
}
