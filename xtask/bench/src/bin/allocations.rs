//! Counts allocations on the accept path: every valid message once more, after all were checked
//! once.

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
    let all = entries
        .iter()
        .map(|entry| entry.messages.len())
        .sum::<usize>();
    assert_eq!(check_all(), all, "a valid message was not accepted");
    let region = Region::new(ALLOCATOR);
    assert_eq!(
        check_all(),
        all,
        "a message was judged differently the second time"
    );
    let change = region.change();
    println!("{}", change.allocations + change.reallocations);
}
