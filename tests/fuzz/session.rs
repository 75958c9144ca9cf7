//! Runs the fuzz target `session` on mutations of all dialogues and examples: `fuzz-session
//! MESSAGES [SEED]`. It has no coverage to guide it, and runs many times more messages than a
//! fuzzer does.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, panic, thread};

use mcp_assay::fuzzing::Mutator;
use mcp_assay_live::fuzzing::session_keeps_promises;
use mcp_assay_testkit::fuzz::seeds;

/// Messages between two lines of progress.
const PROGRESS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let messages = arguments
        .next()
        .ok_or("usage: fuzz-session MESSAGES [SEED]")?;
    let messages: usize = messages.parse()?;
    let seed: u64 = arguments.next().map_or(Ok(0), |seed| seed.parse())?;
    let corpus: Vec<_> = seeds().into_iter().map(|seed| seed.bytes).collect();
    let threads = thread::available_parallelism()?.get();
    let checked = AtomicUsize::new(0);
    let failed = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                let start = seed + ((worker as u64) << 32);
                let mutator = Mutator::with_seed(&corpus, start);
                scope.spawn(|| run(mutator, &checked, messages))
            })
            .collect();
        let results = workers.into_iter().map(thread::ScopedJoinHandle::join);
        results.filter(Result::is_err).count()
    });
    println!("{} messages checked", checked.into_inner());
    if failed > 0 {
        return Err("a promise was broken; the input is above".into());
    }
    Ok(())
}

/// Runs inputs until all workers together have checked so many messages.
fn run(mut mutator: Mutator<'_>, checked: &AtomicUsize, messages: usize) {
    loop {
        let input = mutator.lines();
        let result = panic::catch_unwind(|| session_keeps_promises(&input));
        let Ok(count) = result else {
            eprintln!("the input b\"{}\"", input.escape_ascii());
            // The other workers stop, too.
            checked.fetch_add(messages, Ordering::Relaxed);
            panic!("a promise is broken");
        };
        let before = checked.fetch_add(count, Ordering::Relaxed);
        if before / PROGRESS != (before + count) / PROGRESS {
            println!("{} messages checked", before + count);
        }
        if before + count >= messages {
            return;
        }
    }
}
