//! Instructions: this program runs itself under callgrind, which counts inside [`counted_region`]
//! and nowhere else.
//!
//! Exact and free of noise, so that a single pass is enough.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use assay_bench::corpus::{Class, Entry};
use serde_json::{Value, json};

use crate::bars::{self, Bar, Goal};
use crate::baseline::Baseline;
use crate::report::Report;
use crate::sides::{Side, Subject};
use crate::statistics::geometric_mean;

/// The argument that makes this program the one that is counted.
pub(crate) const COUNTED: &str = "--counted";

/// Patterns for the symbols of [`counted_region`] and [`dumped_region`], whatever the compiler
/// makes of their paths. Two functions, since callgrind takes one instruction for a function and
/// forgets others.
const COUNTED_REGION: &str = "*counted_region*";
const DUMPED_REGION: &str = "*dumped_region*";

/// Whether callgrind is installed.
pub(crate) fn available() -> bool {
    let version = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}

/// Runs each side on each entry, every time inside a region that callgrind dumps when it is left.
pub(crate) fn run_counted(entries: &[Entry], baseline: &Baseline) -> Result<()> {
    for entry in entries {
        let mut subject = Subject::new(entry, baseline)?;
        for side in Side::ALL {
            dumped_region(&mut subject, side, passes(entry));
        }
    }
    Ok(())
}

pub(crate) fn report(
    entries: &[Entry],
    filter: Option<&str>,
    keep: Option<&Path>,
) -> Result<Report> {
    let folder = match keep {
        Some(folder) => folder.to_owned(),
        None => env::temp_dir().join(format!("assay-bench-{}", std::process::id())),
    };
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let counts = count(&folder, filter, entries.len() * Side::ALL.len());
    if keep.is_none() {
        // Left-overs in the temporary folder are no failure.
        let _ = fs::remove_dir_all(&folder);
    }
    let counts = counts?;
    let rows: Vec<Row> = entries
        .iter()
        .zip(counts.chunks(Side::ALL.len()))
        .filter_map(|(entry, counts)| Row::new(entry, counts))
        .collect();
    let mut lines = vec![format!(
        "{:<24} {:>9} {:>11} {:>11} {:>12} {:>11} {:>7} {:>8} {:>8}",
        "message",
        "bytes",
        "ours",
        "syntax",
        "baseline",
        "all rules",
        "ratio",
        "o/syntax",
        "rules/o"
    )];
    lines.extend(rows.iter().map(Row::to_line));
    Ok(Report {
        lines,
        rows: rows.iter().map(Row::to_json).collect(),
        bars: bars(&rows),
    })
}

/// Warms up, then counts. The dump after it was counted inside it.
#[inline(never)]
fn dumped_region(subject: &mut Subject<'_>, side: Side, passes: usize) {
    subject.run(side, 2);
    counted_region(subject, side, passes);
    // Keeps the call above from becoming a jump, after which the region would never be left.
    std::hint::black_box(());
}

#[inline(never)]
fn counted_region(subject: &mut Subject<'_>, side: Side, passes: usize) {
    subject.run(side, passes);
    std::hint::black_box(());
}

/// Enough that entering the region does not count.
fn passes(entry: &Entry) -> usize {
    if entry.bytes() < 2000 { 50 } else { 1 }
}

/// One count for each region, in order.
fn count(folder: &Path, filter: Option<&str>, expected: usize) -> Result<Vec<f64>> {
    let out = folder.join("callgrind.out");
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--quiet", "--collect-atstart=no"])
        // Each dump stands alone, so that one of them can be annotated.
        .args(["--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--toggle-collect={COUNTED_REGION}"))
        .arg(format!("--dump-after={DUMPED_REGION}"))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().context("the own program has no path")?)
        .arg(COUNTED);
    if let Some(filter) = filter {
        command.args(["--filter", filter]);
    }
    let output = command.output().context("cannot run valgrind")?;
    if !output.status.success() {
        bail!(
            "the counted run failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let counts: Vec<f64> = (1..=expected)
        .map(|number| total(&PathBuf::from(format!("{}.{number}", out.display()))))
        .collect::<Result<_>>()?;
    let more = PathBuf::from(format!("{}.{}", out.display(), expected + 1));
    ensure!(
        !more.exists(),
        "callgrind dumped more often than the region was entered"
    );
    Ok(counts)
}

fn total(dump: &Path) -> Result<f64> {
    let text = fs::read_to_string(dump)
        .with_context(|| format!("callgrind left no {}", dump.display()))?;
    total_of(&text).with_context(|| format!("no total in {}", dump.display()))
}

/// The count in a dump of callgrind.
fn total_of(dump: &str) -> Option<f64> {
    let line = dump.lines().find_map(|line| {
        line.strip_prefix("summary: ")
            .or(line.strip_prefix("totals: "))
    })?;
    line.split_whitespace().next()?.parse().ok()
}

/// Instructions of one pass over an entry; the mix is a pass over a thousand messages.
struct Row {
    name: &'static str,
    class: Class,
    messages: f64,
    bytes: f64,
    ours: f64,
    syntax: f64,
    baseline: f64,
    rules: f64,
}

impl Row {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
    fn new(entry: &Entry, counts: &[f64]) -> Option<Self> {
        let &[ours, syntax, baseline, rules] = counts else {
            return None;
        };
        let (passes, messages) = (passes(entry) as f64, entry.messages.len() as f64);
        Some(Self {
            name: entry.name,
            class: entry.class,
            messages,
            bytes: entry.bytes() as f64,
            ours: ours / passes,
            syntax: syntax / passes,
            baseline: baseline / passes,
            rules: rules / passes,
        })
    }

    fn ratio(&self) -> f64 {
        self.baseline / self.ours
    }

    fn to_line(&self) -> String {
        let each = |value: f64| value / self.messages;
        format!(
            "{:<24} {:>9.0} {:>11.0} {:>11.0} {:>12.0} {:>11.0} {:>7.2} {:>8.2} {:>8.2}",
            self.name,
            each(self.bytes),
            each(self.ours),
            each(self.syntax),
            each(self.baseline),
            each(self.rules),
            self.ratio(),
            self.ours / self.syntax,
            self.rules / self.ours
        )
    }

    fn to_json(&self) -> Value {
        json!({
            "message": self.name,
            "class": self.class.name(),
            "bytes": self.bytes / self.messages,
            "ours": self.ours / self.messages,
            "syntax": self.syntax / self.messages,
            "baseline": self.baseline / self.messages,
            "all_rules": self.rules / self.messages,
            "ratio": self.ratio(),
            "over_syntax": self.ours / self.syntax,
        })
    }
}

fn bars(rows: &[Row]) -> Vec<Bar> {
    let first_sight = rows.iter().filter(|row| row.class == Class::FirstSight);
    let first_sight = first_sight.map(|row| {
        Bar::new(
            format!("{}, all rules, times as many", row.name),
            row.rules / row.ours,
            Goal::AtMost(bars::ALL_RULES_AT_FIRST_SIGHT),
        )
    });
    let mut bars: Vec<Bar> = first_sight.collect();
    for class in [Class::Small, Class::Medium, Class::Large, Class::Mix] {
        let members: Vec<&Row> = rows.iter().filter(|row| row.class == class).collect();
        let Some(must) = bars::instructions(class).filter(|_| !members.is_empty()) else {
            continue;
        };
        let mean = geometric_mean(members.iter().map(|row| row.ratio()));
        let sum = |part: fn(&Row) -> f64| members.iter().map(|row| part(row)).sum::<f64>();
        let of_sums = sum(|row| row.baseline) / sum(|row| row.ours);
        let name = class.name();
        bars.push(Bar::new(
            format!("{name}, times fewer, geometric mean"),
            mean,
            Goal::AtLeast(must),
        ));
        bars.push(Bar::new(
            format!("{name}, times fewer, sum"),
            of_sums,
            Goal::AtLeast(must),
        ));
        if class == Class::Mix {
            bars.push(Bar::new(
                format!("{name}, all rules, times as many"),
                sum(|row| row.rules) / sum(|row| row.ours),
                Goal::AtMost(bars::ALL_RULES),
            ));
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_total_of_a_dump() {
        let dump =
            "version: 1\npart: 3\nevents: Ir\nsummary: 12345\n\nfn=(1)\n3 12\ntotals: 12345\n";
        assert_eq!(total_of(dump), Some(12345.0));
        assert!(total_of("version: 1\n").is_none());
    }
}
