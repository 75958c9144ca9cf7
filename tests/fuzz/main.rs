//! The fuzz target `session` on every dialogue and example of the repository, and on mutations of
//! them.

use std::collections::BTreeSet;

use mcp_assay::fuzzing::Mutator;
use mcp_assay_live::fuzzing;
use mcp_assay_testkit::fuzz::{Example, seeds};

/// How many mutations are run; `cargo fuzz` runs more.
const MUTATIONS: usize = 2000;

#[test]
fn scripts_raise_what_their_examples_raise() {
    let mut wrong = Vec::new();
    for seed in seeds() {
        let raised = fuzzing::rules_raised(&seed.bytes);
        let is_faithful = match seed.example {
            Some(Example::Good(rule)) => !raised.contains(rule),
            Some(Example::Bad(rule)) => raised.contains(rule),
            None => true,
        };
        if !is_faithful {
            wrong.push(format!("{}: raises {raised:?}", seed.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_of_inputs_are_unique() {
    let seeds = seeds();
    let names: BTreeSet<_> = seeds.iter().map(|seed| &seed.name).collect();
    assert_eq!(names.len(), seeds.len());
}

#[test]
fn dialogues_and_examples_keep_the_promises() {
    for seed in seeds() {
        run(&seed.name, &seed.bytes);
    }
}

#[test]
fn mutations_keep_the_promises() {
    let corpus: Vec<_> = seeds().into_iter().map(|seed| seed.bytes).collect();
    let mut mutator = Mutator::new(&corpus);
    for number in 0..MUTATIONS {
        run(&format!("mutation {number}"), &mutator.lines());
    }
}

/// Runs one input, and shows it if it breaks a promise.
fn run(name: &str, bytes: &[u8]) {
    let outcome = std::panic::catch_unwind(|| fuzzing::session_keeps_promises(bytes));
    assert!(
        outcome.is_ok(),
        "{name} fails on b\"{}\"",
        bytes.escape_ascii()
    );
}
