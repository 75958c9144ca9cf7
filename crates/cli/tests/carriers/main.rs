//! One table of messages for every carrier: `wrap`, `gateway`, the tower layer and the stream
//! adapter refuse each of them alike.
#![cfg(unix)]

mod attacks;
mod counters;
mod docs;
mod gateway;
mod layer;
#[path = "../gateway/process.rs"]
#[expect(dead_code, reason = "the tests of the gateway use more of it")]
mod process;
mod streams;
mod table;
mod wrap;

use std::path::Path;

use mcp_assay::rules::inline;
use mcp_assay::{
    Direction, Frame, Headers, Http, Layer, Level, Part, Policy, RefusalStatus, Revision, Session,
    Validator,
};
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_live::guard::Judged;
use mcp_assay_testkit::failing;
use mcp_assay_testkit::http::{client, sound};
use serde_json::Value;

use self::counters::Numbers;
use self::table::{Answer, Case, Sender};

/// The result of a case on a carrier.
#[derive(Debug)]
struct Outcome {
    /// The text that the client gets, unless it gets nothing.
    answer: Option<String>,
    status: Option<u16>,
    /// The errors that were logged.
    log: Vec<String>,
    /// The numbers that the program wrote; libraries count elsewhere.
    numbers: Numbers,
    /// Whether the message came through as it was.
    reached: bool,
}

/// The id of the session over HTTP, which nobody can guess.
const SESSION: &str = "6f1c9d52-8a41-4c0e-9b7e-2f3d5a7c8e10";

/// A carrier by its name.
type Carrier = (&'static str, fn(&Case, RefusalStatus) -> Outcome);

const CARRIERS: [Carrier; 4] = [
    ("wrap", wrap::run),
    ("gateway", gateway::run),
    ("tower", layer::run),
    ("tokio", streams::run),
];

#[test]
fn every_carrier_refuses_alike() {
    for case in table::cases() {
        let outcomes = CARRIERS.map(|(name, run)| (name, run(&case, RefusalStatus::Protocol)));
        for (carrier, outcome) in &outcomes {
            check(carrier, &case, outcome);
            check_refusal(carrier, &case, outcome);
        }
        let (_, first) = &outcomes[0];
        for (carrier, outcome) in &outcomes {
            assert_eq!(outcome.log, first.log, "{carrier}: {}", case.name);
            // A carrier with a status may say more than one without.
            let (_, alike) = outcomes
                .iter()
                .find(|(_, other)| other.status == outcome.status)
                .expect("at least itself");
            assert_eq!(outcome.answer, alike.answer, "{carrier}: {}", case.name);
        }
    }
}

#[test]
fn the_canonical_status_is_that_of_the_table() {
    for case in table::cases() {
        let over_http: [Carrier; 2] = [("gateway", gateway::run), ("tower", layer::run)];
        for (carrier, run) in over_http {
            let outcome = run(&case, RefusalStatus::Canonical);
            let context = format!("{carrier}: {}: {outcome:#?}", case.name);
            let expected = case.canonical.to_http_status();
            assert_eq!(outcome.status, Some(expected), "{context}");
            assert!(!outcome.reached, "{context}");
            let usual = layer::run(&case, RefusalStatus::Protocol);
            assert_eq!(outcome.answer, usual.answer, "{context}");
        }
    }
}

#[test]
fn a_message_whose_check_fails_is_refused_alike() {
    let case = Case {
        name: "a check that fails",
        revision: "2025-06-18",
        sender: Sender::Client,
        message: failing::MESSAGE.to_owned(),
        canonical: CanonicalError::InternalError,
        code: -32603,
        rule: None,
        answer: Answer::Id("\"d\""),
        status: failing::STATUS,
    };
    let protocol = RefusalStatus::Protocol;
    for (carrier, outcome) in [
        ("tower", layer::run(&case, protocol)),
        ("tokio", streams::run(&case, protocol)),
    ] {
        check(carrier, &case, &outcome);
        assert_eq!(
            outcome.answer.as_deref(),
            Some(failing::REFUSAL),
            "{carrier}"
        );
    }
}

/// Compares the outcome with the table.
fn check(carrier: &str, case: &Case, outcome: &Outcome) {
    let context = format!("{carrier}: {}: {outcome:#?}", case.name);
    assert!(!outcome.reached, "{context}");
    let is_http = outcome.status.is_some();
    assert!(
        outcome.status.is_none_or(|status| status == case.status),
        "{context}"
    );
    let ids: Option<Vec<Option<&str>>> = match case.answer {
        Answer::Id(id) => Some(vec![Some(id)]),
        // Errors of earlier revisions must have an id.
        Answer::WithoutId if case.revision < "2025-11-25" => Some(vec![Some("null")]),
        Answer::WithoutId => Some(vec![None]),
        Answer::Batch(ids) => Some(ids.iter().copied().map(Some).collect()),
        Answer::Dropped => is_http.then(|| vec![None]),
        Answer::Unattributed => is_http.then(|| vec![Some("2")]),
    };
    let answer: Option<Value> = outcome
        .answer
        .as_ref()
        .map(|text| serde_json::from_str(text).unwrap_or_else(|_| panic!("{context}")));
    let errors = match &answer {
        Some(Value::Array(errors)) => Some(errors.clone()),
        Some(error) => Some(vec![error.clone()]),
        None => None,
    };
    let found: Option<Vec<Option<String>>> = errors.as_ref().map(|errors| {
        let id = |error: &Value| error.get("id").map(Value::to_string);
        errors.iter().map(id).collect()
    });
    let found = found
        .as_ref()
        .map(|ids| ids.iter().map(Option::as_deref).collect());
    assert_eq!(found, ids, "{context}");
    for error in errors.iter().flatten() {
        check_row(case, &error["error"], &context);
        assert_eq!(error["error"]["code"], case.code, "{context}");
        if case.answer != Answer::Unattributed {
            assert_eq!(
                error["error"]["data"]["rule"].as_str(),
                case.rule,
                "{context}"
            );
        }
    }
    let expected = case.rule.map_or("the check failed".to_owned(), |rule| {
        format!("error[{rule}]")
    });
    assert!(
        outcome.log.iter().any(|line| line.contains(&expected)),
        "{context}"
    );
}

/// Compares an error object with its row of the canonical table.
fn check_row(case: &Case, error: &Value, context: &str) {
    let (row, data) = (case.canonical, &error["data"]);
    assert_eq!(data["canonical"], row.name(), "{context}");
    assert_eq!(data["httpStatus"], row.to_http_status(), "{context}");
    assert_eq!(data["retryable"], row.is_retryable(), "{context}");
    let revision = Revision::from_bytes(case.revision.as_bytes()).unwrap();
    // The protocol has words of its own for what is wrong with a request.
    let of_protocol: &[i64] = match row {
        CanonicalError::InvalidInput => &[-32700, -32600, -32602],
        CanonicalError::NotFound => &[-32601],
        _ => &[],
    };
    let code = error["code"].as_i64().unwrap();
    assert!(
        code == i64::from(row.code(revision)) || of_protocol.contains(&code),
        "{context}"
    );
    let expected = CanonicalError::of_code(code, revision);
    assert_eq!(expected, row, "{context}");
}

/// Lets a client that saw everything check the refusal: it must find nothing wrong with it.
fn check_refusal(carrier: &str, case: &Case, outcome: &Outcome) {
    let Some(answer) = &outcome.answer else {
        return;
    };
    let mut policy = Policy::default();
    policy.layers = Layer::ALL
        .into_iter()
        .filter(|layer| *layer != Layer::Http)
        .collect();
    let (mut validator, mut session) = (Validator::new(policy), Session::new());
    for (direction, text) in [
        (Direction::ClientToServer, initialize(case.revision)),
        (Direction::ServerToClient, welcome(case.revision)),
        (Direction::ClientToServer, sound::INITIALIZED.to_owned()),
        (Direction::ClientToServer, provocation(case).to_owned()),
    ] {
        validator.check(
            &mut session,
            Frame::new(text.as_bytes()).direction(direction),
        );
    }
    let http = outcome.status.map(|status| {
        let headers = Headers(&[("content-type", "application/json")]);
        let streamed = false;
        Http::new(
            Some(4),
            Part::Response {
                status,
                headers,
                streamed,
            },
        )
    });
    let frame = match &http {
        Some(http) => Frame::over_http(answer.as_bytes(), http),
        None => Frame::new(answer.as_bytes()),
    };
    let checked = validator.check(&mut session, frame.direction(Direction::ServerToClient));
    let rules: Vec<_> = checked
        .violations()
        .iter()
        // Up to 2025-06-18 an id that could not be read is null, of which there is a note.
        .filter(|violation| {
            *violation.rule != inline::ERROR_ID_NOT_NULL || checked.level(violation) != Level::Note
        })
        .map(|violation| violation.rule.name)
        .collect();
    assert!(
        rules.is_empty(),
        "{carrier}: {}: {rules:?}: {answer}",
        case.name
    );
}

/// The errors in a report of the program, in the words of [`Judged::in_words`].
fn logged_in(report: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(report).unwrap();
    let mut lines = Vec::new();
    for line in text.lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let violations = message["violations"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let is_error = |one: &&Value| {
            // The program also reports what is missing at the end of a session.
            one["level"] == "error" && one["rule"] != "response/every-request"
        };
        for violation in violations.iter().filter(is_error) {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let mut shown = format!("{} {}", text(&message["dir"]), text(&message["kind"]));
            for (before, value) in [(" ", &message["method"]), (": error[", &violation["rule"])] {
                if value.is_string() {
                    shown.push_str(before);
                    shown.push_str(&text(value));
                }
            }
            shown.push(']');
            if violation["pointer"]
                .as_str()
                .is_some_and(|pointer| !pointer.is_empty())
            {
                shown.push_str(" at ");
                shown.push_str(&text(&violation["pointer"]));
            }
            shown.push_str(": ");
            shown.push_str(&text(&violation["message"]));
            lines.push(shown);
        }
    }
    lines
}

/// The errors of a message as a reporter gets them, without what became of it.
fn logged(judged: &Judged<'_>) -> Vec<String> {
    let lines = judged.in_words();
    lines
        .filter(|line| line.contains(": error[") || line.contains("the check failed"))
        .map(|line| {
            let fates = [" (refused)", " (replaced)", " (dropped)"];
            let fate = fates.into_iter().find(|fate| line.ends_with(fate));
            line.strip_suffix(fate.unwrap_or_default())
                .unwrap_or(&line)
                .to_owned()
        })
        .collect()
}

fn initialize(revision: &str) -> String {
    sound::INITIALIZE.replace("2025-06-18", revision)
}

fn welcome(revision: &str) -> String {
    sound::INITIALIZE_RESULT.replace("2025-06-18", revision)
}

/// The answer of the server of every carrier.
fn server_answer(case: &Case, body: &str) -> Option<String> {
    let has = |part: &str| body.contains(part);
    if has("\"initialize\"") {
        Some(welcome(case.revision))
    } else if has("\"tools/list\"") && case.sender == Sender::Server {
        Some(case.message.clone())
    } else if has("\"ping\"") {
        Some(sound::PONG.to_owned())
    } else {
        None
    }
}

/// The message of the client that shows the fault.
fn provocation(case: &Case) -> &str {
    match case.sender {
        Sender::Client => &case.message,
        Sender::Server => sound::LIST,
    }
}
