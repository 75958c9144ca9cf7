//! The schemas that folders have, compiled.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use mcp_assay::registry::{Compiled, Folders, Listed, LoadError};
use mcp_assay_contract::canonical::DetailedError;
use mcp_assay_report::visible;
use serde_json::{Value, json};

use crate::{output, schemas};

/// A schema in a folder, and the result of compiling it.
pub(super) struct Found {
    pub(super) listed: Listed,
    /// The text, as far as it could be read.
    pub(super) bytes: Vec<u8>,
    pub(super) compiled: Result<Arc<Compiled>, DetailedError>,
}

/// Folders that were named, all of which must exist, or the default ones.
pub(super) fn folders(named: Vec<PathBuf>) -> anyhow::Result<Folders> {
    if named.is_empty() {
        return Ok(Folders::new(Folders::default_roots()));
    }
    for folder in &named {
        let shown = visible(&folder.to_string_lossy());
        let metadata = folder
            .metadata()
            .with_context(|| format!("failed to read {shown}"))?;
        if !metadata.is_dir() {
            bail!("failed to read {shown}: not a folder");
        }
    }
    Ok(Folders::new(named))
}

/// Everything in the folders.
pub(super) fn find(folders: &Folders) -> anyhow::Result<Vec<Found>> {
    let listed = folders.list().context("failed to list schemas")?;
    if listed.is_empty() {
        let roots: Vec<_> = folders
            .roots()
            .iter()
            .map(|root| visible(&root.to_string_lossy()))
            .collect();
        output::say(&format!("no schemas in {}", roots.join(", ")));
    }
    Ok(listed.into_iter().map(Found::compile).collect())
}

impl Found {
    fn compile(listed: Listed) -> Self {
        let (bytes, compiled) = match listed.read() {
            Ok(text) => {
                let compiled = schemas::shared().load_text(&text.bytes, &text.location);
                (text.bytes, compiled)
            }
            Err(fault) => (Vec::new(), Err(LoadError::from(fault))),
        };
        let compiled = compiled.map_err(DetailedError::from);
        Self {
            listed,
            bytes,
            compiled,
        }
    }

    /// The file, as a terminal may show it.
    pub(super) fn file(&self) -> String {
        visible(&self.listed.path.to_string_lossy())
    }

    /// The facts about it for programs.
    pub(super) fn to_json(&self) -> Value {
        let compiled = self.compiled.as_ref();
        json!({
            "name": self.listed.name,
            "file": self.listed.path.to_string_lossy(),
            "shadowed": self.listed.shadowed,
            "bytes": self.bytes.len(),
            "ok": compiled.is_ok(),
            "dialect": compiled.ok().map(|schema| schema.dialect().name()),
            "fingerprint": compiled.ok().map(|schema| schema.fingerprint().to_string()),
            "unchecked": compiled.map(|schema| schema.unchecked().to_vec()).unwrap_or_default(),
            "error": compiled.err().map(|error| json!({
                "code": error.kind.name(),
                "message": error.message,
            })),
        })
    }
}
