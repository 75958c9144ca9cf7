//! Everything that tests share: invented messages, the notation of dialogues, the scripted server
//! and the scripted client.
//!
//! | module | gives |
//! |---|---|
//! | [`server`], [`client`] | programs that are correct in all revisions, or have one fault |
//! | [`live`] | such a server over HTTP, which ends with its test |
//! | [`shell`] | a server and a client in a few lines of shell, for packages without those programs |
//! | [`http`] | an HTTP server in a thread of the test, and a client; byte by byte if need be |
//! | [`wait`] | waiting for events |
//! | [`failing`] | a message whose check fails, and how every carrier refuses it |
//! | [`dialogue`], [`traffic`] | dialogues as they are drawn in tests, and recorded traffic |
//! | [`sentences`] | faults of sentences that programs put together |
//! | [`growth`] | dialogues of which a part is repeated any number of times |

pub mod client;
pub mod dialogue;
pub mod failing;
pub mod fuzz;
pub mod growth;
pub mod http;
pub mod live;
pub mod sections;
pub mod sentences;
pub mod server;
pub mod shell;
pub mod traffic;
pub mod wait;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, thread};

use mcp_assay::invent::{Cases, Invented, Inventor};
use mcp_assay::{LayerSet, Policy, Revision, Validator};

/// A validator that looks only at what one message shows: invented messages have no story, and
/// their strings no meaning.
#[must_use]
pub fn message_validator() -> Validator {
    let mut policy = Policy::default();
    policy.layers = LayerSet::MESSAGE;
    Validator::new(policy)
}

/// Pseudo-random numbers (`SplitMix64`), the same in every run.
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below the limit, which must not be zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }
}

/// Every form of a valid message, then so many random ones.
pub fn messages(revision: Revision, random: usize) -> impl Iterator<Item = Invented> {
    let mut inventor = Inventor::new(revision, 1);
    let mut left = random;
    core::iter::from_fn(move || {
        if inventor.is_random() {
            left = left.checked_sub(1)?;
        }
        inventor.next()
    })
}

/// Every form of a valid message and every change of every place, then so many random ones.
pub fn cases(revision: Revision, random: usize) -> impl Iterator<Item = Invented> {
    let mut cases = Cases::new(revision, 1);
    let mut left = random;
    core::iter::from_fn(move || {
        if cases.is_random() {
            left = left.checked_sub(1)?;
        }
        cases.next()
    })
}

/// Collects the failures in all revisions, each in a thread of its own.
///
/// # Panics
///
/// If the comparison does.
#[must_use]
pub fn in_every_revision(compare: fn(Revision) -> Failures) -> Failures {
    let mut failures = Failures::default();
    thread::scope(|scope| {
        let threads = Revision::ALL.map(|revision| scope.spawn(move || compare(revision)));
        for thread in threads {
            failures.extend(thread.join().expect("the comparison does not panic"));
        }
    });
    failures
}

/// The Markdown files in a folder of the tests, in the order of their names.
///
/// # Panics
///
/// If it is not there.
#[must_use]
pub fn pages(folder: &str) -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let folder = tests.join(folder);
    let entries = fs::read_dir(&folder).expect("the folder of this test is there");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    paths
}

/// The failures of a long test: one case of each kind, and how many there were.
#[derive(Default)]
pub struct Failures {
    kinds: BTreeMap<String, (usize, String)>,
}

impl Failures {
    /// Notes a failure of a kind; the text is made for the first of each kind only.
    pub fn add(&mut self, kind: impl Into<String>, text: impl FnOnce() -> String) {
        self.kinds
            .entry(kind.into())
            .or_insert_with(|| (0, text()))
            .0 += 1;
    }

    /// Takes over what another has noted.
    pub fn extend(&mut self, other: Self) {
        for (kind, (count, text)) in other.kinds {
            self.kinds.entry(kind).or_insert((0, text)).0 += count;
        }
    }

    /// Fails the test if anything was noted.
    ///
    /// # Panics
    ///
    /// If anything was noted.
    pub fn finish(self) {
        let shown: Vec<_> = self
            .kinds
            .iter()
            .take(40)
            .map(|(kind, (count, text))| format!("{count} times: {kind}\n{text}\n"))
            .collect();
        assert!(
            self.kinds.is_empty(),
            "{} kinds of failure\n\n{}",
            self.kinds.len(),
            shown.join("\n")
        );
    }
}
