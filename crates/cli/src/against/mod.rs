//! `--as`: the definition that each document is checked against, in place of the rules of traffic.

use std::sync::Arc;

use mcp_assay::json_schema::SchemaDefinitions;
use mcp_assay::model::{Definition, Fact, METHODS};
use mcp_assay::{Checked, Frame, Revision, RevisionSet, Validator};

mod contract;

use self::contract::{CONTRACTS, Contract};
use crate::suggest;

/// The definition that documents are checked against.
#[derive(Clone, Debug)]
pub(crate) enum Against {
    /// One of the protocol.
    Definition {
        definition: Definition,
        revision: Revision,
    },
    /// One of the document that replaces the built-in definitions.
    Document {
        definitions: Arc<SchemaDefinitions>,
        name: String,
    },
    /// A contract of our own, which no revision and no document changes.
    Contract(Contract),
}

impl Against {
    /// The definition of a name or method; without a revision in the one that is assumed for a lone
    /// message, the last one with a handshake.
    pub(crate) fn named(name: &str, revision: Option<Revision>) -> anyhow::Result<Self> {
        if let Some(contract) = Contract::named(name)? {
            return Ok(Self::Contract(contract));
        }
        let assumed = Revision::latest_with(Fact::Handshake).unwrap_or(Revision::latest());
        let revision = revision.unwrap_or(assumed);
        match Definition::named(name, revision) {
            Some(definition) => Ok(Self::Definition {
                definition,
                revision,
            }),
            None => Err(unknown(name, revision)),
        }
    }

    /// The definition of a name or method in a document that replaces the built-in ones.
    pub(crate) fn of_document(
        name: &str,
        definitions: Arc<SchemaDefinitions>,
    ) -> anyhow::Result<Self> {
        if let Some(contract) = Contract::named(name)? {
            return Ok(Self::Contract(contract));
        }
        let Some(name) = definitions.definition_of(name).map(str::to_owned) else {
            let known = definitions.names().chain(definitions.methods());
            let unknown = suggest::unknown("definition", name, known);
            return Err(unknown.context("failed to find it in the document of --schema"));
        };
        Ok(Self::Document { definitions, name })
    }

    /// Checks a document.
    pub(crate) fn check<'v>(&self, validator: &'v mut Validator, frame: Frame<'v>) -> Checked<'v> {
        match self {
            Self::Definition {
                definition,
                revision,
            } => validator.check_as(definition, *revision, frame),
            Self::Document { definitions, name } => {
                validator.check_as_named(definitions, name, frame)
            }
            Self::Contract(contract) => contract.check(validator, frame),
        }
    }
}

/// The error for a name that the revision does not have.
fn unknown(name: &str, revision: Revision) -> anyhow::Error {
    let elsewhere: RevisionSet = Revision::ALL
        .into_iter()
        .filter(|revision| Definition::named(name, *revision).is_some())
        .collect();
    if Revision::ALL
        .into_iter()
        .any(|revision| elsewhere.contains(revision))
    {
        return anyhow::anyhow!(
            "the definition `{name}` exists {elsewhere}, not in {revision}: name one of these with --revision"
        );
    }
    let all = Definition::all(revision);
    let methods = METHODS
        .iter()
        .filter(|method| method.forms[revision.index()].is_some())
        .map(|method| method.name);
    let known = all.keys().map(String::as_str).chain(methods);
    let known = known.chain(CONTRACTS);
    let unknown = suggest::unknown_text("definition", name, known);
    anyhow::anyhow!("{unknown} (`mcp-assay schema list` lists them)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(name: &str, revision: Option<Revision>) -> String {
        Against::named(name, revision).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        assert_eq!(
            fault("CallToolRequst", None),
            "unknown definition `CallToolRequst`; did you mean `CallToolRequest`? (`mcp-assay schema list` lists them)"
        );
        assert_eq!(
            fault("tools/cal", None),
            "unknown definition `tools/cal`; did you mean `tools/call`? (`mcp-assay schema list` lists them)"
        );
    }

    #[test]
    fn a_name_of_another_revision_says_which() {
        assert_eq!(
            fault("JSONRPCBatchRequest", None),
            "the definition `JSONRPCBatchRequest` exists only in 2025-03-26, not in 2025-11-25: name one of these with --revision"
        );
        assert!(Against::named("JSONRPCBatchRequest", Some(Revision::V2025_03_26)).is_ok());
    }
}
