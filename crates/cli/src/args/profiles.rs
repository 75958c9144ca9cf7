//! The arguments of `profiles`.

use clap::Subcommand;

/// List the built-in profiles, or show one.
///
/// A profile is a dialect of the protocol, or a set of further requirements: other methods, error
/// codes and levels, and rules of its own. `--profile` and `profile` in `mcp-assay.toml` select
/// one. `profiles show` prints a file to begin with for one of your own.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ProfilesArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ProfilesCommand>,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay profiles
  mcp-assay profiles show openai
  mcp-assay profiles show base-stack > mine.toml
  mcp-assay check captures/ --profile mine.toml";

#[derive(Subcommand, Debug)]
pub(crate) enum ProfilesCommand {
    /// Print the file of a built-in profile
    #[command(after_help = "Examples:\n  mcp-assay profiles show erlmcp")]
    Show {
        /// The name of the profile
        #[arg(value_name = "NAME")]
        name: String,
    },
}
