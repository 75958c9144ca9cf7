//! The seed of the hashes that sessions store instead of names and ids.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::quality::RandomState;

/// The seed of this process. It is random, so that nobody can construct two names with the same
/// hash; it is the same everywhere, because an unused part of the state hashes, too.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seed;

impl BuildHasher for Seed {
    type Hasher = <RandomState as BuildHasher>::Hasher;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        static OF_PROCESS: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        OF_PROCESS.build_hasher()
    }
}
