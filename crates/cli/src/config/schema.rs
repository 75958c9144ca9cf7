//! The JSON Schema of `mcp-assay.toml`, for editors.
//!
//! The keys and the names are those of the lists by which the file is read.

use mcp_assay::{Layer, LevelOverride, RefusalStatus, Revision, rules};
use mcp_assay_probe::probed_rules;
use mcp_assay_report::{Format, SITE};
use serde_json::{Map, Value, json};

use super::choices::LIMITS;
use super::outputs::{MAX_AGE, MAX_SIZE};
use super::read::{MAX_REFRESH, max_of_limit};

/// The schema as a JSON text.
pub(crate) fn schema() -> String {
    let mut properties = choices();
    properties.extend(whole());
    let document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("{SITE}config.schema.json"),
        "title": "mcp-assay.toml",
        "description": "The configuration of mcp-assay.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "$defs": {
            "name": {
                "description": "A rule, family, layer or level, `method:NAME` or `kind:NAME`.",
                "anyOf": [{"enum": names()}, {"type": "string"}],
            },
            "count": {"type": "integer", "minimum": 1},
        },
    });
    format!("{document:#}\n")
}

/// The keys that a `[[path]]` table has, too.
fn choices() -> Map<String, Value> {
    let limits: Map<_, _> = LIMITS
        .iter()
        .map(|(name, _)| ((*name).to_owned(), count(max_of_limit(name))))
        .collect();
    let layers = Layer::ALL.map(Layer::name);
    let revisions = Revision::ALL.map(Revision::name);
    let revisions: Vec<_> = ["auto"].into_iter().chain(revisions).collect();
    object(json!({
        "select": one_or_more("Report only these.", &name()),
        "ignore": one_or_more("Leave these out.", &name()),
        "levels": {
            "description": "Levels in place of those of the specification.",
            "type": "object",
            "propertyNames": name(),
            "additionalProperties": {"enum": LevelOverride::ALL.map(LevelOverride::name)},
        },
        "layers": one_or_more("Check only these layers.", &json!({"enum": layers})),
        "strict": {
            "description": "Raise warnings to errors.",
            "enum": [true, false, "must", "should"],
        },
        "revision": {
            "description": "The revision in force; `auto` reads it from the traffic.",
            "enum": revisions,
        },
        "limits": {
            "description": "The largest messages and sessions that are checked.",
            "type": "object",
            "additionalProperties": false,
            "properties": limits,
        },
        "profile": text("A built-in profile, or a file beside the configuration."),
    }))
}

/// The keys that hold for a whole run.
fn whole() -> Map<String, Value> {
    let mut path = choices();
    path.insert(
        "files".to_owned(),
        one_or_more("Patterns of files.", &json!({"type": "string"})),
    );
    object(json!({
        "format": {
            "description": "The format of reports.",
            "enum": Format::ALL.map(Format::name),
        },
        "sdk": text("The SDK of a server that is probed, `NAME` or `NAME@VERSION`."),
        "baseline": text("The file with the known failures that pass."),
        "schema_override": text("A schema document in place of the built-in definitions: a file or a URL."),
        "schema_required": boolean("Refuse to start if the document cannot be used."),
        "schema_refresh": described("Seconds until the document is read again.", count(MAX_REFRESH)),
        "http_status": {
            "description": "The HTTP status of refusals.",
            "enum": RefusalStatus::ALL.map(RefusalStatus::name),
        },
        "record_secrets": boolean("Keep credentials in recordings."),
        "redact": one_or_more("Patterns of further keys whose values are redacted.", &json!({"type": "string"})),
        "rotate_size": described("Bytes after which a new file is begun.", count(MAX_SIZE)),
        "rotate_age": described("Seconds after which a new file is begun.", count(MAX_AGE)),
        "rotate_keep": described("The number of old files that stay.", count(u64::from(u32::MAX))),
        "gateway": {
            "description": "The HTTP gateway.",
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "listen": text("The address to listen on."),
                "max_memory": text("The memory for all connections together, such as `256M`."),
                "upstreams": {
                    "description": "Servers by the beginning of their paths.",
                    "type": "object",
                    "additionalProperties": {"type": "string"},
                },
            },
        },
        "path": {
            "description": "Settings for some files.",
            "type": "array",
            "items": {
                "type": "object",
                "required": ["files"],
                "additionalProperties": false,
                "properties": path,
            },
        },
    }))
}

/// Every rule, family, layer and level.
fn names() -> Vec<&'static str> {
    let all = || rules::all().chain(probed_rules());
    let levels = LevelOverride::ALL
        .into_iter()
        .filter(|level| *level != LevelOverride::Off);
    let mut names: Vec<_> = all()
        .flat_map(|rule| [rule.name, rule.family()])
        .chain(Layer::ALL.map(Layer::name))
        .chain(levels.map(LevelOverride::name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn name() -> Value {
    json!({"$ref": "#/$defs/name"})
}

fn one_or_more(description: &str, item: &Value) -> Value {
    json!({"description": description, "anyOf": [item, {"type": "array", "items": item}]})
}

fn boolean(description: &str) -> Value {
    json!({"description": description, "type": "boolean"})
}

fn text(description: &str) -> Value {
    json!({"description": description, "type": "string"})
}

fn count(max: u64) -> Value {
    json!({"$ref": "#/$defs/count", "maximum": max})
}

fn described(description: &str, mut schema: Value) -> Value {
    schema["description"] = description.into();
    schema
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use mcp_assay::Limits;
    use mcp_assay::registry::Fit;
    use mcp_assay::syntax::{Tape, scan};

    use super::*;
    use crate::config::gateway;
    use crate::config::read::{CHOICES, WHOLE, read};
    use crate::schemas;

    fn keys(schema: &Value) -> Vec<&str> {
        let properties = schema["properties"].as_object().expect("properties");
        let mut keys: Vec<_> = properties.keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    fn sorted<'k>(keys: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
        let mut keys: Vec<_> = keys.into_iter().collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn every_key_is_in_the_schema() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        let properties = &schema["properties"];
        assert_eq!(keys(&schema), sorted(WHOLE.into_iter().chain(CHOICES)));
        let path = &properties["path"]["items"];
        assert_eq!(keys(path), sorted(CHOICES.into_iter().chain(["files"])));
        assert_eq!(keys(&properties["gateway"]), sorted(gateway::KEYS));
        let limits = LIMITS.iter().map(|(name, _)| *name);
        assert_eq!(keys(&properties["limits"]), sorted(limits));
    }

    /// Whether the schema accepts a configuration.
    fn accepts(text: &str) -> bool {
        let value: Value = toml::from_str(text).expect(text);
        let json = value.to_string();
        let schema = schema().leak();
        let compiled = schemas::shared().load_static(schema, "of the configuration");
        let mut tape = Tape::new();
        scan(json.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).unwrap();
        let root = tape.root(json.as_bytes()).expect("a value");
        compiled.unwrap().check(root, &mut |_| {}) == Fit::Fits
    }

    #[track_caller]
    fn check(text: &str, is_valid: bool) {
        let folder = Path::new(".");
        assert_eq!(
            read(text, folder).is_ok(),
            is_valid,
            "the reader, of {text}"
        );
        assert_eq!(accepts(text), is_valid, "the schema, of {text}");
    }

    #[test]
    fn the_schema_accepts_what_the_program_reads() {
        for text in [
            "",
            "select = [\"schema\", \"method:tools/call\"]\nignore = \"note\"",
            "layers = [\"json\"]\nstrict = true\nrevision = \"auto\"\nformat = \"ndjson\"",
            "profile = \"openai\"\nsdk = \"x\"\nbaseline = \"b\"\nhttp_status = \"canonical\"",
            "schema_override = \"s\"\nschema_required = true\nschema_refresh = 60",
            "record_secrets = true\nredact = \"iban\"\nrotate_size = 1\nrotate_age = 1\nrotate_keep = 1",
            "limits = { bytes = 1, depth = 2 }\n[levels]\n\"json/no-bom\" = \"off\"",
            "[[path]]\nfiles = \"a\"\n[path.levels]\nerror = \"note\"",
            "[gateway]\nlisten = \"127.0.0.1:1\"\nmax_memory = \"64M\"\nupstreams = { \"/a\" = \"http://b/\" }",
        ] {
            check(text, true);
        }
        for text in [
            "strickt = true",
            "strict = \"yes\"",
            "layers = \"jsn\"",
            "format = \"xml\"",
            "revision = \"2025-06-17\"",
            "http_status = \"x\"",
            "schema_refresh = 0",
            "rotate_keep = -1",
            "limits = { bytes = 1000000000000 }",
            "limits = { byte = 1 }",
            "[levels]\nschema = \"of\"",
            "[[path]]\nstrict = true",
            "[[path]]\nfiles = \"a\"\nformat = \"json\"",
            "[gateway]\nlisten = 8808",
            "[gateway]\nport = 8808",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn examples_of_the_documentation_are_valid() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let docs = fs::read_dir(root.join("docs")).unwrap();
        let pages = docs
            .map(|page| page.unwrap().path())
            .chain([root.join("README.md")]);
        let mut found = 0;
        for page in pages.filter(|page| page.extension().is_some_and(|it| it == "md")) {
            let text = fs::read_to_string(&page).unwrap();
            let blocks = text.split("```toml\n").skip(1);
            for block in blocks.filter_map(|block| block.split("```").next()) {
                // Profiles and other files are TOML, too; ours begin with a comment that says so.
                if !block.starts_with("# mcp-assay.toml") {
                    continue;
                }
                found += 1;
                let fault = read(block, Path::new("."));
                assert!(fault.is_ok(), "{}: {fault:?}", page.display());
                assert!(accepts(block), "{}: {block}", page.display());
            }
        }
        assert!(found > 0, "no page shows a configuration");
    }

    #[test]
    fn the_published_schema_is_this_one() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/config.schema.json");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, schema()).unwrap();
        }
        let published = fs::read_to_string(path).unwrap();
        assert!(
            published == schema(),
            "UPDATE=1 cargo test -p mcp-assay config::schema"
        );
    }
}
