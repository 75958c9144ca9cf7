//! Our side: bytes to verdict through [`Validator::check`], as a program would call it.

use std::hint::black_box;

use mcp_assay::syntax::{Tape, scan};
use mcp_assay::{
    Checked, Frame, LayerSet, Limits, Policy, Revision, Session, Validator, Verdict, Violation,
};

use crate::corpus::Message;

/// The revision of the whole corpus.
pub const REVISION: Revision = Revision::V2025_11_25;

/// A validator and its session, kept from message to message.
pub struct Ours {
    /// Checks the layers of the baseline: JSON, JSON-RPC and schema.
    validator: Validator,
    session: Session,
    /// Checks everything.
    full: Validator,
    full_session: Session,
    tape: Tape,
}

impl Default for Ours {
    fn default() -> Self {
        let mut policy = Policy::default();
        policy.layers = LayerSet::MESSAGE;
        Self {
            validator: Validator::new(policy),
            session: Session::new(),
            full: Validator::default(),
            full_session: Session::new(),
            tape: Tape::new(),
        }
    }
}

impl Ours {
    /// Begins new sessions; compiled and allocated state of the validators stays.
    pub fn begin(&mut self) {
        self.session = Session::new();
        self.full_session = Session::new();
    }

    /// The same with every rule.
    #[inline]
    pub fn accepts_by_all_rules(&mut self, message: &Message) -> bool {
        let checked = self.full.check(&mut self.full_session, frame(message));
        checked.verdict() == Verdict::Pass
    }

    /// The check up to the schema, session included; returns whether nothing was found.
    #[inline]
    pub fn accepts(&mut self, message: &Message) -> bool {
        let checked = self.validator.check(&mut self.session, frame(message));
        checked.verdict() == Verdict::Pass
    }

    /// Whether the bytes are JSON: the scanner alone.
    #[inline]
    pub fn scans(&mut self, message: &Message) -> bool {
        scan(&message.bytes, &Limits::DEFAULT.for_scan(), &mut self.tape).is_ok()
    }

    /// The full check and the text of every violation; returns their number.
    pub fn explain(&mut self, message: &Message) -> usize {
        let checked = self.validator.check(&mut self.session, frame(message));
        for violation in checked.violations() {
            black_box(checked.pointer(violation));
            black_box(checked.message(violation));
            black_box(checked.help(violation));
        }
        checked.violations().len()
    }

    /// The sentences of [`Ours::explain`], for a reader.
    pub fn sentences(&mut self, message: &Message) -> Vec<String> {
        sentences(&self.validator.check(&mut self.session, frame(message)))
    }

    /// The same with every rule.
    pub fn sentences_by_all_rules(&mut self, message: &Message) -> Vec<String> {
        sentences(&self.full.check(&mut self.full_session, frame(message)))
    }
}

fn sentences(checked: &Checked<'_>) -> Vec<String> {
    let sentence = |violation: &Violation| {
        let (pointer, text) = (checked.pointer(violation), checked.message(violation));
        format!("{}: {pointer}: {text}", violation.rule.name)
    };
    checked.violations().iter().map(sentence).collect()
}

#[inline]
fn frame(message: &Message) -> Frame<'_> {
    let frame = Frame::new(&message.bytes)
        .direction(message.direction)
        .revision(REVISION);
    match message.answers {
        Some(method) => frame.answers(method),
        None => frame,
    }
}
