//! The fuzz target `session` on stable: the corpus, and deterministic mutations of it.

use std::fs;
use std::path::Path;

use mcp_assay::fuzzing::Mutator;
use mcp_assay_live::fuzzing::session_keeps_promises;

const MUTATIONS: usize = 2000;

#[test]
fn sessions_keep_their_promises() {
    let corpus = corpus();
    for bytes in &corpus {
        guarded(bytes);
    }
    let mut mutator = Mutator::new(&corpus);
    for _ in 0..MUTATIONS {
        guarded(&mutator.lines());
    }
}

/// Runs one input, and shows it if it breaks a promise.
fn guarded(bytes: &[u8]) {
    let outcome = std::panic::catch_unwind(|| session_keeps_promises(bytes));
    assert!(
        outcome.is_ok(),
        "session fails on b\"{}\"",
        bytes.escape_ascii()
    );
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/session");
    let entries = fs::read_dir(&folder).expect("the corpus is there");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the corpus is readable").path())
        .collect();
    // The order of a folder is not that of another machine.
    paths.sort();
    let inputs = paths.iter().map(fs::read);
    inputs
        .map(|bytes| bytes.expect("the corpus is readable"))
        .collect()
}
