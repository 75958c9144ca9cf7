//! Aligns the events of two logs.

use std::collections::HashSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::event::Print;

/// The time limit of the search for the smallest difference; after it the result is still correct,
/// but may be larger.
const PATIENCE: Duration = Duration::from_secs(5);

/// The relation of an event of one log to the other log. Positions count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A number of equal events.
    Equal(usize),
    /// The same event, with other values.
    Changed { golden: usize, new: usize },
    /// An event of the golden log has no counterpart.
    Removed(usize),
    /// An event of the new log has no counterpart.
    Added(usize),
}

/// Aligns two logs.
pub(super) fn align(golden: &[Print], new: &[Print]) -> Vec<Step> {
    let deadline = Instant::now() + PATIENCE;
    let wholes = |prints: &[Print]| prints.iter().map(|print| print.whole).collect::<Vec<_>>();
    let mut steps = Vec::new();
    for part in parts(&wholes(golden), &wholes(new), deadline) {
        match part {
            Part::Same(old, _) => steps.push(Step::Equal(old.len())),
            Part::Other(old, at) => block(golden, new, &old, &at, deadline, &mut steps),
        }
    }
    steps
}

/// Aligns events that differ: those on the same subject belong together.
fn block(
    golden: &[Print],
    new: &[Print],
    old_range: &Range<usize>,
    new_range: &Range<usize>,
    deadline: Instant,
    steps: &mut Vec<Step>,
) {
    let about = |prints: &[Print]| prints.iter().map(|print| print.about).collect::<Vec<_>>();
    let old_about = about(&golden[old_range.clone()]);
    let new_about = about(&new[new_range.clone()]);
    for part in parts(&old_about, &new_about, deadline) {
        let (Part::Same(old, new) | Part::Other(old, new)) = part;
        let old = old.start + old_range.start..old.end + old_range.start;
        let new = new.start + new_range.start..new.end + new_range.start;
        // Equal numbers on both sides: more likely the same events with another method or id than
        // others.
        if old.len() == new.len() {
            let pairs = old.zip(new);
            steps.extend(pairs.map(|(golden, new)| Step::Changed { golden, new }));
        } else {
            steps.extend(old.map(Step::Removed));
            steps.extend(new.map(Step::Added));
        }
    }
}

/// A part of two sequences, in both.
enum Part {
    Same(Range<usize>, Range<usize>),
    Other(Range<usize>, Range<usize>),
}

/// Cuts two sequences into parts. Items that only one of them has are set aside first: the search
/// takes time by the number of items it has to skip.
fn parts(old: &[u128], new: &[u128], deadline: Instant) -> Vec<Part> {
    let (old_kept, new_kept) = (common(old, new), common(new, old));
    let kept = |all: &[u128], kept: &[usize]| kept.iter().map(|at| all[*at]).collect::<Vec<_>>();
    let ops = capture_diff_slices_deadline(
        Algorithm::Myers,
        &kept(old, &old_kept),
        &kept(new, &new_kept),
        Some(deadline),
    );
    let same = ops.into_iter().flat_map(|op| match op {
        DiffOp::Equal {
            old_index,
            new_index,
            len,
        } => old_kept[old_index..old_index + len]
            .iter()
            .zip(&new_kept[new_index..new_index + len]),
        _ => [].iter().zip(&[]),
    });
    let mut parts = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    for (&left, &right) in same {
        if left > old_at || right > new_at {
            parts.push(Part::Other(old_at..left, new_at..right));
        }
        match parts.last_mut() {
            Some(Part::Same(old, new)) => (old.end, new.end) = (left + 1, right + 1),
            _ => parts.push(Part::Same(left..left + 1, right..right + 1)),
        }
        (old_at, new_at) = (left + 1, right + 1);
    }
    if old.len() > old_at || new.len() > new_at {
        parts.push(Part::Other(old_at..old.len(), new_at..new.len()));
    }
    parts
}

/// The positions of items that are also in the other sequence.
fn common(these: &[u128], others: &[u128]) -> Vec<usize> {
    let others: HashSet<_> = others.iter().collect();
    (0..these.len())
        .filter(|at| others.contains(&these[*at]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each letter is an event; its subject is the same for both cases of a letter.
    fn prints(text: &str) -> Vec<Print> {
        text.chars()
            .map(|letter| Print {
                whole: u128::from(u32::from(letter)),
                about: u128::from(u32::from(letter.to_ascii_lowercase())),
            })
            .collect()
    }

    fn aligned(golden: &str, new: &str) -> String {
        let letter = |text: &str, at: usize| char::from(text.as_bytes()[at]);
        let show = |step: Step| match step {
            Step::Equal(count) => format!("={count}"),
            Step::Changed {
                golden: old,
                new: at,
            } => {
                format!("{}>{}", letter(golden, old), letter(new, at))
            }
            Step::Removed(at) => format!("-{}", letter(golden, at)),
            Step::Added(at) => format!("+{}", letter(new, at)),
        };
        let steps = align(&prints(golden), &prints(new));
        steps.into_iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn events_are_aligned() {
        for (golden, new, steps) in [
            ("abc", "abc", "=3"),
            ("", "", ""),
            ("abc", "abxc", "=2 +x =1"),
            ("abxc", "abc", "=2 -x =1"),
            ("abc", "aBc", "=1 b>B =1"),
            ("abcd", "aCxd", "=1 -b c>C +x =1"),
            ("abc", "axc", "=1 b>x =1"),
            ("", "ab", "+a +b"),
        ] {
            assert_eq!(aligned(golden, new), steps, "{golden} and {new}");
        }
    }

    #[test]
    fn large_logs_that_have_nothing_in_common_end_in_time() {
        let numbered = |from: u128| {
            let print = |number| Print {
                whole: number,
                about: number,
            };
            (from..from + 20_000).map(print).collect::<Vec<_>>()
        };
        let begun = Instant::now();
        let steps = align(&numbered(0), &numbered(1 << 64));
        assert_eq!(steps.len(), 20_000);
        assert!(begun.elapsed() < PATIENCE);
    }
}
