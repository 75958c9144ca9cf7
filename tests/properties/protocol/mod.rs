//! The one-call functions and the builders say what the validator says.

mod built;
mod names;
mod parts;
mod profile;
mod questions;
mod tools;
mod whole;

use mcp_assay::invent::Invented;
use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{
    Direction, Frame, LayerSet, Limits, MessageKind, Policy, Revision, Session, Validator, Verdict,
};
use mcp_assay_contract::protocol::Protocol;
use mcp_assay_testkit::cases;

#[test]
fn the_functions_and_the_builders_agree_with_the_validator() {
    let mut policy = Policy::default();
    policy.layers = LayerSet::MESSAGE;
    let mut validator = Validator::default();
    let mut of_messages = Validator::new(policy);
    let (mut in_parts, mut built, mut batched) = (0, 0, 0);
    for revision in Revision::ALL {
        let mut protocols = Protocols::new(revision);
        for (position, case) in cases(revision, 200).enumerate() {
            let protocol = protocols.of(&case);
            in_parts += usize::from(parts::agree(&case, &mut validator, protocol));
            batched += usize::from(whole::batch(&case, &mut validator, protocol));
            // All of it takes long, and each third message has all kinds of faults, too.
            match position % 3 {
                0 => whole::message(&case, &mut validator, protocol),
                1 => whole::jsonrpc(&case, &mut of_messages, protocol),
                _ => built += usize::from(built::agree(&case, &mut validator, protocol)),
            }
        }
    }
    let seen = [in_parts, built, batched];
    assert!(
        in_parts > 10_000 && built > 1000 && batched > 20,
        "{seen:?}"
    );
}

/// The functions, for messages of either party.
struct Protocols([Protocol; 2]);

impl Protocols {
    fn new(revision: Revision) -> Self {
        let from = |direction| Protocol::new().revision(revision).direction(direction);
        Self([Direction::ClientToServer, Direction::ServerToClient].map(from))
    }

    fn of(&mut self, case: &Invented) -> &mut Protocol {
        &mut self.0[usize::from(case.direction == Direction::ServerToClient)]
    }
}

/// Whether the validator finds an error in a frame.
fn blocks(validator: &mut Validator, frame: Frame<'_>) -> bool {
    validator.check(&mut Session::new(), frame).verdict() == Verdict::Block
}

/// The parts of a message whose envelope nobody touched.
struct Parts {
    id: Option<String>,
    method: String,
    /// The value of `params`, `result` or `error`.
    body: Option<String>,
}

fn parts_of(case: &Invented) -> Option<Parts> {
    let place = case.fault.as_ref().map_or("/params", |fault| &fault.place);
    let intact = ["/params", "/result", "/error", "/method"]
        .into_iter()
        .any(|part| place == part || place.starts_with(&format!("{part}/")));
    if !intact || case.kind == MessageKind::Batch {
        return None;
    }
    let mut tape = Tape::new();
    scan(&case.bytes, &Limits::DEFAULT.for_scan(), &mut tape).ok()?;
    let root = tape.root(&case.bytes)?;
    let own = match case.kind {
        MessageKind::Response => "result",
        MessageKind::Error => "error",
        _ => "params",
    };
    let mut others = ["params", "result", "error"].into_iter();
    if others.any(|name| name != own && root.get(name).is_some()) {
        return None;
    }
    let text = |node: Node<'_>| String::from_utf8(node.raw().to_vec()).expect("JSON is UTF-8");
    let body = root.get(own).map(text);
    let method = if case.is_answer() {
        body.as_ref()?;
        case.method.name.to_owned()
    } else {
        let method = root.get("method")?;
        // What is no string is no name.
        method
            .text()
            .filter(|_| method.kind() == Kind::String)?
            .into_owned()
    };
    Some(Parts {
        id: root.get("id").map(text),
        method,
        body,
    })
}
