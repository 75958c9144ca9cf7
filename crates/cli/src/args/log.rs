//! The arguments that all commands with a validation log share.

use std::path::PathBuf;

use crate::log::key_pattern;

/// The flags of the validation log.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Validation log")]
pub(crate) struct LogArgs {
    /// Write a validation log to this folder: <start time>.jsonl; latest.jsonl points to the newest
    /// one
    ///
    /// JSON Lines: an event for each message, and one with its result envelope for each exchange.
    /// The log contains no messages, except for names and ids.
    #[arg(long, value_name = "DIR")]
    pub(crate) log_dir: Option<PathBuf>,

    /// Log the messages and HTTP headers, too; values whose key sounds like a secret are redacted
    ///
    /// Such keys are, for example, authorization, token, secret, password, `api_key` and cookie.
    /// Secrets within texts are not found.
    #[arg(long, requires = "log_dir")]
    pub(crate) log_bodies: bool,

    /// Redact the values of further keys in logged messages, and of headers and parameters in
    /// recordings: a regular expression, found anywhere in the key in any case
    #[arg(long, value_name = "PATTERN", value_parser = key_pattern)]
    pub(crate) redact: Vec<String>,

    /// Derive the ids of traces and requests from the input, so that two runs give the same
    #[arg(long, requires = "log_dir")]
    pub(crate) deterministic_ids: bool,
}
