//! The cost of a message is linear in its size: no part of any example or dialogue may be repeated
//! so often that its check needs more than its share of instructions. The same holds for a list
//! that is returned in many versions.
//!
//! Callgrind counts; without it nothing is checked.

use std::path::Path;
use std::process::Command;
use std::{fs, thread};

/// The numbers of copies of a part.
const SIZES: [usize; 3] = [32, 128, 512];

/// The numbers for a part whose cost rose too much: the schema of a tool is compiled at once if it
/// is too large to be recognised at sight, and that step comes once. A cost that is not linear goes
/// on rising.
const LARGER_SIZES: [usize; 3] = [512, 2048, 8192];

/// The most by which the cost of the second step may exceed that of the first. It is 4 for a linear
/// cost and 16 for a quadratic one; buffers grow by doubling, so a linear one varies.
const MAX_RATIO: f64 = 5.5;

/// Instructions that do not count.
const SLACK: f64 = 20_000.0;

/// The number of runs: the dumps of each are removed after it.
const RUNS: usize = 8;

#[test]
fn the_cost_of_a_message_is_linear_in_its_size() {
    let is_there = Command::new("valgrind").arg("--version").output();
    if is_there.is_err() {
        println!("skipped: valgrind is not installed");
        return;
    }
    let counted = counted(SIZES, &[]);
    assert!(counted.len() > 300, "only {} parts", counted.len());
    let rising = rising(counted);
    if rising.is_empty() {
        return;
    }
    let names: Vec<String> = rising.into_iter().map(|(name, _)| name).collect();
    let mut wrong: Vec<String> = self::rising(self::counted(LARGER_SIZES, &names))
        .into_iter()
        .map(|(name, [small, medium, large])| {
            let ratio = (large - medium) / (medium - small);
            format!("{ratio:.2}: {small:.0}, {medium:.0}, {large:.0} instructions: {name}")
        })
        .collect();
    wrong.sort();
    assert!(
        wrong.is_empty(),
        "{} parts\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A growth by its name, with the instructions at each size.
type Counted = (String, [f64; 3]);

/// The growths whose cost rises by more than their size.
fn rising(counted: Vec<Counted>) -> Vec<Counted> {
    let is_rising = |[small, medium, large]: &[f64; 3]| {
        let (first, second) = (medium - small, large - medium);
        // The first part of a run pays for what is built once, and a limit may end the check of a
        // larger one early: then the smaller one says nothing about the growth.
        let step = first.max(0.75 * medium);
        second > MAX_RATIO * step + SLACK
    };
    let mut rising = counted;
    rising.retain(|(_, counts)| is_rising(counts));
    rising
}

/// Counts all growths, or the named ones, on two threads.
fn counted(sizes: [usize; 3], names: &[String]) -> Vec<Counted> {
    thread::scope(|scope| {
        let runs: Vec<_> = (0..2)
            .map(|thread| {
                scope.spawn(move || {
                    let runs = (thread..RUNS).step_by(2);
                    runs.flat_map(|run| counts(run, sizes, names)).collect()
                })
            })
            .collect();
        let runs = runs.into_iter();
        let counted: Vec<Vec<Counted>> = runs.map(|run| run.join().expect("a run")).collect();
        counted.into_iter().flatten().collect()
    })
}

/// The growths of a run, with the instructions at each size.
fn counts(run: usize, sizes: [usize; 3], names: &[String]) -> Vec<Counted> {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet", "--collect-atstart=no"])
        .args(["--dump-line=no", "--toggle-collect=*counted_region*"])
        .arg("--dump-after=*dumped_region*")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env!("CARGO_BIN_EXE_doubling"))
        .args([RUNS, run].map(|number| number.to_string()))
        .args(sizes.map(|size| size.to_string()))
        .args(names)
        .output()
        .expect("valgrind runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let names = String::from_utf8(output.stdout).expect("names");
    let dump = |number: usize| total(&folder.path().join(format!("out.{number}")));
    names
        .lines()
        .enumerate()
        .map(|(position, name)| {
            let counts = [1, 2, 3].map(|size| dump(position * sizes.len() + size));
            (name.to_owned(), counts)
        })
        .collect()
}

/// The instructions in a dump of callgrind.
fn total(dump: &Path) -> f64 {
    let text = fs::read(dump).unwrap_or_else(|error| panic!("{}: {error}", dump.display()));
    let text = String::from_utf8_lossy(&text);
    let total = text.lines().find_map(|line| {
        line.strip_prefix("totals: ")
            .or_else(|| line.strip_prefix("summary: "))
    });
    let total = total.and_then(|total| total.split_whitespace().next()?.parse().ok());
    total.unwrap_or_else(|| panic!("no total in {}", dump.display()))
}
