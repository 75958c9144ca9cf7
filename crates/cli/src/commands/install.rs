//! `install` and `uninstall`: `wrap` in the configuration of clients.

use std::fmt::Write;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context, anyhow, bail};
use clap::Parser;

use crate::args::{Args, InstallArgs, UninstallArgs};
use crate::exit::Exit;
use crate::install::{
    ConfigText, Place, Plan, Surroundings, Wanted, Wrapping, all_places, places, unified,
};
use crate::{output, suggest};

pub(crate) fn install(args: &InstallArgs) -> anyhow::Result<Exit> {
    if cfg!(not(unix)) {
        // A client that starts it would have no servers any more.
        bail!("nothing is changed: `wrap` needs the pipes and signals of a Unix system");
    }
    let wrapping = wrapping(args)?;
    refuse_what_wrap_does(&wrapping)?;
    let wanted = Wanted::In(&wrapping);
    let changes = plan(args.client.as_deref(), &args.servers, wanted)?;
    if args.client.is_none() {
        refuse_several_clients(&changes)?;
    }
    carry_out(&changes, wanted, args.dry_run)
}

pub(crate) fn uninstall(args: &UninstallArgs) -> anyhow::Result<Exit> {
    let mut programs: Vec<_> = own_path().into_iter().collect();
    programs.extend(args.command.clone());
    let wanted = Wanted::Out(&programs);
    let changes = plan(args.client.as_deref(), &args.servers, wanted)?;
    carry_out(&changes, wanted, args.dry_run)
}

/// A file, and its planned text.
struct Change {
    place: Place,
    file: ConfigText,
    plan: Plan,
}

impl Change {
    fn is_needed(&self) -> bool {
        self.plan.text != self.file.text()
    }
}

/// Plans for all files before the first is changed.
fn plan(
    client: Option<&str>,
    servers: &[String],
    wanted: Wanted<'_>,
) -> anyhow::Result<Vec<Change>> {
    let around = Surroundings::of_process()?;
    let places = match client {
        Some(client) => places(client, &around)?,
        None => all_places(&around),
    };
    let mut files = Vec::new();
    for place in &places {
        if let Some(file) = ConfigText::read(&place.file)? {
            files.push((place.clone(), file));
        }
    }
    if files.is_empty() {
        return Err(nothing_found(&places));
    }
    let mut known = Vec::new();
    for (place, file) in &files {
        known.extend(Plan::names(file.text(), file.notation()).with_context(|| invalid(place))?);
    }
    if let Some(name) = servers.iter().find(|name| !known.contains(name)) {
        known.sort();
        known.dedup();
        let unknown = suggest::unknown("server", name, known.iter().map(String::as_str));
        return Err(unknown.context("nothing is changed"));
    }
    let mut changes = Vec::new();
    for (place, file) in files {
        let plan = Plan::make(file.text(), file.notation(), servers, wanted)
            .with_context(|| invalid(&place))?;
        // A file without any of the servers is not mentioned.
        if servers.is_empty() || !plan.outcomes.is_empty() {
            changes.push(Change { place, file, plan });
        }
    }
    Ok(changes)
}

fn invalid(place: &Place) -> String {
    format!("failed to edit {}", place.file.display())
}

fn nothing_found(places: &[Place]) -> anyhow::Error {
    if let [place] = places {
        return anyhow!("there is no file {}", place.file.display());
    }
    let mut text = "no configuration was found; searched for".to_owned();
    for place in places {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {}", place.file.display());
    }
    anyhow!(text)
}

/// Checks that the command is understood: otherwise a server would never start again.
fn refuse_what_wrap_does(wrapping: &Wrapping) -> anyhow::Result<()> {
    let line = iter::once("mcp-assay".to_owned()).chain(wrapping.sample());
    if let Err(refusal) = Args::try_parse_from(line) {
        let refusal = refusal.to_string();
        let first = refusal.lines().next().unwrap_or_default();
        bail!("`wrap` refuses these arguments: {first}");
    }
    Ok(())
}

/// Without a named client, the only one is meant.
fn refuse_several_clients(changes: &[Change]) -> anyhow::Result<()> {
    let mut names: Vec<_> = changes
        .iter()
        .filter(|change| {
            let mut outcomes = change.plan.outcomes.iter();
            outcomes.any(|(_, outcome)| outcome.concerns_us())
        })
        .filter_map(|change| change.place.client)
        .map(crate::install::Client::name)
        .collect();
    names.dedup();
    if names.len() > 1 {
        let names = names.join(", ");
        bail!("several clients have servers: {names}; choose with --client, or --client all");
    }
    Ok(())
}

/// Writes the files, or shows the changes.
fn carry_out(changes: &[Change], wanted: Wanted<'_>, dry_run: bool) -> anyhow::Result<Exit> {
    for change in changes {
        let name = change.file.path.display().to_string();
        let mut report = format!("{}\n", name.escape_debug());
        for (server, outcome) in &change.plan.outcomes {
            // Writing to a string cannot fail.
            let _ = writeln!(report, "  {server}: {outcome}");
        }
        if change.plan.outcomes.is_empty() {
            report.push_str("  has no servers\n");
        }
        if dry_run {
            output::say(&format!("nothing is written; {}", report.trim_end()));
            let diff = unified(&name, change.file.text(), &change.plan.text);
            output::print(diff.as_bytes())?;
            continue;
        }
        if change.is_needed() {
            write(change, wanted, &mut report)?;
        }
        output::print(report.as_bytes())?;
    }
    Ok(Exit::Clean)
}

fn write(change: &Change, wanted: Wanted<'_>, report: &mut String) -> anyhow::Result<()> {
    let Change { file, plan, .. } = change;
    let backup = file.backup();
    match wanted {
        Wanted::In(_) => {
            // `wrap` gives each run a file of its own if the path is a folder.
            for folder in &plan.folders {
                fs::create_dir_all(folder).with_context(|| format!("failed to create {folder}"))?;
            }
            file.keep(plan.was_wrapped)?;
            file.replace(&plan.text)?;
            // Writing to a string cannot fail.
            let _ = writeln!(report, "  as it was: {}", backup.display());
        }
        Wanted::Out(_) => {
            file.replace(&plan.text)?;
            if file.drop_backup(&plan.text) {
                // Writing to a string cannot fail.
                let _ = writeln!(report, "  removed {}: it is the same", backup.display());
            }
        }
    }
    Ok(())
}

fn wrapping(args: &InstallArgs) -> anyhow::Result<Wrapping> {
    let program = match &args.command {
        Some(command) => command.clone(),
        None => own_path().context(
            "the path of this program is not known; name what clients should start with --command",
        )?,
    };
    let folder = |folder: &Option<PathBuf>| folder.as_deref().map(absolute_text).transpose();
    Ok(Wrapping {
        program,
        mode: args.mode,
        record: folder(&args.record)?,
        log_dir: folder(&args.log_dir)?,
        is_explicit: args.command.is_some()
            || args.mode.is_some()
            || args.record.is_some()
            || args.log_dir.is_some(),
    })
}

/// The full path of the program: clients start servers with few folders in `PATH`.
fn own_path() -> Option<String> {
    let path = std::env::current_exe().ok()?;
    path.into_os_string().into_string().ok()
}

/// The absolute path of a folder: clients start servers in a folder of their own.
fn absolute_text(path: &Path) -> anyhow::Result<String> {
    let whole = absolute(path).with_context(|| format!("failed to use {}", path.display()))?;
    match whole.into_os_string().into_string() {
        Ok(text) => Ok(text),
        Err(_) => bail!("failed to use {}: it is not UTF-8", path.display()),
    }
}
