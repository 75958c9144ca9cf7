//! Servers whose answers bear wrong ids: each answer is understood, and the fault reported once.

use mcp_assay_probe::{Report, Status};

use crate::{at, failed, live, run, stdio};

const FAULTS: [&str; 4] = [
    "ids-are-text",
    "ids-are-null",
    "ids-are-others",
    "ids-are-one",
];

fn check(fault: &str, report: &Report) {
    let found = failed(report);
    let ids: Vec<_> = found.iter().map(|(id, _)| *id).collect();
    let is_about_ids = |id: &&str| id.starts_with("response/") || id.contains("id-");
    assert!(!ids.is_empty(), "{fault}");
    assert!(ids.iter().all(is_about_ids), "{fault}: {found:#?}");
    for entry in report.failures() {
        assert_eq!(entry.failures.len(), 1, "{fault}: {:#?}", entry.failures);
    }
    assert!(!report.revisions.is_empty(), "{fault}");
    // The rest is put to the test as usual.
    let passed = report.count(Status::Pass);
    assert!(passed > 80, "{fault}: {passed}");
}

#[test]
fn over_stdio_a_wrong_id_is_one_fault() {
    for fault in FAULTS {
        let report = run(stdio(&["--fault", fault]), |options| {
            options.revisions = vec![mcp_assay::Revision::V2025_06_18];
        });
        check(fault, &report.expect("a report"));
    }
}

#[test]
fn over_http_a_wrong_id_is_one_fault() {
    for fault in FAULTS {
        let server = live(&["--fault", fault]);
        let report = run(at(&server), |options| {
            options.revisions = vec![mcp_assay::Revision::V2025_06_18];
        });
        check(fault, &report.expect("a report"));
    }
}
