//! The fuzz targets on stable: the corpus, and deterministic mutations of it. `fuzz/` runs the same functions for longer.

use std::path::Path;

use mcp_assay::fuzzing;

const MUTATIONS: usize = 20_000;

#[test]
fn scanning_never_panics() {
    run("scan", fuzzing::scan_never_panics);
}

#[test]
fn checking_never_panics() {
    run("check", fuzzing::check_never_panics);
}

#[test]
fn lanes_of_this_cpu_see_what_the_portable_ones_see() {
    run("simd", fuzzing::lanes_agree);
}

fn run(target: &str, check: fn(&[u8])) {
    let corpus = corpus(target);
    for bytes in &corpus {
        guarded(target, check, bytes);
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut bytes = Vec::new();
    for _ in 0..MUTATIONS {
        bytes.clone_from(random.pick(&corpus));
        for _ in 0..=random.below(4) {
            mutate(&mut bytes, &mut random, &corpus);
        }
        guarded(target, check, &bytes);
    }
}

/// Runs one input, and shows it if it breaks a promise.
fn guarded(target: &str, check: fn(&[u8]), bytes: &[u8]) {
    let outcome = std::panic::catch_unwind(|| check(bytes));
    assert!(
        outcome.is_ok(),
        "{target} fails on b\"{}\"",
        bytes.escape_ascii()
    );
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the corpus is readable").path())
        .collect();
    // The order of a folder is not that of another machine.
    paths.sort();
    let corpus: Vec<_> = paths
        .iter()
        .map(|path| std::fs::read(path).expect("the corpus is readable"))
        .collect();
    assert!(!corpus.is_empty(), "{} is empty", folder.display());
    corpus
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random, corpus: &[Vec<u8>]) {
    const TELLING: &[u8] =
        b"\"\\{}[]:,0-+.eE1tfnu\n\r\t \x00\x1f\x7f\x80\xbf\xc0\xe2\xed\xf4\xff\xef\xbb\xbf/*'N";
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
            let other = random.pick(corpus);
            let from = random.below(other.len() + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
    }
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
