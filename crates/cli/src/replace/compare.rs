//! The built-in model and a document side by side, on one message after the other.

use std::collections::BTreeMap;

use mcp_assay::json_schema::SchemaDefinitions;
use mcp_assay::syntax::{Tape, scan};
use mcp_assay::{Detail, Frame, Layer, Level, Policy, Revision, Session, Validator, Verdict};

use super::errata::{Errata, Side};

/// A message to compare verdicts on.
pub(super) struct Question<'m> {
    /// The message with its direction, its revision and the method that a response answers.
    pub(super) frame: Frame<'m>,
    /// The method that it calls or answers.
    pub(super) method: &'m str,
}

/// What came of it.
#[derive(Default)]
pub(super) struct Comparison {
    /// How many messages both sides judged.
    pub(super) compared: usize,
    /// How many were left out, because the document does not have their method.
    pub(super) not_defined: BTreeMap<String, usize>,
    /// Disagreements that are not listed, those of the same kind together.
    pub(super) disagreements: BTreeMap<Kind, Example>,
    /// How many messages each known erratum explains, by its id, and its reason.
    pub(super) known: BTreeMap<String, (usize, String)>,
}

/// What disagreements of one kind have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Kind {
    pub(super) definition: String,
    /// The place, with `*` for a position in an array.
    pub(super) pointer: String,
    pub(super) side: Side,
}

/// One message of a kind, and how many there are.
pub(super) struct Example {
    pub(super) count: usize,
    pub(super) message: String,
}

/// Compares the verdicts on each message.
pub(super) struct Comparer<'d> {
    definitions: &'d SchemaDefinitions,
    revision: Revision,
    errata: Errata,
    validator: Validator,
    tape: Tape,
    found: Comparison,
}

impl<'d> Comparer<'d> {
    pub(super) fn new(definitions: &'d SchemaDefinitions, revision: Revision) -> Self {
        let mut policy = Policy::default();
        // What a schema can speak about.
        policy.layers = [Layer::Json, Layer::Jsonrpc, Layer::Schema].into_iter().collect();
        let (errata, validator) = (Errata::read(), Validator::new(policy));
        Self { definitions, revision, errata, validator, tape: Tape::new(), found: Comparison::default() }
    }

    pub(super) fn ask(&mut self, question: &Question<'_>) {
        let (bytes, method) = (question.frame.bytes, question.method);
        if !self.definitions.knows(method) {
            *self.found.not_defined.entry(method.to_owned()).or_default() += 1;
            return;
        }
        // A message that is not JSON is for no schema to judge.
        if scan(bytes, &self.validator.policy().limits, &mut self.tape).is_err() {
            return;
        }
        let Some(root) = self.tape.root(bytes) else { return };
        self.found.compared += 1;
        let theirs = self.definitions.judge(root, &self.tape, method, self.revision);
        let checked = self.validator.check(&mut Session::new(), question.frame);
        let ours = checked.verdict() != Verdict::Block;
        if ours == theirs.accepts() {
            return;
        }
        let (side, faults) = if ours {
            (Side::Looser, theirs.faults)
        } else {
            let errors = checked.violations().iter().filter(|found| checked.level(found) == Level::Error);
            (Side::Stricter, errors.map(|found| vec![place(&checked.pointer(found), found.detail)]).collect())
        };
        let definition = theirs.definition.unwrap_or(method).to_owned();
        self.note(&definition, method, side, &faults, bytes);
    }

    /// Each fault that only one side sees must be a known one.
    fn note(&mut self, definition: &str, method: &str, side: Side, faults: &[Vec<String>], bytes: &[u8]) {
        let explained: Vec<_> =
            faults.iter().map(|places| self.errata.explain(self.revision, method, side, places)).collect();
        if explained.iter().all(Option::is_some) {
            let mut known: Vec<_> = explained.into_iter().flatten().collect();
            known.dedup_by(|left, right| left.id == right.id);
            for erratum in known {
                let entry = self.found.known.entry(erratum.id.clone());
                entry.or_insert_with(|| (0, erratum.reason.clone())).0 += 1;
            }
            return;
        }
        let unlisted = explained.iter().zip(faults).find(|(known, _)| known.is_none());
        let pointer = unlisted.and_then(|(_, places)| places.first()).map(|place| any_item(place)).unwrap_or_default();
        let kind = Kind { definition: definition.to_owned(), pointer, side };
        let message = || Example { count: 0, message: String::from_utf8_lossy(bytes).into_owned() };
        self.found.disagreements.entry(kind).or_insert_with(message).count += 1;
    }

    pub(super) fn finish(self) -> Comparison {
        self.found
    }
}

/// The place of a violation; of a missing member, where it would be.
fn place(pointer: &str, detail: Detail) -> String {
    match detail {
        Detail::Missing { member, .. } => format!("{pointer}/{}", member.replace('~', "~0").replace('/', "~1")),
        _ => pointer.to_owned(),
    }
}

fn any_item(pointer: &str) -> String {
    let is_position = |step: &str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    let steps = pointer.split('/').map(|step| if is_position(step) { "*" } else { step });
    steps.collect::<Vec<_>>().join("/")
}
