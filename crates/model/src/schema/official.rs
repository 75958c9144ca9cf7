//! Definitions under the names of the official schemas that the tables of the model do not have:
//! unions of messages, and other names for types that are written in place here.

use std::collections::BTreeMap;

use super::json::Json;
use super::shape;
use crate::tables::{
    ALIASES, Alias, ERRORS, ErrorCode, Fact, METHODS, MethodForm, MethodKind, Revision, STRUCTS,
    Shape, ShapeId, UNIONS,
};

/// The sender of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sender {
    Client,
    Server,
}

/// Adds the official names that are missing.
pub(super) fn add(revision: Revision, all: &mut BTreeMap<String, Json>) {
    let mut add = |name: &str, schema: Json| {
        all.entry(name.to_owned()).or_insert(schema);
    };
    for (name, schema) in envelopes(revision) {
        add(name, schema);
    }
    for (name, sender, kind) in [
        ("ClientRequest", Sender::Client, MethodKind::Request),
        ("ServerRequest", Sender::Server, MethodKind::Request),
        (
            "ClientNotification",
            Sender::Client,
            MethodKind::Notification,
        ),
        (
            "ServerNotification",
            Sender::Server,
            MethodKind::Notification,
        ),
    ] {
        let forms = forms(revision).filter(|form| form.kind == kind && sends(form, sender));
        let names: Vec<&str> = forms.map(|form| form.definition).collect();
        if !names.is_empty() {
            add(name, one_of(&names));
        }
    }
    for (name, sender) in [
        ("ClientResult", Sender::Server),
        ("ServerResult", Sender::Client),
    ] {
        // The results that a party sends answer the requests of the other.
        let mut names = vec!["Result"];
        let requests = forms(revision).filter(|form| form.kind == MethodKind::Request);
        for form in requests.filter(|form| sends(form, sender)) {
            results(form.result, revision, &mut names);
        }
        add(name, one_of(&names));
    }
    for form in forms(revision).filter(|form| form.kind == MethodKind::Request) {
        let stem = form.definition.strip_suffix("Request");
        let stem = stem.unwrap_or(form.definition);
        let response = shape::reference(&format!("{stem}Response"));
        add(&format!("{stem}ResultResponse"), response);
    }
    for error in ERRORS
        .iter()
        .filter(|error| error.revisions.contains(revision))
    {
        let stem = error.name.strip_suffix("Error").unwrap_or(error.name);
        add(&format!("{stem}Error"), self::error(error, stem));
    }
    for (alias, id) in aliases(revision) {
        let mut schema = shape::described(alias.doc);
        if let Json::Object(keywords) = shape::shape(id, revision) {
            for (keyword, value) in keywords {
                schema.set(&keyword, value);
            }
        }
        add(alias.name, schema);
    }
}

fn forms(revision: Revision) -> impl Iterator<Item = &'static MethodForm> {
    METHODS
        .iter()
        .filter_map(move |method| method.forms[revision.index()])
}

fn sends(form: &MethodForm, sender: Sender) -> bool {
    match sender {
        Sender::Client => form.from_client,
        Sender::Server => form.from_server,
    }
}

/// Other names of types.
fn aliases(revision: Revision) -> impl Iterator<Item = (&'static Alias, ShapeId)> {
    let aliases = ALIASES
        .iter()
        .map(move |it| (it, it.shape[revision.index()]));
    aliases.filter(|(_, shape)| *shape != ShapeId::ABSENT)
}

/// Messages by their kind alone.
fn envelopes(revision: Revision) -> Vec<(&'static str, Json)> {
    // The official names of both kinds of response changed once.
    let is_old = aliases(revision).any(|(alias, _)| alias.name == "JSONRPCError");
    let (result, error) = if is_old {
        ("JSONRPCResponse", "JSONRPCError")
    } else {
        ("JSONRPCResultResponse", "JSONRPCErrorResponse")
    };
    let calls = ["JSONRPCRequest", "JSONRPCNotification"];
    let answers = [result, error];
    let batch =
        |names: &[&str]| Json::object([("type", Json::text("array")), ("items", one_of(names))]);
    let mut kinds: Vec<Json> = [calls, answers]
        .concat()
        .into_iter()
        .map(shape::reference)
        .collect();
    let mut found = Vec::new();
    if is_old {
        found.push(("JSONRPCResponse", shape::reference("JSONRPCResultResponse")));
        found.push(("JSONRPCError", shape::reference("JSONRPCErrorResponse")));
    } else {
        found.push(("JSONRPCResponse", one_of(&answers)));
    }
    if revision.has(Fact::Batches) {
        found.push(("JSONRPCBatchRequest", batch(&calls)));
        found.push(("JSONRPCBatchResponse", batch(&answers)));
        kinds.extend([batch(&calls), batch(&answers)]);
    }
    found.push((
        "JSONRPCMessage",
        Json::object([("anyOf", Json::Array(kinds))]),
    ));
    found
}

/// The named results of a request.
fn results(result: ShapeId, revision: Revision, names: &mut Vec<&'static str>) {
    let name = match result.get() {
        Some(Shape::Struct(index)) => STRUCTS[usize::from(*index)].name,
        Some(Shape::Union(index)) => {
            let arms = UNIONS[usize::from(*index)].arms.iter();
            for arm in arms.filter(|arm| arm.revisions.contains(revision)) {
                results(arm.shape, revision, names);
            }
            return;
        }
        _ => return,
    };
    if !names.contains(&name) {
        names.push(name);
    }
}

/// An error. A code of JSON-RPC names the error object, a code of MCP the whole response.
fn error(error: &ErrorCode, stem: &str) -> Json {
    if !matches!(error.code, -32700 | -32603..=-32600) {
        return shape::reference(&format!("{stem}ErrorResponse"));
    }
    let code = Json::object([("const", Json::Int(i64::from(error.code)))]);
    let text = Json::object([("type", Json::text("string"))]);
    let properties = [
        ("code", code),
        ("message", text),
        ("data", Json::Object(Vec::new())),
    ];
    let mut schema = shape::described(error.doc);
    schema.set("type", Json::text("object"));
    schema.set("properties", Json::object(properties));
    schema.set("required", Json::texts(["code", "message"]));
    schema
}

fn one_of(names: &[&str]) -> Json {
    let names = names.iter().map(|name| shape::reference(name));
    Json::object([("anyOf", Json::Array(names.collect()))])
}
