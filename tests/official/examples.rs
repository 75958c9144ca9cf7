//! The official examples are accepted.

use std::fs;
use std::path::Path;

use mcp_assay::model::METHODS;
use mcp_assay::{Frame, Level, Revision, Session};
use mcp_assay_contract::check_definition_in;
use mcp_assay_testkit::{Failures, message_validator};
use serde_json::{Value, json};

use crate::errata::Errata;
use crate::official::folder;

#[test]
fn official_examples_are_accepted() {
    let Some(folder) = folder() else { return };
    let errata = Errata::load();
    let mut failures = Failures::default();
    let mut count = 0;
    for revision in Revision::ALL {
        let examples = folder.join(revision.name()).join("examples");
        if !examples.is_dir() {
            continue;
        }
        for definition in names(&examples) {
            for file in names(&examples.join(&definition)) {
                let json =
                    fs::read(examples.join(&definition).join(&file)).expect("a readable example");
                let found = check(&definition, revision, &json);
                let name = format!("{definition}/{file}");
                let known = errata.examples.iter().find(|example| example.file == name);
                count += 1;
                match (known, found) {
                    (None, Ok(rules)) if rules.is_empty() => {}
                    (Some(known), Ok(rules))
                        if !rules.is_empty() && rules.iter().all(|rule| *rule == known.rule) => {}
                    (known, found) => failures.add(format!("{revision} {name}"), || {
                        format!("found {found:?}, known as wrong: {}", known.is_some())
                    }),
                }
            }
        }
    }
    println!("{count} official examples");
    assert!(count > 100, "only {count} examples were found");
    failures.finish();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut names: Vec<_> = entries
        .map(|entry| {
            entry
                .expect("a readable folder")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

/// The rules that an example breaks, checked as what its definition is: a message, a part of one,
/// or a bare value.
fn check(definition: &str, revision: Revision, json: &[u8]) -> Result<Vec<&'static str>, String> {
    let value: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    if let Some(stem) = definition.strip_suffix("ResultResponse") {
        let request = format!("{stem}Request");
        let answered = METHODS.iter().find(|method| {
            method.forms[revision.index()].is_some_and(|form| form.definition == request)
        });
        let method = answered.ok_or_else(|| format!("no method has the request {request}"))?;
        return Ok(message(
            Frame::new(json).revision(revision).answers(method.name),
        ));
    }
    if value.get("jsonrpc").is_some() {
        return Ok(message(Frame::new(json).revision(revision)));
    }
    // Two names stand for maps, which have no table of their own.
    let (definition, value) = match definition {
        "InputRequests" => (
            "InputRequiredResult",
            json!({"resultType": "input_required", "inputRequests": value}),
        ),
        "InputResponses" => {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": revision.name(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            (
                "CallToolRequestParams",
                json!({"_meta": meta, "name": "tool", "inputResponses": value}),
            )
        }
        // An error object with one code.
        name if name.ends_with("Error") => ("Error", value),
        name => (name, value),
    };
    let violations = check_definition_in(definition, revision, value.to_string().as_bytes());
    let violations = violations.map_err(|fault| format!("{fault:?}"))?;
    let violations = violations.ok_or_else(|| format!("the model has no {definition}"))?;
    Ok(violations
        .iter()
        .map(|violation| violation.rule.name)
        .collect())
}

fn message(frame: Frame<'_>) -> Vec<&'static str> {
    let mut session = Session::new();
    let mut validator = message_validator();
    let checked = validator.check(&mut session, frame);
    let errors = checked
        .violations()
        .iter()
        .filter(|violation| checked.level(violation) == Level::Error);
    errors.map(|violation| violation.rule.name).collect()
}
