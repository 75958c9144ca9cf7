//! Checks dialogues of which a part grows, at several sizes. The test counts the instructions of
//! each under callgrind.

use std::env;
use std::hint::black_box;

use mcp_assay::Revision;
use mcp_assay_testkit::growth::{versions_of_lists, within_messages};
use mcp_assay_testkit::traffic::{Record, Runner};

/// Runs every growth whose number leaves a remainder, or of these only the named ones:
/// `doubling DIVISOR REMAINDER SIZE SIZE SIZE [NAME...]`. Prints the name of each.
fn main() {
    let mut arguments = env::args().skip(1);
    let mut number = || -> usize {
        let argument = arguments.next().expect("an argument");
        argument.parse().expect("a number")
    };
    let (divisor, remainder) = (&number(), &number());
    let sizes = &[number(), number(), number()];
    let names: Vec<String> = arguments.collect();
    let growths: Vec<_> = within_messages()
        .into_iter()
        .chain(versions_of_lists())
        .filter(|growth| names.is_empty() || names.contains(&growth.name))
        .collect();
    for growth in growths.iter().skip(*remainder).step_by(*divisor) {
        println!("{}", growth.name);
        // Tables that a process builds once are built before it counts.
        work(&mut Runner::new(), growth.revision, &growth.grown(sizes[0]));
        for size in sizes {
            let mut runner = Runner::new();
            let records = growth.grown(*size);
            dumped_region(&mut runner, growth.revision, &records);
        }
    }
}

/// Counts; the dump after it has what was counted inside.
#[inline(never)]
fn dumped_region(runner: &mut Runner, revision: Option<Revision>, records: &[Record]) {
    counted_region(runner, revision, records);
    // Keeps the call above from becoming a jump, after which the region would never be left.
    black_box(());
}

#[inline(never)]
fn counted_region(runner: &mut Runner, revision: Option<Revision>, records: &[Record]) {
    work(runner, revision, records);
    black_box(());
}

fn work(runner: &mut Runner, revision: Option<Revision>, records: &[Record]) {
    let endings = runner.run_each(revision, records, |_, checked| {
        for violation in checked.violations() {
            black_box(checked.message(violation));
            black_box(checked.pointer(violation));
        }
    });
    black_box(endings.len());
}
