//! Zstandard (RFC 8878) in pieces of any size: `ruzstd` reads whole blocks.

use std::io::Read as _;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::DecodeError;

/// The largest window: RFC 9659 demands of HTTP that it be no larger.
const MAX_WINDOW: u64 = 8 << 20;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The decoder of one frame.
pub(super) struct Zstd {
    decoder: FrameDecoder,
    /// Bytes that are not decoded yet: less than a header and a block.
    pending: Vec<u8>,
    place: Place,
}

/// The part of the frame that comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Header,
    /// A block; a checksum follows the last one, or not.
    Block {
        checksum: usize,
    },
    End,
}

impl Default for Zstd {
    fn default() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Self {
            decoder,
            pending: Vec::new(),
            place: Place::Header,
        }
    }
}

impl Zstd {
    pub(super) fn decode(&mut self, piece: &[u8], limit: usize) -> Result<Vec<u8>, DecodeError> {
        self.pending.extend_from_slice(piece);
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(rest) = self.pending.get(at..).filter(|rest| !rest.is_empty()) {
            let length = match self.place {
                Place::Header => {
                    let Some((length, checksum)) = header(rest)? else {
                        break;
                    };
                    let Some(mut source) = rest.get(..length) else {
                        break;
                    };
                    let begun = self.decoder.init(&mut source);
                    begun.map_err(|_| DecodeError::Broken)?;
                    self.place = Place::Block { checksum };
                    length
                }
                Place::Block { checksum } => {
                    let Some((length, is_last)) = block(rest) else {
                        break;
                    };
                    let length = length + if is_last { checksum } else { 0 };
                    let Some(mut source) = rest.get(..length) else {
                        break;
                    };
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    let done = self.decoder.decode_blocks(&mut source, one);
                    done.map_err(|_| DecodeError::Broken)?;
                    if is_last {
                        self.place = Place::End;
                    }
                    length
                }
                Place::End => return Err(DecodeError::Broken),
            };
            at += length;
            let room = (limit + 1).saturating_sub(out.len()) as u64;
            // Reading from memory cannot fail.
            let _ = self.decoder.by_ref().take(room).read_to_end(&mut out);
            if out.len() > limit {
                return Err(DecodeError::TooLong);
            }
        }
        self.pending.drain(..at);
        Ok(out)
    }

    pub(super) fn is_whole(&self) -> bool {
        let stated = self.decoder.get_checksum_from_data();
        self.place == Place::End
            && (stated.is_none() || stated == self.decoder.get_calculated_checksum())
    }
}

/// The length of a frame header and of the checksum of the frame, if the header has come so far.
fn header(bytes: &[u8]) -> Result<Option<(usize, usize)>, DecodeError> {
    let length = bytes.len().min(MAGIC.len());
    if bytes[..length] != MAGIC[..length] {
        return Err(DecodeError::Broken);
    }
    let Some(descriptor) = bytes.get(MAGIC.len()) else {
        return Ok(None);
    };
    let is_single = descriptor >> 5 & 1 == 1;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => usize::from(is_single),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let length = MAGIC.len() + 1 + usize::from(!is_single) + dictionary + content_size;
    let checksum = usize::from(descriptor >> 2 & 1) * 4;
    Ok(Some((length, checksum)))
}

/// The length of a block with its header, and whether it is the last.
fn block(bytes: &[u8]) -> Option<(usize, bool)> {
    let [first, second, third] = *bytes.first_chunk()?;
    let header = u32::from_le_bytes([first, second, third, 0]);
    let is_repeated = header >> 1 & 3 == 1;
    let size = if is_repeated { 1 } else { header >> 3 };
    Some((3 + size as usize, header & 1 == 1))
}
