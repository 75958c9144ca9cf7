//! Messages and the changes that break them, as one stream.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::inventor::Inventor;
use super::message::Invented;
use super::random::Random;
use crate::tables::Revision;

/// Invented messages, each followed by changes of it: first every change of every place once, then
/// random ones without end.
#[derive(Debug)]
pub struct Cases {
    inventor: Inventor,
    random: Random,
    /// Changes that were already made, by method, kind, place and name.
    made: HashSet<u64>,
    ready: VecDeque<Invented>,
}

impl Cases {
    /// The same revision and seed give the same messages.
    #[must_use]
    pub fn new(revision: Revision, seed: u64) -> Self {
        Self {
            inventor: Inventor::new(revision, seed),
            random: Random::new(!seed),
            made: HashSet::new(),
            ready: VecDeque::new(),
        }
    }

    /// Whether the next message is a random one: every change of every place was made.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.ready.is_empty() && self.inventor.is_random()
    }

    fn add_new_changes(&mut self, message: &Invented) {
        let Self { made, ready, .. } = self;
        message.changes(&mut |change| {
            let mut hasher = DefaultHasher::new();
            let kind = (message.kind, message.direction, message.method.name);
            (kind, change.path, &change.name, change.owner).hash(&mut hasher);
            if made.insert(hasher.finish()) {
                ready.push_back(message.apply(change));
            }
        });
    }

    fn add_random_changes(&mut self, message: &Invented) {
        let mut count = 0;
        message.changes(&mut |_| count += 1);
        let wanted = [self.random.below(count), self.random.below(count)];
        let mut index = 0;
        message.changes(&mut |change| {
            if wanted.contains(&index) {
                self.ready.push_back(message.apply(change));
            }
            index += 1;
        });
    }
}

impl Iterator for Cases {
    type Item = Invented;

    fn next(&mut self) -> Option<Invented> {
        if let Some(ready) = self.ready.pop_front() {
            return Some(ready);
        }
        let random = self.inventor.is_random();
        let message = self.inventor.next()?;
        if random {
            self.add_random_changes(&message);
        } else {
            self.add_new_changes(&message);
        }
        Some(message)
    }
}
