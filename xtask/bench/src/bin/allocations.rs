//! Counts allocations on the accept path: every valid message once more, after all were checked once.

use std::alloc::System;

use assay_bench::corpus;
use assay_bench::ours::Ours;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let entries = corpus::valid();
    let mut ours = Ours::default();
    let mut check_all = || {
        let messages = entries.iter().flat_map(|entry| &entry.messages);
        messages.filter(|message| ours.accepts(message)).count()
    };
    let first = check_all();
    let region = Region::new(ALLOCATOR);
    let second = check_all();
    let change = region.change();
    assert_eq!(
        first, second,
        "a message was judged differently the second time"
    );
    println!("{}", change.allocations + change.reallocations);
}
