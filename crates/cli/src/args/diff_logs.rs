//! The arguments of `diff-logs`.

use std::path::PathBuf;

use super::ListFormat;

/// Compare a validation log with a golden one.
///
/// Events are aligned, so that an inserted or missing one does not shift the rest. For a changed
/// event, each value is shown as old -> new with its JSON Pointer. Values that differ from run to
/// run do not count: ts, timestamp, traceId, spanId, requestId, durationMs, duration, and members
/// that hold paths (path, paths, source, file). Files ending in `.gz` or `.zst` are unpacked.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffLogsArgs {
    /// The log to check
    #[arg(long, value_name = "FILE")]
    pub(crate) new: PathBuf,

    /// The log that it should equal
    #[arg(long, value_name = "FILE")]
    pub(crate) golden: PathBuf,

    /// Ignore a further member: its name, at any depth, or a JSON Pointer in which `*` is any name
    /// or position
    #[arg(long, value_name = "FIELD")]
    pub(crate) ignore: Vec<String>,

    /// Compare ids, too: both logs were written with --deterministic-ids
    #[arg(long)]
    pub(crate) ids: bool,

    /// Replace the golden log by the new one, without values that differ from run to run, and
    /// succeed
    #[arg(long)]
    pub(crate) update: bool,

    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: ListFormat,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay check session.ndjson --log-dir logs --deterministic-ids
  mcp-assay diff-logs --new logs/latest.jsonl --golden tests/session.jsonl
  mcp-assay diff-logs --new logs/latest.jsonl --golden tests/session.jsonl --update
  mcp-assay diff-logs --new logs/latest.jsonl --golden tests/session.jsonl --ids
  mcp-assay diff-logs --new a.jsonl --golden b.jsonl --ignore bytes --ignore '/rules/*/pointer'

Exit codes: 0 equal or updated, 1 different, 2 could not run, or a line is no event.";
