//! The functions of `canonical`.

use mcp_assay::Revision;
use mcp_assay_contract::canonical::CanonicalError;
use serde_json::{Value, json};

use super::question::{BadQuestion, Question};
use super::{Command, Server};
use crate::suggest;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "canonical.list",
        members: &["revision"],
        run: |server, question| {
            let revision = revision(server, question)?;
            let all = CanonicalError::ALL.map(|error| row(error, revision));
            Ok(json!(all).to_string())
        },
    },
    Command {
        name: "canonical.named",
        members: &["name", "revision"],
        run: |server, question| {
            let revision = revision(server, question)?;
            let found = named(&question.text("name")?);
            Ok(found
                .map_or(Value::Null, |error| row(error, revision))
                .to_string())
        },
    },
    Command {
        name: "canonical.of_code",
        members: &["code", "revision"],
        run: |server, question| {
            let revision = revision(server, question)?;
            let error = CanonicalError::of_code(question.integer("code")?, revision);
            Ok(row(error, revision).to_string())
        },
    },
    Command {
        name: "canonical.of_http_status",
        members: &["status", "revision"],
        run: |server, question| {
            let revision = revision(server, question)?;
            let status = u16::try_from(question.integer("status")?);
            let status = status.map_err(|_| BadQuestion("`status` is none".to_owned()))?;
            let found = CanonicalError::of_http_status(status);
            Ok(found
                .map_or(Value::Null, |error| row(error, revision))
                .to_string())
        },
    },
    Command {
        name: "canonical.to_http_status",
        members: &["name"],
        run: |_, question| Ok(json!(known(question)?.to_http_status()).to_string()),
    },
    Command {
        name: "canonical.to_gateway_status",
        members: &["name"],
        run: |_, question| Ok(json!(known(question)?.to_gateway_status()).to_string()),
    },
    Command {
        name: "canonical.is_retryable",
        members: &["name"],
        run: |_, question| Ok(json!(known(question)?.is_retryable()).to_string()),
    },
    Command {
        name: "canonical.to_jsonrpc_error",
        members: &["name", "message", "revision"],
        run: |server, question| {
            let (error, revision) = (known(question)?, revision(server, question)?);
            let object = match question.optional_text("message")? {
                Some(message) => error.with_message(message).to_jsonrpc_error(revision),
                None => error.to_jsonrpc_error(revision),
            };
            Ok(object.to_json())
        },
    },
];

/// The error of this name.
pub(super) fn named(name: &str) -> Option<CanonicalError> {
    CanonicalError::named(name)
}

fn known(question: &Question<'_>) -> Result<CanonicalError, BadQuestion> {
    let name = question.text("name")?;
    named(&name).ok_or_else(|| {
        let known = CanonicalError::ALL.into_iter().map(CanonicalError::name);
        BadQuestion(suggest::unknown_text("error", &name, known))
    })
}

/// A row of the table.
fn row(error: CanonicalError, revision: Revision) -> Value {
    json!({
        "name": error.name(),
        "httpStatus": error.to_http_status(),
        "retryable": error.is_retryable(),
        "code": error.to_jsonrpc_error(revision).code,
    })
}

fn revision(server: &Server, question: &Question<'_>) -> Result<Revision, BadQuestion> {
    let given = question.revision()?.or(server.revision);
    Ok(given.unwrap_or(Revision::assumed()))
}
