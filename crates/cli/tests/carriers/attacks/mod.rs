//! One table of attacks for every carrier: in `enforce` no receiver, however lenient, understands
//! what was not judged; in `shadow` everything goes on byte for byte, and is reported.

mod bodies;
mod events;
mod gateway;
mod layer;
mod lenient;
mod names;
mod raw;
mod streams;
mod table;
mod wrap;

use std::fmt::Write as _;

use mcp_assay_live::guard::Mode;
use mcp_assay_testkit::http::sound;

use self::lenient::Received;
use self::table::{Attack, Over};
use crate::table::Sender;

/// The result of an attack on a carrier.
#[derive(Debug, Default)]
struct Outcome {
    /// Everything that came to the other side of the attacker after the handshake.
    received: Vec<Received>,
    /// The violations that were reported.
    report: String,
}

/// A carrier by its name, and whether it carries lines.
type Carrier = (&'static str, Over, fn(&Attack, Mode) -> Outcome);

const CARRIERS: [Carrier; 4] = [
    ("wrap", Over::Lines, wrap::run),
    ("gateway", Over::Http, gateway::run),
    ("tower", Over::Http, layer::run),
    ("tokio", Over::Lines, streams::run),
];

#[test]
fn nothing_passes_enforce_that_a_lenient_receiver_would_understand() {
    each(|run, attack| {
        let outcome = run(attack, Mode::Enforce);
        let understood = |word| {
            let mut received = outcome.received.iter();
            received.any(|received| lenient::understands(received, word))
        };
        if understood("evil") {
            return Err(("it passes".to_owned(), outcome));
        }
        // The other side still gets the answer to a good request, or the good request.
        if !understood("good") {
            return Err(("what is good does not pass".to_owned(), outcome));
        }
        Ok(())
    });
}

#[test]
fn everything_passes_shadow_byte_for_byte() {
    each(|run, attack| {
        let outcome = run(attack, Mode::Shadow);
        let is_same = |received: &Received| match attack.over {
            Over::Http => received.body == attack.bytes,
            _ => received
                .body
                .windows(attack.bytes.len())
                .any(|part| part == attack.bytes),
        };
        if !outcome.received.iter().any(is_same) {
            return Err(("it does not pass as it is".to_owned(), outcome));
        }
        if let Some(rule) = attack.rule
            && !outcome.report.contains(rule)
        {
            return Err((format!("{rule} is not reported"), outcome));
        }
        // The attack works: without it this table would prove nothing.
        let mut received = outcome.received.iter();
        if !received.any(|received| lenient::understands(received, "evil")) {
            return Err(("nobody understands it".to_owned(), outcome));
        }
        Ok(())
    });
}

/// Runs each attack on the carriers that can carry it, and shows all that fail.
fn each(check: impl Fn(fn(&Attack, Mode) -> Outcome, &Attack) -> Result<(), (String, Outcome)>) {
    let mut failures = String::new();
    for attack in table::attacks() {
        for (carrier, over, run) in CARRIERS {
            if (attack.over == Over::Both || attack.over == over)
                && let Err((why, outcome)) = check(run, &attack)
            {
                let name = attack.name;
                writeln!(failures, "{carrier}: {name}: {why}\n{outcome:?}\n").unwrap();
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// A request of the client, and the answer to it, that pass in every session.
const GOOD: &str = r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"good"}}"#;
const GOOD_RESULT: &str =
    r#"{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"good"}]}}"#;

/// The message of the client that brings the attack about.
fn provocation(attack: &Attack) -> &[u8] {
    match attack.sender {
        Sender::Client => &attack.bytes,
        Sender::Server => sound::LIST.as_bytes(),
    }
}

/// The answer of a server to a message, if it is not the attack.
fn answer(message: &str) -> Option<String> {
    let has = |part: &str| message.contains(part);
    if has("\"initialize\"") {
        Some(sound::INITIALIZE_RESULT.to_owned())
    } else if has("\"good\"") {
        Some(GOOD_RESULT.to_owned())
    } else {
        None
    }
}
