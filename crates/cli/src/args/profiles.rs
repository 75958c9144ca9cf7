//! The arguments of `profiles`.

use clap::Subcommand;

use crate::profile::ChosenProfile;

/// List the built-in profiles, show one, or run the examples of some.
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
  mcp-assay profiles check mine.toml
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
    /// Run the examples in profiles: exit code 1 if one does not do what it says
    #[command(
        after_help = "Examples:\n  mcp-assay profiles check\n  mcp-assay profiles check erlmcp mine.toml"
    )]
    Check {
        /// Built-in profiles or files; without any, all built-in profiles
        #[arg(value_name = "NAME|FILE", value_parser = ChosenProfile::load)]
        profiles: Vec<ChosenProfile>,
    },
}
