//! The flags that `probe` and `probe client` share: revisions, rules and the report.

use std::path::PathBuf;

use mcp_assay::Revision;
use mcp_assay_report::Format;

use crate::args::{
    BaselineArgs, CHOOSING, Colour, DefinitionsArgs, Seconds, SelectionArgs, format_parser,
    revision_parser,
};

/// The flags for revisions, rules and the report.
#[derive(clap::Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ReportArgs {
    /// Speak these revisions only, separated by commas
    #[arg(long, value_name = "REVISIONS", value_delimiter = ',', value_parser = revision_parser())]
    pub(crate) revision: Vec<Revision>,

    /// How long one step may take, in seconds: an answer, or the silence of a client
    #[arg(long, value_name = "SECONDS", default_value = "5")]
    pub(crate) step_timeout: Seconds,

    /// The format of the report [default: human, or as in mcp-assay.toml]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// List only the rules that failed; in the formats ndjson and json, which list all
    #[arg(long)]
    pub(crate) only_findings: bool,

    /// Write the report to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The SDK that the server is written with: its own faults are listed apart; found by the
    /// package next to the command or the wording of errors if not given [names: fastmcp, python,
    /// typescript]
    #[arg(long, value_name = "NAME[@VERSION]")]
    pub(crate) sdk: Option<String>,

    /// Print the faults of the SDK as the text of an issue for its authors, and nothing else
    #[arg(long, conflicts_with = "format")]
    pub(crate) sdk_report: bool,

    /// Write a capture and a command for each failure to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) reproduce: Option<PathBuf>,

    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,

    /// Exit with 0 even if something failed
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Show every rule, not only those that failed
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// Report these rules or families only, also those that only probing shows, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', help_heading = CHOOSING)]
    pub(crate) only: Vec<String>,

    /// Leave these rules or families out, also those that only probing shows, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', help_heading = CHOOSING)]
    pub(crate) except: Vec<String>,

    #[command(flatten)]
    pub(crate) definitions: DefinitionsArgs,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    #[command(flatten)]
    pub(crate) known: BaselineArgs,
}
