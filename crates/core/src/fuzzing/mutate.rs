//! Deterministic mutations of a corpus, for machines without a fuzzer.

/// Makes new inputs from those of a corpus.
pub struct Mutator<'c> {
    corpus: &'c [Vec<u8>],
    random: Random,
}

impl<'c> Mutator<'c> {
    /// A mutator of a corpus, which must not be empty.
    #[must_use]
    pub fn new(corpus: &'c [Vec<u8>]) -> Self {
        Self::with_seed(corpus, 0)
    }

    /// A mutator of a corpus, which must not be empty. Each seed gives other inputs.
    #[must_use]
    pub fn with_seed(corpus: &'c [Vec<u8>], seed: u64) -> Self {
        let start = 0x9e37_79b9_7f4a_7c15 ^ seed;
        Self {
            corpus,
            random: Random(start.max(1)),
        }
    }

    /// An input of the corpus with up to four changes of its bytes.
    pub fn bytes(&mut self) -> Vec<u8> {
        let mut bytes = self.random.pick(self.corpus).clone();
        for _ in 0..=self.random.below(4) {
            self.change_bytes(&mut bytes);
        }
        bytes
    }

    /// An input of the corpus with up to four changes of its lines, and perhaps one of its bytes.
    pub fn lines(&mut self) -> Vec<u8> {
        let mut lines = lines(self.random.pick(self.corpus).as_slice());
        for _ in 0..=self.random.below(4) {
            self.change_lines(&mut lines);
        }
        let mut bytes = lines.join(&b'\n');
        if self.random.below(2) == 0 {
            self.change_bytes(&mut bytes);
        }
        bytes
    }

    fn change_bytes(&mut self, bytes: &mut Vec<u8>) {
        const TELLING: &[u8] =
            b"\"\\{}[]:,0-+.eE1tfnu\n\r\t \x00\x1f\x7f\x80\xbf\xc0\xe2\xed\xf4\xff\xef\xbb\xbf/*'N";
        let random = &mut self.random;
        let at = random.below(bytes.len() + 1);
        match random.below(7) {
            0 => bytes.insert(at, *random.pick(TELLING)),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            3 if at < bytes.len() => bytes[at] = *random.pick(TELLING),
            4 => {
                let end = (at + random.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
            5 => {
                let end = (at + random.below(80)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                let other = random.pick(self.corpus);
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
    }

    fn change_lines(&mut self, lines: &mut Vec<&'c [u8]>) {
        let random = &mut self.random;
        let (at, to) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(5) {
            0 => lines.swap(at, to),
            1 => lines.insert(at, lines[to]),
            2 if lines.len() > 1 => {
                lines.remove(at);
            }
            3 => {
                let other: &Vec<u8> = random.pick(self.corpus);
                let others = self::lines(other);
                lines[0] = others[0];
            }
            _ => {
                let other: &Vec<u8> = random.pick(self.corpus);
                let others = self::lines(other);
                let from = random.below(others.len());
                let end = (from + 1 + random.below(8)).min(others.len());
                lines.splice(at..at, others[from..end].iter().copied());
            }
        }
    }
}

fn lines(input: &[u8]) -> Vec<&[u8]> {
    input.split(|byte| *byte == b'\n').collect()
}

/// Xorshift: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit.max(1)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
