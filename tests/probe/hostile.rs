//! Servers that harm whoever listens: each is reported, within limits.

use std::time::{Duration, Instant};

use mcp_assay_probe::{Report, Target, Unreachable};

use crate::{Live, failed, run, stdio};

/// Probes with little patience; nothing may take long.
fn patient(target: Target) -> Result<Report, Unreachable> {
    let begun = Instant::now();
    let result = run(target, |options| {
        options.step_timeout = Duration::from_millis(500);
        options.deadline = Instant::now() + Duration::from_secs(60);
    });
    let taken = begun.elapsed();
    assert!(taken < Duration::from_secs(20), "{taken:?}");
    result
}

fn check(fault: &str, rule: &str, says: &str) {
    let report = patient(stdio(&["--fault", fault])).expect("a report");
    let found = failed(&report);
    let told = found
        .iter()
        .any(|(id, message)| *id == rule && message.contains(says));
    assert!(told, "{fault}: {found:#?}");
    // One fault has one name.
    let names: Vec<_> = found.iter().map(|(id, _)| *id).collect();
    assert_eq!(names, [rule], "{fault}: {found:#?}");
}

#[test]
fn a_flood_is_cut_off() {
    check("floods", "probe/within-limits", "messages in a row");
}

#[test]
fn a_flood_before_the_first_word_is_cut_off() {
    let report = patient(stdio(&["--fault", "floods-at-once"])).expect("a report");
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
    let server = Live::start(&["--fault", "floods-stream"]);
    let report = patient(server.target()).expect("a report");
    let found = failed(&report);
    assert!(
        found.iter().any(|(id, _)| *id == "probe/within-limits"),
        "{found:#?}"
    );
}

#[test]
fn answers_of_many_mebibytes_do_not_fill_the_memory() {
    check("huge-answers", "probe/within-limits", "16 MiB");
}

#[test]
fn a_server_that_stops_reading_is_not_waited_for() {
    check("stops-reading", "probe/answers", "nor was anything after it");
    let result = patient(stdio(&["--fault", "never-reads"]));
    assert!(matches!(result, Err(Unreachable::NoHandshake(_))));
}

#[test]
fn a_server_that_ends_is_told_from_one_that_hangs() {
    check("exits-midway", "probe/survives", "ended when `tools/list`");
    // Its child holds the output open.
    check("leaves-a-child", "probe/survives", "ended when `tools/list`");
}
