//! Names that nobody guesses.

use std::hash::{BuildHasher as _, RandomState};

/// A name that nobody guesses.
pub(super) fn unguessable(number: u64) -> String {
    let state = RandomState::new();
    let parts = [number, !number].map(|number| state.hash_one(number));
    format!("{:016x}{:016x}", parts[0], parts[1])
}
