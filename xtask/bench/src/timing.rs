//! Nanoseconds: thread CPU time, all sides in turn for each message, medians of the rounds, ratios
//! inside a round.

use std::time::Duration;

use anyhow::{Context, Result};
use assay_bench::corpus::{Class, Entry};
use nix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::allocations;
use crate::bars::{self, Bar, Goal};
use crate::baseline::Baseline;
use crate::report::Report;
use crate::sides::{Side, Subject};
use crate::statistics::{geometric_mean, median};

/// The duration of a measurement.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    rounds: usize,
    sample: Duration,
}

impl Effort {
    pub(crate) const FULL: Self = Self {
        rounds: 15,
        sample: Duration::from_millis(8),
    };
    pub(crate) const QUICK: Self = Self {
        rounds: 5,
        sample: Duration::from_millis(2),
    };
}

pub(crate) fn report(entries: &[Entry], baseline: &Baseline, effort: Effort) -> Result<Report> {
    let rows = measure(entries, baseline, effort)?;
    let mut bars = class_bars(&rows);
    bars.extend(
        rows.iter()
            .filter(|row| row.class == Class::Invalid)
            .map(|row| {
                // On a failing union a schema validator builds the errors of every branch.
                let must = if row.name == "failing union" {
                    Goal::Below(1.0)
                } else {
                    Goal::AtMost(bars::DIAGNOSTICS)
                };
                Bar::new(
                    format!("diagnostics, {}, times the baseline", row.name),
                    1.0 / row.ratio,
                    must,
                )
            }),
    );
    let allocations = allocations::count()?;
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    bars.push(Bar::new(
        "allocations on the accept path",
        allocations as f64,
        Goal::AtMost(0.0),
    ));
    let mut lines = vec![format!(
        "{:<24} {:>9} {:>11} {:>11} {:>12} {:>7} {:>8} {:>7}",
        "message", "bytes", "ours ns", "syntax ns", "baseline ns", "ratio", "o/syntax", "GB/s"
    )];
    lines.extend(rows.iter().map(Row::to_line));
    Ok(Report {
        lines,
        rows: rows.iter().map(Row::to_json).collect(),
        bars,
    })
}

struct Row {
    name: &'static str,
    class: Class,
    /// Mean bytes of a message.
    bytes: f64,
    /// Nanoseconds per message.
    ours: f64,
    syntax: f64,
    baseline: f64,
    /// The speed as a multiple of the baseline.
    ratio: f64,
    /// The slowdown as a multiple of the scanner alone.
    over_syntax: f64,
}

impl Row {
    fn gigabytes_per_second(&self) -> f64 {
        self.bytes / self.ours
    }

    fn to_line(&self) -> String {
        format!(
            "{:<24} {:>9.0} {:>11.0} {:>11.0} {:>12.0} {:>7.2} {:>8.2} {:>7.2}",
            self.name,
            self.bytes,
            self.ours,
            self.syntax,
            self.baseline,
            self.ratio,
            self.over_syntax,
            self.gigabytes_per_second()
        )
    }

    fn to_json(&self) -> Value {
        json!({
            "message": self.name,
            "class": self.class.name(),
            "bytes": self.bytes,
            "ours_ns": self.ours,
            "syntax_ns": self.syntax,
            "baseline_ns": self.baseline,
            "ratio": self.ratio,
            "over_syntax": self.over_syntax,
            "gigabytes_per_second": self.gigabytes_per_second(),
        })
    }
}

fn class_bars(rows: &[Row]) -> Vec<Bar> {
    let classes = [Class::Small, Class::Medium, Class::Large, Class::Mix];
    let bar = |class: Class| {
        let ratios: Vec<f64> = rows
            .iter()
            .filter(|row| row.class == class)
            .map(|row| row.ratio)
            .collect();
        let (must, aim) = bars::speed(class)?;
        let name = format!("{}, times faster than the baseline", class.name());
        (!ratios.is_empty())
            .then(|| Bar::new(name, geometric_mean(ratios), Goal::AtLeast(must)).aiming_at(aim))
    };
    classes.into_iter().filter_map(bar).collect()
}

/// An entry while it is measured: for each side the passes of one sample, and nanoseconds per pass
/// of each round.
struct Track<'a> {
    subject: Subject<'a>,
    passes: [usize; Side::ALL.len()],
    times: [Vec<f64>; Side::ALL.len()],
}

fn measure(entries: &[Entry], baseline: &Baseline, effort: Effort) -> Result<Vec<Row>> {
    let mut tracks = Vec::new();
    for entry in entries {
        let mut subject = Subject::new(entry, baseline)?;
        let mut passes = [1; Side::ALL.len()];
        for side in Side::ALL {
            passes[side as usize] = calibrate(&mut subject, side, effort.sample)?;
        }
        tracks.push(Track {
            subject,
            passes,
            times: Default::default(),
        });
    }
    for _ in 0..effort.rounds {
        for track in &mut tracks {
            for side in Side::ALL {
                let passes = track.passes[side as usize];
                let taken = time(&mut track.subject, side, passes)?;
                #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
                track.times[side as usize].push(taken.as_nanos() as f64 / passes as f64);
            }
        }
    }
    Ok(tracks.into_iter().map(row).collect())
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
fn row(track: Track<'_>) -> Row {
    let Track {
        subject: Subject { entry, .. },
        times: [ours, syntax, baseline, _],
        ..
    } = track;
    let messages = entry.messages.len() as f64;
    let quotient = |above: &[f64], below: &[f64]| {
        median(
            above
                .iter()
                .zip(below)
                .map(|(above, below)| above / below)
                .collect(),
        )
    };
    Row {
        name: entry.name,
        class: entry.class,
        bytes: entry.bytes() as f64 / messages,
        ratio: quotient(&baseline, &ours),
        over_syntax: quotient(&ours, &syntax),
        ours: median(ours) / messages,
        syntax: median(syntax) / messages,
        baseline: median(baseline) / messages,
    }
}

/// The number of passes that fill a sample. Warms everything up.
fn calibrate(subject: &mut Subject<'_>, side: Side, sample: Duration) -> Result<usize> {
    let mut passes = 1;
    loop {
        let taken = time(subject, side, passes)?;
        if taken >= sample / 4 {
            let wanted = sample.as_nanos() * passes as u128 / taken.as_nanos().max(1);
            return Ok(usize::try_from(wanted).unwrap_or(1).max(1));
        }
        passes *= 2;
    }
}

fn time(subject: &mut Subject<'_>, side: Side, passes: usize) -> Result<Duration> {
    let start = thread_time()?;
    subject.run(side, passes);
    Ok(thread_time()?.saturating_sub(start))
}

fn thread_time() -> Result<Duration> {
    let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
        .context("the thread's clock cannot be read")?;
    Ok(now.into())
}
