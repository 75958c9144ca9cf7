//! Arrays: of every length that matters, with items that differ or repeat.

use serde_json::{Value, json};

use super::atoms::lengths;
use super::{MAX_SIZE, Search, Sieve, Values, size};

/// The longest array that is made for a limit.
const MAX_LENGTH: usize = 130;
/// Positions with schemas of their own.
const MAX_POSITIONS: usize = 8;
/// Items of one position that are tried.
const MAX_TRIED: usize = 10;

impl Search<'_> {
    pub(super) fn arrays(&mut self, sieve: &mut Sieve<'_>, depth: usize) {
        let keywords = self.sides.all_keywords(sieve.place);
        let listed = |key: &str| {
            let lists = keywords.iter().filter_map(|it| it.get(key)?.as_array());
            lists.map(Vec::len).max().unwrap_or(0)
        };
        let positions = listed("prefixItems")
            .max(listed("items"))
            .min(MAX_POSITIONS);
        let items: Vec<Values> = (0..=positions)
            .map(|index| {
                let place = self.sides.item(sieve.place, index);
                self.values(&place, depth + 1)
            })
            .collect();
        let contained = self.sides.contained(sieve.place);
        let contained = if contained.own.is_empty() {
            Values::default()
        } else {
            self.values(&contained, depth + 1)
        };
        let limits = ["minItems", "maxItems", "minContains", "maxContains"];
        let mut counts = vec![1, 2, 0, 3, positions, positions + 1];
        counts.extend(lengths(&keywords, &limits, MAX_LENGTH));
        let mut known = std::collections::HashSet::new();
        counts.retain(|count| known.insert(*count));
        let at = |index: usize| &items[index.min(positions)];
        for &count in &counts {
            // Equal items, then items that differ.
            let plain: Option<Vec<_>> = (0..count).map(|it| at(it).plain()).collect();
            let Some(plain) = plain else { continue };
            if plain.iter().map(|it| size(it)).sum::<usize>() > MAX_SIZE {
                continue;
            }
            let equal: Vec<Value> = plain.into_iter().cloned().collect();
            self.offer(sieve, Value::Array(equal.clone()));
            let differing = differing(&equal, &at);
            self.offer(sieve, Value::Array(differing.clone()));
            for base in [&equal, &differing] {
                for index in (0..count).take(positions + 2).chain(count.checked_sub(1)) {
                    if *self.checks(sieve) == 0 || sieve.is_over() {
                        return;
                    }
                    for item in at(index).iter().take(MAX_TRIED) {
                        let mut array = base.clone();
                        array[index] = item.clone();
                        self.offer(sieve, Value::Array(array));
                    }
                }
            }
            self.mixtures(sieve, &differing, &contained);
        }
        for item in at(positions).iter().take(MAX_TRIED) {
            for count in counts.iter().filter(|count| **count < 8) {
                self.offer(sieve, json!(vec![item; *count]));
            }
        }
    }

    /// Arrays in which a number of items is what `contains` describes.
    fn mixtures(&mut self, sieve: &mut Sieve<'_>, base: &[Value], contained: &Values) {
        for first in contained.iter().take(MAX_TRIED) {
            for count in (1..=base.len().min(6)).chain([base.len()]) {
                let mut array = base.to_vec();
                array[..count.min(base.len())].fill(first.clone());
                self.offer(sieve, Value::Array(array));
            }
        }
    }
}

/// The same number of items, different ones as far as possible.
fn differing<'a>(equal: &[Value], at: &impl Fn(usize) -> &'a Values) -> Vec<Value> {
    let mut used: Vec<Value> = Vec::with_capacity(equal.len());
    for (index, plain) in equal.iter().enumerate() {
        let values = at(index);
        let fresh = values.accepted.iter().chain(&values.refused);
        let fresh = fresh.chain([plain]).find(|it| !used.contains(it));
        used.push(fresh.unwrap_or(plain).clone());
    }
    used
}
