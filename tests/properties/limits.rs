//! A limit of the policy never changes what is found, except that less may be found: state beyond
//! it is reported once, and nothing is concluded from its absence.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Limits, Policy, Session, Validator, rules};
use mcp_assay_testkit::Failures;
use mcp_assay_testkit::growth::growths;
use mcp_assay_testkit::traffic::Runner;

/// The place of a limit in the policy.
type Limit = fn(&mut Limits) -> &mut usize;

/// The limits of a session, by name.
const SESSION_LIMITS: [(&str, Limit); 10] = [
    ("open_requests", |limits| &mut limits.open_requests),
    ("ids", |limits| &mut limits.ids),
    ("progress_tokens", |limits| &mut limits.progress_tokens),
    ("cursors", |limits| &mut limits.cursors),
    ("listed", |limits| &mut limits.listed),
    ("subscriptions", |limits| &mut limits.subscriptions),
    ("tasks", |limits| &mut limits.tasks),
    ("elicitations", |limits| &mut limits.elicitations),
    ("streams", |limits| &mut limits.streams),
    ("texts", |limits| &mut limits.texts),
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

/// A session over stdio that has shaken hands.
struct Talk {
    validator: Validator,
    session: Session,
    time: Duration,
}

const CLIENT: Direction = Direction::ClientToServer;
const SERVER: Direction = Direction::ServerToClient;

impl Talk {
    fn open(revision: &str) -> Self {
        let mut talk = Self {
            validator: Validator::default(),
            session: Session::new(),
            time: Duration::ZERO,
        };
        let initialize = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        );
        let initialized = format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{revision}","capabilities":{{"resources":{{"subscribe":true}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
        );
        let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(talk.check(CLIENT, &initialize), [""; 0]);
        assert_eq!(talk.check(SERVER, &initialized), [""; 0]);
        assert_eq!(talk.check(CLIENT, ready), [""; 0]);
        talk
    }

    /// The rules that a line violates.
    fn check(&mut self, direction: Direction, line: &str) -> Vec<&'static str> {
        self.time += Duration::from_millis(20);
        let frame = Frame::new(line.as_bytes()).carrier(Carrier::Stdio);
        let frame = frame.direction(direction).time(self.time);
        let checked = self.validator.check(&mut self.session, frame);
        let found = checked.violations().iter();
        found.map(|violation| violation.rule.name).collect()
    }
}

/// The rules that a late cancellation of the first request violates, after that many others.
fn rules_of_late_cancellation(between: u32) -> Vec<&'static str> {
    let mut talk = Talk::open("2025-06-18");
    for id in 1..=between + 100 {
        let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        assert_eq!(talk.check(CLIENT, &request), [""; 0]);
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        assert_eq!(talk.check(SERVER, &answer), [""; 0]);
    }
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    talk.check(CLIENT, cancel)
}

#[test]
fn a_late_cancellation_is_reported_after_any_number_of_other_answers() {
    for between in [0, 20, 40, 1000] {
        let found = rules_of_late_cancellation(between);
        assert_eq!(found, ["cancel/in-flight"], "{between}");
    }
}

#[test]
fn resources_are_told_apart_however_long_their_uris_are() {
    for length in [10, 4096, 10_000] {
        let mut talk = Talk::open("2025-06-18");
        let uri = format!("file:///{}", "a".repeat(length));
        let subscribe = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{{"uri":"{uri}1"}}}}"#
        );
        assert_eq!(talk.check(CLIENT, &subscribe), [""; 0]);
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        assert_eq!(talk.check(SERVER, answer), [""; 0]);
        let updated = |last: u32| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{{"uri":"{uri}{last}"}}}}"#
            )
        };
        assert_eq!(talk.check(SERVER, &updated(1)), [""; 0], "{length}");
        let rule = "resources/updated-only-if-subscribed";
        assert_eq!(talk.check(SERVER, &updated(2)), [rule], "{length}");
    }
}

#[test]
fn every_message_on_one_line_is_tracked() {
    for count in [2, 64, 65, 300] {
        let mut talk = Talk::open("2025-06-18");
        let ids = (1..=count).map(|id| format!(r#""{}{id}""#, "i".repeat(600)));
        let ids: Vec<String> = ids.collect();
        let requests = ids
            .iter()
            .map(|id| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
        let line = requests.collect::<Vec<_>>().join(" ");
        assert_eq!(talk.check(CLIENT, &line), ["framing/newline-delimited"]);
        for id in ids {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
            assert_eq!(talk.check(SERVER, &answer), [""; 0], "{count}");
        }
        let stray = r#"{"jsonrpc":"2.0","id":"other","result":{}}"#;
        assert_eq!(talk.check(SERVER, stray), ["response/id-known"], "{count}");
    }
}

#[test]
fn a_batch_that_is_cut_off_may_have_had_any_number_of_requests() {
    let mut talk = Talk::open("2025-03-26");
    let cut = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id"#;
    assert_eq!(talk.check(CLIENT, cut), ["json/well-formed"]);
    for id in 1..=100 {
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        assert_eq!(talk.check(SERVER, &answer), [""; 0], "{id}");
    }
}

/// The rules that lines violate under limits, in a session without a handshake.
fn rules_under(limits: Limits, lines: &[(Direction, &str)]) -> Vec<&'static str> {
    let mut policy = Policy::default();
    policy.limits = limits;
    let (mut validator, mut session) = (Validator::new(policy), Session::new());
    let mut found = Vec::new();
    for (direction, line) in lines {
        let frame = Frame::new(line.as_bytes()).carrier(Carrier::Stdio);
        let checked = validator.check(&mut session, frame.direction(*direction));
        found.extend(
            checked
                .violations()
                .iter()
                .map(|violation| violation.rule.name),
        );
    }
    found
}

#[test]
fn a_filter_above_the_limit_is_reported_once() {
    const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
    let listen = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{"resourceSubscriptions":["file:///a","file:///b","file:///c"]}},{META}}}}}"#
        )
    };
    let (first, second) = (listen(1), listen(2));
    let lines = [(CLIENT, &*first), (CLIENT, &*second)];
    let found = rules_under(Limits::DEFAULT, &lines);
    assert!(!found.contains(&"session/memory-limit"), "{found:?}");
    let mut limits = Limits::DEFAULT;
    limits.subscriptions = 2;
    let found = rules_under(limits, &lines);
    let reports = found.iter().filter(|rule| **rule == "session/memory-limit");
    assert_eq!(reports.count(), 1, "{found:?}");
}

#[test]
fn a_version_above_the_limit_is_reported_once() {
    let long = "2026-07-28-".repeat(30);
    let request = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{long}","io.modelcontextprotocol/clientInfo":{{"name":"c","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        )
    };
    let (first, second) = (request(1), request(2));
    // The version is tracked, whatever its length, up to the limit.
    let refused = format!(
        r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32022,"message":"m","data":{{"supported":["2026-07-28"],"requested":"{long}x"}}}}}}"#
    );
    let lines = [(CLIENT, &*first), (SERVER, &*refused), (CLIENT, &*second)];
    let found = rules_under(Limits::DEFAULT, &lines);
    assert!(
        found.contains(&"version/unsupported-error-consistent"),
        "{found:?}"
    );
    let mut limits = Limits::DEFAULT;
    limits.texts = 256;
    let found = rules_under(limits, &lines);
    let reports = found.iter().filter(|rule| **rule == "session/memory-limit");
    assert_eq!(reports.count(), 1, "{found:?}");
}
