//! The other side: `serde_json` builds a tree of values, `jsonschema` checks it against the
//! definition of the method.
//!
//! Validators are compiled once and found in advance, so that only parsing, checking and dropping
//! are counted.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use anyhow::{Context, Result};
use assay_bench::corpus::{Definition, Entry};
use assay_bench::ours::REVISION;
use jsonschema::Validator;
use serde_json::{Value, json};

/// Names the folder of the official schemas.
const OFFICIAL: &str = "MCP_ASSAY_OFFICIAL";

/// One validator for each definition that the corpus needs.
pub(crate) struct Baseline {
    validators: BTreeMap<Definition, Validator>,
    /// The schema they come from.
    pub(crate) source: String,
}

impl Baseline {
    pub(crate) fn compile(entries: &[Entry]) -> Result<Self> {
        let (source, text) = if let Some(folder) = env::var_os(OFFICIAL) {
            let path = PathBuf::from(folder)
                .join(REVISION.name())
                .join("schema.json");
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            (format!("the official schema of {REVISION}"), text)
        } else {
            let source =
                format!("the exported schema of {REVISION} ({OFFICIAL} names the official ones)");
            (source, mcp_assay::schema::export(REVISION))
        };
        let schema: Value = serde_json::from_str(&text).context("the schema is not JSON")?;
        let mut validators = BTreeMap::new();
        for message in entries.iter().flat_map(|entry| &entry.messages) {
            if let Slot::Vacant(slot) = validators.entry(message.definition) {
                slot.insert(compile(&schema, message.definition)?);
            }
        }
        Ok(Self { validators, source })
    }

    /// The validator of each message.
    pub(crate) fn validators(&self, entry: &Entry) -> Vec<&Validator> {
        // `compile` has seen every definition of the corpus.
        entry
            .messages
            .iter()
            .map(|message| &self.validators[&message.definition])
            .collect()
    }
}

/// Parse, check, drop.
#[inline]
pub(crate) fn accepts(validator: &Validator, bytes: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return false;
    };
    validator.is_valid(&value)
}

/// Parses, and describes all errors; returns their number.
pub(crate) fn explain(validator: &Validator, bytes: &[u8]) -> usize {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return 1;
    };
    let mut count = 0;
    for error in validator.iter_errors(&value) {
        black_box(error.instance_path().to_string());
        black_box(error.to_string());
        count += 1;
    }
    count
}

fn compile(schema: &Value, definition: Definition) -> Result<Validator> {
    let (Definition::Message(name) | Definition::Result(name)) = definition;
    let known = &schema["$defs"];
    anyhow::ensure!(
        known.get(name).is_some(),
        "the schema has no definition {name}"
    );
    let reference = json!({"$ref": format!("#/$defs/{name}")});
    let mut wrapped = match definition {
        Definition::Message(_) => reference,
        Definition::Result(_) => json!({
            "type": "object",
            "properties": {
                "jsonrpc": {"type": "string", "const": "2.0"},
                "id": {"type": ["string", "integer"]},
                "result": reference,
            },
            "required": ["jsonrpc", "id", "result"],
        }),
    };
    wrapped["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    wrapped["$defs"] = known.clone();
    jsonschema::validator_for(&wrapped)
        .with_context(|| format!("cannot compile the definition {name}"))
}
