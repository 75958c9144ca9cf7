//! The arguments of definitions from outside, which every command that checks has.

use super::Seconds;

/// The flags that replace the built-in definitions.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct DefinitionsArgs {
    /// Replace the built-in definitions by a JSON Schema document in the manner of the official
    /// ones; a URL is one of http, https or file
    #[arg(long, value_name = "FILE|URL")]
    pub(crate) schema: Option<String>,

    /// Refuse to run if the document of --schema cannot be used; otherwise the built-in definitions
    /// are used
    #[arg(long)]
    pub(crate) schema_required: bool,
}

/// The flags that replace the built-in definitions of live checking.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct LiveDefinitionsArgs {
    #[command(flatten)]
    pub(crate) document: DefinitionsArgs,

    /// Read the document of --schema again at this interval, in seconds, and on SIGHUP; without it,
    /// on SIGHUP only, which Windows does not have
    ///
    /// A new document replaces the old one as a whole; if it cannot be used, the old one stays.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) schema_refresh: Option<Seconds>,
}
