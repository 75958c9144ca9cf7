//! Byte classes of 64 bytes at a time, with `unsafe` for run-time dispatch.
//!
//! [`Portable`] is the scalar twin of [`Avx2`]; `fuzz/` and the tests below hold them against each
//! other. A [`Job`] is compiled once for each set of lanes, as a whole, because a call across the
//! feature boundary cannot be inlined.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "calling a function compiled for AVX2 after the CPU was asked"
    )
)]

/// The classes of 64 bytes, one bit each, lowest bit first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Classes {
    /// Quotes and bytes below 0x20: the bytes that can end a string.
    pub(super) end: u64,
    pub(super) backslash: u64,
    /// Bytes that may follow a backslash, other than `u` and the rare `b`.
    pub(super) common_escape: u64,
    /// Not zero if a byte is not ASCII.
    pub(super) high: u64,
}

/// A way to classify 64 bytes.
pub(super) trait Lanes: Copy {
    /// Quotes, backslashes and control characters; and a value that is not zero if a byte is not
    /// ASCII.
    fn special(self, block: &[u8; 64]) -> (u64, u64);

    /// Skips blocks without special bytes. Returns their number, the special bytes of the next
    /// block (0 if there is none), and a value that is not zero if a byte of all these is not
    /// ASCII.
    fn skip_plain(self, blocks: &[[u8; 64]]) -> (usize, u64, u64);

    /// The number of blocks at the beginning that are ASCII.
    fn skip_ascii(self, blocks: &[[u8; 64]]) -> usize;

    /// The bytes that are not ASCII.
    fn high(self, block: &[u8; 64]) -> u64;

    /// All classes, for the blocks of strings with escapes.
    fn classes(self, block: &[u8; 64]) -> Classes;

    /// The backslashes and the quotes among 32 bytes.
    fn escapes(self, block: &[u8; 32]) -> (u64, u64);

    /// Whether the bytes of a block at the places of ones in a mask, side by side, are the first of
    /// another block.
    fn has_kept(self, block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool;

    /// The same for all bytes but the backslashes, whose places are the zeros of the mask.
    fn has_unescaped(self, block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool;

    /// Runs a job with these lanes, out of line.
    fn call<J: Job>(self, job: J) -> J::Output;

    /// The same, for a caller that wants to keep its registers when it does not call.
    fn call_rarely<J: Job>(self, job: J) -> J::Output;
}

/// Work that needs lanes.
pub(super) trait Job {
    type Output;

    /// Must be `#[inline(always)]`, so that it is compiled under the features of its caller.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs a job with the best lanes of this CPU.
#[inline]
pub(super) fn dispatch<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = avx2::Avx2::detect() {
        return lanes.call(job);
    }
    Portable.call(job)
}

/// Plain arithmetic on eight bytes at a time.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Portable {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;

    /// The top bit of each byte that equals `byte`; `word` must be ASCII in the bytes that matter.
    #[inline(always)]
    fn equal(word: u64, byte: u8) -> u64 {
        // Exact for every byte: no carry crosses from one byte into the next.
        let difference = word ^ (Self::ONES * u64::from(byte));
        !(((difference & !Self::TOPS) + !Self::TOPS) | difference) & Self::TOPS
    }

    /// The top bit of each byte below 0x20.
    #[inline(always)]
    fn control(word: u64) -> u64 {
        let low = (word & !Self::TOPS) + Self::ONES * 0x60;
        !(low | word) & Self::TOPS
    }

    /// Gathers the top bits of eight bytes into one byte.
    #[inline(always)]
    fn gather(tops: u64) -> u64 {
        (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }

    #[inline(always)]
    fn words(block: &[u8]) -> impl Iterator<Item = (u32, u64)> {
        let (words, _) = block.as_chunks::<8>();
        words
            .iter()
            .enumerate()
            .map(|(index, word)| (index as u32 * 8, u64::from_le_bytes(*word)))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn escapes(self, block: &[u8; 32]) -> (u64, u64) {
        Self::words(block).fold((0, 0), |(backslash, quote), (shift, word)| {
            let bits = |byte| Self::gather(Self::equal(word, byte)) << shift;
            (backslash | bits(b'\\'), quote | bits(b'"'))
        })
    }

    #[inline(always)]
    fn has_kept(self, block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool {
        let places = block.iter().enumerate();
        let bytes = places.filter(|(place, _)| kept >> place & 1 == 1);
        bytes.zip(others).all(|((_, byte), other)| *byte == *other)
    }

    #[inline(always)]
    fn has_unescaped(self, block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool {
        self.has_kept(block, kept, others)
    }

    #[inline(never)]
    fn call<J: Job>(self, job: J) -> J::Output {
        job.run(self)
    }

    #[cold]
    fn call_rarely<J: Job>(self, job: J) -> J::Output {
        job.run(self)
    }

    #[inline(always)]
    fn special(self, block: &[u8; 64]) -> (u64, u64) {
        let (mut special, mut high) = (0, 0);
        for (shift, word) in Self::words(block) {
            let tops = Self::equal(word, b'"') | Self::equal(word, b'\\') | Self::control(word);
            special |= Self::gather(tops) << shift;
            high |= word & Self::TOPS;
        }
        (special, high)
    }

    #[inline(always)]
    fn skip_plain(self, blocks: &[[u8; 64]]) -> (usize, u64, u64) {
        let mut seen_high = 0;
        for (index, block) in blocks.iter().enumerate() {
            let (special, high) = self.special(block);
            seen_high |= high;
            if special != 0 {
                return (index, special, seen_high);
            }
        }
        (blocks.len(), 0, seen_high)
    }

    #[inline(always)]
    fn skip_ascii(self, blocks: &[[u8; 64]]) -> usize {
        let ascii = blocks.iter().take_while(|block| block.is_ascii());
        ascii.count()
    }

    #[inline(always)]
    fn high(self, block: &[u8; 64]) -> u64 {
        Self::words(block).fold(0, |high, (shift, word)| {
            high | Self::gather(word & Self::TOPS) << shift
        })
    }

    #[inline(always)]
    fn classes(self, block: &[u8; 64]) -> Classes {
        let mut classes = Classes::default();
        for (shift, word) in Self::words(block) {
            let equal = |byte| Self::equal(word, byte);
            let common_escape = b"\"\\/fnrt"
                .iter()
                .fold(0, |tops, byte| tops | equal(*byte));
            classes.end |= Self::gather(equal(b'"') | Self::control(word)) << shift;
            classes.backslash |= Self::gather(equal(b'\\')) << shift;
            classes.common_escape |= Self::gather(common_escape) << shift;
            classes.high |= word & Self::TOPS;
        }
        classes
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use core::arch::x86_64::{
        __m256i, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_extract_epi64, _mm256_min_epu8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setr_epi64x,
        _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_testz_si256, _mm256_xor_si256, _pdep_u64,
    };

    use core::sync::atomic::{AtomicU8, Ordering};

    use super::{Classes, Job, Lanes};

    /// Proof that this CPU has AVX2.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        #[inline(always)]
        pub(super) fn detect() -> Option<Self> {
            /// 0 until the CPU was detected, then 1 for no and 2 for yes: one read instead of five.
            static ANSWER: AtomicU8 = AtomicU8::new(0);
            let mut answer = ANSWER.load(Ordering::Relaxed);
            if answer == 0 {
                answer = Self::ask();
                ANSWER.store(answer, Ordering::Relaxed);
            }
            (answer == 2).then_some(Self(()))
        }

        #[cold]
        fn ask() -> u8 {
            let has_all = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            1 + u8::from(has_all)
        }
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn compiled_for_avx2<J: Job>(job: J, lanes: Avx2) -> J::Output {
        job.run(lanes)
    }

    #[cold]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn rarely_for_avx2<J: Job>(job: J, lanes: Avx2) -> J::Output {
        job.run(lanes)
    }

    impl Lanes for Avx2 {
        #[inline(always)]
        fn escapes(self, block: &[u8; 32]) -> (u64, u64) {
            // SAFETY: `self` exists only after `detect` has found the feature.
            unsafe { escapes(block) }
        }

        #[inline(always)]
        fn has_kept(self, block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool {
            // SAFETY: `self` exists only after `detect` has found both features.
            unsafe { has_kept(block, kept, others) }
        }

        #[inline(always)]
        fn has_unescaped(self, block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool {
            // SAFETY: `self` exists only after `detect` has found the features.
            unsafe { has_unescaped(block, kept, others) }
        }

        #[inline(always)]
        fn call<J: Job>(self, job: J) -> J::Output {
            // SAFETY: `self` exists only after `detect` has found all five features.
            unsafe { compiled_for_avx2(job, self) }
        }

        #[inline(always)]
        fn call_rarely<J: Job>(self, job: J) -> J::Output {
            // SAFETY: `self` exists only after `detect` has found all five features.
            unsafe { rarely_for_avx2(job, self) }
        }

        #[inline(always)]
        fn special(self, block: &[u8; 64]) -> (u64, u64) {
            // SAFETY: `self` exists only after `detect` has found the feature.
            unsafe { special(block) }
        }

        #[inline(always)]
        fn skip_plain(self, blocks: &[[u8; 64]]) -> (usize, u64, u64) {
            // SAFETY: `self` exists only after `detect` has found the feature.
            unsafe { skip_plain(blocks) }
        }

        #[inline(always)]
        fn skip_ascii(self, blocks: &[[u8; 64]]) -> usize {
            // SAFETY: `self` exists only after `detect` has found the feature.
            unsafe { skip_ascii(blocks) }
        }

        #[inline(always)]
        fn high(self, block: &[u8; 64]) -> u64 {
            // SAFETY: `self` exists only after `detect` has found the feature.
            unsafe { high(block) }
        }

        #[inline(always)]
        fn classes(self, block: &[u8; 64]) -> Classes {
            // SAFETY: `self` exists only after `detect` has found the feature.
            unsafe { classes(block) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(block: &[u8; 64]) -> [__m256i; 2] {
        let (words, _) = block.as_chunks::<8>();
        let word = |index: usize| i64::from_le_bytes(words[index]);
        [
            _mm256_setr_epi64x(word(0), word(1), word(2), word(3)),
            _mm256_setr_epi64x(word(4), word(5), word(6), word(7)),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn half(block: &[u8; 32]) -> __m256i {
        let (words, _) = block.as_chunks::<8>();
        let word = |index: usize| i64::from_le_bytes(words[index]);
        _mm256_setr_epi64x(word(0), word(1), word(2), word(3))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(clippy::cast_sign_loss, reason = "a bit mask")]
    fn escapes(block: &[u8; 32]) -> (u64, u64) {
        let half = half(block);
        let bits = |mask| u64::from(_mm256_movemask_epi8(mask) as u32);
        (bits(equal(half, b'\\')), bits(equal(half, b'"')))
    }

    #[inline]
    #[target_feature(enable = "bmi2,popcnt")]
    fn has_kept(block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool {
        let (words, _) = block.as_chunks::<8>();
        let mut differences = 0;
        for (place, word) in (0..32).step_by(8).zip(words) {
            let other = word_of_kept(others, kept, place);
            // One bit for each byte, then all bits of that byte.
            let mask = _pdep_u64(kept >> place, 0x0101_0101_0101_0101) * 0xff;
            // The other bytes move to the places that theirs should be at.
            differences |= (u64::from_le_bytes(*word) & mask) ^ _pdep_u64(other, mask);
        }
        differences == 0
    }

    /// The same with masks of bytes, which the comparison with backslashes gives at once.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    #[expect(clippy::cast_sign_loss, reason = "words of bytes")]
    fn has_unescaped(block: &[u8; 32], kept: u64, others: &[u8; 32]) -> bool {
        let half = half(block);
        let dropped = equal(half, b'\\');
        let words = |of: __m256i| {
            [
                _mm256_extract_epi64::<0>(of) as u64,
                _mm256_extract_epi64::<1>(of) as u64,
                _mm256_extract_epi64::<2>(of) as u64,
                _mm256_extract_epi64::<3>(of) as u64,
            ]
        };
        let masks = words(_mm256_xor_si256(dropped, _mm256_set1_epi8(-1)));
        let words = words(_mm256_andnot_si256(dropped, half));
        let mut differences = 0;
        for (place, (mask, word)) in (0..32).step_by(8).zip(masks.into_iter().zip(words)) {
            differences |= word ^ _pdep_u64(word_of_kept(others, kept, place), mask);
        }
        differences == 0
    }

    /// The eight bytes that belong to a place of a block and those after it, if only some places
    /// before it are kept.
    #[inline]
    #[target_feature(enable = "popcnt")]
    fn word_of_kept(others: &[u8; 32], kept: u64, place: u32) -> u64 {
        let before = (kept & ((1 << place.min(24)) - 1)).count_ones();
        // SAFETY: at most 24 places are before, and eight bytes after them end at 32.
        let word = unsafe {
            others
                .as_ptr()
                .add(before as usize)
                .cast::<[u8; 8]>()
                .read()
        };
        u64::from_le_bytes(word)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(clippy::cast_sign_loss, reason = "a bit mask")]
    fn bits(low: __m256i, high: __m256i) -> u64 {
        u64::from(_mm256_movemask_epi8(low) as u32)
            | u64::from(_mm256_movemask_epi8(high) as u32) << 32
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(clippy::cast_possible_wrap, reason = "a byte pattern")]
    fn equal(half: __m256i, byte: u8) -> __m256i {
        _mm256_cmpeq_epi8(half, _mm256_set1_epi8(byte as i8))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn control(half: __m256i) -> __m256i {
        _mm256_cmpeq_epi8(_mm256_min_epu8(half, _mm256_set1_epi8(0x1f)), half)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(clippy::cast_sign_loss, reason = "a bit mask")]
    fn special(block: &[u8; 64]) -> (u64, u64) {
        let [low, high] = halves(block);
        let not_ascii = _mm256_movemask_epi8(_mm256_or_si256(low, high));
        (
            bits(special_bytes(low), special_bytes(high)),
            u64::from(not_ascii as u32),
        )
    }

    /// With this bit turned, the quote stands just above the control characters, which stay among
    /// themselves.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn turned(half: __m256i) -> __m256i {
        _mm256_xor_si256(half, _mm256_set1_epi8(0x02))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn quote_or_control(turned: __m256i) -> __m256i {
        _mm256_cmpeq_epi8(_mm256_min_epu8(turned, _mm256_set1_epi8(0x20)), turned)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn special_bytes(half: __m256i) -> __m256i {
        _mm256_or_si256(quote_or_control(turned(half)), equal(half, b'\\'))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn skip_plain(blocks: &[[u8; 64]]) -> (usize, u64, u64) {
        let mut union = _mm256_setzero_si256();
        let mut skipped = 0;
        // Two blocks at a time as long as neither has any, which the lowest of their bytes shows.
        for [left, right] in blocks.as_chunks().0 {
            let ([a, b], [c, d]) = (halves(left), halves(right));
            let lowest = _mm256_min_epu8(
                _mm256_min_epu8(turned(a), turned(b)),
                _mm256_min_epu8(turned(c), turned(d)),
            );
            let backslash = either(
                either(equal(a, b'\\'), equal(b, b'\\')),
                either(equal(c, b'\\'), equal(d, b'\\')),
            );
            if any(either(quote_or_control(lowest), backslash)) {
                break;
            }
            union = either(union, either(either(a, b), either(c, d)));
            skipped += 2;
        }
        for block in &blocks[skipped..] {
            let [low, high] = halves(block);
            union = either(union, either(low, high));
            let (low, high) = (special_bytes(low), special_bytes(high));
            if any(either(low, high)) {
                let high_bytes = _mm256_movemask_epi8(union);
                return (skipped, bits(low, high), u64::from(high_bytes != 0));
            }
            skipped += 1;
        }
        (skipped, 0, u64::from(_mm256_movemask_epi8(union) != 0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn skip_ascii(blocks: &[[u8; 64]]) -> usize {
        let mut skipped = 0;
        for [left, right] in blocks.as_chunks().0 {
            let ([a, b], [c, d]) = (halves(left), halves(right));
            if _mm256_movemask_epi8(either(either(a, b), either(c, d))) != 0 {
                break;
            }
            skipped += 2;
        }
        match blocks.get(skipped) {
            Some(block) if high(block) == 0 => skipped + 1,
            _ => skipped,
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn high(block: &[u8; 64]) -> u64 {
        let [low, high] = halves(block);
        bits(low, high)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn either(left: __m256i, right: __m256i) -> __m256i {
        _mm256_or_si256(left, right)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn any(mask: __m256i) -> bool {
        _mm256_testz_si256(mask, mask) == 0
    }

    /// Bytes that may follow a backslash, except `u`, `b` and `"`. Their lower halves differ, so
    /// one table lookup gives the only one that a byte can be.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn common_escape(half: __m256i) -> __m256i {
        // By lower half. 0xff is never found: a byte with its top bit set looks up zero.
        const LOWER: [u8; 8] = [0xff, 0xff, b'r', 0xff, b't', 0xff, b'f', 0xff];
        const UPPER: [u8; 8] = [0xff, 0xff, 0xff, 0xff, b'\\', 0xff, b'n', b'/'];
        let table = _mm256_setr_epi64x(
            i64::from_le_bytes(LOWER),
            i64::from_le_bytes(UPPER),
            i64::from_le_bytes(LOWER),
            i64::from_le_bytes(UPPER),
        );
        _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, half), half)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(clippy::cast_sign_loss, reason = "a bit mask")]
    fn classes(block: &[u8; 64]) -> Classes {
        let [low, high] = halves(block);
        let (low_quote, high_quote) = (equal(low, b'"'), equal(high, b'"'));
        Classes {
            end: bits(
                either(low_quote, control(low)),
                either(high_quote, control(high)),
            ),
            backslash: bits(equal(low, b'\\'), equal(high, b'\\')),
            common_escape: bits(
                either(low_quote, common_escape(low)),
                either(high_quote, common_escape(high)),
            ),
            high: u64::from(_mm256_movemask_epi8(_mm256_or_si256(low, high)) as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_hand(block: &[u8; 64]) -> Classes {
        let bits = |class: &dyn Fn(u8) -> bool| {
            block.iter().enumerate().fold(0, |bits, (index, byte)| {
                bits | u64::from(class(*byte)) << index
            })
        };
        Classes {
            end: bits(&|byte| byte == b'"' || byte < 0x20),
            backslash: bits(&|byte| byte == b'\\'),
            common_escape: bits(&|byte| b"\"\\/fnrt".contains(&byte)),
            high: bits(&|byte| byte >= 0x80),
        }
    }

    struct Compare<'a>(&'a [u8; 64]);

    impl Job for Compare<'_> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) {
            let expected = by_hand(self.0);
            let mut found = lanes.classes(self.0);
            assert_eq!(found.high != 0, expected.high != 0);
            found.high = expected.high;
            assert_eq!(found, expected);
            let (special, high) = lanes.special(self.0);
            assert_eq!(special, expected.end | expected.backslash);
            assert_eq!(high != 0, expected.high != 0);
            assert_eq!(lanes.high(self.0), expected.high);
            for (half, at) in self.0.as_chunks::<32>().0.iter().zip([0, 32]) {
                let (backslash, quote) = lanes.escapes(half);
                assert_eq!(backslash, expected.backslash >> at & 0xffff_ffff);
                let quotes = half.iter().map(|byte| u64::from(*byte == b'"')).rev();
                assert_eq!(quote, quotes.fold(0, |bits, bit| bits << 1 | bit));
                let kept = !(expected.end >> at) & 0xffff_ffff;
                let places = (0..32).filter(|place| kept >> place & 1 == 1);
                let mut others = [b'z'; 32];
                for (other, place) in others.iter_mut().zip(places) {
                    *other = half[place];
                }
                assert!(lanes.has_kept(half, kept, &others));
                let mut unescaped = [b'z'; 32];
                let kept_bytes = half.iter().filter(|byte| **byte != b'\\');
                for (other, byte) in unescaped.iter_mut().zip(kept_bytes) {
                    *other = *byte;
                }
                assert!(lanes.has_unescaped(half, !backslash, &unescaped));
                unescaped[at / 2] ^= 0x40;
                let is_beyond = at / 2 >= 32 - backslash.count_ones() as usize;
                let is_same = lanes.has_unescaped(half, !backslash, &unescaped);
                assert_eq!(is_same, is_beyond);
                for place in 0..32 {
                    others[place] ^= 0x40;
                    let is_beyond = place >= kept.count_ones() as usize;
                    assert_eq!(lanes.has_kept(half, kept, &others), is_beyond);
                    others[place] ^= 0x40;
                }
            }
            for before in 0..4 {
                let mut blocks = [[b'~'; 64]; 5];
                blocks[before] = *self.0;
                let ascii = if expected.high == 0 { 5 } else { before };
                assert_eq!(lanes.skip_ascii(&blocks), ascii);
            }
            let blocks = [[b' '; 64], [b'~'; 64], *self.0, [b'"'; 64]];
            let (skipped, found, high) = lanes.skip_plain(&blocks);
            assert_eq!(
                (skipped, found),
                if special == 0 { (3, !0) } else { (2, special) }
            );
            assert_eq!(high != 0, expected.high != 0);
        }
    }

    #[test]
    fn every_byte_value_in_every_place() {
        for value in 0..=255 {
            for place in 0..64 {
                let mut block = [b'a'; 64];
                block[place] = value;
                block[(place + 7) % 64] = value.wrapping_mul(31);
                dispatch(Compare(&block));
                Compare(&block).run(Portable);
            }
        }
    }
}
