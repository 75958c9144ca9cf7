//! A limit of the policy never changes what is found, except that less may be found: state beyond
//! it is reported once, and nothing is concluded from its absence.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Limits, Session, Validator, rules};
use mcp_assay_testkit::Failures;
use mcp_assay_testkit::growth::growths;
use mcp_assay_testkit::traffic::Runner;

/// The place of a limit in the policy.
type Limit = fn(&mut Limits) -> &mut usize;

/// The limits of a session, by name.
const SESSION_LIMITS: [(&str, Limit); 9] = [
    ("open_requests", |limits| &mut limits.open_requests),
    ("ids", |limits| &mut limits.ids),
    ("progress_tokens", |limits| &mut limits.progress_tokens),
    ("cursors", |limits| &mut limits.cursors),
    ("listed", |limits| &mut limits.listed),
    ("subscriptions", |limits| &mut limits.subscriptions),
    ("tasks", |limits| &mut limits.tasks),
    ("elicitations", |limits| &mut limits.elicitations),
    ("streams", |limits| &mut limits.streams),
];

/// The rules that report limits of a session.
const LIMIT_RULES: [&str; 2] = ["session/memory-limit", "session/open-requests-limit"];

#[test]
fn one_past_each_limit_nothing_is_found_but_the_limit_once() {
    for rule in LIMIT_RULES {
        assert!(rules::find(rule).is_some(), "{rule}");
    }
    let growths = growths();
    let mut failures = Failures::default();
    let mut usual = Runner::new();
    let mut reached = BTreeMap::new();
    for growth in growths.iter().filter(|growth| growth.repeats_messages()) {
        let records = growth.grown(2);
        let expected = usual.run(growth.revision, &records);
        // Faulty traffic may have other consequences.
        if !expected.is_empty() {
            continue;
        }
        for (limit, place) in SESSION_LIMITS {
            for count in [1, 2] {
                let mut limits = Limits::DEFAULT;
                *place(&mut limits) = count;
                let mut texts = BTreeMap::new();
                let mut wrong = Vec::new();
                let mut limited = Runner::with_limits(limits);
                let endings = limited.run_each(growth.revision, &records, |at, checked| {
                    for violation in checked.violations() {
                        let text = checked.message(violation);
                        if LIMIT_RULES.contains(&violation.rule.name) {
                            let party = checked.direction();
                            *texts.entry((text, format!("{party:?}"))).or_insert(0) += 1;
                        } else {
                            wrong.push(format!("{at} {}: {text}", violation.rule.name));
                        }
                    }
                });
                wrong.extend(
                    endings
                        .iter()
                        .map(|ending| format!("end {}", ending.rule.name)),
                );
                for ((text, _), times) in &texts {
                    if *times > 1 {
                        wrong.push(format!("{times} times: {text}"));
                    }
                }
                if !texts.is_empty() {
                    *reached.entry(limit).or_insert(0) += 1;
                }
                if !wrong.is_empty() {
                    failures.add(format!("{limit} {}", wrong[0]), || {
                        format!("{limit} = {count}: {}: {wrong:?}", growth.name)
                    });
                }
            }
        }
    }
    for (limit, _) in SESSION_LIMITS {
        assert!(
            reached.contains_key(limit),
            "nothing reaches {limit}: {reached:?}"
        );
    }
    failures.finish();
}

/// The rules that a late cancellation of the first request violates, after that many others.
fn rules_of_late_cancellation(between: u32) -> Vec<&'static str> {
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let mut time = Duration::ZERO;
    let mut check = |direction: Direction, message: String| {
        time += Duration::from_millis(20);
        let frame = Frame::new(message.as_bytes()).carrier(Carrier::Stdio);
        let checked = validator.check(&mut session, frame.direction(direction).time(time));
        let found = checked.violations().iter();
        let names = found.map(|violation| violation.rule.name);
        names.collect::<Vec<&'static str>>()
    };
    let (client, server) = (Direction::ClientToServer, Direction::ServerToClient);
    let opening = [
        (
            client,
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        ),
        (
            server,
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#,
        ),
        (
            client,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        ),
    ];
    let mut early: Vec<&str> = Vec::new();
    for (direction, message) in opening {
        early.extend(check(direction, message.to_owned()));
    }
    for id in 1..=between + 100 {
        let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        early.extend(check(client, request));
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        early.extend(check(server, answer));
    }
    assert_eq!(early, [""; 0]);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    check(client, cancel.to_owned())
}

#[test]
fn a_late_cancellation_is_reported_after_any_number_of_other_answers() {
    for between in [0, 20, 40, 1000] {
        let found = rules_of_late_cancellation(between);
        assert_eq!(found, ["cancel/in-flight"], "{between}");
    }
}
