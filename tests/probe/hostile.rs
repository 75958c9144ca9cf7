//! Servers that harm whoever listens: each is reported, within limits.

use std::time::{Duration, Instant};

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use mcp_assay_probe::{Report, Target, Unreachable};

use crate::{at, failed, live, run, stdio};

/// For servers that say nothing.
const SHORT: Duration = Duration::from_millis(500);

/// For servers that say too much: that takes as long as it takes to hear it.
const LONG: Duration = Duration::from_secs(10);

/// Probes; a server that harms ends the probe before its time is up.
fn patient(target: Target, patience: Duration) -> Result<Report, Unreachable> {
    let result = run(target, |options| {
        options.step_timeout = patience;
        options.start_timeout = patience * 4;
        options.deadline = Instant::now() + Duration::from_secs(3600);
    });
    if let Ok(report) = &result {
        let is_late = |note: &String| note.contains("time was up");
        assert!(!report.notes.iter().any(is_late), "{:?}", report.notes);
    }
    result
}

/// The rules that find a fault.
pub(crate) fn found() -> impl Iterator<Item = &'static str> {
    [
        "probe/answers",
        "probe/speaks-revision",
        "probe/survives",
        "probe/within-limits",
    ]
    .into_iter()
}

fn check(fault: &str, patience: Duration, rule: &str, says: &str) {
    let report = patient(stdio(&["--fault", fault]), patience).expect("a report");
    let found = failed(&report);
    let told = found
        .iter()
        .any(|(id, message)| *id == rule && message.contains(says));
    assert!(told, "{fault}: {found:#?}");
    // One fault has one name.
    let names: Vec<_> = found.iter().map(|(id, _)| *id).collect();
    assert_eq!(names, [rule], "{fault}: {found:#?}");
}

/// A report without failures about a server with which nothing was put to the test looks like
/// success.
#[test]
fn a_server_of_no_revision_fails() {
    let target = stdio(&["--fault", "speaks-the-future"]);
    let legacy = Revision::ALL
        .into_iter()
        .filter(|one| one.has(Fact::Handshake));
    let result = run(target, |options| options.revisions = legacy.collect());
    let report = result.expect("a report");
    let found = failed(&report);
    let says = "the server chose version `2099-01-01`, which is no revision of MCP";
    assert!(
        found
            .iter()
            .any(|(id, message)| { *id == "probe/speaks-revision" && message.starts_with(says) }),
        "{found:#?}"
    );
    assert!(report.revisions.is_empty());
}

#[test]
fn a_flood_is_cut_off() {
    check("floods", LONG, "probe/within-limits", "messages in a row");
}

#[test]
fn a_flood_before_the_first_word_is_cut_off() {
    let report = patient(stdio(&["--fault", "floods-at-once"]), LONG).expect("a report");
    let found = failed(&report);
    assert!(
        found.iter().any(|(id, _)| *id == "probe/within-limits"),
        "{found:#?}"
    );
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.contains("says too much"))
    );
}

#[test]
fn a_flooding_stream_is_cut_off() {
    let server = live(&["--fault", "floods-stream"]);
    let report = patient(at(&server), LONG).expect("a report");
    let found = failed(&report);
    assert!(
        found.iter().any(|(id, _)| *id == "probe/within-limits"),
        "{found:#?}"
    );
}

#[test]
fn answers_of_many_mebibytes_do_not_fill_the_memory() {
    check("huge-answers", LONG, "probe/within-limits", "16 MiB");
}

#[test]
fn a_server_that_stops_reading_is_not_waited_for() {
    check(
        "stops-reading",
        SHORT,
        "probe/answers",
        "nor was anything after it",
    );
    let report = patient(stdio(&["--fault", "asks-and-does-not-listen"]), LONG);
    let found = failed(&report.expect("a report"));
    assert!(
        found
            .iter()
            .any(|(id, message)| *id == "probe/answers" && message.contains("reads nothing")),
        "{found:#?}"
    );
    let result = patient(stdio(&["--fault", "never-reads"]), SHORT);
    assert!(matches!(result, Err(Unreachable::NoHandshake(_))));
}

#[test]
fn a_server_that_ends_is_told_from_one_that_hangs() {
    check(
        "exits-midway",
        SHORT,
        "probe/survives",
        "ended when `tools/list`",
    );
    // Its child holds the output open.
    check(
        "leaves-a-child",
        SHORT,
        "probe/survives",
        "ended when `tools/list`",
    );
}
