//! Compares the definitions of the built-in model and of a document, statement by statement.
//!
//! Both are brought into a normal form (`normal`) and taken apart into statements (`facts`): a
//! member, a type, a value of an enum. A statement that only one side makes is a difference, unless
//! the list of intended differences has exactly this one (`known`). No messages are made here, so
//! nothing depends on whether one of them shows a difference.

mod facts;
mod known;
mod normal;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use mcp_assay::model::{METHODS, MethodKind};
use mcp_assay::{Revision, schema};
use serde_json::Value;

use self::facts::{Statement, statements};
use self::known::Known;
use self::normal::{Definitions, Origin, Reader};

/// The result of comparing definitions.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// The number of definitions that both sides have.
    pub(super) compared: usize,
    /// Statements that only one side makes.
    pub(super) differences: Vec<Difference>,
    /// The number of statements that intended differences explain.
    pub(super) explained: usize,
}

/// A statement that only one side makes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Difference {
    pub(super) definition: String,
    /// A JSON Pointer into the value: `*` is any item, `{}` any other member.
    pub(super) place: String,
    pub(super) side: Side,
    pub(super) text: String,
}

/// The side that makes a statement.
#[derive(serde::Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Model,
    Document,
}

/// Compares the model of a revision with documents.
pub(super) struct Definer {
    revision: Revision,
    model: Value,
    known: Known,
}

impl Definer {
    pub(super) fn new(revision: Revision) -> Self {
        // Our export is JSON; a test reads it.
        let model = serde_json::from_str(&schema::export(revision)).expect("the export is JSON");
        Self {
            revision,
            model,
            known: Known::of(revision),
        }
    }

    /// Compares all definitions of a document. One without definitions has no differences here:
    /// loading it fails.
    pub(super) fn compare(&self, document: &Value) -> Structure {
        self.compare_where(document, |_| true)
    }

    /// The same for definitions of some names.
    fn compare_where(&self, document: &Value, wanted: impl Fn(&str) -> bool) -> Structure {
        let mut found = Structure::default();
        let sides = (Definitions::of(&self.model), Definitions::of(document));
        let (Some(model), Some(document)) = sides else {
            return found;
        };
        let reader = Reader::new(model, document);
        let has_envelopes = has_envelopes(document);
        let mut differences = Vec::new();
        let mut documented = BTreeSet::new();
        for name in document.0.keys().filter(|name| wanted(name)) {
            if !model.0.contains_key(name) {
                differences.push(whole(name, Side::Document));
                continue;
            }
            found.compared += 1;
            // Definitions that these refer to are compared on their own.
            if model.0[name] == document.0[name] {
                continue;
            }
            let ours = statements(&reader.definition(Origin::Model, name));
            let theirs = statements(&reader.definition(Origin::Document, name));
            let is_bare = !has_envelopes && is_message(name, self.revision);
            let ours = ours
                .into_iter()
                .filter(|it| !(is_bare && it.is_of_envelope()));
            let ours: BTreeSet<Statement> = ours.collect();
            let difference = |side, statement: &Statement| Difference {
                definition: name.clone(),
                place: statement.place.clone(),
                side,
                text: statement.text.clone(),
            };
            let only_ours = ours
                .difference(&theirs)
                .map(|it| difference(Side::Model, it));
            differences.extend(only_ours);
            let only_theirs = theirs
                .difference(&ours)
                .map(|it| difference(Side::Document, it));
            differences.extend(only_theirs);
            documented.extend(theirs.iter().map(|it| difference(Side::Document, it)));
        }
        for name in self.known.names(self.revision) {
            if !document.0.contains_key(name) {
                differences.push(whole(name, Side::Model));
            }
        }
        differences.sort();
        differences.dedup();
        let count = differences.len();
        differences.retain(|it| !self.known.explains(it, &documented));
        found.explained = count - differences.len();
        found.differences = differences;
        found
    }
}

/// A definition that one side does not have.
fn whole(name: &str, side: Side) -> Difference {
    Difference {
        definition: name.to_owned(),
        place: String::new(),
        side,
        text: "is defined".to_owned(),
    }
}

/// Whether messages of a document describe their envelopes. In some revisions only the definitions
/// of the envelopes do.
fn has_envelopes(document: Definitions<'_>) -> bool {
    document.0.values().any(|schema| {
        let has = |pointer: &str| schema.pointer(pointer).is_some();
        has("/properties/method/const") && has("/properties/jsonrpc")
    })
}

/// Whether a definition is that of a request or notification.
fn is_message(name: &str, revision: Revision) -> bool {
    let forms = METHODS.iter().filter_map(|it| it.forms[revision.index()]);
    forms
        .into_iter()
        .any(|form| form.definition == name && form.kind != MethodKind::Input)
}

impl Statement {
    /// Whether it concerns a member that the envelope has.
    fn is_of_envelope(&self) -> bool {
        let members = ["jsonrpc", "id"];
        if self.place.is_empty() {
            return members.iter().any(|name| {
                self.text == format!("requires `{name}`")
                    || self.text == format!("describes `{name}`")
            });
        }
        let first = self.place.split('/').nth(1).unwrap_or_default();
        members.contains(&first)
    }
}
