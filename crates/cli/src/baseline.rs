//! Known failures: the file that lists them, and their comparison with a run.
//!
//! The file is JSON, one entry per line, sorted. An entry is a rule, the source (relative to the
//! folder of the file), the method, the pointer and a count: no lines and no offsets, so that other
//! changes of a capture leave it true.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use mcp_assay::{Checked, Ending, Level, Policy, rules};
use serde::{Deserialize, Serialize};

use crate::globs::whole;
use crate::input::Source;

/// The treatment of known failures.
#[derive(Clone, Debug)]
pub(crate) enum KnownFailures {
    /// There are none.
    None,
    /// Those of a baseline pass.
    Pass(Arc<Baseline>),
    /// All failures become the baseline in this file.
    Write(PathBuf),
}

/// The one version of the format so far.
const VERSION: u32 = 1;

/// Known failures.
#[derive(Debug)]
pub(crate) struct Baseline {
    pub(crate) path: PathBuf,
    folder: PathBuf,
    /// The count of each known failure, by source.
    known: BTreeMap<String, Counts>,
}

type Counts = BTreeMap<Failure, u64>;

/// The key of a violation: two violations of one source with the same key are the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Failure {
    rule: String,
    method: Option<String>,
    pointer: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    known: Vec<Entry>,
}

/// The order of the members is part of the format.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    rule: String,
    source: String,
    method: Option<String>,
    pointer: String,
    count: u64,
}

impl Baseline {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let context = || format!("failed to read the baseline {}", path.display());
        let text = fs::read(path).with_context(context)?;
        let file: File = serde_json::from_slice(&text).with_context(context)?;
        if file.version != VERSION {
            let text = format!(
                "it is of version {}, expected {VERSION}; --write-baseline writes it anew",
                file.version
            );
            return Err(anyhow::Error::msg(text)).with_context(context);
        }
        let mut known: BTreeMap<String, Counts> = BTreeMap::new();
        for entry in file.known {
            let failure = Failure {
                rule: entry.rule,
                method: entry.method,
                pointer: entry.pointer,
            };
            let counts = known.entry(entry.source).or_default();
            let count = counts.entry(failure).or_default();
            *count = count.saturating_add(entry.count);
        }
        Ok(Self {
            path: path.to_owned(),
            folder: folder_of(path),
            known,
        })
    }

    fn count(&self, source: &str, failure: &Failure) -> u64 {
        self.known
            .get(source)
            .and_then(|counts| counts.get(failure))
            .copied()
            .unwrap_or_default()
    }
}

/// The comparison of one source with the baseline.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    source: String,
    mode: Mode,
    /// Failures that are known.
    known: u64,
    /// Failures that are not.
    new: u64,
}

#[derive(Debug, Default)]
enum Mode {
    #[default]
    Idle,
    /// Entries of the baseline that were not met yet.
    Compare(Counts),
    /// Failures met.
    Collect(Counts),
}

/// The relation of a message to the baseline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// All its violations are known.
    Known,
    /// It has none, or unknown ones.
    Other,
}

impl Tally {
    /// Begins a source.
    pub(crate) fn new(known_failures: &KnownFailures, source: &Source) -> Self {
        let (folder, mode) = match known_failures {
            KnownFailures::None => return Self::default(),
            KnownFailures::Pass(baseline) => {
                let name = name(source, &baseline.folder);
                let known = baseline.known.get(&name).cloned().unwrap_or_default();
                (baseline.folder.clone(), Mode::Compare(known))
            }
            KnownFailures::Write(path) => (folder_of(path), Mode::Collect(Counts::new())),
        };
        Self {
            source: name(source, &folder),
            mode,
            ..Self::default()
        }
    }

    /// Begins the probe of a server, which has no name as a source.
    pub(crate) fn of_server(known_failures: &KnownFailures) -> Self {
        let mode = match known_failures {
            KnownFailures::None => Mode::Idle,
            KnownFailures::Pass(baseline) => {
                Mode::Compare(baseline.known.get(SERVER).cloned().unwrap_or_default())
            }
            KnownFailures::Write(_) => Mode::Collect(Counts::new()),
        };
        Self {
            source: SERVER.to_owned(),
            mode,
            ..Self::default()
        }
    }

    /// Records a failure of a server.
    pub(crate) fn add_failure(
        &mut self,
        rule: &str,
        method: Option<&str>,
        pointer: &str,
        level: Level,
    ) -> Standing {
        let failure = Failure {
            rule: rule.to_owned(),
            method: method.map(str::to_owned),
            pointer: pointer.to_owned(),
        };
        self.meet(failure, level)
    }

    /// Removes the entries of rules that were not tested: they need not be fixed.
    pub(crate) fn keep(&mut self, tested: impl Fn(&str) -> bool) {
        if let Mode::Compare(left) = &mut self.mode {
            left.retain(|failure, _| tested(&failure.rule));
        }
    }

    /// Records a message.
    pub(crate) fn add(&mut self, checked: &Checked<'_>) -> Standing {
        if matches!(self.mode, Mode::Idle) || checked.violations().is_empty() {
            return Standing::Other;
        }
        let method = checked.method();
        let mut standing = Standing::Known;
        for violation in checked.violations() {
            let failure = Failure {
                rule: violation.rule.name.to_owned(),
                method: method.as_deref().map(str::to_owned),
                pointer: checked.pointer(violation),
            };
            if self.meet(failure, checked.level(violation)) == Standing::Other {
                standing = Standing::Other;
            }
        }
        standing
    }

    /// Records the findings at the end of a session.
    pub(crate) fn add_ending(&mut self, ending: &Ending) -> Standing {
        let failure = Failure {
            rule: ending.rule.name.to_owned(),
            method: ending.method.as_deref().map(str::to_owned),
            pointer: String::new(),
        };
        self.meet(failure, ending.level)
    }

    /// Matches an entry at any level: a run that is less strict than the one that wrote it must not
    /// report it as stale.
    fn meet(&mut self, failure: Failure, level: Level) -> Standing {
        let fails = level == Level::Error;
        match &mut self.mode {
            Mode::Compare(left) => match left.get_mut(&failure) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    self.known += 1;
                    return Standing::Known;
                }
                _ => self.new += u64::from(fails),
            },
            Mode::Collect(found) if fails => *found.entry(failure).or_default() += 1,
            Mode::Collect(_) | Mode::Idle => {}
        }
        Standing::Other
    }
}

/// The comparison of a run with the baseline.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    known: u64,
    new: u64,
    /// By source that was checked to its end: the remaining entries, or the findings.
    counts: BTreeMap<String, Counts>,
}

impl Ledger {
    /// Adds the findings of a source that could be read to its end.
    pub(crate) fn close(&mut self, tally: Tally, policy: &Policy) {
        self.known += tally.known;
        self.new += tally.new;
        let mut counts = match tally.mode {
            Mode::Idle => return,
            Mode::Collect(counts) => counts,
            Mode::Compare(mut left) => {
                // A rule that is off cannot be violated, so its entries need not be fixed.
                left.retain(|failure, count| *count > 0 && is_looked_for(&failure.rule, policy));
                left
            }
        };
        // A file may be named twice on the command line.
        let all = self.counts.entry(tally.source).or_default();
        counts.retain(|_, count| *count > 0);
        for (failure, count) in counts {
            let most = all.entry(failure).or_default();
            *most = count.max(*most);
        }
    }

    /// Failures without an entry.
    pub(crate) fn new_failures(&self) -> u64 {
        self.new
    }

    /// Entries without a failure: those left of a source that was checked, and those of files that
    /// are gone. Other sources were not part of the run.
    pub(crate) fn stale(&self, baseline: &Baseline) -> Vec<Stale> {
        let gone = baseline.known.iter().filter(|(source, _)| {
            !self.counts.contains_key(*source)
                && ![STDIN, SERVER].contains(&source.as_str())
                && !baseline.folder.join(source).exists()
        });
        let mut stale: Vec<_> = self
            .counts
            .iter()
            .chain(gone)
            .flat_map(|(source, left)| {
                left.iter().map(move |(failure, count)| Stale {
                    source: source.clone(),
                    failure: failure.clone(),
                    left: *count,
                    known: baseline.count(source, failure),
                })
            })
            .collect();
        stale.sort_by(|a, b| (&a.source, &a.failure).cmp(&(&b.source, &b.failure)));
        stale
    }

    /// One sentence about the run.
    pub(crate) fn summary(&self, baseline: &Baseline, stale: usize) -> String {
        let path = baseline.path.display();
        let (known, new) = (self.known, self.new);
        let mut text = format!("baseline {path}: {known} known, {new} new, {stale} stale");
        if stale > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "; `--write-baseline {path}` writes it anew");
        }
        text
    }

    /// Writes the findings as a baseline. A file may serve `check` and `probe`: neither removes the
    /// entries of the other.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let is_server = |source: &String| source == SERVER;
        let probed = self.counts.keys().any(is_server);
        // A file that does not exist, or is no baseline, has no entries to keep.
        let before = Baseline::read(path).map_or_else(|_| BTreeMap::new(), |file| file.known);
        let mut all = self.counts.clone();
        all.extend(
            before
                .into_iter()
                .filter(|(source, _)| is_server(source) != probed),
        );
        fs::write(path, text(&all)?)
            .with_context(|| format!("failed to write the baseline {}", path.display()))
    }
}

fn text(all: &BTreeMap<String, Counts>) -> anyhow::Result<String> {
    let mut entries: Vec<Entry> = Vec::new();
    for (source, counts) in all {
        entries.extend(counts.iter().map(|(failure, count)| Entry {
            rule: failure.rule.clone(),
            source: source.clone(),
            method: failure.method.clone(),
            pointer: failure.pointer.clone(),
            count: *count,
        }));
    }
    let mut text = format!("{{\"version\":{VERSION},\"known\":[");
    for (index, entry) in entries.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&serde_json::to_string(entry)?);
    }
    text.push_str("\n]}\n");
    Ok(text)
}

/// An entry that is known more often than it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stale {
    source: String,
    failure: Failure,
    known: u64,
    left: u64,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            source,
            failure,
            known,
            left,
        } = self;
        write!(f, "stale: {} in {source}", failure.rule)?;
        if let Some(method) = &failure.method {
            write!(f, ", {}", method.escape_debug())?;
        }
        if !failure.pointer.is_empty() {
            write!(f, ", at {}", failure.pointer.escape_debug())?;
        }
        write!(f, ": {known} known, {} found", known - left.min(known))
    }
}

fn is_looked_for(rule: &str, policy: &Policy) -> bool {
    // A rule that was removed is never violated: its entry is stale.
    let of_profile = || policy.dialect()?.rules().find(|own| own.name == rule);
    rules::find(rule)
        .or_else(of_profile)
        .is_none_or(|rule| policy.wants(rule))
}

const STDIN: &str = "<stdin>";
const SERVER: &str = "<server>";

fn folder_of(path: &Path) -> PathBuf {
    let path = whole(path);
    path.parent().unwrap_or(&path).to_owned()
}

/// The name of a source from a folder, with slashes on every system.
fn name(source: &Source, folder: &Path) -> String {
    match source {
        Source::File(path) => relative(&whole(path), folder),
        other => other.name().into_owned(),
    }
}

fn relative(path: &Path, folder: &Path) -> String {
    let (mut path_left, mut folder_left) = (path.components(), folder.components());
    loop {
        let (rest, base) = (path_left.clone(), folder_left.clone());
        match (path_left.next(), folder_left.next()) {
            (Some(step), Some(other)) if step == other => {}
            // Another drive.
            (Some(Component::Prefix(_)), _) => return path.to_string_lossy().into_owned(),
            _ => {
                let up = base.map(|_| "..".into());
                let down = rest.map(|step| step.as_os_str().to_string_lossy());
                return up.chain(down).collect::<Vec<_>>().join("/");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_at_the_folder() {
        let from = |path: &str, folder: &str| relative(Path::new(path), Path::new(folder));
        assert_eq!(from("/a/b/c.log", "/a"), "b/c.log");
        assert_eq!(from("/a/b/c.log", "/a/b"), "c.log");
        assert_eq!(from("/a/c.log", "/a/b/d"), "../../c.log");
        assert_eq!(from("/x/c.log", "/a"), "../x/c.log");
    }

    #[test]
    fn entries_are_met_as_often_as_they_are_known() {
        let failure = Failure {
            rule: "schema/wrong-type".to_owned(),
            method: None,
            pointer: "/params".to_owned(),
        };
        let mut tally = Tally {
            mode: Mode::Compare(Counts::from([(failure.clone(), 2)])),
            ..Tally::default()
        };
        assert_eq!(tally.meet(failure.clone(), Level::Error), Standing::Known);
        assert_eq!(tally.meet(failure.clone(), Level::Note), Standing::Known);
        assert_eq!(tally.meet(failure.clone(), Level::Note), Standing::Other);
        assert_eq!(tally.meet(failure, Level::Error), Standing::Other);
        assert_eq!((tally.known, tally.new), (2, 1));
    }
}
