//! Whole documents.

use std::collections::{BTreeMap, BTreeSet};

use super::json::Json;
use super::{message, official, shape};
use crate::tables::{ENUMS, Fact, Revision, STRUCTS, UNIONS};

/// Everything that a revision defines, as one JSON Schema 2020-12 document that accepts any message
/// of it.
///
/// `$defs` has the types of the protocol under their names, a definition for each request and
/// notification (`CallToolRequest`), for each response (`CallToolResponse`) and for each error code
/// (`InvalidParamsErrorResponse`). The names of the official schemas (`JSONRPCMessage`,
/// `ClientRequest`, `EmptyResult`) are there, too.
///
/// ```
/// use mcp_assay_model::{Revision, schema};
///
/// let document = schema::export(Revision::V2025_06_18);
/// assert!(document.contains("\"$id\": \"urn:mcp-assay:2025-06-18\""));
/// ```
#[must_use]
pub fn export(revision: Revision) -> String {
    let mut document = head(&format!("urn:mcp-assay:{revision}"));
    document.set(
        "description",
        Json::Text(format!(
            "Messages of the Model Context Protocol, revision {revision}."
        )),
    );
    document.set("anyOf", Json::Array(root(revision)));
    document.set(
        "$defs",
        Json::Object(definitions(revision).into_iter().collect()),
    );
    format!("{document}\n")
}

/// One definition of a revision as a document of its own, with the definitions that it refers to.
#[must_use]
pub fn definition(revision: Revision, name: &str) -> Option<String> {
    let all = definitions(revision);
    let (name, _) = all.get_key_value(name)?;
    let mut reached = BTreeSet::from([name.as_str()]);
    let mut open = vec![name.as_str()];
    while let Some(name) = open.pop() {
        let Some(schema) = all.get(name) else {
            continue;
        };
        schema.references(&mut |target| {
            let target = target.strip_prefix(shape::REFERENCE).unwrap_or(target);
            if reached.insert(target) {
                open.push(target);
            }
        });
    }
    let mut document = head(&format!("urn:mcp-assay:{revision}:{name}"));
    document.set("$ref", Json::Text(format!("{}{name}", shape::REFERENCE)));
    let needed = all
        .iter()
        .filter(|(name, _)| reached.contains(name.as_str()));
    document.set(
        "$defs",
        Json::Object(
            needed
                .map(|(name, schema)| (name.clone(), schema.clone()))
                .collect(),
        ),
    );
    Some(format!("{document}\n"))
}

/// The names that [`definition`] knows in a revision, sorted.
#[must_use]
pub fn definition_names(revision: Revision) -> Vec<String> {
    definitions(revision).into_keys().collect()
}

fn head(id: &str) -> Json {
    Json::object([
        (
            "$schema",
            Json::text("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("$id", Json::text(id)),
    ])
}

/// The schema of a message; or of an array of messages, if the revision has batches.
fn root(revision: Revision) -> Vec<Json> {
    let kinds = [message::CALL, message::ANSWER];
    let mut branches: Vec<Json> = kinds.iter().map(|name| shape::reference(name)).collect();
    if revision.has(Fact::Batches) {
        branches.extend(kinds.iter().map(|name| {
            Json::object([
                ("type", Json::text("array")),
                ("items", shape::reference(name)),
                ("minItems", Json::Int(1)),
            ])
        }));
    }
    branches
}

fn definitions(revision: Revision) -> BTreeMap<String, Json> {
    let structs = STRUCTS
        .iter()
        .filter(|row| row.revisions.contains(revision));
    let enums = ENUMS.iter().filter(|row| row.revisions.contains(revision));
    let unions = UNIONS
        .iter()
        .filter(|row| row.revisions.contains(revision) && !shape::is_in_place(row));
    let mut all = BTreeMap::new();
    all.extend(structs.map(|row| (row.name.to_owned(), shape::structure(row, revision))));
    all.extend(enums.map(|row| (row.name.to_owned(), shape::enumeration(row, revision))));
    all.extend(unions.map(|row| (row.name.to_owned(), shape::union(row, revision))));
    all.extend(message::definitions(revision));
    official::add(revision, &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{METHODS, MethodKind};

    #[test]
    fn no_definition_hides_another() {
        for revision in Revision::ALL {
            let mut names: Vec<String> = Vec::new();
            names.extend(
                STRUCTS
                    .iter()
                    .filter(|row| row.revisions.contains(revision))
                    .map(|row| row.name.to_owned()),
            );
            names.extend(
                ENUMS
                    .iter()
                    .filter(|row| row.revisions.contains(revision))
                    .map(|row| row.name.to_owned()),
            );
            let unions = UNIONS
                .iter()
                .filter(|row| row.revisions.contains(revision) && !shape::is_in_place(row));
            names.extend(unions.map(|row| row.name.to_owned()));
            names.extend(
                message::definitions(revision)
                    .into_iter()
                    .map(|(name, _)| name),
            );
            names.sort();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count);
            let all = definition_names(revision);
            assert!(names.iter().all(|name| all.contains(name)));
        }
    }

    #[test]
    fn official_names_are_there() {
        let everywhere = [
            "ClientNotification",
            "ClientRequest",
            "ClientResult",
            "Cursor",
            "EmptyResult",
            "JSONRPCMessage",
            "JSONRPCNotification",
            "JSONRPCRequest",
            "JSONRPCResponse",
            "ProgressToken",
            "RequestId",
            "ServerNotification",
            "ServerResult",
        ];
        for revision in Revision::ALL {
            for name in everywhere {
                assert!(definition(revision, name).is_some(), "{revision}: {name}");
            }
        }
        let has = |revision, name| definition(revision, name).is_some();
        assert!(has(Revision::V2025_03_26, "JSONRPCBatchRequest"));
        assert!(!has(Revision::V2025_06_18, "JSONRPCBatchRequest"));
        assert!(has(Revision::V2025_06_18, "JSONRPCError"));
        assert!(has(Revision::V2025_11_25, "ServerRequest"));
        assert!(!has(Revision::V2026_07_28, "ServerRequest"));
        assert!(has(Revision::V2025_11_25, "URLElicitationRequiredError"));
        assert!(has(Revision::V2026_07_28, "CallToolResultResponse"));
        assert!(has(Revision::V2026_07_28, "InputRequests"));
    }

    #[test]
    fn every_reference_has_a_target() {
        for revision in Revision::ALL {
            let all = definitions(revision);
            for (name, schema) in &all {
                schema.references(&mut |target| {
                    let target = target.strip_prefix(shape::REFERENCE).unwrap_or_default();
                    assert!(
                        all.contains_key(target),
                        "{revision}: {name} refers to {target}"
                    );
                });
            }
        }
    }

    #[test]
    fn every_message_has_a_definition() {
        for revision in Revision::ALL {
            let names = definition_names(revision);
            for form in METHODS
                .iter()
                .filter_map(|method| method.forms[revision.index()])
            {
                assert!(
                    names.iter().any(|name| name == form.definition),
                    "{revision}: {}",
                    form.definition
                );
                if form.kind == MethodKind::Request {
                    let response = form.definition.replace("Request", "Response");
                    assert!(names.contains(&response), "{revision}: {response}");
                }
            }
        }
    }

    #[test]
    fn a_definition_stands_alone() {
        let document = definition(Revision::V2025_06_18, "Annotations").unwrap();
        let expected = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:mcp-assay:2025-06-18:Annotations",
  "$ref": "#/$defs/Annotations",
  "$defs": {
    "Annotations": {"##;
        assert!(document.starts_with(expected), "{document}");
        assert!(document.contains("\"Role\": {"), "{document}");
        assert!(!document.contains("\"Tool\": {"), "{document}");
        assert_eq!(definition(Revision::V2025_06_18, "Nothing"), None);
    }

    #[test]
    fn only_one_revision_has_batches() {
        assert!(export(Revision::V2025_03_26).contains("\"minItems\": 1"));
        assert!(!export(Revision::V2025_06_18).contains("\"minItems\": 1"));
    }
}
