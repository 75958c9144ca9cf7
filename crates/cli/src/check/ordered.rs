//! Several sources at once, reported in their order.
//!
//! Each worker renders into a channel of its source; the writer empties the channels one after the
//! other. Two bounds keep memory flat however slow an early source is: a channel holds few chunks,
//! and only a few sources are begun before the writer is done with the first of them.

use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use mcp_assay_report::{Reporter, Totals};

use super::checkers::Checkers;
use super::failure::Failure;
use super::report::{Chunks, Piece, Report};
use crate::baseline::Tally;
use crate::config::Settings;
use crate::input::{Meter, Source};

/// Chunks that wait for the writer, for each source.
const CHUNKS: usize = 4;

/// The result of a source.
pub(super) type Outcome = (Totals, Tally, Result<(), Failure>);

/// A source for a worker, and the destination of its results.
struct Job<'a> {
    source: &'a Source,
    chunks: SyncSender<Vec<u8>>,
    outcome: SyncSender<Outcome>,
}

/// The results of a source, for the writer.
struct Begun {
    chunks: Receiver<Vec<u8>>,
    outcome: Receiver<Outcome>,
}

/// Checks sources with several workers. `settled` receives, in order, the result of each; `false`
/// ends the run.
pub(super) fn run<'a>(
    settings: &Settings,
    reporter: &dyn Reporter,
    sources: &'a [Source],
    meter: &Meter,
    out: &mut dyn Write,
    mut settled: impl FnMut(&'a Source, Outcome) -> bool,
) {
    let workers = settings.jobs.min(sources.len());
    let ahead = 2 * workers;
    let (sender, jobs) = sync_channel::<Job<'_>>(ahead);
    let jobs = Mutex::new(jobs);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| work(settings, reporter, &jobs, meter));
        }
        // Dropped at the end of this closure, which ends the workers.
        let sender = sender;
        let mut waiting = sources.iter();
        let mut begun = std::collections::VecDeque::with_capacity(ahead);
        let mut empty = true;
        loop {
            while begun.len() < ahead
                && let Some(source) = waiting.next()
            {
                let (job, results) = prepare(source);
                if sender.send(job).is_err() {
                    return;
                }
                begun.push_back((source, results));
            }
            let Some((source, results)) = begun.pop_front() else {
                return;
            };
            let mut outcome = write(results, reporter, meter, out, &mut empty);
            if outcome.is_none() {
                outcome = Some(unfinished());
            }
            if let Some(outcome) = outcome
                && !settled(source, outcome)
            {
                meter.stop();
                return;
            }
        }
    });
}

/// The outcome of a worker that died of a defect of ours; its thread has reported it.
fn unfinished() -> Outcome {
    let failure = std::io::Error::other("the check of this file ended early");
    (
        Totals::default(),
        Tally::default(),
        Err(Failure::Read(failure)),
    )
}

fn prepare(source: &Source) -> (Job<'_>, Begun) {
    let (chunks, received_chunks) = sync_channel(CHUNKS);
    let (outcome, received_outcome) = sync_channel(1);
    (
        Job {
            source,
            chunks,
            outcome,
        },
        Begun {
            chunks: received_chunks,
            outcome: received_outcome,
        },
    )
}

/// Writes the output of a worker, until it is done. If it cannot be written, the worker is stopped
/// and its findings up to there are the outcome.
fn write(
    Begun { chunks, outcome }: Begun,
    reporter: &dyn Reporter,
    meter: &Meter,
    out: &mut dyn Write,
    empty: &mut bool,
) -> Option<Outcome> {
    let separator = if *empty { "" } else { reporter.separator() };
    let mut piece = Piece {
        out,
        separator,
        empty: true,
    };
    for chunk in &chunks {
        if let Err(error) = piece.write_all(&chunk) {
            meter.stop();
            drop(chunks);
            let (totals, tally, _) = outcome.recv().unwrap_or_else(|_| unfinished());
            return Some((totals, tally, Err(Failure::Write(error))));
        }
    }
    *empty &= piece.empty;
    outcome.recv().ok()
}

fn work(
    settings: &Settings,
    reporter: &dyn Reporter,
    jobs: &Mutex<Receiver<Job<'_>>>,
    meter: &Meter,
) {
    let mut checkers = Checkers::new(settings);
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job {
            source,
            chunks,
            outcome,
        }) = job
        else {
            return;
        };
        let mut chunks = Chunks::new(chunks);
        let mut report = Report::new(reporter, settings, &mut chunks);
        let result = checkers.check(source, meter, &mut report);
        let (totals, tally) = (report.totals, report.tally);
        let result = result.and_then(|()| chunks.flush().map_err(Failure::Write));
        // Closes the channel of chunks first: the writer waits for that, then for this. If it is
        // gone, the result is not needed.
        drop(chunks);
        let _ = outcome.send((totals, tally, result));
    }
}
