//! Reads a JSON Schema document in the manner of the official ones, and finds the definition for
//! each message.
//!
//! Names show the purpose of a definition: `CallToolRequest` has the method, `CallToolResult`,
//! `CallToolResultResponse` or `CallToolResponse` the answer; the `Client...` and `Server...`
//! unions name the sender of each message. Nothing is compiled here.

use core::fmt;
use std::collections::HashMap;

use jsonschema::{Draft, PatternOptions};
use mcp_assay_model::{ByRevision, Revision, STRUCTS, Shape, ShapeId, UNIONS, method_named};
use serde_json::{Map, Value, json};

use crate::registry::MeteredJson;

/// The reason why a document cannot replace the built-in model. The text fits after "failed to".
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SchemaError {
    /// The bytes are not JSON.
    NotJson {
        /// The position of the first byte that is not JSON.
        line: usize,
        /// Counted in bytes.
        column: usize,
    },
    /// There are no definitions.
    NoDefinitions,
    /// `$schema` names a dialect that is not known.
    UnknownDialect,
    /// It is not valid JSON Schema.
    NotASchema {
        /// The place in the document.
        pointer: String,
        /// The fault there.
        reason: String,
    },
    /// It refers to something that it does not have.
    DanglingReference {
        /// The place in the document.
        pointer: String,
        /// The target of the reference.
        reference: String,
    },
    /// It defines no method.
    NoMethods,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { line, column } => write!(
                f,
                "read the schema: not JSON at line {line}, column {column}"
            ),
            Self::NoDefinitions => {
                f.write_str("use the schema: it has neither `$defs` nor `definitions`")
            }
            Self::UnknownDialect => {
                f.write_str("use the schema: `$schema` names an unknown dialect")
            }
            Self::NotASchema { pointer, reason } => {
                write!(
                    f,
                    "use the schema: not JSON Schema at `{pointer}`: {reason}"
                )
            }
            Self::DanglingReference { pointer, reference } => {
                write!(
                    f,
                    "use the schema: `{pointer}` refers to `{reference}`, which is not in the document"
                )
            }
            Self::NoMethods => f.write_str(
                "use the schema: no definition has a method (`properties.method.const`)",
            ),
        }
    }
}

impl core::error::Error for SchemaError {}

/// The position of a definition in [`Document::names`].
pub(super) type Index = usize;

/// The definitions of a document by message.
pub(super) struct Document {
    pub(super) value: Value,
    pub(super) draft: Draft,
    /// `$defs` or `definitions`.
    pub(super) key: &'static str,
    /// The names of the definitions, sorted.
    pub(super) names: Vec<String>,
    pub(super) calls: HashMap<String, Call>,
    /// Error responses by their code.
    pub(super) errors: HashMap<i64, Index>,
    pub(super) request: Option<Index>,
    pub(super) notification: Option<Index>,
    pub(super) response: Option<Index>,
    pub(super) error: Option<Index>,
}

/// A method.
pub(super) struct Call {
    /// The definition of its message.
    pub(super) definition: Index,
    /// The definition of the envelope, if that of the message does not describe it.
    pub(super) envelope: Option<Index>,
    pub(super) from_client: bool,
    pub(super) from_server: bool,
    /// The definition of its answer; the model's names for it depend on the revision.
    pub(super) answer: ByRevision<Answer>,
}

/// The definition of the answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// This is the whole response.
    Response(Index),
    /// The result is one of these.
    Results(Vec<Index>),
}

impl Document {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, SchemaError> {
        let value: Value = serde_json::from_slice(bytes).map_err(|error| SchemaError::NotJson {
            line: error.line(),
            column: error.column(),
        })?;
        let key = ["$defs", "definitions"]
            .into_iter()
            .find(|key| {
                value
                    .get(key)
                    .and_then(Value::as_object)
                    .is_some_and(|found| !found.is_empty())
            })
            .ok_or(SchemaError::NoDefinitions)?;
        let draft = match value.get("$schema") {
            // The official documents without `$schema` are of this dialect.
            None if key == "definitions" => Draft::Draft7,
            None => Draft::Draft202012,
            Some(_) => Draft::default().detect(&value),
        };
        if draft == Draft::Unknown {
            return Err(SchemaError::UnknownDialect);
        }
        if let Err(error) = jsonschema::meta::validate(&value) {
            let reason = error.masked().to_string();
            return Err(SchemaError::NotASchema {
                pointer: error.instance_path().as_str().to_owned(),
                reason,
            });
        }
        check_parts(&value)?;
        let mut names: Vec<_> = value[key]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect();
        names.sort_unstable();
        let (calls, errors) = (HashMap::new(), HashMap::new());
        let (request, notification, response, error) = (None, None, None, None);
        let mut document = Self {
            value,
            draft,
            key,
            names,
            calls,
            errors,
            request,
            notification,
            response,
            error,
        };
        document.request = document.find("JSONRPCRequest");
        document.notification = document.find("JSONRPCNotification");
        // Since there is `JSONRPCResultResponse`, `JSONRPCResponse` is either kind of answer.
        document.response = document
            .find("JSONRPCResultResponse")
            .or_else(|| document.find("JSONRPCResponse"));
        document.error = document
            .find("JSONRPCErrorResponse")
            .or_else(|| document.find("JSONRPCError"));
        document.calls = document.read_calls();
        document.errors = document.read_errors();
        if document.calls.is_empty() {
            Err(SchemaError::NoMethods)
        } else {
            Ok(document)
        }
    }

    /// The definition of this name.
    pub(super) fn find(&self, name: &str) -> Option<Index> {
        self.names
            .binary_search_by(|found| found.as_str().cmp(name))
            .ok()
    }

    pub(super) fn definition(&self, index: Index) -> &Value {
        &self.value[self.key][&self.names[index]]
    }

    fn definitions(&self) -> impl Iterator<Item = (Index, &str, &Value)> {
        let found = &self.value[self.key];
        self.names
            .iter()
            .enumerate()
            .map(move |(index, name)| (index, name.as_str(), &found[name]))
    }

    fn read_calls(&self) -> HashMap<String, Call> {
        let union = |name: &str| self.find(name).map(|index| self.members(index));
        let client = [union("ClientRequest"), union("ClientNotification")];
        let server = [union("ServerRequest"), union("ServerNotification")];
        let says_who = client.iter().chain(&server).any(Option::is_some);
        let sends = |unions: &[Option<Vec<String>>], method: &str| {
            !says_who || unions.iter().flatten().flatten().any(|sent| sent == method)
        };
        let has_envelope = |schema: &Value| schema.pointer("/properties/jsonrpc").is_some();
        let any_envelope = self.definitions().any(|(_, name, schema)| {
            !is_union(name) && method_of(schema).is_some() && has_envelope(schema)
        });
        let mut calls = HashMap::new();
        for (definition, name, schema) in self.definitions() {
            let Some(method) = method_of(schema) else {
                continue;
            };
            let (from_client, from_server) = (sends(&client, method), sends(&server, method));
            // A union of one is written like its only member. A message that neither party sends,
            // or without an envelope where others have one, is part of another message.
            let embedded = any_envelope && !has_envelope(schema) || !(from_client || from_server);
            if is_union(name) || embedded {
                continue;
            }
            let envelope = if name.ends_with("Notification") {
                self.notification
            } else {
                self.request
            };
            let envelope = envelope.filter(|_| !has_envelope(schema));
            let answer = Revision::ALL.map(|revision| self.answer(name, method, revision));
            calls.insert(
                method.to_owned(),
                Call {
                    definition,
                    envelope,
                    from_client,
                    from_server,
                    answer,
                },
            );
        }
        calls
    }

    /// The methods of a union of messages, or of the only message it has.
    fn members(&self, union: Index) -> Vec<String> {
        let schema = self.definition(union);
        let branches = schema
            .get("anyOf")
            .or_else(|| schema.get("oneOf"))
            .and_then(Value::as_array);
        let referred = branches
            .into_iter()
            .flatten()
            .filter_map(|branch| self.referred(branch));
        let own = branches
            .is_none()
            .then(|| self.referred(schema).unwrap_or(schema));
        referred
            .chain(own)
            .filter_map(method_of)
            .map(str::to_owned)
            .collect()
    }

    fn referred(&self, schema: &Value) -> Option<&Value> {
        self.value
            .pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
    }

    fn answer(&self, request: &str, method: &str, revision: Revision) -> Answer {
        let stem = request.strip_suffix("Request").unwrap_or(request);
        let whole = ["ResultResponse", "Response"]
            .into_iter()
            .find_map(|end| self.find(&format!("{stem}{end}")));
        if let Some(response) = whole {
            return Answer::Response(response);
        }
        let form =
            method_named(method.as_bytes()).and_then(|method| method.forms[revision.index()]);
        let mut results = Vec::new();
        if let Some(form) = form {
            self.collect_results(form.result, revision, &mut results);
        }
        if results.is_empty() {
            let named = self.find(&format!("{stem}Result"));
            results.extend(
                named
                    .or_else(|| self.find("EmptyResult"))
                    .or_else(|| self.find("Result")),
            );
        }
        Answer::Results(results)
    }

    /// The definitions that have the model's names for a result.
    fn collect_results(&self, shape: ShapeId, revision: Revision, results: &mut Vec<Index>) {
        match shape.get() {
            Some(Shape::Struct(id)) => results.extend(self.find(STRUCTS[usize::from(*id)].name)),
            Some(Shape::Union(id)) => {
                let union = &UNIONS[usize::from(*id)];
                let named = self.find(union.name);
                results.extend(named);
                if named.is_none() {
                    let arms = union
                        .arms
                        .iter()
                        .filter(|arm| arm.revisions.contains(revision));
                    arms.for_each(|arm| self.collect_results(arm.shape, revision, results));
                }
            }
            _ => {}
        }
    }

    fn read_errors(&self) -> HashMap<i64, Index> {
        let code_of = |schema: &Value| schema.pointer("/properties/code/const")?.as_i64();
        let mut errors = HashMap::new();
        for (index, _, schema) in self.definitions() {
            let Some(error) = schema.pointer("/properties/error") else {
                continue;
            };
            let parts = error
                .get("allOf")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            errors.extend(
                parts
                    .chain([error])
                    .find_map(code_of)
                    .map(|code| (code, index)),
            );
        }
        errors
    }
}

fn method_of(schema: &Value) -> Option<&str> {
    schema.pointer("/properties/method/const")?.as_str()
}

/// Whether the name is that of everything a party sends.
fn is_union(name: &str) -> bool {
    [
        "ClientRequest",
        "ClientNotification",
        "ServerRequest",
        "ServerNotification",
    ]
    .contains(&name)
}

/// Finds the faults that only compiling would find, so that a document is refused before anything
/// relies on it.
fn check_parts(document: &Value) -> Result<(), SchemaError> {
    let mut open = vec![(String::new(), document)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(members) => {
                check_reference(document, &pointer, members)?;
                check_patterns(&pointer, members)?;
                // These hold values, not schemas.
                let values = ["const", "enum", "default", "examples"];
                let schemas = members
                    .iter()
                    .filter(|(name, _)| !values.contains(&name.as_str()));
                open.extend(schemas.map(|(name, member)| {
                    (
                        format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
                        member,
                    )
                }));
            }
            Value::Array(items) => {
                open.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(index, item)| (format!("{pointer}/{index}"), item)),
                );
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_reference(
    document: &Value,
    pointer: &str,
    members: &Map<String, Value>,
) -> Result<(), SchemaError> {
    let Some(reference) = members.get("$ref").and_then(Value::as_str) else {
        return Ok(());
    };
    // Anchors and references to an `$id` are left to the compiler.
    let known = match reference.strip_prefix("#/") {
        Some(path) => {
            path.contains('%')
                || document
                    .pointer(&reference[reference.len() - path.len() - 1..])
                    .is_some()
        }
        None => reference.starts_with('#') || document.get("$id").is_some(),
    };
    if known {
        return Ok(());
    }
    Err(SchemaError::DanglingReference {
        pointer: format!("{pointer}/$ref"),
        reference: reference.to_owned(),
    })
}

fn check_patterns(pointer: &str, members: &Map<String, Value>) -> Result<(), SchemaError> {
    let keys = members
        .get("patternProperties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(key, _)| key);
    let own = members.get("pattern").and_then(Value::as_str);
    for pattern in keys.map(String::as_str).chain(own) {
        let options =
            jsonschema::options_for::<MeteredJson>().with_pattern_options(PatternOptions::regex());
        if let Err(error) = options.build(&json!({ "pattern": pattern })) {
            return Err(SchemaError::NotASchema {
                pointer: pointer.to_owned(),
                reason: error.masked().to_string(),
            });
        }
    }
    Ok(())
}
