//! Checks a whole message, envelope included, against a document. None of the built-in checks is
//! used.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use mcp_assay_json::{Node, Tape};
use mcp_assay_model::{Revision, method_named};

use super::definitions::SchemaDefinitions;
use super::document::{Answer, Index};
use crate::registry::{Meter, MeteredNode};

/// The verdict of a document on a message.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Judgement<'d> {
    /// The definition that the message belongs to.
    pub definition: Option<&'d str>,
    /// The faults: for each the JSON Pointers of the values it may mean. Empty if the message is
    /// accepted.
    pub faults: Vec<Vec<String>>,
}

impl Judgement<'_> {
    /// Whether the message is accepted.
    #[must_use]
    pub fn accepts(&self) -> bool {
        self.faults.is_empty()
    }

    fn refuse(at: Node<'_>) -> Self {
        Self {
            definition: None,
            faults: vec![vec![at.pointer()]],
        }
    }
}

impl SchemaDefinitions {
    /// Checks a message against the document alone; `answers` is the method that a response
    /// answers, as the revision knows it.
    #[must_use]
    pub fn judge(
        &self,
        message: Node<'_>,
        tape: &Tape,
        answers: &str,
        revision: Revision,
    ) -> Judgement<'_> {
        if message.kind() == mcp_assay_json::Kind::Array {
            return self.judge_batch(message, tape, answers, revision);
        }
        let document = self.document();
        let mut judgement = Judgement {
            definition: None,
            faults: vec![],
        };
        // If the envelope has no definition of its own, that of the message includes it.
        let mut check = |definition: Option<Index>| {
            if let Some(index) = definition {
                self.collect(&[index], message, &mut judgement.faults);
            }
        };
        if let Some(method) = message.get("method") {
            let call = method
                .text()
                .filter(|_| method.kind() == mcp_assay_json::Kind::String);
            let Some(call) = call.and_then(|name| document.calls.get(&*name)) else {
                return Judgement::refuse(message);
            };
            let notification = document.names[call.definition].ends_with("Notification");
            check(if notification {
                document.notification
            } else {
                document.request
            });
            check(Some(call.definition));
            judgement.definition = Some(&document.names[call.definition]);
        } else if let Some(result) = message.get("result") {
            check(document.response);
            let answer = document
                .calls
                .get(answers)
                .map(|call| &call.answer[revision.index()]);
            let (indices, value) = match answer {
                Some(Answer::Response(response)) => (core::slice::from_ref(response), message),
                Some(Answer::Results(results)) => (results.as_slice(), result),
                None => return Judgement::refuse(message),
            };
            self.collect(indices, value, &mut judgement.faults);
            judgement.definition = indices.first().map(|index| document.names[*index].as_str());
        } else if let Some(error) = message.get("error") {
            check(document.error);
            let code = error.get("code").and_then(Node::as_i64);
            let own = code.and_then(|code| document.errors.get(&code).copied());
            check(own);
            judgement.definition = own
                .or(document.error)
                .map(|index| document.names[index].as_str());
        } else {
            return Judgement::refuse(message);
        }
        judgement
    }

    /// The same for an answer that may be one of several results: checks it as the one that its
    /// `resultType` names. `None` for all others.
    ///
    /// If one of them accepts nearly anything, [`judge`](Self::judge) would hide the faults that
    /// the others report.
    #[must_use]
    pub fn judge_by_type(&self, message: Node<'_>, answers: &str) -> Option<Judgement<'_>> {
        let document = self.document();
        let result = message
            .get("result")
            .filter(|_| message.get("method").is_none())?;
        let call = document.calls.get(answers)?;
        let Answer::Response(whole) = call.answer[Revision::latest().index()] else {
            return None;
        };
        document
            .definition(whole)
            .pointer("/properties/result/anyOf")?;
        let stem = document.names[call.definition].strip_suffix("Request")?;
        let named = match &*result.get("resultType")?.text()? {
            "complete" => document.find(&format!("{stem}Result"))?,
            "input_required" => document.find("InputRequiredResult")?,
            _ => return None,
        };
        let mut faults = vec![];
        if let Some(envelope) = document.response {
            self.collect(&[envelope], message, &mut faults);
        }
        self.collect(&[named], result, &mut faults);
        Some(Judgement {
            definition: Some(&document.names[named]),
            faults,
        })
    }

    /// Whether a message of this method, or its answer, can be checked.
    #[must_use]
    pub fn knows(&self, method: &str) -> bool {
        self.document().calls.contains_key(method) && method_named(method.as_bytes()).is_some()
    }

    fn judge_batch(
        &self,
        batch: Node<'_>,
        tape: &Tape,
        answers: &str,
        revision: Revision,
    ) -> Judgement<'_> {
        let document = self.document();
        let known = ["JSONRPCBatchRequest", "JSONRPCBatchResponse"].map(|name| document.find(name));
        let known: Vec<_> = known.into_iter().flatten().collect();
        let Some(first) = known.first() else {
            return Judgement::refuse(batch);
        };
        let mut faults = vec![];
        self.collect(&known, batch, &mut faults);
        for item in batch.items() {
            faults.extend(self.judge(item, tape, answers, revision).faults);
        }
        Judgement {
            definition: Some(&document.names[*first]),
            faults,
        }
    }

    /// Records the faults if a value fits none of the definitions.
    fn collect(&self, indices: &[Index], value: Node<'_>, faults: &mut Vec<Vec<String>>) {
        let meter = Meter::unlimited();
        let instance = MeteredNode::Token(value, &meter);
        let validators: Vec<_> = indices
            .iter()
            .filter_map(|index| self.compiled(*index))
            .collect();
        if validators
            .iter()
            .any(|validator| validator.is_valid(instance))
        {
            return;
        }
        let root = value.pointer();
        if let [validator] = validators.as_slice() {
            for error in validator.iter_errors(instance) {
                let mut places = vec![];
                deepest(&error, &root, &mut places);
                faults.push(places);
            }
            return;
        }
        let mut places = vec![];
        for error in validators
            .iter()
            .flat_map(|validator| validator.iter_errors(instance))
        {
            deepest(&error, &root, &mut places);
        }
        // A definition that cannot be compiled accepts nothing.
        if places.is_empty() {
            places.push(root);
        }
        faults.push(places);
    }
}

/// The places of an error; if no branch of a union fits, those of its branches.
fn deepest(error: &ValidationError<'_>, root: &str, places: &mut Vec<String>) {
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context
                .iter()
                .flatten()
                .for_each(|error| deepest(error, root, places));
        }
        _ => places.push(format!("{root}{}", error.instance_path().as_str())),
    }
}
