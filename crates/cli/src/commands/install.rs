//! `install` and `uninstall`: `wrap` in the configuration of clients.

use std::fmt::Write;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context, anyhow, bail};
use clap::Parser;
use mcp_assay_report::visible;

use crate::args::{Args, InstallArgs, UninstallArgs};
use crate::exit::Exit;
use crate::install::{
    Client, ConfigText, FolderLocks, Outcome, Place, Plan, Replaced, Surroundings, UNKNOWN_LOG,
    Wanted, Wrapping, all_places, places, unified,
};
use crate::{output, suggest};

pub(crate) fn install(args: &InstallArgs) -> anyhow::Result<Exit> {
    let wrapping = wrapping(args)?;
    refuse_what_wrap_does(&wrapping)?;
    let wanted = Wanted::In(&wrapping);
    let places = find_places(args.client.as_deref())?;
    let _locks = lock(&places, args.dry_run)?;
    let changes = plan(&places, &args.servers, wanted)?;
    if args.client.is_none() && !args.dry_run {
        return Err(without_client(&changes));
    }
    let after = results_appear(&changes, &wrapping);
    let exit = carry_out(changes, &args.servers, wanted, args.dry_run)?;
    if !args.dry_run {
        output::print(after.as_bytes())?;
    }
    Ok(exit)
}

pub(crate) fn uninstall(args: &UninstallArgs) -> anyhow::Result<Exit> {
    let mut programs: Vec<_> = own_path().into_iter().collect();
    programs.extend(args.command.clone());
    let wanted = Wanted::Out(&programs);
    let places = find_places(args.client.as_deref())?;
    let _locks = lock(&places, args.dry_run)?;
    let changes = plan(&places, &args.servers, wanted)?;
    carry_out(changes, &args.servers, wanted, args.dry_run)
}

/// The number of times that a file is read again because another program changed it.
const MAX_ATTEMPTS: usize = 8;

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

    /// The file and the outcome for each server.
    fn report(&self) -> String {
        let name = self.file.path.display().to_string();
        let mut report = format!("{}\n", visible(&name));
        for (server, outcome) in &self.plan.outcomes {
            // Writing to a string cannot fail.
            let _ = writeln!(report, "  {server}: {outcome}");
        }
        if self.plan.outcomes.is_empty() {
            report.push_str("  has no servers\n");
        }
        report
    }

    /// Reads the file again, and plans for the text that it has now.
    fn plan_anew(&mut self, servers: &[String], wanted: Wanted<'_>) -> anyhow::Result<()> {
        let Some(file) = ConfigText::read(&self.place.file)? else {
            bail!(
                "failed to edit {}: it was removed",
                self.place.file.display()
            );
        };
        let plan = Plan::make(file.text(), file.notation(), servers, wanted)
            .with_context(|| invalid(&self.place))?;
        (self.file, self.plan) = (file, plan);
        Ok(())
    }
}

/// The files of a client, or of all clients.
fn find_places(client: Option<&str>) -> anyhow::Result<Vec<Place>> {
    let around = Surroundings::of_process()?;
    match client {
        Some(client) => places(client, &around),
        None => Ok(all_places(&around)),
    }
}

/// Waits for other runs that edit the same files; a run that writes nothing does not wait.
fn lock(places: &[Place], dry_run: bool) -> anyhow::Result<Option<FolderLocks>> {
    if dry_run {
        return Ok(None);
    }
    FolderLocks::of(places.iter().map(|place| place.file.as_path())).map(Some)
}

/// Plans for all files before the first is changed.
fn plan(places: &[Place], servers: &[String], wanted: Wanted<'_>) -> anyhow::Result<Vec<Change>> {
    let mut files = Vec::new();
    for place in places {
        if let Some(file) = ConfigText::read(&place.file)? {
            files.push((place.clone(), file));
        }
    }
    if files.is_empty() {
        return Err(nothing_found(places));
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

/// Names the clients to choose from: a configuration is not changed without being named.
fn without_client(changes: &[Change]) -> anyhow::Error {
    let mut names: Vec<_> = changes
        .iter()
        .filter(|change| {
            let mut outcomes = change.plan.outcomes.iter();
            outcomes.any(|(_, outcome)| outcome.concerns_us())
        })
        .filter_map(|change| change.place.client)
        .map(Client::name)
        .collect();
    names.dedup();
    let Some(first) = names.first() else {
        return anyhow!("nothing is changed: no client starts a server by a command");
    };
    let names = names.join(", ");
    anyhow!(
        "nothing is changed: name the client; servers were found at {names}; choose with --client {first}, or --client all"
    )
}

/// The sentences after a change: when it begins to count, and where findings are then.
fn results_appear(changes: &[Change], wrapping: &Wrapping) -> String {
    let is_new = |outcome: &Outcome| matches!(outcome, Outcome::Wrapped | Outcome::WrappedAnew);
    let is_wrapped = |change: &&Change| {
        let mut outcomes = change.plan.outcomes.iter();
        outcomes.any(|(_, outcome)| is_new(outcome))
    };
    let mut clients: Vec<_> = changes
        .iter()
        .filter(is_wrapped)
        .map(|change| change.place.client)
        .collect();
    if clients.is_empty() {
        return String::new();
    }
    clients.dedup();
    // Writing to a string cannot fail.
    let mut text = "Restart the client. Findings appear\n".to_owned();
    for client in clients {
        let log = client.map_or(UNKNOWN_LOG, Client::server_log);
        let _ = writeln!(text, "  at the end of a session: {log}");
    }
    match &wrapping.log_dir {
        Some(folder) => {
            let _ = writeln!(text, "  for each message: {folder}/SERVER/latest.jsonl");
        }
        None => text.push_str("  for each message: nowhere; --log-dir DIR writes a log\n"),
    }
    match &wrapping.record {
        Some(folder) => {
            let _ = writeln!(text, "  in recordings: mcp-assay check {folder}");
        }
        None => {
            text.push_str("  in recordings: nowhere; --record DIR keeps the traffic for `check`\n");
        }
    }
    text
}

/// Writes the files, or shows the changes.
fn carry_out(
    changes: Vec<Change>,
    servers: &[String],
    wanted: Wanted<'_>,
    dry_run: bool,
) -> anyhow::Result<Exit> {
    for mut change in changes {
        if dry_run {
            output::say(&format!(
                "nothing is written; {}",
                change.report().trim_end()
            ));
            let name = change.file.path.display().to_string();
            let diff = unified(&name, change.file.text(), &change.plan.text);
            output::print(diff.as_bytes())?;
            continue;
        }
        let notes = write(&mut change, servers, wanted)?;
        output::print((change.report() + &notes).as_bytes())?;
    }
    Ok(Exit::Clean)
}

/// Writes a file, and returns notes for the report. If another program changes it meanwhile, plans
/// anew for the text that it wrote.
fn write(change: &mut Change, servers: &[String], wanted: Wanted<'_>) -> anyhow::Result<String> {
    for _ in 0..MAX_ATTEMPTS {
        if !change.is_needed() {
            return Ok(String::new());
        }
        let Change { file, plan, .. } = &*change;
        if let Wanted::In(_) = wanted {
            // `wrap` gives each run a file of its own if the path is a folder.
            for folder in &plan.folders {
                fs::create_dir_all(folder).with_context(|| format!("failed to create {folder}"))?;
            }
            file.keep(plan.was_wrapped)?;
        }
        if file.replace(&plan.text)? == Replaced::Done {
            let backup = file.backup_name();
            return Ok(match wanted {
                Wanted::In(_) => format!("  as it was: {backup}\n"),
                Wanted::Out(_) if file.drop_backup(&plan.text) => {
                    format!("  removed {backup}: it is the same\n")
                }
                Wanted::Out(_) => String::new(),
            });
        }
        change.plan_anew(servers, wanted)?;
    }
    bail!(
        "failed to write {}: other programs keep changing it",
        change.file.path.display()
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_of_another_program_after_the_plan_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mcp.json");
        let text = r#"{"mcpServers": {"a": {"command": "x"}}}"#;
        fs::write(&file, text).unwrap();
        let place = Place {
            client: None,
            file: file.clone(),
        };
        let wrapping = Wrapping {
            program: "/opt/mcp-assay".to_owned(),
            mode: None,
            record: None,
            log_dir: None,
            is_explicit: false,
        };
        let (servers, wanted) = (["a".to_owned()], Wanted::In(&wrapping));
        let mut changes = plan(&[place], &servers, wanted).unwrap();
        let edited = text.replace("}}}", r#"}, "b": {"command": "y"}}}"#);
        fs::write(&file, &edited).unwrap();
        let notes = write(&mut changes[0], &servers, wanted).unwrap();
        assert!(notes.contains("as it was: "), "{notes}");
        let written: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(written["mcpServers"]["a"]["command"], "/opt/mcp-assay");
        assert_eq!(written["mcpServers"]["b"]["command"], "y");
        assert_eq!(
            fs::read_to_string(changes[0].file.backup()).unwrap(),
            edited
        );
        fs::remove_file(&file).unwrap();
        assert!(changes[0].plan_anew(&servers, wanted).is_err());
    }
}
