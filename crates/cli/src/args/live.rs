//! The arguments that `wrap` and `gateway` share.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use mcp_assay::{Revision, Validator};
use mcp_assay_live::guard::{Guard, Mode, Pieces, Repairs, UnknownTools, Values};
use mcp_assay_report::Format;

use super::{Choice, LiveDefinitionsArgs, LogArgs, SelectionArgs, format_parser, revision_or_auto};

/// The flags of live checking.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(clap::Args, Debug)]
pub(crate) struct LiveArgs {
    /// `shadow` checks and counts; `enforce` forwards no message with an error
    #[arg(long, value_name = "MODE", value_parser = mode_parser(), default_value = "shadow")]
    pub(crate) mode: Mode,

    /// In `enforce`: drop null members that must be absent, turn `[]` into `{}` where an object is
    /// meant, and on standard streams join the lines of a message, instead of refusing
    #[arg(long)]
    pub(crate) repair: bool,

    /// In `enforce`: leave a broken tool out of a list of tools, instead of refusing the list
    #[arg(long)]
    pub(crate) quarantine: bool,

    /// In `enforce`, a call of a tool that the server has not listed, so that its arguments cannot
    /// be checked: `allow` forwards it, `refuse` does not, and `list` has `gateway` ask the server
    /// for its tools first
    #[arg(long, value_name = "WHAT", value_enum, default_value = "allow")]
    pub(crate) unknown_tools: UnknownToolsArg,

    /// In `enforce`: quote the offending value in refusals
    #[arg(long)]
    pub(crate) quote_values: bool,

    /// Only forward, and record: check nothing
    #[arg(long, conflicts_with_all = ["mode", "report", "log_dir"])]
    pub(crate) no_check: bool,

    /// End after one session
    ///
    /// `wrap`: when the client or the server has closed its stream, the server has --grace seconds
    /// to end. `gateway`: when the client has ended the session with DELETE, the server with 404,
    /// or no client has been connected for --grace seconds; other sessions are cut off.
    #[arg(long)]
    pub(crate) once: bool,

    /// Write the traffic to a capture, byte for byte but for credentials; in a folder each run gets
    /// a file of its own
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) record: Option<PathBuf>,

    /// Record credentials, too: without it, recordings have placeholders for authorisation,
    /// cookies, keys in headers and tokens in URLs
    #[arg(long, requires = "record")]
    pub(crate) record_secrets: bool,

    #[command(flatten)]
    pub(crate) rotation: RotationArgs,

    /// Write a report to a file; its ending selects the format
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), requires = "report")]
    pub(crate) report_format: Option<Format>,

    /// The revision in force; `auto`, the default, reads it from the traffic
    #[arg(long, value_name = "REVISION", value_parser = revision_or_auto())]
    pub(crate) revision: Option<Choice<Revision>>,

    /// The largest message that is checked, in bytes; by default 64 MiB
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(super::MAX_MESSAGE_BYTES)))]
    pub(crate) max_message_bytes: Option<u32>,

    #[command(flatten)]
    pub(crate) definitions: LiveDefinitionsArgs,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    #[command(flatten)]
    pub(crate) log: LogArgs,
}

impl LiveArgs {
    /// The guard around a validator.
    pub(crate) fn guard(&self, validator: Validator) -> Guard {
        let mut repairs = Repairs::default();
        repairs.values = self.repair;
        repairs.quarantine = self.quarantine;
        let pieces = if self.repair {
            Pieces::Text
        } else {
            Pieces::Messages
        };
        let mut guard = Guard::with_validator(validator, self.mode);
        guard.values = self.values();
        guard.repairs = repairs;
        guard.pieces = pieces;
        guard.unknown_tools = match self.unknown_tools {
            UnknownToolsArg::Allow => UnknownTools::Allow,
            UnknownToolsArg::List | UnknownToolsArg::Refuse => UnknownTools::Refuse,
        };
        guard
    }

    fn values(&self) -> Values {
        if self.quote_values {
            Values::Quoted
        } else {
            Values::Hidden
        }
    }
}

/// The flags of the rotation of recordings and validation logs.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct RotationArgs {
    /// Begin a new recording and a new validation log when one has this size, in bytes
    ///
    /// The newest recording keeps its name, older ones get the time in theirs; logs have the time
    /// in their names anyway. Each file can be checked by itself.
    #[arg(id = "rotate_size", long = "rotate-size", value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) size: Option<u64>,

    /// The same when one is this old, in seconds
    #[arg(id = "rotate_age", long = "rotate-age", value_name = "SECONDS")]
    pub(crate) age: Option<Seconds>,

    /// Keep this number of older files of the run, and remove the others; by default all stay
    #[arg(id = "rotate_keep", long = "rotate-keep", value_name = "N")]
    pub(crate) keep: Option<u32>,
}

/// The decision about calls of tools that the server has not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum UnknownToolsArg {
    Allow,
    List,
    Refuse,
}

/// The names of the modes.
pub(super) fn mode_parser() -> impl TypedValueParser<Value = Mode> {
    let names = Mode::ALL.map(Mode::name);
    PossibleValuesParser::new(names).try_map(|name| {
        let known = Mode::ALL.into_iter().find(|mode| mode.name() == name);
        known.ok_or("no such mode")
    })
}

/// A time in seconds, with or without a fraction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Seconds(Duration);

impl From<Seconds> for Duration {
    fn from(seconds: Seconds) -> Self {
        seconds.0
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds: f64 = text
            .parse()
            .map_err(|_| "expected a number of seconds".to_owned())?;
        let time = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
        Ok(Self(time))
    }
}
