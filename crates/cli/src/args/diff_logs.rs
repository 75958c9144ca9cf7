//! The arguments of `diff-logs`.

use std::path::PathBuf;

use super::ListFormat;

/// Compare a validation log with a golden one.
///
/// Events are aligned, so that one that was inserted or is missing does not shift the rest; of an event that changed, each value is
/// shown as old -> new with its JSON Pointer. What differs from run to run does not count: ts, timestamp, traceId, spanId,
/// requestId, durationMs, duration, and members that hold paths (path, paths, source, file). Files ending in `.gz` or `.zst` are
/// read as they are.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffLogsArgs {
    /// The log to look at
    #[arg(long, value_name = "FILE")]
    pub(crate) new: PathBuf,

    /// The log that it should equal
    #[arg(long, value_name = "FILE")]
    pub(crate) golden: PathBuf,

    /// Leave a member out, too: its name, at any depth, or a JSON Pointer in which `*` is any name or position
    #[arg(long, value_name = "FIELD")]
    pub(crate) ignore: Vec<String>,

    /// Make the golden log what the new one is, without what differs from run to run, and succeed
    #[arg(long)]
    pub(crate) update: bool,

    /// How to show the difference
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: ListFormat,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay check session.ndjson --log-dir logs --deterministic-ids
  mcp-assay diff-logs --new logs/latest.jsonl --golden tests/session.jsonl
  mcp-assay diff-logs --new logs/latest.jsonl --golden tests/session.jsonl --update
  mcp-assay diff-logs --new a.jsonl --golden b.jsonl --ignore bytes --ignore '/rules/*/pointer'

Exit codes: 0 equal or updated, 1 different, 2 could not run, or a line is no event.";
