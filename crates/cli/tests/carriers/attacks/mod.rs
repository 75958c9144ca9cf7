//! One table of attacks for every carrier: in `enforce` no receiver, however lenient, understands
//! what was not judged; in `shadow` everything goes on byte for byte, and is reported.

mod gateway;
mod layer;
mod lenient;
mod streams;
mod table;
mod wrap;

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
    each(|carrier, run, attack| {
        let outcome = run(attack, Mode::Enforce);
        for received in &outcome.received {
            let evil = lenient::understands(received, "evil");
            assert!(!evil, "{carrier}: {}: {outcome:#?}", attack.name);
        }
        // The other side still gets the answer to a good request, or the good request.
        let good = outcome.received.iter();
        let mut good = good.filter(|received| lenient::understands(received, "good"));
        assert!(
            good.next().is_some(),
            "{carrier}: {}: {outcome:#?}",
            attack.name
        );
    });
}

#[test]
fn everything_passes_shadow_byte_for_byte() {
    each(|carrier, run, attack| {
        let outcome = run(attack, Mode::Shadow);
        let is_same = |received: &Received| match attack.over {
            Over::Http => received.body == attack.bytes,
            _ => received
                .body
                .windows(attack.bytes.len())
                .any(|part| part == attack.bytes),
        };
        let context = format!("{carrier}: {}: {outcome:#?}", attack.name);
        assert!(outcome.received.iter().any(is_same), "{context}");
        if let Some(rule) = attack.rule {
            assert!(outcome.report.contains(rule), "{rule}: {context}");
        }
        // The attack works: without it this table would prove nothing.
        let mut received = outcome.received.iter();
        assert!(
            received.any(|received| lenient::understands(received, "evil")),
            "{context}"
        );
    });
}

/// Runs each attack on the carriers that can carry it.
fn each(check: impl Fn(&str, fn(&Attack, Mode) -> Outcome, &Attack)) {
    for attack in table::attacks() {
        for (carrier, over, run) in CARRIERS {
            if attack.over == Over::Both || attack.over == over {
                check(carrier, run, &attack);
            }
        }
    }
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
