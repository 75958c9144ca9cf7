//! Spans of a program that was built without the feature `otel`: there are none.

use std::time::Duration;

use anyhow::bail;
use mcp_assay::Checked;

/// The variables that ask for spans.
const VARIABLES: [&str; 3] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_TRACES_EXPORTER",
];

/// Spans of live traffic: none.
pub(crate) enum Spans {}

impl Spans {
    /// Fails if the environment asks for spans.
    pub(crate) fn from_environment() -> anyhow::Result<Option<Self>> {
        let value = |name: &str| std::env::var(name).unwrap_or_default();
        if value("OTEL_SDK_DISABLED") == "true" {
            return Ok(None);
        }
        match VARIABLES
            .iter()
            .find(|name| !matches!(&*value(name), "" | "none"))
        {
            Some(name) => bail!(
                "{name} is set, but no spans are exported: this program was built without the feature `otel`"
            ),
            None => Ok(None),
        }
    }

    pub(crate) fn set_servers<'u>(&mut self, _: impl Iterator<Item = (&'u str, String)>) {
        match *self {}
    }

    pub(crate) fn message(
        &mut self,
        _: Option<&str>,
        _: Option<Duration>,
        _: &Checked<'_>,
        _: Option<&[u8]>,
    ) {
        match *self {}
    }

    pub(crate) fn end_session(&mut self, _: Option<&str>) {
        match *self {}
    }

    pub(crate) fn finish(self) -> Option<String> {
        match self {}
    }
}
