//! The search for the multiplier of a perfect hash.

use anyhow::{Context, Result, bail};

use crate::lookup::{Lookup, hash_key};

/// The number of multipliers that are tried before the table is doubled.
const TRIES: u32 = 1 << 17;

/// The largest table, in bits.
const MAX_BITS: u32 = 12;

/// Finds the smallest table that has a slot of its own for each name.
pub(super) fn search(names: &[&str]) -> Result<Lookup> {
    let hashes: Vec<u64> = names.iter().map(|name| hash_key(name.as_bytes())).collect();
    for (index, hash) in hashes.iter().enumerate() {
        if let Some(other) = hashes[..index].iter().position(|known| known == hash) {
            bail!(
                "`{}` and `{}` have the same hash",
                names[other],
                names[index]
            );
        }
    }
    // A shift by 64 would overflow, so the smallest table has two slots.
    let smallest = names.len().next_power_of_two().trailing_zeros().max(1);
    (smallest..=MAX_BITS)
        .find_map(|bits| multipliers().find_map(|multiplier| try_one(&hashes, multiplier, bits)))
        .with_context(|| format!("found no perfect hash for {}", names.join(", ")))
}

/// The same odd numbers in every run, so that the generated file is stable.
fn multipliers() -> impl Iterator<Item = u64> {
    (0..TRIES).scan(0x9e37_79b9_7f4a_7c15_u64, |state, _| {
        *state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        Some((*state ^ *state >> 29) | 1)
    })
}

fn try_one(hashes: &[u64], multiplier: u64, bits: u32) -> Option<Lookup> {
    let shift = 64 - bits;
    let mut slots = vec![u8::MAX; 1 << bits];
    for (index, hash) in hashes.iter().enumerate() {
        let slot = &mut slots[(hash.wrapping_mul(multiplier) >> shift) as usize];
        if *slot != u8::MAX {
            return None;
        }
        *slot = u8::try_from(index).ok().filter(|&index| index != u8::MAX)?;
    }
    let lookup = Lookup {
        multiplier,
        shift,
        slots: slots.leak(),
    };
    hashes
        .iter()
        .enumerate()
        .all(|(index, &hash)| lookup.candidate(hash) == Some(index))
        .then_some(lookup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        let names = [
            "name",
            "title",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations",
            "icons",
            "_meta",
            "execution",
        ];
        let lookup = search(&names).unwrap();
        assert!(lookup.slots.len() <= 32, "{}", lookup.slots.len());
        for (index, name) in names.iter().enumerate() {
            assert_eq!(lookup.candidate(hash_key(name.as_bytes())), Some(index));
        }
    }

    #[test]
    fn empty_and_tiny_sets_have_valid_shifts() {
        assert_eq!(search(&[]).unwrap().slots, [u8::MAX; 2]);
        assert_eq!(search(&["a"]).unwrap().shift, 63);
    }

    #[test]
    fn names_with_the_same_hash_are_refused() {
        let expected = "`b` and `b` have the same hash";
        assert_eq!(search(&["a", "b", "b"]).unwrap_err().to_string(), expected);
    }
}
