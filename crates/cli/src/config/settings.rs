//! The settings of checks and reports.

use std::collections::HashMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use mcp_assay::model::METHODS;
use mcp_assay::{CurrentDefinitions, Direction, Policy, Validator, method_named};
use mcp_assay_live::output_queue::OnDropped;
use mcp_assay_live::redact::Redactor;
use mcp_assay_report::{Context, Format, Style};

use super::choices::{Choices, policy};
use super::context;
use super::file::ConfigFile;
use super::outputs::Outputs;
use crate::against::Against;
use crate::args::{
    BaselineArgs, CheckArgs, DefinitionsArgs, DemoArgs, LiveArgs, LogArgs, RotationArgs,
    ToolsLockArgs, Undecided,
};
use crate::baseline::{Baseline, KnownFailures};
use crate::capture::Format as InputFormat;
use crate::input::{Signs, Source, is_packed};
use crate::log::{self, Bodies, Log, Mode, Redaction};
use crate::output_file::Rotation;
use crate::schema_override::{Document, OnFailure, Refresher};
use crate::tool_diff::{self, Tools};
use crate::{output, schemas, suggest};

/// The settings of checks and reports.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) policy: Policy,
    /// The same with another policy, for files that the configuration names.
    special: HashMap<PathBuf, Arc<Settings>>,
    /// Replaces the built-in definitions.
    pub(crate) definitions: Option<Arc<CurrentDefinitions>>,
    /// Reads their document again, if they are from one and the traffic is live.
    pub(crate) refresher: Option<Arc<Refresher>>,
    /// The format of sources; each is detected if this is not set.
    pub(crate) input_format: Option<InputFormat>,
    /// The signs of a file that is followed while it grows.
    pub(crate) follow: Option<Signs>,
    /// The sender of messages that do not name it.
    pub(crate) direction: Option<Direction>,
    /// The method that lone responses answer.
    pub(crate) answers: Option<String>,
    /// The definition that documents are checked against, in place of the rules of traffic.
    pub(crate) against: Option<Against>,
    pub(crate) format: Format,
    pub(crate) style: Style,
    /// The facts of the report about the run itself.
    pub(crate) context: Context,
    pub(crate) detail: Detail,
    /// Files that are checked at the same time.
    pub(crate) jobs: usize,
    pub(crate) output: Option<PathBuf>,
    pub(crate) on_violations: OnViolations,
    pub(crate) known_failures: KnownFailures,
    pub(crate) tools: ToolsLock,
    pub(crate) sessions: Sessions,
    /// The folder of the validation log, and its settings.
    log: Option<(PathBuf, log::Options)>,
    /// The rotation of recordings and logs of live traffic.
    pub(crate) rotation: Rotation,
    /// Replaces credentials in recordings; nothing if they are recorded.
    pub(crate) redactor: Option<Redactor>,
}

/// The sessions that are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sessions {
    All,
    /// The session of the first record.
    First,
}

impl KnownFailures {
    /// Reads the flags, then the configuration.
    pub(crate) fn of(args: &BaselineArgs, file: Option<&ConfigFile>) -> anyhow::Result<Self> {
        if let Some(path) = &args.write_baseline {
            return Ok(Self::Write(path.clone()));
        }
        let path = args.baseline.clone();
        match path.or(file.and_then(ConfigFile::baseline)) {
            Some(path) => Ok(Self::Pass(Arc::new(Baseline::read(&path)?))),
            None => Ok(Self::None),
        }
    }
}

/// The treatment of the tools that servers publish.
#[derive(Clone, Debug)]
pub(crate) enum ToolsLock {
    /// Nothing.
    Ignore,
    /// Compare them with those of a lock.
    Compare(Arc<Tools>, Undecided),
    /// They become the lock in this file.
    Write(PathBuf),
    /// They are read; the caller decides what happens with them.
    Read,
}

/// The amount of detail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    Messages,
    /// Messages that pass are left out of formats that list all.
    Findings,
    Summary,
}

/// The effect of violations on the exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnViolations {
    Fail,
    Succeed,
}

impl Settings {
    /// The settings of `check` for these sources.
    pub(crate) fn of_check(
        args: &CheckArgs,
        sources: &[anyhow::Result<Source>],
    ) -> anyhow::Result<Self> {
        let file = ConfigFile::find(&args.selection)?;
        let file = file.as_ref();
        let format = args.format.or(file.and_then(ConfigFile::format));
        let mut settings = Self::plain(
            format.unwrap_or_default(),
            output::style(args.color, args.output.is_some()),
        );
        let flags = choices_of(args);
        let base = file.map(ConfigFile::choices);
        settings.policy = policy(&places(base, &[], &flags));
        if let Some(method) = &args.answers
            && method_named(method.as_bytes()).is_none()
            && !settings.knows_method(method)
        {
            return Err(suggest::unknown(
                "method",
                method,
                METHODS.iter().map(|method| method.name),
            ));
        }
        settings.answers.clone_from(&args.answers);
        settings.direction = args.direction.given();
        settings.input_format = args.input_format.given();
        if args.follow {
            settings.follow = Some(follow(sources)?);
        }
        settings.context = context::of_check(args);
        if args.only_findings {
            settings.detail = Detail::Findings;
        }
        if args.quiet {
            if matches!(settings.format, Format::Junit | Format::Sarif) {
                let format = settings.format.name();
                anyhow::bail!("--quiet leaves nothing to write in the format {format}");
            }
            settings.detail = Detail::Summary;
        }
        if args.exit_zero {
            settings.on_violations = OnViolations::Succeed;
        }
        if let Some(jobs) = args.jobs {
            settings.jobs = usize::from(jobs);
        }
        settings.output.clone_from(&args.output);
        settings.known_failures = KnownFailures::of(&args.known, file)?;
        if args.once {
            settings.sessions = Sessions::First;
        }
        settings.set_log(&args.log, Mode::Check)?;
        settings.tools = tools_lock(&args.tools)?;
        let document = document(&args.definitions, file)?;
        settings.definitions = document.as_ref().map(Document::current);
        if let Some(name) = &args.against {
            let definitions = document.and_then(|document| document.definitions());
            settings.against = Some(match definitions {
                Some(definitions) => Against::of_document(name, definitions)?,
                None => Against::named(name, settings.policy.revision)?,
            });
        }
        if let Some(file) = file {
            settings.special = settings.specialise(file, &flags, sources);
        }
        Ok(settings)
    }

    /// The settings of live checking.
    pub(crate) fn of_live(args: &LiveArgs) -> anyhow::Result<Self> {
        let file = ConfigFile::find(&args.selection)?;
        let file = file.as_ref();
        let mut settings = Self::plain(Format::default(), Style::PLAIN);
        let bytes = args
            .max_message_bytes
            .map(|bytes| ("bytes", bytes as usize));
        let flags = Choices {
            revision: args.revision,
            limits: bytes.into_iter().collect(),
            ..Choices::of_flags(&args.selection)
        };
        settings.policy = policy(&places(file.map(ConfigFile::choices), &[], &flags));
        let outputs = file.map(ConfigFile::outputs).cloned().unwrap_or_default();
        let mut log = args.log.clone();
        log.redact.extend_from_slice(&outputs.redact);
        settings.set_log(&log, Mode::Live(args.mode))?;
        if args.record.is_none() && !args.log.log_bodies && !args.log.redact.is_empty() {
            anyhow::bail!("--redact needs --record or --log-bodies");
        }
        settings.rotation = rotation(&args.rotation, &outputs);
        let is_on = settings.rotation.is_on();
        if !is_on && args.rotation.keep.is_some() {
            anyhow::bail!("--rotate-keep needs --rotate-size or --rotate-age");
        }
        if !args.record_secrets && !outputs.record_secrets {
            let names = Redaction::new(&log.redact)?;
            let further = Arc::new(move |name: &str| names.is_asked_for(name));
            settings.redactor = Some(Redactor::new().with_names(further));
        }
        if let Some(document) = document(&args.definitions.document, file)? {
            settings.definitions = Some(document.current());
            let every = args.definitions.schema_refresh.map(Duration::from);
            let every = every.or(file.and_then(ConfigFile::schema_refresh));
            let refresher = Refresher::start(document, every.filter(|every| !every.is_zero()));
            settings.refresher = Some(Arc::new(refresher.context("failed to start")?));
        }
        Ok(settings)
    }

    /// Settings under which the tools of traffic are read, and nothing else matters.
    pub(crate) fn of_tools() -> Self {
        let mut settings = Self::plain(Format::Human, Style::PLAIN);
        settings.detail = Detail::Summary;
        settings.tools = ToolsLock::Read;
        settings
    }

    /// Whether the profile has a method that the protocol does not have.
    fn knows_method(&self, name: &str) -> bool {
        let profile = self.policy.dialect();
        profile.is_some_and(|profile| profile.has_method(name))
    }

    /// The settings of `demo`.
    pub(crate) fn of_demo(args: &DemoArgs) -> anyhow::Result<Self> {
        let mut settings = Self::plain(args.format, output::style(args.color, false));
        settings.context = context::of_demo(args);
        settings.set_log(&args.log, Mode::Check)?;
        Ok(settings)
    }

    fn plain(format: Format, style: Style) -> Self {
        Self {
            policy: Policy::default(),
            special: HashMap::new(),
            definitions: None,
            refresher: None,
            input_format: None,
            follow: None,
            direction: None,
            answers: None,
            against: None,
            format,
            style,
            context: Context::default(),
            detail: Detail::Messages,
            jobs: thread::available_parallelism().map_or(1, NonZero::get),
            output: None,
            on_violations: OnViolations::Fail,
            known_failures: KnownFailures::None,
            sessions: Sessions::All,
            log: None,
            rotation: Rotation::default(),
            redactor: None,
            tools: ToolsLock::Ignore,
        }
    }

    fn set_log(&mut self, args: &LogArgs, mode: Mode) -> anyhow::Result<()> {
        if mode == Mode::Check && !args.log_bodies && !args.redact.is_empty() {
            anyhow::bail!("--redact needs --log-bodies");
        }
        let Some(folder) = &args.log_dir else {
            return Ok(());
        };
        let bodies = if args.log_bodies {
            Bodies::Redacted(Redaction::new(&args.redact)?)
        } else {
            Bodies::LeftOut
        };
        let options = log::Options {
            mode,
            bodies,
            deterministic_ids: args.deterministic_ids,
        };
        self.log = Some((folder.clone(), options));
        Ok(())
    }

    /// Opens the validation log of recorded traffic, if one is requested.
    pub(crate) fn open_log(&self) -> anyhow::Result<Option<Log>> {
        let open = |(folder, options): &(PathBuf, log::Options)| Log::open(folder, options.clone());
        self.log.as_ref().map(open).transpose()
    }

    /// Opens the validation log of live traffic, if one is requested.
    pub(crate) fn open_live_log(&self, on_dropped: OnDropped) -> anyhow::Result<Option<Log>> {
        let Some((folder, options)) = &self.log else {
            return Ok(None);
        };
        let log = Log::open_live(folder, options.clone(), self.rotation, on_dropped)?;
        let log = Some(log);
        if let (Some(log), Some(refresher)) = (&log, &self.refresher) {
            refresher.log_to(log.notices());
        }
        Ok(log)
    }

    /// Whether sources may be checked at the same time: events are in a log in the order of the
    /// input, and the first session is known only after the sources before it are read.
    pub(crate) fn in_parallel(&self) -> bool {
        self.jobs > 1 && self.log.is_none() && self.sessions == Sessions::All
    }

    /// The settings for a source.
    pub(crate) fn of_source(&self, source: &Source) -> &Self {
        match source {
            Source::File(path) => self
                .special
                .get(path)
                .map_or(self, |settings| settings.as_ref()),
            _ => self,
        }
    }

    /// A validator under these settings.
    pub(crate) fn validator(&self) -> Validator {
        let mut validator = Validator::with_registry(self.policy.clone(), schemas::shared());
        if let Some(definitions) = &self.definitions {
            validator.replace_definitions(Arc::clone(definitions) as Arc<_>);
        }
        validator
    }

    /// The settings of files that the configuration names; files of the same tables share them.
    fn specialise(
        &self,
        file: &ConfigFile,
        flags: &Choices,
        sources: &[anyhow::Result<Source>],
    ) -> HashMap<PathBuf, Arc<Self>> {
        let mut shared: Vec<(Vec<&Choices>, Arc<Self>)> = Vec::new();
        let mut special = HashMap::new();
        for source in sources {
            let Ok(Source::File(path)) = source else {
                continue;
            };
            let tables = file.choices_for(path);
            if tables.is_empty() {
                continue;
            }
            let same = shared.iter().find(|(others, _)| *others == tables);
            let settings = if let Some((_, settings)) = same {
                Arc::clone(settings)
            } else {
                let settings = Arc::new(Self {
                    policy: policy(&places(Some(file.choices()), &tables, flags)),
                    ..self.clone()
                });
                shared.push((tables, Arc::clone(&settings)));
                settings
            };
            special.insert(path.clone(), settings);
        }
        special
    }
}

/// The rotation of recordings and logs: flags before the configuration.
fn rotation(args: &RotationArgs, file: &Outputs) -> Rotation {
    Rotation {
        size: args.size.or(file.rotate_size),
        age: args.age.map(Duration::from).or(file.rotate_age),
        keep: args.keep.map(|keep| keep as usize).or(file.rotate_keep),
    }
}

/// The document that replaces the built-in definitions, as the flags or the configuration name it.
pub(crate) fn document(
    args: &DefinitionsArgs,
    file: Option<&ConfigFile>,
) -> anyhow::Result<Option<Document>> {
    let source = args.schema.clone().or(file.and_then(ConfigFile::schema));
    let is_required = args.schema_required || file.is_some_and(ConfigFile::schema_required);
    match source {
        Some(source) if is_required => Document::open(&source, OnFailure::Refuse).map(Some),
        Some(source) => Document::open(&source, OnFailure::FallBack).map(Some),
        None if is_required => anyhow::bail!(
            "a schema is required and none is named: give --schema, or `schema_override` in mcp-assay.toml"
        ),
        None => Ok(None),
    }
}

/// The places that describe the policy, the strongest last.
fn places<'c>(
    base: Option<&'c Choices>,
    tables: &[&'c Choices],
    flags: &'c Choices,
) -> Vec<&'c Choices> {
    let tables = tables.iter().copied();
    base.into_iter().chain(tables).chain([flags]).collect()
}

fn choices_of(args: &CheckArgs) -> Choices {
    let limits = [("bytes", args.max_message_bytes), ("depth", args.max_depth)];
    Choices {
        revision: args.revision,
        limits: limits
            .into_iter()
            .filter_map(|(limit, value)| Some((limit, value? as usize)))
            .collect(),
        ..Choices::of_flags(&args.selection)
    }
}

/// The signs of the one file that is followed.
fn follow(sources: &[anyhow::Result<Source>]) -> anyhow::Result<Signs> {
    match sources {
        [Ok(Source::File(path))] if is_packed(path) => {
            anyhow::bail!("--follow reads no packed file: {}", path.display())
        }
        [Ok(Source::File(_)) | Err(_)] => Ok(Signs::of_user()?),
        _ => anyhow::bail!("--follow needs one file"),
    }
}

fn tools_lock(args: &ToolsLockArgs) -> anyhow::Result<ToolsLock> {
    Ok(match (&args.tools_lock, &args.write_tools_lock) {
        (Some(path), _) => ToolsLock::Compare(Arc::new(tool_diff::read(path)?), args.unknown),
        (None, Some(path)) => ToolsLock::Write(path.clone()),
        (None, None) => ToolsLock::Ignore,
    })
}
