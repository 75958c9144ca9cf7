//! The arguments of `validate`.

use mcp_assay::Revision;

use super::{Choice, SelectionArgs, revision_or_auto};

/// Answer questions about single messages, parts of them, and sessions, for programs in any language.
///
/// Reads one JSON question from each line of standard input and writes one answer to it on a line of
/// standard output, in the same order, until the input ends. Blank lines are skipped. A question
/// names a `command` and its members; the answer repeats its `id`. Commands are the functions of the
/// modules `protocol`, `envelope`, `tool_io` and `canonical` of the library, and `open`, `check` and
/// `end` for sessions. A bad question gets an answer that says so.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ValidateArgs {
    /// Serve questions on standard input
    #[arg(long, required = true)]
    pub(crate) serve_json: bool,

    /// The revision of questions that name none; `auto`, the default, reads it from the message and
    /// assumes 2025-11-25 if the message shows none
    #[arg(long, value_name = "REVISION", value_parser = revision_or_auto())]
    pub(crate) revision: Option<Choice<Revision>>,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay validate --serve-json
  mcp-assay validate --serve-json --profile erlmcp
  echo '{\"id\":1,\"command\":\"validate_request\",\"method\":\"tools/cal\"}' | mcp-assay validate --serve-json

docs/serve-json.md lists the commands; examples/ has clients in Erlang, Go, Python and TypeScript.

Exit codes: 0 the input ended, 2 could not run.";
