//! `probe`: the meaning of its arguments, and its report.

mod again;
mod client;
mod interrupt;
mod known;
mod progress;
mod report;
mod reproduce;
mod serve;

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use mcp_assay::rules;
use mcp_assay_probe::{Options, Sdk, Target, Unreachable, probe, requirements};
use mcp_assay_report::{Format, visible};

use self::known::Known;
use self::progress::Progress;
use crate::args::{ProbeArgs, Tested};
use crate::baseline::KnownFailures;
use crate::config::{Choices, ConfigFile, document, policy};
use crate::exit::Exit;
use crate::{output, suggest};

/// How long everything may take.
const ALL: Duration = Duration::from_secs(120);

/// Probes a server, and shows the report.
pub(crate) fn run(args: &ProbeArgs) -> anyhow::Result<Exit> {
    let file = ConfigFile::find(&args.report.selection)?;
    let options = options(args, file.as_ref())?;
    if args.serve_json {
        return serve::run(args, options);
    }
    let named_sdk = named_sdk(args, file.as_ref())?;
    let known_failures = KnownFailures::of(&args.report.known, file.as_ref())?;
    let format = format(args, file.as_ref());
    interrupt::on_signal(&options.interrupt)?;
    let progress = Progress::new();
    let result = probe(&options, &mut |what| progress.tell(what));
    progress.end();
    let report = match result {
        Ok(report) => report,
        Err(why) => {
            let exit = unreachable(args, format, &why)?;
            let is_interrupted = options.interrupt.is_set();
            return Ok(if is_interrupted {
                Exit::Interrupted
            } else {
                exit
            });
        }
    };
    let known = Known::new(args, &options, known_failures, &report);
    let sdk = match named_sdk {
        Some(sdk) => Some(sdk),
        None => Sdk::find(&options, &report),
    };
    write(args, |out| {
        report::write(format, args, &options, &report, &known, sdk.as_ref(), out)
    })?;
    if let Some(folder) = &args.report.reproduce {
        reproduce::write(folder, args, &report)?;
    }
    let exit = known.settle(&report)?;
    if options.interrupt.is_set() {
        output::say("interrupted: the report covers what was known by then");
        return Ok(Exit::Interrupted);
    }
    if let Some(status) = report.authorisation {
        output::say(&Unreachable::Authorisation(status).to_string());
        return Ok(Exit::NeedsAuthorisation);
    }
    Ok(match exit {
        Exit::Violations if args.report.exit_zero => Exit::Clean,
        exit => exit,
    })
}

/// The SDK that a flag or the configuration names.
fn named_sdk(args: &ProbeArgs, file: Option<&ConfigFile>) -> anyhow::Result<Option<Sdk>> {
    let named = match (&args.report.sdk, file.and_then(ConfigFile::sdk)) {
        (Some(name), _) => Some(Sdk::named(name, "--sdk")),
        (None, Some(name)) => Some(Sdk::named(name, "the configuration")),
        (None, None) => None,
    };
    Ok(named.transpose()?)
}

/// Reports why nothing could be probed, also in a document that a program waits for.
fn unreachable(args: &ProbeArgs, format: Format, why: &Unreachable) -> anyhow::Result<Exit> {
    // The reason may have several lines; nothing else in it moves the cursor.
    let text = why.to_string();
    let lines: Vec<_> = text.lines().map(visible).collect();
    let text = lines.join("\n");
    output::say(&text);
    if format != Format::Human {
        write(args, |out| report::trouble(format, args, &text, out))?;
    }
    Ok(match why {
        Unreachable::Authorisation(_) => Exit::NeedsAuthorisation,
        _ => Exit::Unreachable,
    })
}

fn write(
    args: &ProbeArgs,
    render: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let mut out = output::open(args.report.output.as_deref())?;
    let written = render(&mut out).and_then(|()| out.flush());
    output::unless_closed(written.context("failed to write the report"))
}

/// The format of the report.
fn format(args: &ProbeArgs, file: Option<&ConfigFile>) -> Format {
    let format = args.report.format.or(file.and_then(ConfigFile::format));
    format.unwrap_or_default()
}

fn options(args: &ProbeArgs, file: Option<&ConfigFile>) -> anyhow::Result<Options> {
    let target = match &args.url {
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => Target::Url {
            url: url.clone(),
            headers: args.header.clone(),
        },
        Some(url) => bail!("`{}` is no URL of http or https", url.escape_debug()),
        None if args.tested != Tested::Server => client::target(args)?,
        None => Target::Command(args.command.clone()),
    };
    for name in args.report.only.iter().chain(&args.report.except) {
        check_name(name)?;
    }
    let flags = Choices::of_flags(&args.report.selection);
    let places = file.into_iter().map(ConfigFile::choices);
    let places: Vec<_> = places.chain([&flags]).collect();
    let mut options = Options::new(target);
    options.policy = policy(&places);
    let document = document(&args.report.definitions, file)?;
    options.definitions = document.map(|document| document.current());
    // The traffic shows the revision in force; a configuration that forces one is for recordings.
    options.policy.revision = None;
    options.start_timeout = args.start_timeout.into();
    options.step_timeout = args.report.step_timeout.into();
    let all = args.timeout.map_or(ALL, Duration::from);
    options.deadline = Instant::now()
        .checked_add(all)
        .context("--timeout is too long")?;
    options.revisions.clone_from(&args.report.revision);
    options.quick = args.quick;
    options.call_tools = args.call_tools;
    options.calls.clone_from(&args.call);
    options.seed = args.seed;
    options.only.clone_from(&args.report.only);
    options.except.clone_from(&args.report.except);
    options.keep_transcript = format(args, file) == Format::Html;
    Ok(options)
}

/// Refuses a name without rules: it would report nothing, which looks like success.
fn check_name(only: &str) -> anyhow::Result<()> {
    let names = || {
        let rows = requirements().iter().map(|known| known.id);
        rows.chain(rules::all().map(|rule| rule.name))
    };
    let fits = |id: &str| {
        id == only
            || id
                .strip_prefix(only)
                .is_some_and(|rest| rest.starts_with('/'))
    };
    if names().any(fits) {
        Ok(())
    } else {
        Err(suggest::unknown("rule", only, names()))
    }
}
