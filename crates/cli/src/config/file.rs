//! `mcp-assay.toml`: its place, and its meaning for a file.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use mcp_assay_report::Format;

use super::choices::Choices;
use super::gateway::GatewayTable;
use super::outputs::Outputs;
use super::read::{self, Content};
use crate::args::SelectionArgs;
use crate::globs::whole;

/// The name of the file.
const NAME: &str = "mcp-assay.toml";

/// A configuration that was found and read. Paths in it begin at its folder.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    folder: PathBuf,
    content: Content,
}

impl ConfigFile {
    /// The file that the flags name, or the one in the working directory or the nearest above.
    pub(crate) fn find(args: &SelectionArgs) -> anyhow::Result<Option<Self>> {
        if let Some(path) = &args.config {
            return Self::read(path).map(Some);
        }
        if args.no_config {
            return Ok(None);
        }
        let folder = env::current_dir().context("failed to find the working directory")?;
        folder
            .ancestors()
            .map(|folder| folder.join(NAME))
            .find(|path| path.is_file())
            .map(|path| Self::read(&path))
            .transpose()
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("failed to read the configuration {}", path.display()))?;
        let whole = whole(path);
        let folder = whole.parent().unwrap_or(&whole).to_owned();
        let content = read::read(&text, &folder)
            .map_err(|fault| anyhow::anyhow!("{}:{fault}", path.display()))?;
        Ok(Self { folder, content })
    }

    /// The choices for all files.
    pub(crate) fn choices(&self) -> &Choices {
        &self.content.choices
    }

    /// The choices for one file in addition, in order; none for most.
    pub(crate) fn choices_for(&self, file: &Path) -> Vec<&Choices> {
        if self.content.paths.is_empty() {
            return Vec::new();
        }
        let file = whole(file);
        self.content
            .paths
            .iter()
            .filter(|path| path.files.mean(&file, &self.folder))
            .map(|path| &path.choices)
            .collect()
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.content.format
    }

    /// The SDK of the server, for `probe`.
    pub(crate) fn sdk(&self) -> Option<&str> {
        self.content.sdk.as_deref()
    }

    /// The settings of the gateway.
    pub(crate) fn gateway(&self) -> &GatewayTable {
        &self.content.gateway
    }

    /// The settings of recordings and logs.
    pub(crate) fn outputs(&self) -> &Outputs {
        &self.content.outputs
    }

    pub(crate) fn baseline(&self) -> Option<PathBuf> {
        Some(self.folder.join(self.content.baseline.as_deref()?))
    }

    /// Whether that document must be usable.
    pub(crate) fn schema_required(&self) -> bool {
        self.content.schema_required
    }

    /// How often that document is read again while traffic is checked.
    pub(crate) fn schema_refresh(&self) -> Option<Duration> {
        self.content.schema_refresh.map(Duration::from_secs)
    }

    /// The document that replaces the built-in definitions: a file or a URL.
    pub(crate) fn schema(&self) -> Option<String> {
        let source = self.content.schema.as_deref()?;
        if source.contains("://") || source.starts_with("file:") {
            return Some(source.to_owned());
        }
        Some(self.folder.join(source).to_string_lossy().into_owned())
    }
}
