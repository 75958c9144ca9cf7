//! The fuzz targets on stable: the corpus, and deterministic mutations of it. `fuzz/` runs the same
//! functions for longer.

use std::path::Path;

use mcp_assay::fuzzing::{self, Mutator};

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
    let mut mutator = Mutator::new(&corpus);
    for _ in 0..MUTATIONS {
        guarded(target, check, &mutator.bytes());
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
