//! Spans of a program that was built without the feature `otel`: there are none.

use mcp_assay::Checked;

/// Spans of live traffic: none.
pub(crate) enum Spans {}

impl Spans {
    #[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
    pub(crate) fn from_environment() -> anyhow::Result<Option<Self>> {
        Ok(None)
    }

    pub(crate) fn message(&mut self, _: Option<&str>, _: &Checked<'_>, _: Option<&[u8]>) {
        match *self {}
    }

    pub(crate) fn end_session(&mut self, _: Option<&str>) {
        match *self {}
    }

    pub(crate) fn finish(self) -> Option<String> {
        match self {}
    }
}
