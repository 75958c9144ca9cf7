//! Pseudo-random numbers (`SplitMix64`): small, good enough for choices, the same on every machine.

#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below the limit; 0 if the limit is 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit.max(1) as u64) as usize
    }

    /// True once in `times` on average.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of them, if there are any.
    pub(super) fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.below(among.len()))
    }
}
