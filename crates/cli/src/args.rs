//! The command line as it is written. The module `config` interprets it.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use mcp_assay::{Direction, Layer, Revision};
use mcp_assay_report::Format;

mod definitions;
mod diff_logs;
mod doctor;
mod gateway;
mod install;
mod live;
mod log;
mod probe;
mod profiles;
mod registry;
mod tip;
mod tools_lock;
mod validate;
mod wrap;

pub(crate) use self::definitions::{DefinitionsArgs, LiveDefinitionsArgs};
pub(crate) use self::diff_logs::DiffLogsArgs;
pub(crate) use self::doctor::DoctorArgs;
pub(crate) use self::gateway::{GatewayArgs, MemorySize};
pub(crate) use self::install::{InstallArgs, UninstallArgs};
pub(crate) use self::live::{LiveArgs, RotationArgs, Seconds, UnknownToolsArg};
pub(crate) use self::log::LogArgs;
pub(crate) use self::probe::{ProbeArgs, ProbeCommand, Tested};
pub(crate) use self::profiles::{ProfilesArgs, ProfilesCommand};
pub(crate) use self::registry::{FoldersArgs, RegistryArgs, RegistryCommand};
pub(crate) use self::tip::with_tip;
pub(crate) use self::tools_lock::{ToolsLockArgs, Undecided};
pub(crate) use self::validate::ValidateArgs;
pub(crate) use self::wrap::{ExecArgs, WrapArgs};
use crate::capture::Format as InputFormat;
pub(crate) use crate::output::Colour;
use crate::profile::ChosenProfile;
use crate::rule_names::selectable;

/// Checks Model Context Protocol traffic and reports exactly what is wrong with it.
#[derive(Parser, Debug)]
#[command(name = "mcp-assay", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay demo                         see what it finds in a flawed session
  mcp-assay check session.ndjson         check recorded traffic
  mcp-assay wrap -- npx -y some-server   check a stdio server while a client uses it
  mcp-assay probe -- ./server            talk to a server, well and badly
  mcp-assay gateway --upstream URL       check an HTTP server while clients use it
  mcp-assay explain schema/wrong-type    read about a rule

Exit codes: 0 clean, 1 violations, 2 could not run.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Check(Box<CheckArgs>),
    Wrap(Box<WrapArgs>),
    Probe(Box<ProbeArgs>),
    Gateway(Box<GatewayArgs>),
    Validate(ValidateArgs),
    Rules(RulesArgs),
    Explain(ExplainArgs),
    Schema(SchemaArgs),
    Registry(RegistryArgs),
    DiffLogs(DiffLogsArgs),
    Profiles(ProfilesArgs),
    Install(InstallArgs),
    Uninstall(UninstallArgs),
    Doctor(DoctorArgs),
    Demo(DemoArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    #[command(hide = true)]
    ExecServer(ExecArgs),
    /// Run the server of the demo.
    #[command(hide = true)]
    DemoServer,
}

/// Validate recorded traffic.
///
/// Reads JSON Lines: each line is a JSON-RPC message or batch, or a record of a capture. A file
/// that is one JSON text over several lines is one message. Also reads logs of Claude Desktop,
/// VS Code and supergateway, exports of MCP Inspector, HAR files, traces of mcp-trace-capture and
/// other recordings as JSON Lines, and reports what they cannot prove. Files ending in `.gz` or
/// `.zst` are unpacked. In a folder, the files ending in .ndjson, .jsonl, .json, .log or .har,
/// compressed or not, are read. Without arguments, or for `-`, reads standard input to its end.
#[derive(clap::Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct CheckArgs {
    /// Files and folders to check; `-` is standard input
    #[arg(value_name = "FILE|DIR|-")]
    pub(crate) inputs: Vec<PathBuf>,

    /// The format of the report; by default `human`
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// The format of the input; `auto` detects it from the first bytes
    #[arg(long, value_name = "FORMAT", value_parser = input_format_or_auto(), default_value = "auto")]
    pub(crate) input_format: Choice<InputFormat>,

    /// Follow a file while it grows, until Ctrl-C; findings are reported as they come
    #[arg(long)]
    pub(crate) follow: bool,

    /// The revision in force; `auto`, the default, reads it from the traffic, and assumes
    /// 2025-11-25 where nothing shows it
    #[arg(long, value_name = "REVISION", value_parser = revision_or_auto())]
    pub(crate) revision: Option<Choice<Revision>>,

    /// The sender of messages that do not name it; `auto` infers it from method and id
    #[arg(long, value_name = "DIRECTION", value_parser = direction_or_auto(), default_value = "auto")]
    pub(crate) direction: Choice<Direction>,

    /// The method that a response answers if its request is not in the input; without it, such a
    /// response is not judged
    #[arg(long, value_name = "METHOD")]
    pub(crate) answers: Option<String>,

    /// Check each document against one definition, such as `tools/call`, `CallToolRequest` or
    /// `Tool`, and not as traffic; a file is one JSON text, or one on each line
    ///
    /// `mcp-assay schema list` lists the names. Without --revision the revision is 2025-11-25.
    /// `envelope`, `tool-io` and `mcp.tool:<name>` are the contracts of result envelopes and of the
    /// input and output of tools.
    #[arg(long = "as", value_name = "DEFINITION", conflicts_with_all = ["follow", "once", "tools_lock", "write_tools_lock", "input_format"])]
    pub(crate) against: Option<String>,

    #[command(flatten)]
    pub(crate) definitions: DefinitionsArgs,

    /// Exit with 0 even if there are violations
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,

    /// Show the summary only; not in the formats junit and sarif
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Leave messages that pass out of the formats ndjson and json; the summary counts them
    #[arg(long)]
    pub(crate) only_findings: bool,

    /// The number of files checked at the same time; by default one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,

    /// The largest message that is checked, in bytes; by default 64 MiB
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MESSAGE_BYTES)))]
    pub(crate) max_message_bytes: Option<u32>,

    /// The deepest nesting that is checked; by default 128 levels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_depth: Option<u32>,

    /// Write the report to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    #[command(flatten)]
    pub(crate) known: BaselineArgs,

    /// Check one session and exit: the records with the session name of the first record, or
    /// without one if it has none
    ///
    /// Records of other sessions are skipped, and files after the first with a record are not read.
    #[arg(long)]
    pub(crate) once: bool,

    #[command(flatten)]
    pub(crate) log: LogArgs,

    #[command(flatten)]
    pub(crate) tools: ToolsLockArgs,
}

/// Offsets are 32 bits wide, and a capture record may be several times as long as the message in
/// it.
pub(crate) const MAX_MESSAGE_BYTES: u32 = 512 << 20;

const CHECK_EXAMPLES: &str = "\
Examples:
  mcp-assay check session.ndjson
  mcp-assay check captures/ --format ndjson --output report.ndjson
  mcp-assay check captures/ --format ndjson --only-findings
  mcp-assay check captures/ --format concise
  mcp-assay check captures/ --format html --output report.html
  mcp-assay check captures/ --format sarif --output report.sarif
  zcat old.log.gz | mcp-assay check - --revision 2025-03-26
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}' | mcp-assay check --answers tools/list
  mcp-assay check ~/Library/Logs/Claude/mcp.log recording.har
  mcp-assay check --follow ~/Library/Logs/Claude/mcp.log
  mcp-assay check server.log --direction s2c --layers json,jsonrpc --strict
  mcp-assay check captures/ --ignore note,schema/no-null-optional
  mcp-assay check captures/ --select method:tools/call --ignore kind:notification
  mcp-assay check captures/ --profile openai
  mcp-assay check captures/ --write-baseline known.json
  mcp-assay check captures/ --baseline known.json
  mcp-assay check session.ndjson --log-dir logs --deterministic-ids
  mcp-assay check session.ndjson --tools-lock tools.lock
  mcp-assay check --as CallToolResult result.json

Formats: `human` for people, `html` for people with a browser, `concise` for agents, editors and `grep`, `json` and `ndjson` for programs, `junit`, `sarif` and `github` for build servers.

Names are rules (`schema/wrong-type`), families (`jsonrpc`), layers (`session`) or levels (`note`). A rule's name is stronger than its family, a family stronger than a layer or level; of equals the later one counts, and --ignore after --select. `method:tools/call` names the messages that call or answer a method, `kind:notification` those of a kind (request, notification, response, error, batch, unreadable): rules, methods and kinds are selected independently, and a finding is reported if all three are. `mcp-assay.toml` in the working directory or above sets the same things; flags win over it.

Exit codes: 0 clean, 1 an error-level violation, a broken record, a stale entry of the baseline, or a tool that is removed or breaking, 2 could not run. Warnings and notes do not fail a check; --strict makes errors of warnings. If the reader of the output goes away, the code is that of the violations found up to there.";

/// The heading of the flags that select rules.
const CHOOSING: &str = "Rule selection";

/// The flags for known failures.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct BaselineArgs {
    /// Let the known failures in this file pass; new ones fail, and so do entries that are fixed
    #[arg(long, value_name = "FILE", help_heading = CHOOSING)]
    pub(crate) baseline: Option<PathBuf>,

    /// Write the failures to a file for --baseline, and succeed
    #[arg(long, value_name = "FILE", help_heading = CHOOSING, conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,
}

/// The flags that select rules and their levels.
#[derive(clap::Args, Debug, Default)]
#[command(next_help_heading = CHOOSING)]
pub(crate) struct SelectionArgs {
    /// Report only these: rules, families, layers or levels, `method:NAME` or `kind:NAME`,
    /// separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = selectable)]
    pub(crate) select: Vec<&'static str>,

    /// Leave these out: rules, families, layers or levels, `method:NAME` or `kind:NAME`, separated
    /// by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = selectable)]
    pub(crate) ignore: Vec<&'static str>,

    /// Check only these layers, separated by commas
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', value_parser = layer_parser())]
    pub(crate) layers: Vec<Layer>,

    /// Raise warnings to errors
    #[arg(long, overrides_with = "no_strict")]
    pub(crate) strict: bool,

    /// Leave warnings as they are, whatever the configuration says
    #[arg(long, overrides_with = "strict")]
    pub(crate) no_strict: bool,

    /// Check against a dialect: a built-in profile, which `mcp-assay profiles` lists, or a file
    #[arg(long, value_name = "NAME|FILE", value_parser = ChosenProfile::load)]
    pub(crate) profile: Option<ChosenProfile>,

    /// The configuration, in place of `mcp-assay.toml` in the working directory or above
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// List every rule, or those that are on.
///
/// A plain `rules` lists all of them. With `--on`, or a flag that selects, it lists those that are
/// on under the flags and `mcp-assay.toml`, with the levels that they have there.
#[derive(clap::Args, Debug)]
#[command(after_help = RULES_EXAMPLES)]
pub(crate) struct RulesArgs {
    /// The format of the list
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: ListFormat,

    /// Print the page of each: its consequences, examples, the remedy
    #[arg(long)]
    pub(crate) pages: bool,

    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,

    /// List only the rules that are on
    #[arg(long, help_heading = CHOOSING)]
    pub(crate) on: bool,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

const RULES_EXAMPLES: &str = "\
Examples:
  mcp-assay rules
  mcp-assay rules --select session,http --ignore note
  mcp-assay rules --on
  mcp-assay rules --format json | jq '.[].name'";

/// Print the page of a rule.
///
/// For a requirement of the specification that several rules share, prints the pages of these.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  mcp-assay explain schema/missing-member\n  mcp-assay explain json/no-bom"
)]
pub(crate) struct ExplainArgs {
    /// The name of the rule, as reports show it
    #[arg(value_name = "RULE")]
    pub(crate) rule: String,

    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,
}

/// Show the protocol's definitions as JSON Schema, and their changes.
#[derive(clap::Args, Debug)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub(crate) struct SchemaArgs {
    #[command(subcommand)]
    pub(crate) command: SchemaCommand,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  mcp-assay schema list --revision 2025-06-18
  mcp-assay schema export Tool --revision 2025-11-25
  mcp-assay schema diff 2025-06-18 2025-11-25
  mcp-assay schema verify schema.json";

#[derive(Subcommand, Debug)]
pub(crate) enum SchemaCommand {
    /// List the revisions, and the definitions with the revisions that have them
    #[command(
        after_help = "Examples:\n  mcp-assay schema list\n  mcp-assay schema list --revision 2025-06-18"
    )]
    List {
        /// Only the names of this revision
        #[arg(long, value_name = "REVISION", value_parser = revision_parser())]
        revision: Option<Revision>,
    },
    /// Print a revision, or one definition of it, as JSON Schema 2020-12
    ///
    /// `envelope`, `tool-io` and `config` are contracts of mcp-assay itself, the same for all
    /// revisions: the result envelope, the input and output of a tool, and `mcp-assay.toml`.
    #[command(
        after_help = "Examples:\n  mcp-assay schema export > mcp.json\n  mcp-assay schema export 2025-11-25\n  mcp-assay schema export Tool --revision 2025-06-18\n  mcp-assay schema export envelope > envelope.json\n  mcp-assay schema export config > mcp-assay.schema.json"
    )]
    Export {
        /// The definition, `envelope`, `tool-io`, `config` or a revision; without it the newest
        /// revision
        #[arg(value_name = "NAME")]
        name: Option<String>,

        /// The revision; by default the newest
        #[arg(long, value_name = "REVISION", value_parser = revision_parser())]
        revision: Option<Revision>,
    },
    /// Print the SHA-256 of each revision's schema: keys sorted, no white space
    #[command(
        after_help = "Examples:\n  mcp-assay schema fingerprint\n  mcp-assay schema fingerprint --revision 2025-06-18"
    )]
    Fingerprint {
        /// Only this revision
        #[arg(long, value_name = "REVISION", value_parser = revision_parser())]
        revision: Option<Revision>,
    },
    /// Show the changes between two revisions
    #[command(
        after_help = "Examples:\n  mcp-assay schema diff 2025-06-18 2025-11-25\n  mcp-assay schema diff 2025-11-25 2026-07-28 --format json"
    )]
    Diff {
        /// The older revision
        #[arg(value_parser = revision_parser())]
        old: Revision,

        /// The newer revision
        #[arg(value_parser = revision_parser())]
        new: Revision,

        /// The format of the output
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: ListFormat,
    },
    /// Compare the built-in definitions with an official schema document, on generated messages
    #[command(
        after_help = "Examples:\n  mcp-assay schema verify schema.json\n  mcp-assay schema verify schema.json --revision 2025-06-18\n\nExit codes: 0 they agree but for known errata, 1 they do not, 2 could not run."
    )]
    Verify {
        /// The document
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Its revision; by default the one whose definitions it resembles most
        #[arg(long, value_name = "REVISION", value_parser = revision_parser())]
        revision: Option<Revision>,
    },
}

/// Run a built-in flawed server through `wrap`, and show its six faults.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  mcp-assay demo\n  mcp-assay demo --keep session.ndjson\n  mcp-assay demo --format ndjson\n  mcp-assay demo --log-dir logs"
)]
pub(crate) struct DemoArgs {
    /// Write the recorded session to a file, for `check` and other commands
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,

    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), default_value = "human")]
    pub(crate) format: Format,

    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,

    #[command(flatten)]
    pub(crate) log: LogArgs,
}

/// Print completions for a shell.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  mcp-assay completions bash > ~/.local/share/bash-completion/completions/mcp-assay\n  mcp-assay completions zsh > ~/.zfunc/_mcp-assay"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Print the manual page, or write the pages of all commands to a folder.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  mcp-assay man | man -l -\n  mcp-assay man ~/.local/share/man/man1"
)]
pub(crate) struct ManArgs {
    /// The folder for the pages; it is made if it does not exist
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// A value that may be left to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice<T> {
    Auto,
    Given(T),
}

impl<T> Choice<T> {
    pub(crate) fn given(self) -> Option<T> {
        match self {
            Self::Auto => None,
            Self::Given(value) => Some(value),
        }
    }
}

/// The formats of lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ListFormat {
    Human,
    Json,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    named(Format::ALL.map(|format| (format.name(), format)).into())
}

fn layer_parser() -> impl TypedValueParser<Value = Layer> {
    named(Layer::ALL.map(|layer| (layer.name(), layer)).into())
}

fn revision_parser() -> impl TypedValueParser<Value = Revision> {
    named(
        Revision::ALL
            .map(|revision| (revision.name(), revision))
            .into(),
    )
}

fn revision_or_auto() -> impl TypedValueParser<Value = Choice<Revision>> {
    or_auto(
        Revision::ALL
            .map(|revision| (revision.name(), revision))
            .into(),
    )
}

fn input_format_or_auto() -> impl TypedValueParser<Value = Choice<InputFormat>> {
    or_auto(
        InputFormat::all()
            .map(|format| (format.name(), format))
            .collect(),
    )
}

fn direction_or_auto() -> impl TypedValueParser<Value = Choice<Direction>> {
    let both = [Direction::ClientToServer, Direction::ServerToClient];
    or_auto(both.map(|direction| (direction.name(), direction)).into())
}

fn or_auto<T: Copy + Send + Sync + 'static>(
    values: Vec<(&'static str, T)>,
) -> impl TypedValueParser<Value = Choice<T>> {
    let given = values
        .into_iter()
        .map(|(name, value)| (name, Choice::Given(value)));
    named(
        std::iter::once(("auto", Choice::Auto))
            .chain(given)
            .collect(),
    )
}

/// Names of values; clap lists them in the help and suggests the nearest.
fn named<T: Copy + Send + Sync + 'static>(
    values: Vec<(&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.iter().map(|(name, _)| *name)).map(move |text| {
        // clap has refused every other text.
        values
            .iter()
            .find(|(name, _)| *name == text)
            .expect("one of the possible values")
            .1
    })
}
