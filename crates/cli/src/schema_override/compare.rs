//! Compares the built-in model and a document, message by message.

use std::collections::BTreeMap;

use mcp_assay::json_schema::SchemaDefinitions;
use mcp_assay::syntax::{Node, Tape, scan};
use mcp_assay::{
    Detail, Frame, Layer, Level, MessageKind, Policy, Revision, Session, Validator, Verdict,
};

use super::errata::{Errata, Side};

/// A message to compare verdicts on.
pub(super) struct Question<'m> {
    /// The message with its direction, its revision and the method that a response answers.
    pub(super) frame: Frame<'m>,
    /// The method that it calls or answers.
    pub(super) method: &'m str,
    /// Its kind, or that of the message it was made from.
    pub(super) kind: MessageKind,
}

/// The result.
#[derive(Default)]
pub(super) struct Comparison {
    /// The number of messages that both sides checked.
    pub(super) compared: usize,
    /// The number of messages left out, because the document does not have their method.
    pub(super) not_defined: BTreeMap<String, usize>,
    /// Disagreements that are not listed, those of the same kind together.
    pub(super) disagreements: BTreeMap<Kind, Example>,
    /// The number of messages that each known erratum explains, by its id, and its reason.
    pub(super) known: BTreeMap<String, (usize, String)>,
}

/// The common part of disagreements of one kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Kind {
    pub(super) definition: String,
    /// The place, with `*` for a position in an array.
    pub(super) pointer: String,
    pub(super) side: Side,
}

/// One message of a kind, and their number.
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
        // The layers that a schema can describe.
        policy.layers = [Layer::Json, Layer::Jsonrpc, Layer::Schema]
            .into_iter()
            .collect();
        let (errata, validator) = (Errata::read(), Validator::new(policy));
        Self {
            definitions,
            revision,
            errata,
            validator,
            tape: Tape::new(),
            found: Comparison::default(),
        }
    }

    pub(super) fn ask(&mut self, question: &Question<'_>) {
        let (bytes, method) = (question.frame.bytes, question.method);
        if !self.definitions.knows(method) {
            return self.found.leave_out(method);
        }
        // No schema can check a message that is not JSON.
        if scan(
            bytes,
            &self.validator.policy().limits.for_scan(),
            &mut self.tape,
        )
        .is_err()
        {
            return;
        }
        let Some(root) = self.tape.root(bytes) else {
            return;
        };
        if is_task(root)
            && !self
                .definitions
                .names()
                .any(|name| name == "CreateTaskResult")
        {
            return self
                .found
                .leave_out(&format!("{method} answered by a task"));
        }
        self.found.compared += 1;
        let at_face = self
            .definitions
            .judge(root, &self.tape, method, self.revision);
        let theirs = match self.definitions.judge_by_type(root, method) {
            None => at_face,
            Some(by_type) => {
                if by_type.accepts() != at_face.accepts() {
                    let side = if at_face.accepts() {
                        Side::Stricter
                    } else {
                        Side::Looser
                    };
                    let definition = at_face.definition.unwrap_or(method);
                    let faults = [vec!["/result".to_owned()]];
                    self.found.note(
                        &self.errata,
                        self.revision,
                        question,
                        definition,
                        (side, &faults),
                    );
                }
                by_type
            }
        };
        let checked = self.validator.check(&mut Session::new(), question.frame);
        let ours = checked.verdict() != Verdict::Block;
        if ours == theirs.accepts() {
            return;
        }
        let (side, faults) = if ours {
            (Side::Looser, theirs.faults)
        } else {
            let errors = checked
                .violations()
                .iter()
                .filter(|found| checked.level(found) == Level::Error);
            (
                Side::Stricter,
                errors
                    .map(|found| vec![place(&checked.pointer(found), found.detail)])
                    .collect(),
            )
        };
        let definition = theirs.definition.unwrap_or(method);
        self.found.note(
            &self.errata,
            self.revision,
            question,
            definition,
            (side, &faults),
        );
    }

    pub(super) fn finish(self) -> Comparison {
        self.found
    }
}

impl Comparison {
    fn leave_out(&mut self, what: &str) {
        *self.not_defined.entry(what.to_owned()).or_default() += 1;
    }

    /// Checks that each fault that only one side reports is a known one.
    fn note(
        &mut self,
        errata: &Errata,
        revision: Revision,
        question: &Question<'_>,
        definition: &str,
        (side, faults): (Side, &[Vec<String>]),
    ) {
        let explain = |places: &Vec<String>| errata.explain(revision, question, side, places);
        let explained: Vec<_> = faults.iter().map(explain).collect();
        if explained.iter().all(Option::is_some) {
            let mut known: Vec<_> = explained.into_iter().flatten().collect();
            known.dedup_by(|left, right| left.id == right.id);
            for erratum in known {
                let entry = self.known.entry(erratum.id.clone());
                entry.or_insert_with(|| (0, erratum.reason.clone())).0 += 1;
            }
            return;
        }
        let unlisted = explained
            .iter()
            .zip(faults)
            .find(|(known, _)| known.is_none());
        let place = unlisted.and_then(|(_, places)| places.first());
        let pointer = place.map(|place| any_item(place)).unwrap_or_default();
        let kind = Kind {
            definition: definition.to_owned(),
            pointer,
            side,
        };
        let message = || String::from_utf8_lossy(question.frame.bytes).into_owned();
        let example = || Example {
            count: 0,
            message: message(),
        };
        self.disagreements.entry(kind).or_insert_with(example).count += 1;
    }
}

/// Whether the result claims to be a task, which only the tasks extension knows in revisions whose
/// results have types.
fn is_task(message: Node<'_>) -> bool {
    let kind = message
        .get("result")
        .and_then(|result| result.get("resultType"));
    kind.is_some_and(|kind| kind.is_text("task"))
}

/// The place of a violation; for a missing member, its place if it were there.
fn place(pointer: &str, detail: Detail) -> String {
    match detail {
        Detail::Missing { member, .. } => {
            format!("{pointer}/{}", member.replace('~', "~0").replace('/', "~1"))
        }
        _ => pointer.to_owned(),
    }
}

fn any_item(pointer: &str) -> String {
    let is_position =
        |step: &str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    let steps = pointer
        .split('/')
        .map(|step| if is_position(step) { "*" } else { step });
    steps.collect::<Vec<_>>().join("/")
}
