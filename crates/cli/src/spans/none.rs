//! Spans of a program that was built without the feature `otel`: there are none.

use std::time::Duration;

use mcp_assay::Checked;

/// Spans of live traffic: none.
pub(crate) enum Spans {}

impl Spans {
    #[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
    pub(crate) fn from_environment() -> anyhow::Result<Option<Self>> {
        Ok(None)
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
