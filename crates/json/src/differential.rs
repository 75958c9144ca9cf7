//! The lanes of this CPU held against the portable ones, on any bytes.

use super::blocks::Strings;
use super::fault::Fault;
use super::simd::{self, Classes, Job, Lanes, Portable};
use super::utf8::Check;

/// Compares both kinds of lanes: the same classes in every block, the same ends of strings, and the
/// same answer as the standard library on whether bytes are UTF-8.
pub(super) fn lanes_agree(bytes: &[u8]) -> bool {
    let (whole, rest) = bytes.as_chunks::<64>();
    let mut tail = [b' '; 64];
    tail[..rest.len()].copy_from_slice(rest);
    let same_classes = whole
        .iter()
        .chain([&tail])
        .all(|block| simd::dispatch(KeyHash(block)) == KeyHash(block).run(Portable));
    let is_utf8 = core::str::from_utf8(bytes).is_ok();
    same_classes
        && simd::dispatch(Ends(bytes)) == Ends(bytes).run(Portable)
        && simd::dispatch(Check(bytes)) == is_utf8
        && Check(bytes).run(Portable) == is_utf8
}

/// Everything that lanes can say about a block. Of `high` only zero or not has a meaning.
struct KeyHash<'a>(&'a [u8; 64]);

impl Job for KeyHash<'_> {
    type Output = (u64, bool, Classes, bool, u64);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let (special, high) = lanes.special(self.0);
        let classes = lanes.classes(self.0);
        (
            special,
            high != 0,
            Classes { high: 0, ..classes },
            classes.high != 0,
            lanes.high(self.0),
        )
    }
}

/// The ends of the strings, quote by quote as the scanner asks for them, up to the first fault.
struct Ends<'a>(&'a [u8]);

impl Job for Ends<'_> {
    type Output = (Vec<Result<(u32, bool), Fault>>, Option<(u32, u32)>);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let mut strings = Strings::new(lanes, self.0);
        let (mut ends, mut lone_surrogate, mut pos) = (Vec::new(), None, 0);
        while let Some(ahead) = self
            .0
            .get(pos..)
            .and_then(|rest| rest.iter().position(|byte| *byte == b'"'))
        {
            let open = (pos + ahead) as u32;
            let special = strings.next_special(self.0, open);
            let end = strings.finish(self.0, open, special, &mut lone_surrogate);
            ends.push(end);
            match end {
                Ok((close, _)) => pos = close as usize + 1,
                Err(_) => break,
            }
        }
        (ends, lone_surrogate)
    }
}
