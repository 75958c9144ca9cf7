//! The command line of `registry`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{ListFormat, Undecided};

/// Show schemas: those in folders, and those of the tools that servers publish.
#[derive(clap::Args, Debug)]
#[command(after_help = REGISTRY_EXAMPLES)]
pub(crate) struct RegistryArgs {
    #[command(subcommand)]
    pub(crate) command: RegistryCommand,
}

const REGISTRY_EXAMPLES: &str = "\
Examples:
  mcp-assay registry list schemas/
  mcp-assay registry show tools/search.input schemas/
  mcp-assay registry verify schemas/ vendor/schemas/
  mcp-assay registry diff tools.lock session.ndjson";

#[derive(Subcommand, Debug)]
pub(crate) enum RegistryCommand {
    /// List the schemas in folders, with their dialects and fingerprints
    ///
    /// The fingerprint is the SHA-256 of the canonical JSON: schemas that differ only in layout and
    /// in the order of keys have the same, and share one compiled form.
    #[command(
        after_help = "Examples:\n  mcp-assay registry list\n  mcp-assay registry list schemas/ --format json"
    )]
    List(FoldersArgs),

    /// Show one schema: its file, its dialect, the parts that cannot be checked, and its text
    #[command(
        after_help = "Examples:\n  mcp-assay registry show tools/search.input schemas/\n  mcp-assay registry show order --format json"
    )]
    Show {
        /// The name: the path within its folder, without `.json`
        #[arg(value_name = "NAME")]
        name: String,

        #[command(flatten)]
        folders: FoldersArgs,
    },

    /// Compile every schema in folders, and report those that cannot be used
    #[command(
        after_help = "Examples:\n  mcp-assay registry verify schemas/\n  mcp-assay registry verify schemas/ vendor/ --format json\n\nExit codes: 0 all can be used, 1 some cannot, 2 could not run."
    )]
    Verify(FoldersArgs),

    /// Compare the tools of two snapshots of a server
    ///
    /// A snapshot is a lock file of `check --write-tools-lock`, a result of `tools/list`, or
    /// recorded traffic. A tool is removed, added, breaking, compatible or unknown. Breaking: the
    /// new input schema refuses a value that the old one accepted, or the new output schema allows
    /// a value that the old one did not. A member of an object that is named for the first time
    /// counts as not sent before. A value proves each breaking change, and is shown. Unknown:
    /// neither a proof nor such a value was found.
    #[command(after_help = DIFF_EXAMPLES)]
    Diff {
        /// The old snapshot
        old: PathBuf,

        /// The new snapshot
        new: PathBuf,

        /// The format of the output
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: ListFormat,

        /// The exit code for changed tools of which nothing could be proven
        #[arg(long, value_name = "CHOICE", default_value = "warn")]
        unknown: Undecided,
    },
}

const DIFF_EXAMPLES: &str = "\
Examples:
  mcp-assay registry diff tools.lock session.ndjson
  mcp-assay registry diff old-tools.json new-tools.json --format json
  mcp-assay registry diff tools.lock session.ndjson --unknown fail

Exit codes: 0 nothing removed and nothing breaking (nor unknown, with --unknown fail), 1 otherwise,
2 could not run.";

/// Folders of schemas.
#[derive(clap::Args, Debug)]
pub(crate) struct FoldersArgs {
    /// Folders, searched in this order; by default `./schemas`, then `mcp-assay/schemas` in the
    /// user's folder for configuration
    #[arg(value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: ListFormat,
}
