//! Faults that are put into correct traffic, one at a time: each gives one violation, and nothing
//! that follows from it.
//!
//! The traffic is that of the dialogues beside this folder in which nothing is drawn.
//! `MCP_ASSAY_CAPTURES` names a folder with captures of real programs; their own violations are
//! left out, and no change of them may give more than one.

mod change;
mod circumstances;
mod harmless;
mod message;
mod pairs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use mcp_assay_testkit::Failures;
use mcp_assay_testkit::traffic::{Carried, Finding, Head, Record, Runner, Traffic};

use self::change::changes;
use self::circumstances::Case;
use self::harmless::HARMLESS;
use super::conversations;

/// A rule that the recorded clients break on purpose; a fault of a server may hide it, and a change
/// may show it again.
const ON_PURPOSE: &str = "tools/call-listed";

/// Pairs of rules that one change violates, because the other party goes on as if nothing had been
/// changed: it accepts what it has to refuse, or builds on what was never sent. In real traffic
/// each would be a fault of its own, so both are reported.
const OF_EACH_PARTY: [[&str; 2]; 22] = [
    ["http/mcp-method", "http/header-mismatch-reply"],
    ["http/mcp-method-matches-body", "http/header-mismatch-reply"],
    ["http/version-header", "http/header-mismatch-reply"],
    [
        "http/version-header-matches-body",
        "http/header-mismatch-reply",
    ],
    ["http/mcp-name-matches-body", "tools/unknown-tool-reply"],
    ["mrtr/retry-same-request", "tools/unknown-tool-reply"],
    ["tools/call-listed", "tools/unknown-tool-reply"],
    ["jsonrpc/batch-not-empty", "response/none-for-notification"],
    ["jsonrpc/batch-not-empty", "response/id-known"],
    ["jsonrpc/batch-one-kind", "jsonrpc/batch-answer-per-request"],
    ["http/session-id-sent", "http/get-sse-or-405"],
    ["http/get-sse-or-405", "http/session-delete"],
    ["response/id-type-preserved", "cancel/own-request"],
    ["subscriptions/id-matches", "cancel/own-request"],
    ["progress/token-known", "cancel/own-request"],
    ["schema/unknown-method", "http/session-id-at-initialize"],
    ["tasks/tool-required", "tasks/create-result"],
    [
        "resources/uri-valid",
        "resources/updated-only-if-subscribed",
    ],
    [
        "resources/unsubscribe-after-subscribe",
        "resources/updated-only-if-subscribed",
    ],
    ["response/none-for-notification", "cancel/own-request"],
    [
        "ext-tasks/status-payload",
        "ext-tasks/update-outstanding-keys",
    ],
    ["mrtr/inputs-or-state", "mrtr/state-not-invented"],
];

fn are_of_each_party(first: &Finding, second: &Finding) -> bool {
    let rules = [first.rule, second.rule];
    let reversed = [second.rule, first.rule];
    OF_EACH_PARTY.contains(&rules) || OF_EACH_PARTY.contains(&reversed)
}

/// In a capture, so many changes of the same kind are tried of records that are alike.
const ALIKE: usize = 3;

#[test]
fn one_fault_gives_one_violation() {
    let mut failures = Failures::default();
    let mut runner = Runner::new();
    let mut used = vec![0; HARMLESS.len()];
    let mut faults = 0;
    for traffic in dialogues() {
        let known = runner.run(traffic.revision, &traffic.records);
        changes(&traffic.records, &mut |changed| {
            let mut found = besides(&known, runner.run(traffic.revision, &changed.records));
            // Both parties may use what is not declared, and each answers for itself.
            if let [first, second] = &found[..]
                && first.party != second.party
                && (changed.kind.starts_with("capability-gone") || are_of_each_party(first, second))
            {
                found.truncate(1);
            }
            let case = Case {
                name: &traffic.name,
                before: &traffic.records,
                changed: &changed,
            };
            let row = HARMLESS.iter().position(|row| row.covers(&case));
            let expected = usize::from(row.is_none());
            match row {
                Some(row) => used[row] += 1,
                None => faults += 1,
            }
            // What is unusual is mostly optional as well; but nothing of it is told twice.
            let is_odd = traffic.name.starts_with("odd: ");
            if found.len() != expected && !(is_odd && found.len() < 2) {
                let why = row.map_or("a fault", |row| HARMLESS[row].why);
                failures.add(
                    format!(
                        "{}, {}: {:?} ({why})",
                        changed.kind,
                        changed.label,
                        names(&found)
                    ),
                    || format!("{} at {}", traffic.name, changed.at),
                );
            }
        });
    }
    failures.finish();
    for (row, used) in HARMLESS.iter().zip(used) {
        assert!(used > 0, "no change is `{}` of `{}`", row.kind, row.label);
    }
    assert!(faults > 9_000, "only {faults} faults were tried");
}

/// The same in what real programs said to one another. Nobody can say beforehand which changes of
/// it are faults; but none gives more than one violation.
#[test]
fn one_fault_in_a_capture_gives_no_more_than_one_violation() {
    let Some(folder) = env::var_os("MCP_ASSAY_CAPTURES") else {
        return;
    };
    let mut failures = Failures::default();
    let mut runner = Runner::new();
    let mut counts = [0; 3];
    let mut silent = BTreeMap::new();
    for traffic in captures(Path::new(&folder)) {
        let known = runner.run(None, &traffic.records);
        let mut seen = BTreeMap::new();
        changes(&traffic.records, &mut |changed| {
            // What is wrong is so once more when it is sent again.
            let again = changed.kind.ends_with("twice");
            let alike = seen.entry((changed.kind.clone(), changed.label.clone()));
            let alike = alike.and_modify(|count| *count += 1).or_insert(1);
            if *alike > ALIKE || (again && !known.is_empty()) {
                return;
            }
            let found = runner.run(None, &changed.records);
            // A change that mends one of the capture's own faults uncovers what was silent because
            // of it.
            if !known.iter().all(|known| has_rule(&found, known)) {
                return;
            }
            let mut found = besides(&known, found);
            if found.len() > 1 {
                found.retain(|finding| finding.rule != ON_PURPOSE);
            }
            counts[found.len().min(2)] += 1;
            let case = Case {
                name: &traffic.name,
                before: &traffic.records,
                changed: &changed,
            };
            if found.is_empty() && !HARMLESS.iter().any(|row| row.covers(&case)) {
                *silent
                    .entry((changed.kind.clone(), changed.label.clone()))
                    .or_insert(0) += 1;
            }
            if found.len() > 1 {
                let kind = format!("{}, {}: {:?}", changed.kind, changed.label, names(&found));
                failures.add(kind, || format!("{} at {}", traffic.name, changed.at));
            }
        });
    }
    let [none, one, more] = counts;
    println!("{none} changes give no violation, {one} give one, {more} give more");
    println!("Those without a violation that are not known to be harmless:");
    for ((kind, label), count) in silent {
        println!("{count} {kind}, {label}");
    }
    failures.finish();
}

fn captures(folder: &Path) -> Vec<Traffic> {
    let entries = fs::read_dir(folder).expect("the folder of captures can be listed");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a capture can be read");
        Traffic::read_capture(&path.display().to_string(), &text)
    };
    paths.iter().map(read).collect()
}

/// The findings that the traffic does not have without the change.
fn besides(known: &[Finding], found: Vec<Finding>) -> Vec<Finding> {
    let mut known: Vec<_> = known.iter().map(|finding| finding.rule).collect();
    let is_new = |finding: &Finding| {
        let position = known.iter().position(|rule| *rule == finding.rule);
        position
            .map(|position| known.swap_remove(position))
            .is_none()
    };
    found.into_iter().filter(is_new).collect()
}

fn has_rule(found: &[Finding], known: &Finding) -> bool {
    found.iter().any(|finding| finding.rule == known.rule)
}

fn names(found: &[Finding]) -> Vec<&'static str> {
    found.iter().map(|finding| finding.rule).collect()
}

/// The correct dialogues, written out.
fn dialogues() -> Vec<Traffic> {
    // Dialogues that lack a message on purpose do not show when one more is missing.
    let correct = conversations().into_iter().filter(|conversation| {
        conversation.dialogue.marks() == 0 && !conversation.name.starts_with("proof: ")
    });
    correct
        .map(|conversation| {
            let mut records = conversation.dialogue.records();
            records.iter_mut().for_each(date);
            Traffic {
                name: conversation.name,
                revision: None,
                records,
            }
        })
        .collect()
}

/// Real responses have more headers than the one that is taken away; one without any comes from a
/// source that keeps none.
fn date(record: &mut Record) {
    if let Carried::Http {
        head: Head::Response { .. },
        headers,
        ..
    } = &mut record.carrier
    {
        let date = "Sun, 15 Nov 2026 15:16:26 GMT";
        headers.push(("date".to_owned(), date.to_owned()));
    }
}
