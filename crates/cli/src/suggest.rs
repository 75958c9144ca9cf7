//! "Did you mean" for names that clap does not know.

pub(crate) use mcp_assay::unknown_text;

/// The error for an unknown name, with the one that was probably meant.
pub(crate) fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> anyhow::Error {
    anyhow::Error::msg(unknown_text(what, name, known))
}
