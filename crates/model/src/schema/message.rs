//! Whole messages as JSON Schema: the envelope's structs, narrowed to a method or an error code.
//!
//! The check of the envelope is part of it: no message is of two kinds, so each kind forbids the
//! members that make another.

use super::json::Json;
use super::shape;
use crate::tables::{
    ERRORS, ErrorCode, METHODS, Method, MethodForm, MethodKind, Revision, STRUCTS, ShapeId, Struct,
};

/// Names of the definitions that gather others.
pub(super) const CALL: &str = "Call";
pub(super) const ANSWER: &str = "Answer";
const ERROR_RESPONSE: &str = "ErrorResponse";

/// All messages of a revision with their names: requests, notifications and input requests, then
/// responses, then the definitions that gather them.
pub(super) fn definitions(revision: Revision) -> Vec<(String, Json)> {
    let mut calls = Vec::new();
    let mut answers = Vec::new();
    let mut inputs = Vec::new();
    for method in METHODS {
        let Some(form) = method.forms[revision.index()] else {
            continue;
        };
        match form.kind {
            MethodKind::Request => {
                calls.push((form.definition.to_owned(), request(method, form, revision)));
                answers.push((response_name(form), response(method, form, revision)));
            }
            MethodKind::Notification => calls.push((
                form.definition.to_owned(),
                notification(method, form, revision),
            )),
            // A struct of the same name says it already.
            MethodKind::Input if find(form.definition, revision).is_some() => {}
            MethodKind::Input => {
                inputs.push((form.definition.to_owned(), input(method, form, revision)));
            }
        }
    }
    let errors = errors(revision);
    let any_error = gather(
        "A request failed.",
        errors.iter().map(|(name, _)| name.as_str()),
    );
    let call = gather(
        "A request or a notification.",
        calls.iter().map(|(name, _)| name.as_str()),
    );
    let answer_names = answers
        .iter()
        .map(|(name, _)| name.as_str())
        .chain([ERROR_RESPONSE]);
    let answer = gather("The answer to a request.", answer_names);
    let gathered = [(ERROR_RESPONSE, any_error), (CALL, call), (ANSWER, answer)];
    let gathered = gathered.map(|(name, schema)| (name.to_owned(), schema));
    calls
        .into_iter()
        .chain(answers)
        .chain(inputs)
        .chain(errors)
        .chain(gathered)
        .collect()
}

fn request(method: &Method, form: &MethodForm, revision: Revision) -> Json {
    call(Part::of("JSONRPCRequest", revision), method, form, revision)
        .without(&["result", "error"])
        .schema(method.doc)
}

fn notification(method: &Method, form: &MethodForm, revision: Revision) -> Json {
    let part = call(
        Part::of("JSONRPCNotification", revision),
        method,
        form,
        revision,
    );
    part.without(&["id", "result", "error"]).schema(method.doc)
}

/// An input request has no envelope, only method and params.
fn input(method: &Method, form: &MethodForm, revision: Revision) -> Json {
    call(Part::default(), method, form, revision).schema(method.doc)
}

fn call(part: Part, method: &Method, form: &MethodForm, revision: Revision) -> Part {
    let params = match form.params {
        ShapeId::ABSENT => Json::object([("type", Json::text("object"))]),
        params => shape::shape(params, revision),
    };
    let name = Json::object([("const", Json::text(method.name))]);
    part.with("method", name, Presence::Required).with(
        "params",
        params,
        Presence::of(form.params_required),
    )
}

fn response_name(form: &MethodForm) -> String {
    format!(
        "{}Response",
        form.definition
            .strip_suffix("Request")
            .unwrap_or(form.definition)
    )
}

fn response(method: &Method, form: &MethodForm, revision: Revision) -> Json {
    let part = Part::of("JSONRPCResultResponse", revision);
    let part = part.with(
        "result",
        shape::shape(form.result, revision),
        Presence::Required,
    );
    part.without(&["method", "error"])
        .schema(&format!("The result of `{}`.", method.name))
}

/// Each code with a name, then all others.
fn errors(revision: Revision) -> Vec<(String, Json)> {
    let named: Vec<&ErrorCode> = ERRORS
        .iter()
        .filter(|error| error.revisions.contains(revision))
        .collect();
    let codes = named
        .iter()
        .map(|error| Json::Int(i64::from(error.code)))
        .collect();
    let other = Json::object([("not", Json::object([("enum", Json::Array(codes))]))]);
    let mut definitions: Vec<(String, Json)> = named
        .iter()
        .map(|error| {
            let name = format!(
                "{}ErrorResponse",
                error.name.strip_suffix("Error").unwrap_or(error.name)
            );
            let code = Json::object([("const", Json::Int(i64::from(error.code)))]);
            (name, error_response(error.doc, code, error.data, revision))
        })
        .collect();
    definitions.push((
        format!("Other{ERROR_RESPONSE}"),
        error_response(
            "An error with a code of the application.",
            other,
            ShapeId::ABSENT,
            revision,
        ),
    ));
    definitions
}

fn error_response(doc: &str, code: Json, data: ShapeId, revision: Revision) -> Json {
    let mut error = Part::of("Error", revision).narrow("code", code);
    if data != ShapeId::ABSENT {
        error = error.with("data", shape::shape(data, revision), Presence::Required);
    }
    let part = Part::of("JSONRPCErrorResponse", revision).with(
        "error",
        error.schema(""),
        Presence::Required,
    );
    part.without(&["method", "result"]).schema(doc)
}

fn gather<'n>(doc: &str, names: impl Iterator<Item = &'n str>) -> Json {
    let mut schema = shape::described(doc);
    schema.set("anyOf", Json::Array(names.map(shape::reference).collect()));
    schema
}

fn find(name: &str, revision: Revision) -> Option<&'static Struct> {
    STRUCTS
        .iter()
        .find(|row| row.name == name && row.revisions.contains(revision))
}

/// An object schema in the making.
#[derive(Default)]
struct Part {
    properties: Vec<(String, Json)>,
    required: Vec<String>,
}

/// Whether a member must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
}

impl Presence {
    fn of(required: bool) -> Self {
        if required {
            Self::Required
        } else {
            Self::Optional
        }
    }
}

impl Part {
    /// The members of a struct; none if the model does not have it.
    fn of(name: &str, revision: Revision) -> Self {
        let Some(row) = find(name, revision) else {
            return Self::default();
        };
        let fields = row
            .fields
            .iter()
            .map(|field| (field.name, field.shape[revision.index()]));
        let present = fields.filter(|(_, id)| *id != ShapeId::ABSENT);
        Self {
            properties: present
                .map(|(name, id)| (name.to_owned(), shape::shape(id, revision)))
                .collect(),
            required: shape::required(row, revision).map(str::to_owned).collect(),
        }
    }

    /// Sets a member.
    fn with(mut self, name: &str, schema: Json, presence: Presence) -> Self {
        self.properties.retain(|(known, _)| known != name);
        self.required.retain(|known| known != name);
        self.properties.push((name.to_owned(), schema));
        if presence == Presence::Required {
            self.required.push(name.to_owned());
        }
        self
    }

    /// Adds keywords to a member.
    fn narrow(mut self, name: &str, more: Json) -> Self {
        if let (Some((_, schema)), Json::Object(more)) = (
            self.properties.iter_mut().find(|(known, _)| known == name),
            more,
        ) {
            for (keyword, value) in more {
                schema.set(&keyword, value);
            }
        }
        self
    }

    /// Forbids members.
    fn without(mut self, names: &[&str]) -> Self {
        self.properties
            .extend(names.iter().map(|name| ((*name).to_owned(), Json::False)));
        self
    }

    fn schema(self, doc: &str) -> Json {
        let mut schema = shape::described(doc);
        schema.set("type", Json::text("object"));
        schema.set("properties", Json::Object(self.properties));
        schema.set(
            "required",
            Json::texts(self.required.iter().map(String::as_str)),
        );
        schema
    }
}
