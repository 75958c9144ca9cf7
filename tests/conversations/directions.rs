//! Dialogues of which only the messages are known: a line that is a message does not say who sent
//! it.

use std::collections::BTreeSet;
use std::time::Duration;

use mcp_assay::{Direction, Frame, Level, Policy, Revision, Session, Validator};
use mcp_assay_testkit::traffic::Record;

use super::{Conversation, conversations};

/// The senders that a check is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Senders {
    Named,
    Unknown,
}

/// Whether messages have their times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    Kept,
    Unknown,
}

/// An error at a position.
type Fault = (u64, &'static str);

/// Dropping a fact must not turn a correct party into a faulty one, whether the traffic shows its
/// revision or the user names it.
#[test]
fn no_error_appears_because_the_sender_is_not_known() {
    let (mut wrong, mut correct) = (Vec::new(), 0);
    for Conversation { name, dialogue } in conversations() {
        let records = dialogue.records();
        for revision in [None, Some(dialogue.revision)] {
            let with = errors(&records, revision, Senders::Named, Times::Kept);
            // A line that is no message is reported in other words if nobody knows who wrote it.
            if with.iter().any(|(_, rule)| rule.starts_with("framing/")) {
                continue;
            }
            correct += usize::from(with.is_empty());
            for times in [Times::Kept, Times::Unknown] {
                let without = errors(&records, revision, Senders::Unknown, times);
                let new: Vec<_> = without.difference(&with).collect();
                if !new.is_empty() {
                    wrong.push(format!("{name} ({revision:?}): {new:?} beside {with:?}"));
                }
            }
        }
    }
    assert!(correct > 100, "{correct} dialogues are correct");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An answer that neither party can have asked for is wrong, whoever sent it.
#[test]
fn an_answer_to_nobody_needs_no_sender() {
    let opening = [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ];
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let called = r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#;
    let cases: [(&[&str], &[&str]); 4] = [
        (&[call, called], &["response/id-known"]),
        // A request of this id may be in what cannot be read, or of a sender that is not known.
        (&[call, "{\"jsonrpc\":", called], &["json/well-formed"]),
        (&[ping, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#], &[]),
        // It may answer the notification, which is another fault.
        (&[called], &[]),
    ];
    for (lines, expected) in cases {
        let (mut validator, mut session) = (Validator::default(), Session::new());
        let mut found = Vec::new();
        for line in opening.iter().chain(lines) {
            let checked = validator.check(&mut session, Frame::new(line.as_bytes()));
            for violation in checked.violations() {
                assert_eq!(checked.direction(), None, "{line}");
                found.push(violation.rule.name);
            }
        }
        assert_eq!(found, expected, "{lines:?}");
    }
}

/// A reference to something of one party alone shows the sender; one that both may mean does not.
#[test]
fn a_message_that_refers_to_one_party_alone_shows_its_sender() {
    let opening = [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{},"roots":{}},"clientInfo":{"name":"c","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ];
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"progressToken":"p"}}}"#;
    let roots = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"_meta":{"progressToken":"p"}}}"#;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}"#;
    let listed = r#"{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}"#;
    let called = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
    let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}"#;
    let cases: [(&[&str], &str, &str); 13] = [
        (&[call], cancelled, "c2s"),
        (&[roots], cancelled, "s2c"),
        (&[call, roots], cancelled, "?"),
        (&[ping], cancelled, "?"),
        (&[], cancelled, "?"),
        (&[call], progress, "s2c"),
        (&[roots], progress, "c2s"),
        (&[call, roots], progress, "?"),
        (&[call], refused, "s2c"),
        (&[call, roots], called, "s2c"),
        (&[call, roots], listed, "c2s"),
        (&[call, roots], refused, "?"),
        (&[ping], refused, "?"),
    ];
    let mut validator = Validator::new(Policy::default());
    for (earlier, last, expected) in cases {
        let mut session = Session::new();
        let mut shown = "?";
        for message in opening.iter().chain(earlier).chain([&last]) {
            let checked = validator.check(&mut session, Frame::new(message.as_bytes()));
            assert!(checked.violations().is_empty(), "{message}");
            shown = checked.direction().map_or("?", Direction::name);
        }
        assert_eq!(shown, expected, "{last} after {earlier:?}");
        // These leave nothing that is certainly unanswered.
        let may_end = last == cancelled || last == refused;
        let is_quiet = !may_end || validator.end(&session).is_empty();
        assert!(is_quiet, "{last} after {earlier:?}");
    }
    // Without the beginning another request may have the same id.
    let mut session = Session::new();
    validator.check(&mut session, Frame::new(call.as_bytes()));
    let checked = validator.check(&mut session, Frame::new(cancelled.as_bytes()));
    assert_eq!(checked.direction(), None);
}

/// The errors in messages of which nothing is known but their bytes, and perhaps their senders.
fn errors(
    records: &[Record],
    revision: Option<Revision>,
    senders: Senders,
    times: Times,
) -> BTreeSet<Fault> {
    let mut policy = Policy::default();
    policy.revision = revision;
    let mut validator = Validator::new(policy);
    let mut session = Session::new();
    let mut found = BTreeSet::new();
    let messages = records.iter().filter(|record| !record.bytes.is_empty());
    for (at, record) in (0..).zip(messages) {
        let mut frame = Frame::new(&record.bytes).at(at);
        if senders == Senders::Named {
            frame = frame.direction(record.direction);
        }
        if times == Times::Kept {
            frame = frame.time(Duration::from_secs_f64(record.time));
        }
        let checked = validator.check(&mut session, frame);
        let errors = checked.violations().iter();
        let errors = errors.filter(|violation| checked.level(violation) == Level::Error);
        found.extend(errors.map(|violation| (at, violation.rule.name)));
    }
    let endings = validator.end(&session).into_iter();
    let errors = endings.filter(|ending| ending.level == Level::Error);
    found.extend(errors.map(|ending| (ending.at, ending.rule.name)));
    found
}
