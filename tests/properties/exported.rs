//! The exported JSON Schemas give the same verdicts as the tables they come from.

use std::collections::HashMap;

use jsonschema::Validator as Compiled;
use mcp_assay::invent::Invented;
use mcp_assay::model::{Fact, METHODS, MethodKind};
use mcp_assay::{Frame, Layer, Policy, Revision, Session, Validator, Verdict, schema};
use mcp_assay_testkit::{Failures, cases, in_every_revision};
use serde_json::Value;

use crate::places::is_null_id;

#[test]
fn exported_schemas_agree_with_the_tables() {
    in_every_revision(compare).finish();
}

fn compare(revision: Revision) -> Failures {
    let mut failures = Failures::default();
    let mut policy = Policy::default();
    policy.layers = [Layer::Json, Layer::Jsonrpc, Layer::Schema]
        .into_iter()
        .collect();
    let mut validator = Validator::new(policy);
    let mut compiled = HashMap::new();
    let mut count = 0;
    for case in cases(revision, 5000) {
        let value: Value = serde_json::from_slice(&case.bytes).expect("the inventor writes JSON");
        let Some(name) = definition(&value, &case) else {
            continue;
        };
        let schema = compiled
            .entry(name)
            .or_insert_with_key(|name| compile(revision, name));
        let mut session = Session::new();
        let checked = validator.check(&mut session, Frame::of_invented(&case));
        // A null id of an error is only a note where JSON-RPC demands it; no schema has it.
        let ours =
            checked.verdict() != Verdict::Block && !checked.violations().iter().any(is_null_id);
        let theirs = schema.is_valid(&value);
        count += 1;
        if ours != theirs {
            let rules: Vec<_> = checked
                .violations()
                .iter()
                .map(|found| (found.rule.name, checked.pointer(found)))
                .collect();
            let errors: Vec<_> = schema
                .iter_errors(&value)
                .map(|error| error.to_string())
                .collect();
            let place = case.fault.as_ref().map_or("", |fault| fault.place.as_str());
            failures.add(format!("{revision} {} {place}", case.method.name), || {
                format!("{case:?}\nthe tables: {rules:?}\nthe schema: {errors:?}")
            });
        }
    }
    assert!(count > 20_000, "only {count} messages in {revision}");
    failures
}

/// The definition that a message is checked against; an empty name is the whole document. `None`:
/// not comparable.
fn definition(value: &Value, case: &Invented) -> Option<String> {
    let revision = case.revision;
    if let Some(items) = value.as_array() {
        // 2024-11-05 leaves batches open: we advise against them, its schema has none. And a schema
        // cannot know which method each answer of a batch belongs to.
        let decided = revision.has(Fact::Batches) || !revision.has(Fact::HttpTwoEndpoints);
        return (decided && items.iter().all(|item| item.get("method").is_some()))
            .then(String::new);
    }
    if !value.is_object() {
        return Some(String::new());
    }
    if let Some(method) = value.get("method") {
        let known = METHODS
            .iter()
            .find(|known| Some(known.name) == method.as_str());
        let form = known
            .and_then(|known| known.forms[revision.index()])
            .filter(|form| form.kind != MethodKind::Input);
        return Some(form.map_or("Call", |form| form.definition).to_owned());
    }
    let form = case.method.forms[revision.index()]?;
    Some(match (value.get("result"), value.get("error")) {
        (Some(_), _) => form.definition.replace("Request", "Response"),
        (None, Some(_)) => "ErrorResponse".to_owned(),
        (None, None) => "Answer".to_owned(),
    })
}

fn compile(revision: Revision, name: &str) -> Compiled {
    let text = match name {
        "" => schema::export(revision),
        name => {
            schema::definition(revision, name).unwrap_or_else(|| panic!("{revision} has no {name}"))
        }
    };
    let document: Value = serde_json::from_str(&text).expect("the export is JSON");
    jsonschema::options()
        .should_validate_formats(false)
        .build(&document)
        .expect("the export is a schema")
}
