//! The one-call functions and the builders say what the validator says.

mod built;
mod names;
mod parts;
mod tools;
mod whole;

use mcp_assay::invent::Invented;
use mcp_assay::protocol::Protocol;
use mcp_assay::syntax::{Kind, Tape, scan};
use mcp_assay::{Direction, Frame, Limits, MessageKind, Revision, Session, Validator, Verdict};

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

/// The parts of a message whose envelope nobody touched: method, and what stands under `params`, `result` or `error`.
fn parts(case: &Invented) -> Option<(String, Option<String>)> {
    let place = case.fault.as_ref().map_or("/params", |fault| &fault.place);
    let touched = ["/params", "/result", "/error", "/method"]
        .into_iter()
        .all(|part| place != part && !place.starts_with(&format!("{part}/")));
    if touched || case.kind == MessageKind::Batch {
        return None;
    }
    let mut tape = Tape::new();
    scan(&case.bytes, &Limits::DEFAULT, &mut tape).ok()?;
    let root = tape.root(&case.bytes)?;
    let body = match case.kind {
        MessageKind::Response => "result",
        MessageKind::Error => "error",
        _ => "params",
    };
    let others = ["params", "result", "error"].into_iter();
    let two_kinds = others
        .filter(|name| *name != body)
        .any(|name| root.get(name).is_some());
    if two_kinds {
        return None;
    }
    let text = |raw: &[u8]| String::from_utf8(raw.to_vec()).expect("JSON is UTF-8");
    let body = root.get(body).map(|body| text(body.raw()));
    if case.is_answer() {
        body.as_ref()?;
        return Some((case.method.name.to_owned(), body));
    }
    let method = root
        .get("method")
        .filter(|method| method.kind() == Kind::String)?;
    Some((method.text()?.into_owned(), body))
}
