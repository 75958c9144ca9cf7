//! The functions of `protocol`.

use std::sync::Arc;

use mcp_assay::Policy;
use mcp_assay::syntax::{Kind, Node};
use mcp_assay_contract::protocol::{
    Answer, FieldType, Fields, Id, Protocol, Reason, ValidationError,
};
use serde_json::json;

use super::question::{BadQuestion, Question, text_of};
use super::{Command, Outcome, Server, answer};
use crate::suggest;

/// A command that checks, with the members that all of them have.
macro_rules! check {
    ($run:ident, $($member:literal),*) => {
        Command {
            name: stringify!($run),
            members: &[$($member,)* "revision", "direction", "profile"],
            run: |server, question| {
                let found = $run(&mut server.protocol(question)?, question)?;
                Ok(answer::checked(&found))
            },
        }
    };
}

pub(super) const COMMANDS: &[Command] = &[
    check!(validate_jsonrpc, "message", "text"),
    check!(validate_message, "message", "text"),
    check!(validate_batch, "batch", "text"),
    check!(validate_request, "method", "params"),
    check!(validate_notification, "method", "params"),
    check!(
        validate_response,
        "response_id",
        "result",
        "error",
        "method"
    ),
    check!(validate_error_code, "code"),
    check!(validate_method_name, "method"),
    check!(validate_notification_name, "method"),
    check!(validate_field_type, "field", "value", "type"),
    check!(validate_required_fields, "object", "required"),
    check!(validate_resource_uri, "uri"),
    check!(validate_tool_call, "name", "arguments", "input_schema"),
    Command {
        name: "format_validation_error",
        members: &["problems"],
        run: |_, question| format_validation_error(question),
    },
];

impl Server {
    /// The policy of a question: that of the profile it names, or that of the server.
    pub(super) fn policy(&self, question: &Question<'_>) -> Result<Policy, BadQuestion> {
        match question.optional_text("profile")? {
            None => Ok(self.policy.clone()),
            Some(name) => {
                let mut policy =
                    Policy::profile(&name).map_err(|fault| BadQuestion(fault.to_string()))?;
                policy.limits = self.policy.limits;
                Ok(policy)
            }
        }
    }

    /// The functions, under the revision, direction and profile of a question.
    fn protocol(&self, question: &Question<'_>) -> Result<Protocol, BadQuestion> {
        let policy = self.policy(question)?;
        let mut protocol = Protocol::with_registry(Arc::clone(&self.registry)).policy(policy);
        if let Some(revision) = question.revision()?.or(self.revision) {
            protocol = protocol.revision(revision);
        }
        if let Some(direction) = question.direction()? {
            protocol = protocol.direction(direction);
        }
        Ok(protocol)
    }
}

/// The result of a check, unless the question is bad.
type Found = Result<Result<(), ValidationError>, BadQuestion>;

fn validate_jsonrpc(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    Ok(protocol.validate_jsonrpc(&*question.message("message")?))
}

fn validate_message(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    Ok(protocol.validate_message(&*question.message("message")?))
}

fn validate_batch(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    Ok(protocol.validate_batch(&*question.message("batch")?))
}

fn validate_request(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    let method = question.text("method")?;
    Ok(protocol.validate_request(&method, question.json("params")))
}

fn validate_notification(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    let method = question.text("method")?;
    Ok(protocol.validate_notification(&method, question.json("params")))
}

fn validate_response(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    let answer = match (question.json("result"), question.json("error")) {
        (Some(result), None) => Answer::result(result),
        (None, Some(error)) => Answer::error(error),
        (Some(_), Some(_)) => {
            return Err(BadQuestion(
                "either `result` or `error`, not both".to_owned(),
            ));
        }
        (None, None) => return Err(BadQuestion("`result` or `error` is missing".to_owned())),
    };
    let method = question.optional_text("method")?;
    let answer = match &method {
        Some(method) => answer.to(method),
        None => answer,
    };
    let id = Id::from(question.json("response_id").map(Id::json));
    Ok(protocol.validate_response(id, answer))
}

fn validate_error_code(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    Ok(protocol.validate_error_code(question.integer("code")?))
}

fn validate_method_name(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    Ok(protocol.validate_method_name(&question.text("method")?))
}

fn validate_notification_name(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    Ok(protocol.validate_notification_name(&question.text("method")?))
}

fn validate_resource_uri(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    Ok(protocol.validate_resource_uri(&question.text("uri")?))
}

fn validate_tool_call(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    let name = question.text("name")?;
    let (arguments, schema) = (question.json("arguments"), question.json("input_schema"));
    Ok(protocol.validate_tool_call(&name, arguments, schema))
}

fn validate_required_fields(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    let object = question.need("object")?;
    let definition = question.get("required").and_then(definition);
    if let Some(name) = definition {
        return Ok(protocol.validate_required_fields(object, Fields::Of(&name)));
    }
    let names = question.texts("required")?;
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    Ok(protocol.validate_required_fields(object, names.as_slice()))
}

fn validate_field_type(protocol: &mut Protocol, question: &Question<'_>) -> Found {
    let field = question.text("field")?;
    let value = question.need("value")?;
    let given = question
        .get("type")
        .ok_or_else(|| BadQuestion("`type` is missing".to_owned()))?;
    if given.kind() != Kind::Array {
        let (name, kind) = type_of(given)?;
        return Ok(protocol.validate_field_type(&field, value, kind.of(&name)));
    }
    let named = given.items().map(type_of).collect::<Result<Vec<_>, _>>()?;
    let types: Vec<FieldType<'_>> = named.iter().map(|(name, kind)| kind.of(name)).collect();
    Ok(protocol.validate_field_type(&field, value, types.as_slice()))
}

/// The types of fields by their names.
const TYPES: [(&str, FieldType<'static>); 8] = [
    ("string", FieldType::String),
    ("integer", FieldType::Integer),
    ("number", FieldType::Number),
    ("boolean", FieldType::Boolean),
    ("object", FieldType::Object),
    ("array", FieldType::Array),
    ("null", FieldType::Null),
    ("any", FieldType::Any),
];

/// A plain type, or a definition whose name stands beside it.
enum TypeKind {
    Plain(FieldType<'static>),
    Definition,
}

impl TypeKind {
    fn of<'n>(&self, name: &'n str) -> FieldType<'n> {
        match self {
            Self::Plain(plain) => *plain,
            Self::Definition => FieldType::Definition(name),
        }
    }
}

/// `"string"` or `{"definition": "Tool"}`.
fn type_of(value: Node<'_>) -> Result<(String, TypeKind), BadQuestion> {
    if let Some(name) = definition(value) {
        return Ok((name, TypeKind::Definition));
    }
    let Some(name) = text_of(value) else {
        let text = "a type is a name, a list of names, or `{\"definition\": NAME}`";
        return Err(BadQuestion(text.to_owned()));
    };
    match TYPES.into_iter().find(|(known, _)| *known == name) {
        Some((_, plain)) => Ok((String::new(), TypeKind::Plain(plain))),
        None => {
            let known = TYPES.into_iter().map(|(known, _)| known);
            Err(BadQuestion(suggest::unknown_text("type", &name, known)))
        }
    }
}

/// The name in `{"definition": NAME}`.
fn definition(value: Node<'_>) -> Option<String> {
    let name = (value.kind() == Kind::Object).then(|| value.get("definition"));
    Some(text_of(name.flatten()?)?.into_owned())
}

/// The line of problems that an answer had, or that a caller made for rules of its own.
fn format_validation_error(question: &Question<'_>) -> Outcome {
    let bad = |text: &str| BadQuestion(text.to_owned());
    let problems = question.get("problems");
    let problems = problems.filter(|problems| problems.kind() == Kind::Array);
    let problems = problems.ok_or_else(|| bad("`problems` is not a list"))?;
    let mut lines = Vec::new();
    for problem in problems.items() {
        let name = problem.get("reason").and_then(text_of);
        let name = name.ok_or_else(|| bad("a problem has a `reason`"))?;
        if !Reason::ALL.iter().any(|reason| reason.as_str() == name) {
            let known = Reason::ALL.iter().map(|reason| reason.as_str());
            return Err(BadQuestion(suggest::unknown_text("reason", &name, known)));
        }
        let mut details = Vec::new();
        let given = problem.get("details").into_iter();
        for (key, value) in given.flat_map(Node::members) {
            let (Some(key), Some(value)) = (key.text(), text_of(value)) else {
                return Err(bad("`details` has strings"));
            };
            details.push(format!("{key}={value}"));
        }
        lines.push(match details.as_slice() {
            [] => name.into_owned(),
            details => format!("{name}: {}", details.join(", ")),
        });
    }
    Ok(json!(lines.join("; ")).to_string())
}
