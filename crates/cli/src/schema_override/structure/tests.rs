//! Differences that are planted into the official schemas: each must be found.

use std::path::PathBuf;

use mcp_assay::Revision;
use serde_json::{Map, Value, json};

use super::{Definer, Difference};

/// `MCP_ASSAY_OFFICIAL` names the folder of the official schemas, which are not part of this
/// repository.
fn official(revision: Revision) -> Option<Value> {
    let folder = std::env::var_os("MCP_ASSAY_OFFICIAL").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        let why = "skipped: MCP_ASSAY_OFFICIAL does not name the folder of the official schemas";
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{why}\n"));
        return None;
    };
    let path = PathBuf::from(folder)
        .join(revision.name())
        .join("schema.json");
    let text = std::fs::read(path).expect("the official schema can be read");
    Some(serde_json::from_slice(&text).expect("the official schema is JSON"))
}

fn key(document: &Value) -> &'static str {
    if document.get("$defs").is_some() {
        "$defs"
    } else {
        "definitions"
    }
}

/// One change of a document.
struct Planted {
    /// The place in the document.
    pointer: String,
    /// The name of the change.
    name: String,
    /// The new schema at the place.
    schema: Value,
}

/// Every change of every schema of a document that changes the set of values.
fn planted(document: &Value) -> Vec<Planted> {
    let key = key(document);
    let names: Vec<&String> = document[key]
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    let mut all = Vec::new();
    for name in &names {
        let at = format!("/{key}/{name}");
        plant(&document[key][name.as_str()], &at, &names, key, &mut all);
    }
    all
}

/// Adds a change: its name, and the edit.
type Change<'c> = &'c mut dyn FnMut(&str, &dyn Fn(&mut Map<String, Value>));

fn plant(schema: &Value, at: &str, names: &[&String], key: &str, all: &mut Vec<Planted>) {
    let Some(object) = schema.as_object() else {
        return;
    };
    let mut change = |name: &str, edit: &dyn Fn(&mut Map<String, Value>)| {
        let mut changed = object.clone();
        edit(&mut changed);
        all.push(Planted {
            pointer: at.to_owned(),
            name: name.to_owned(),
            schema: Value::Object(changed),
        });
    };
    plant_types(object, &mut change);
    plant_values(object, &mut change);
    plant_limits(object, &mut change);
    plant_members(object, &mut change);
    plant_branches(object, &mut change);
    if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or_default();
        let others = ["Tool", "Annotations", "Resource"].into_iter();
        let mut others = others.filter(|it| *it != name && names.iter().any(|name| name == it));
        if let Some(other) = others.next() {
            change("other reference", &|it| {
                it.insert("$ref".into(), json!(format!("#/{key}/{other}")));
            });
        }
    }
    let members = object.get("properties").and_then(Value::as_object);
    for (name, member) in members.into_iter().flatten() {
        let name = name.replace('~', "~0").replace('/', "~1");
        plant(member, &format!("{at}/properties/{name}"), names, key, all);
    }
    for part in ["items", "additionalProperties"] {
        if let Some(inner) = object.get(part).filter(|it| says_something(it)) {
            plant(inner, &format!("{at}/{part}"), names, key, all);
        }
    }
    for union in ["anyOf", "oneOf", "allOf"] {
        let branches = object.get(union).and_then(Value::as_array);
        for (index, branch) in branches.into_iter().flatten().enumerate() {
            let at = format!("{at}/{union}/{index}");
            if union != "allOf" {
                plant(branch, &at, names, key, all);
                continue;
            }
            // Another part may demand the same as this one; members tell them apart.
            let members = branch.get("properties").and_then(Value::as_object);
            for (name, member) in members.into_iter().flatten() {
                plant(member, &format!("{at}/properties/{name}"), names, key, all);
            }
        }
    }
}

fn plant_types(object: &Map<String, Value>, change: Change<'_>) {
    match object.get("type") {
        Some(Value::String(name)) if !lists_values(object) => {
            let other = if name == "string" {
                "boolean"
            } else {
                "string"
            };
            change("other type", &|it| {
                it.retain(|key, _| key == "description");
                it.insert("type".into(), json!(other));
            });
            change("wider type", &|it| {
                it.insert("type".into(), json!([name, other]));
            });
            change("no type", &|it| {
                it.remove("type");
            });
        }
        Some(Value::Array(types)) => {
            change("narrower type", &|it| {
                it.insert("type".into(), types[0].clone());
            });
            change("wider type", &|it| {
                let mut types = types.clone();
                types.push(json!("null"));
                it.insert("type".into(), Value::Array(types));
            });
        }
        _ => {}
    }
}

fn plant_values(object: &Map<String, Value>, change: Change<'_>) {
    if let Some(constant) = object.get("const") {
        change("other const", &|it| {
            it.insert("const".into(), json!("planted"));
        });
        change("wider const", &|it| {
            it.remove("const");
            it.insert("enum".into(), json!([constant, "planted"]));
        });
    }
    if let Some(Value::Array(values)) = object.get("enum") {
        change("wider enum", &|it| {
            let mut values = values.clone();
            values.push(json!("planted"));
            it.insert("enum".into(), Value::Array(values));
        });
        change("narrower enum", &|it| {
            it.insert("enum".into(), Value::Array(values[1..].to_vec()));
        });
    }
}

fn plant_limits(object: &Map<String, Value>, change: Change<'_>) {
    for limit in [
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
    ] {
        if let Some(number) = object.get(limit).and_then(Value::as_f64) {
            change("other limit", &|it| {
                it.insert(limit.into(), json!(number + 1.0));
            });
            change("no limit", &|it| {
                it.remove(limit);
            });
        }
    }
    let mut add = |name: &str, keyword: &str, value: Value| {
        change(name, &|it| {
            it.insert(keyword.into(), value.clone());
        });
    };
    match object.get("type").and_then(Value::as_str) {
        Some("string") if !lists_values(object) => {
            add("other format", "format", json!("ipv6"));
            add("new pattern", "pattern", json!("^p"));
        }
        Some("integer" | "number") if !lists_values(object) => {
            add("new limit", "exclusiveMaximum", json!(77));
        }
        Some("array") => {
            add("new limit", "uniqueItems", json!(true));
            add("other items", "items", json!({"type": "null"}));
        }
        Some("object") => {
            add("closed", "additionalProperties", json!(false));
            add("condition", "minProperties", json!(3));
        }
        _ => {}
    }
    if object.contains_key("format") {
        change("no format", &|it| {
            it.remove("format");
        });
    }
}

fn plant_members(object: &Map<String, Value>, change: Change<'_>) {
    let required = object.get("required").and_then(Value::as_array);
    let mut require = |name: &str, names: Vec<Value>| {
        change(name, &|it| {
            it.insert("required".into(), Value::Array(names.clone()));
        });
    };
    for index in 0..required.map_or(0, Vec::len) {
        let mut fewer = required.cloned().unwrap_or_default();
        fewer.remove(index);
        require("no longer required", fewer);
    }
    let with = |name: &str| {
        let mut more = required.cloned().unwrap_or_default();
        more.push(json!(name));
        more
    };
    let is_object = object.get("type").is_some_and(|it| it == "object");
    if is_object {
        require("new required member", with("planted"));
    }
    let members = object.get("properties").and_then(Value::as_object);
    for name in members.into_iter().flat_map(Map::keys) {
        if !required.is_some_and(|it| it.contains(&json!(name))) {
            require("newly required", with(name));
        }
    }
    if is_object {
        change("new typed member", &|it| {
            let members = it.entry("properties").or_insert(json!({}));
            members["planted"] = json!({"type": "string"});
        });
    }
    for (name, member) in members.into_iter().flatten() {
        if says_something(member) {
            change("member removed", &|it| {
                if let Some(Value::Object(members)) = it.get_mut("properties") {
                    members.remove(name);
                }
            });
        }
    }
}

fn plant_branches(object: &Map<String, Value>, change: Change<'_>) {
    for union in ["anyOf", "oneOf", "allOf"] {
        let Some(Value::Array(branches)) = object.get(union) else {
            continue;
        };
        let mut replace = |name: &str, branches: Vec<Value>| {
            change(name, &|it| {
                it.insert(union.into(), Value::Array(branches.clone()));
            });
        };
        for index in 0..branches.len() {
            let mut fewer = branches.clone();
            fewer.remove(index);
            if !fewer.is_empty() {
                replace("branch removed", fewer);
            }
        }
        if union != "allOf" {
            let null = json!({"type": "null"});
            replace("branch added", [branches.as_slice(), &[null]].concat());
        }
    }
}

fn lists_values(object: &Map<String, Value>) -> bool {
    object.contains_key("const") || object.contains_key("enum")
}

/// Whether a schema is a condition at all.
fn says_something(schema: &Value) -> bool {
    let annotations = ["description", "title", "default", "$comment"];
    match schema {
        Value::Object(object) => object
            .keys()
            .any(|key| !annotations.contains(&key.as_str())),
        other => *other == Value::Bool(false),
    }
}

#[test]
fn the_official_schemas_have_no_unlisted_differences() {
    for revision in Revision::ALL {
        let Some(document) = official(revision) else {
            return;
        };
        let found = Definer::new(revision).compare(&document);
        assert!(found.compared > 70, "{revision}: {}", found.compared);
        assert!(
            found.differences.is_empty(),
            "{revision}: {:#?}",
            found.differences
        );
    }
}

#[test]
fn our_own_export_has_no_differences() {
    for revision in Revision::ALL {
        let text = mcp_assay::schema::export(revision);
        let found = Definer::new(revision).compare(&serde_json::from_str(&text).unwrap());
        assert_eq!(found.differences, Vec::<Difference>::new(), "{revision}");
    }
}

#[test]
fn every_planted_difference_is_found_at_its_definition() {
    for revision in Revision::ALL {
        let Some(document) = official(revision) else {
            return;
        };
        let (key, definer) = (key(&document), Definer::new(revision));
        let all = planted(&document);
        assert!(all.len() > 1000, "{revision}: {}", all.len());
        // A part of them, evenly spread.
        let step = all.len().div_ceil(1000);
        let mut missed = Vec::new();
        for planted in all.iter().step_by(step) {
            let mut changed = document.clone();
            let Some(place) = changed.pointer_mut(&planted.pointer) else {
                panic!("no place {}", planted.pointer);
            };
            *place = planted.schema.clone();
            let definition = planted.pointer.split('/').nth(2).unwrap_or_default();
            let found = definer.compare_where(&changed, |name| name == definition);
            if found.differences.is_empty() {
                missed.push(format!("{} at {}", planted.name, planted.pointer));
            }
        }
        assert!(
            missed.is_empty(),
            "{revision}, {key}: {} missed:\n{}",
            missed.len(),
            missed.join("\n")
        );
    }
}

#[test]
fn new_and_missing_definitions_are_found() {
    for revision in Revision::ALL {
        let Some(document) = official(revision) else {
            return;
        };
        let (key, definer) = (key(&document), Definer::new(revision));
        let is_found = |document: &Value, name: &str| {
            let found = definer.compare(document).differences;
            found
                .iter()
                .any(|it| it.definition == name && it.text == "is defined")
        };
        let mut changed = document.clone();
        changed[key]["PlantedRequest"] = json!({"type": "object", "properties": {"method": {"const": "planted/list"}}, "required": ["method"]});
        assert!(is_found(&changed, "PlantedRequest"));
        for name in [
            "JSONRPCMessage",
            "EmptyResult",
            "ClientRequest",
            "CallToolRequest",
            "PaginatedResult",
        ] {
            let mut changed = document.clone();
            changed[key].as_object_mut().unwrap().remove(name);
            assert!(is_found(&changed, name), "{revision}: {name}");
        }
    }
}

#[test]
fn words_and_order_make_no_difference() {
    for revision in Revision::ALL {
        let Some(mut document) = official(revision) else {
            return;
        };
        reword(&mut document);
        let found = Definer::new(revision).compare(&document);
        assert_eq!(found.differences, Vec::<Difference>::new(), "{revision}");
    }
}

/// Other descriptions, and lists the other way round.
fn reword(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("type").is_some_and(Value::is_string) {
                members.insert("description".into(), json!("other words"));
                members.insert("$comment".into(), json!("planted"));
            }
            for (key, member) in members.iter_mut() {
                if ["enum", "required", "anyOf", "type"].contains(&key.as_str())
                    && let Value::Array(items) = member
                {
                    items.reverse();
                }
                reword(member);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(reword),
        _ => {}
    }
}
