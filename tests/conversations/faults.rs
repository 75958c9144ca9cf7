//! Faults that are put into the correct dialogues, one at a time: each gives one violation, and nothing that follows from it.

use mcp_assay::Direction;
use mcp_assay_tests::Failures;

use super::conversations;

/// What takes the place of a message; `None` if it cannot have the fault.
type Fault = fn(&str, Direction) -> Option<Vec<String>>;

const FAULTS: &[(&str, Fault)] = &[
    ("another version of JSON-RPC", |text, _| {
        let rest = text.strip_prefix(HEAD)?;
        Some(vec![format!(r#"{{"jsonrpc":"1.0",{rest}"#)])
    }),
    ("an answer with an id of another type", |text, _| {
        let (id, rest) = answer(text)?;
        let other = match id.strip_prefix('"') {
            Some(_) => "4711".to_owned(),
            None => format!("\"{id}\""),
        };
        Some(vec![format!(r#"{HEAD}"id":{other},{rest}"#)])
    }),
    ("an answer with an unknown id", |text, _| {
        let (_, rest) = answer(text)?;
        Some(vec![format!(r#"{HEAD}"id":98765,{rest}"#)])
    }),
    ("an answer without an id", |text, _| {
        let (_, rest) = answer(text)?;
        Some(vec![format!("{HEAD}{rest}")])
    }),
    ("an answer with an id that is null", |text, _| {
        let (_, rest) = answer(text)?;
        Some(vec![format!(r#"{HEAD}"id":null,{rest}"#)])
    }),
    ("an answer that breaks off", |text, _| {
        answer(text)?;
        Some(vec![text.strip_suffix('}')?.to_owned()])
    }),
    ("a result that is an error, too", |text, _| {
        let (_, rest) = answer(text)?;
        let result = text
            .strip_suffix('}')
            .filter(|_| rest.starts_with(r#""result""#))?;
        let error = r#""error":{"code":-32603,"message":"Internal error"}"#;
        Some(vec![format!("{result},{error}}}")])
    }),
    ("a notification that breaks off", |text, _| {
        notification(text)?;
        Some(vec![text.strip_suffix('}')?.to_owned()])
    }),
    ("a notification that nobody knows", |text, _| {
        let rest = notification(text)?;
        Some(vec![format!("{NOTIFICATION}un{rest}")])
    }),
    ("a notification with an id", |text, _| {
        let rest = notification(text)?;
        let head = NOTIFICATION.strip_prefix(HEAD)?;
        Some(vec![format!(r#"{HEAD}"id":777,{head}{rest}"#)])
    }),
    ("a line of text on stdout", |text, direction| {
        let is_server = direction == Direction::ServerToClient;
        is_server.then(|| vec!["Server is running".to_owned(), text.to_owned()])
    }),
];

const HEAD: &str = r#"{"jsonrpc":"2.0","#;
const NOTIFICATION: &str = r#"{"jsonrpc":"2.0","method":"notifications/"#;

/// The id of an answer, and what stands behind it.
fn answer(text: &str) -> Option<(&str, &str)> {
    let (id, rest) = text
        .strip_prefix(HEAD)?
        .strip_prefix(r#""id":"#)?
        .split_once(',')?;
    let is_answer = rest.starts_with(r#""result""#) || rest.starts_with(r#""error""#);
    is_answer.then_some((id, rest))
}

/// What stands behind the beginning of a notification.
fn notification(text: &str) -> Option<&str> {
    text.strip_prefix(NOTIFICATION)
}

#[test]
fn one_fault_gives_one_violation() {
    let mut failures = Failures::default();
    let mut tried = 0;
    let correct = conversations()
        .into_iter()
        .filter(|conversation| conversation.dialogue.marks() == 0 && conversation.dialogue.stdio);
    for conversation in correct {
        let dialogue = &conversation.dialogue;
        for (what, fault) in FAULTS {
            for (text, faulty) in dialogue.with_fault(fault) {
                let outcome = faulty.run(dialogue.revision, None);
                let rules: Vec<_> = outcome.found.iter().map(|found| &found.rule).collect();
                tried += 1;
                if rules.len() != 1 {
                    failures.add(format!("{what}: {rules:?}"), || {
                        format!("{}\n{text}", conversation.name)
                    });
                }
            }
        }
    }
    assert!(tried > 1000, "only {tried} faults were tried");
    failures.finish();
}
