//! Outcomes of a probe, rule by rule: the documents are sound whatever the server sent, and
//! complete.

use mcp_assay::{Direction, Frame, Level, Revision, Session, Validator};
use mcp_assay_report::{
    Blame, Context, Evidence, Fault, Format, Origin, Outcome, ProbeReport, ProbeRow, Remark,
    Timeline, View,
};
use serde_json::Value;

use crate::documents::{check_sarif, timeline, well_formed};

const HOSTILE: &str = "</script><!-- \" onclick='x' ]]>&#0;\x1b[2J\u{202e}\u{ffff}\r\n::error::x";

fn fault(message: &str, is_known: bool) -> Fault {
    let mut fault = Fault::default();
    message.clone_into(&mut fault.message);
    fault.revisions = vec![Revision::V2025_06_18];
    let text = HOSTILE.to_owned();
    let mut evidence = Evidence::new(Direction::ServerToClient, text, "{}".to_owned());
    evidence.place = Some(("connection 1".to_owned(), 1));
    fault.evidence = vec![evidence];
    fault.is_known = is_known;
    fault
}

/// Each outcome, with hostile text wherever text comes from outside.
fn report() -> ProbeReport {
    let row = |rule, level, outcome| {
        let mut row = ProbeRow::new(rule, level, outcome);
        row.about = "Something is demanded.";
        row
    };
    let mut failed = row("jsonrpc/parse-error-reply", Level::Error, Outcome::Failed);
    failed.faults = vec![
        fault(HOSTILE, false),
        fault("another", false),
        fault("an old one", true),
    ];
    let mut advice = row("tools/unknown-tool-reply", Level::Warning, Outcome::Failed);
    advice.faults = vec![fault("mild", false)];
    let mut known = row("ping/any-phase", Level::Error, Outcome::Known);
    known.faults = vec![fault("known", true)];
    let mut skipped = row("http/origin-403", Level::Error, Outcome::NotApplicable);
    "it is about HTTP".clone_into(&mut skipped.reason);
    let mut unseen = row("jsonrpc/known-kind", Level::Error, Outcome::NotObserved);
    HOSTILE.clone_into(&mut unseen.reason);
    ProbeReport {
        subject: format!("./server {HOSTILE}"),
        notes: vec![HOSTILE.to_owned()],
        rows: vec![
            skipped,
            unseen,
            failed,
            row("ping/empty-result", Level::Error, Outcome::Passed),
            known,
            advice,
        ],
        context: Context {
            probe: Some(("mcp-assay probe".to_owned(), "-- ./server".to_owned())),
            ..Context::default()
        },
        ..ProbeReport::default()
    }
}

fn written(report: &ProbeReport, format: Format, timeline: Option<Timeline>) -> String {
    let mut out = Vec::new();
    let view = View {
        timeline,
        ..View::default()
    };
    report.write(format, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn junit_has_a_case_for_each_rule_in_a_suite_for_each_family() {
    let shown = written(&report(), Format::Junit, None);
    assert_eq!(well_formed(&shown), Ok(()), "{shown}");
    assert_eq!(shown.matches("<testcase ").count(), 6);
    assert!(shown.contains("tests=\"6\" skipped=\"3\" failures=\"1\" errors=\"0\">"));
    for suite in [
        "<testsuite name=\"jsonrpc\" tests=\"2\" skipped=\"1\" errors=\"0\" failures=\"1\">",
        "<testsuite name=\"ping\" tests=\"2\" skipped=\"1\" errors=\"0\" failures=\"0\">",
        "<testsuite name=\"tools\" tests=\"1\" skipped=\"0\" errors=\"0\" failures=\"0\">",
        "<skipped message=\"not applicable: it is about HTTP\"/>",
        "<skipped message=\"known: the baseline has it\"/>",
        "(in 2 places)\" type=",
        "shown again by: mcp-assay probe --only jsonrpc/parse-error-reply -- ./server",
        // Findings of a level that does not fail are still reported.
        "<system-out>warning\nmild\n",
    ] {
        assert!(shown.contains(suite), "{suite}: {shown}");
    }
    assert!(!shown.contains("an old one"), "{shown}");
}

#[test]
fn people_and_programs_are_told_of_every_rule() {
    let mut out = Vec::new();
    let view = View {
        verbose: true,
        ..View::default()
    };
    report().write(Format::Human, view, &mut out).unwrap();
    let human = String::from_utf8(out).unwrap();
    for line in [
        "error[jsonrpc/parse-error-reply]",
        "known          ping/any-phase",
        "not applicable http/origin-403: it is about HTTP",
        "3 failed (2 of level error), 1 passed, 1 not observed, 1 not applicable",
    ] {
        assert!(human.lines().any(|shown| shown == line), "{line}: {human}");
    }
    assert!(human.contains("\nfamily  "), "{human}");
    let json: Value = serde_json::from_str(&written(&report(), Format::Json, None)).unwrap();
    assert_eq!(json["summary"]["rules"]["fail"], 3);
    assert_eq!(json["rules"][2]["failures"][2]["known"], true);
    assert_eq!(json["rules"][4]["status"], "fail");
}

#[test]
fn the_first_line_has_the_verdict_and_a_clean_server_few_lines() {
    let mut report = report();
    report.subject = "./server".to_owned();
    report.revisions = vec![Revision::V2025_06_18];
    let human = written(&report, Format::Human, None);
    let first = "./server speaks 2025-06-18: 1 error, 1 warning";
    assert_eq!(human.lines().next(), Some(first), "{human}");
    for line in [
        "  again: mcp-assay probe --only jsonrpc/parse-error-reply -- ./server",
        "  page: mcp-assay explain jsonrpc/parse-error-reply",
        "warning[tools/unknown-tool-reply] mild",
    ] {
        assert!(human.lines().any(|shown| shown == line), "{line}: {human}");
    }
    assert!(!human.contains("family"), "{human}");
    report.rows.retain(|row| row.outcome != Outcome::Failed);
    report.notes.clear();
    let human = written(&report, Format::Human, None);
    assert!(
        human.starts_with("./server speaks 2025-06-18: clean\n"),
        "{human}"
    );
    assert!(human.lines().count() <= 20, "{human}");
}

#[test]
fn faults_of_the_sdk_stand_apart_and_make_an_issue() {
    let mut report = report();
    report.sdk = Some("Some SDK 1.2 (named by --sdk)".to_owned());
    for row in &mut report.rows {
        if row.rule == "tools/unknown-tool-reply" {
            row.blame = Blame::Sdk("it answers every call".to_owned());
        }
    }
    let human = written(&report, Format::Human, None);
    let (own, of_sdk) = human
        .split_once("\nyour SDK: Some SDK 1.2")
        .expect("two parts");
    assert!(own.contains("jsonrpc/parse-error-reply"), "{human}");
    assert!(!own.contains("tools/unknown-tool-reply"), "{human}");
    let line = "  warning[tools/unknown-tool-reply] it answers every call";
    assert!(of_sdk.lines().any(|shown| shown == line), "{human}");
    let issue = report.sdk_issue("https://example.com/issues");
    assert!(issue.starts_with("# Replies of Some SDK 1.2"), "{issue}");
    assert!(issue.contains("## tools/unknown-tool-reply"), "{issue}");
    assert!(!issue.contains("jsonrpc/parse-error-reply"), "{issue}");
    assert!(!issue.contains('\x1b'), "{issue}");
    report.sdk = None;
    assert!(report.sdk_issue("").contains("--sdk NAME"));
}

#[test]
fn lists_of_findings_have_what_failed_and_is_not_known() {
    let mut report = report();
    let shown = written(&report, Format::Sarif, None);
    let results = |shown: &str| {
        let document: Value = serde_json::from_str(shown).unwrap();
        document["runs"][0]["results"].as_array().unwrap().clone()
    };
    // Two places of one rule that differ only in their sentences, and the warning.
    let found = results(&shown);
    let rules: Vec<_> = found.iter().map(|one| one["ruleId"].clone()).collect();
    assert_eq!(
        rules,
        [
            "jsonrpc/parse-error-reply",
            "jsonrpc/parse-error-reply",
            "tools/unknown-tool-reply"
        ]
    );
    assert_ne!(
        found[0]["partialFingerprints"],
        found[1]["partialFingerprints"]
    );
    // No file, no place.
    assert_eq!(found[0]["locations"][0].get("physicalLocation"), None);
    let github = written(&report, Format::Github, None);
    assert_eq!(github.matches("::error title=").count(), 2, "{github}");
    assert_eq!(github.matches("::warning title=").count(), 1, "{github}");
    for line in github.lines() {
        assert!(!line.contains(char::is_control), "{line}");
    }
    assert!(
        github
            .trim_end()
            .ends_with("2 failed, 1 known, 1 passed, 1 not observed, 1 not applicable")
    );
    // With a file that stands for the server, the usual requirements hold.
    report.file = Some("server.py".to_owned());
    check_sarif(&written(&report, Format::Sarif, None));
    let github = written(&report, Format::Github, None);
    assert!(github.starts_with("::error file=server.py,line=1,title="));
}

#[test]
fn the_page_has_rows_and_a_timeline_that_know_of_each_other() {
    let report = report();
    let mut made = Timeline::new(report.context.clone());
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let message = br#"{"jsonrpc":"1.0","id":1,"result":{}}"#;
    let frame = Frame::new(message).direction(Direction::ServerToClient);
    let checked = validator.check(&mut session, frame);
    let remark = Remark {
        rule: "jsonrpc/parse-error-reply",
        level: Level::Error,
        message: HOSTILE,
        about: "Something is demanded.",
    };
    for (line, remarks) in [(1, &[remark][..]), (2, &[])] {
        let origin = Origin {
            source: "connection 1",
            line,
            ..Origin::default()
        };
        made.message(&origin, &checked, |_| line == 2, remarks);
    }
    let shown = written(&report, Format::Html, Some(made));
    let (_, rest) = shown.split_once("<header>").unwrap();
    let (header, _) = rest.split_once("<form").unwrap();
    assert_eq!(well_formed(header), Ok(()), "{header}");
    let rows = timeline(&shown);
    assert_eq!(well_formed(rows), Ok(()), "{rows}");
    assert_eq!(shown.matches("<script").count(), 1);
    // The evidence of a row leads to its message, and what steps found is at the message.
    let (_, anchor) = rows
        .split_once("<details class=\"m s2c error\" id=\"")
        .unwrap();
    let (anchor, _) = anchor.split_once('"').unwrap();
    assert!(
        header.contains(&format!("<a href=\"#{anchor}\">")),
        "{header}"
    );
    assert!(rows.contains("<a href=\"#rule/jsonrpc/parse-error-reply\">"));
    assert!(header.contains("<tr id=\"rule/jsonrpc/parse-error-reply\">"));
    // A violation that does not count is shown nowhere, one that does at its bytes.
    assert_eq!(
        rows.matches("<mark class=\"error\">\"1.0\"</mark>").count(),
        1
    );
}

#[test]
fn what_could_not_be_tested_is_an_error_in_every_document() {
    let report = ProbeReport {
        trouble: Some(format!("unreachable {HOSTILE}")),
        rows: Vec::new(),
        ..report()
    };
    let junit = written(&report, Format::Junit, None);
    assert_eq!(well_formed(&junit), Ok(()));
    assert!(
        junit.contains("tests=\"1\" skipped=\"0\" failures=\"0\" errors=\"1\">"),
        "{junit}"
    );
    let sarif: Value = serde_json::from_str(&written(&report, Format::Sarif, None)).unwrap();
    assert_eq!(
        sarif["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
    let github = written(&report, Format::Github, None);
    assert!(github.starts_with("::error title=mcp-assay::unreachable "));
    let html = written(&report, Format::Html, None);
    assert!(
        html.contains("<p class=\"note bad\">unreachable &lt;/script&gt;"),
        "{html}"
    );
}
