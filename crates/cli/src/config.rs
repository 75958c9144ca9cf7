//! What the command line means.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use mcp_assay::model::METHODS;
use mcp_assay::{Definitions, Direction, LayerSet, Policy, Validator, method_named};
use mcp_assay_report::{Format, Style};

use crate::args::{CheckArgs, Colour};
use crate::replace::{self, OnFailure};
use crate::{output, suggest};

/// How to check, and how to show it.
pub(crate) struct Settings {
    pub(crate) policy: Policy,
    /// Replaces the built-in definitions.
    pub(crate) definitions: Option<Arc<dyn Definitions>>,
    /// Who sent messages that do not say.
    pub(crate) direction: Option<Direction>,
    /// The method that lone responses answer.
    pub(crate) answers: Option<String>,
    pub(crate) format: Format,
    pub(crate) style: Style,
    pub(crate) detail: Detail,
    /// Files that are checked at the same time.
    pub(crate) jobs: usize,
    pub(crate) output: Option<PathBuf>,
    pub(crate) on_violations: OnViolations,
}

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    Messages,
    Summary,
}

/// What violations do to the exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnViolations {
    Fail,
    Succeed,
}

impl Settings {
    /// The settings of `check`.
    pub(crate) fn of_check(args: &CheckArgs) -> anyhow::Result<Self> {
        let mut settings = Self::plain(
            args.format,
            output::style(args.color, args.output.is_some()),
        );
        let policy = &mut settings.policy;
        policy.revision = args.revision.given();
        policy.strict = args.strict;
        if !args.layers.is_empty() {
            policy.layers = args.layers.iter().copied().collect::<LayerSet>();
        }
        if let Some(bytes) = args.max_message_bytes {
            policy.limits.bytes = bytes as usize;
        }
        if let Some(depth) = args.max_depth {
            policy.limits.depth = depth as usize;
        }
        if let Some(method) = &args.answers
            && method_named(method.as_bytes()).is_none()
        {
            return Err(suggest::unknown(
                "method",
                method,
                METHODS.iter().map(|method| method.name),
            ));
        }
        settings.answers.clone_from(&args.answers);
        settings.direction = args.direction.given();
        if args.quiet {
            settings.detail = Detail::Summary;
        }
        if args.exit_zero {
            settings.on_violations = OnViolations::Succeed;
        }
        if let Some(jobs) = args.jobs {
            settings.jobs = usize::from(jobs);
        }
        settings.output.clone_from(&args.output);
        if let Some(source) = &args.schema {
            let on_failure = if args.schema_required {
                OnFailure::Refuse
            } else {
                OnFailure::FallBack
            };
            let definitions = replace::definitions(source, on_failure)?;
            settings.definitions =
                definitions.map(|definitions| definitions as Arc<dyn Definitions>);
        }
        Ok(settings)
    }

    /// The settings of `demo`.
    pub(crate) fn of_demo(format: Format, colour: Colour) -> Self {
        Self::plain(format, output::style(colour, false))
    }

    fn plain(format: Format, style: Style) -> Self {
        Self {
            policy: Policy::default(),
            definitions: None,
            direction: None,
            answers: None,
            format,
            style,
            detail: Detail::Messages,
            jobs: thread::available_parallelism().map_or(1, NonZero::get),
            output: None,
            on_violations: OnViolations::Fail,
        }
    }

    /// A validator under these settings.
    pub(crate) fn validator(&self) -> Validator {
        let mut validator = Validator::new(self.policy.clone());
        if let Some(definitions) = &self.definitions {
            validator.replace_definitions(Arc::clone(definitions));
        }
        validator
    }
}
