//! The report of `doctor`, for people and for programs.

use mcp_assay_report::{Style, folded_text, visible};
use serde_json::{Value, json};

use super::{Check, FileReport, Outcome, ServerReport};
use crate::install::Client;
use crate::output::counted;

/// The report for people.
pub(crate) fn human(files: &[FileReport], style: Style) -> String {
    let mut text = String::new();
    for file in files {
        let client = file.client.map(Client::name);
        let path = visible(&file.path.display().to_string());
        push_line(&mut text, &[client.unwrap_or("file"), "  ", &path]);
        if let Some(problem) = &file.problem {
            push_check(&mut text, "  ", problem, style);
        } else if file.servers.is_empty() {
            text.push_str("  no servers\n");
        }
        for server in &file.servers {
            let (name, target) = (visible(&server.name), visible(&server.target));
            push_line(&mut text, &["  ", &name, "  ", &target]);
            for check in &server.checks {
                push_check(&mut text, "    ", check, style);
            }
        }
        text.push('\n');
    }
    text.push_str(&summary(files));
    folded_text(&text, style).into_owned()
}

fn push_check(text: &mut String, indent: &str, check: &Check, style: Style) {
    let outcome = format!("{:<7}", check.outcome.name());
    let (before, after) = match (style.colour, check.outcome) {
        (false, _) | (_, Outcome::Skipped) => ("", ""),
        (true, Outcome::Ok) => ("\x1b[92m", "\x1b[0m"),
        (true, Outcome::Warning) => ("\x1b[33m", "\x1b[0m"),
        (true, Outcome::Error) => ("\x1b[91m", "\x1b[0m"),
    };
    // A reason may have several lines.
    let mut lines = check.message.lines().map(visible);
    let first = lines.next().unwrap_or_default();
    let name = format!("{:<9}", check.name);
    push_line(
        text,
        &[indent, before, &outcome, after, " ", &name, " ", &first],
    );
    let below = " ".repeat(indent.len() + 18);
    for line in lines {
        push_line(text, &[&below, &line]);
    }
    if let Some(fix) = &check.fix {
        push_line(text, &[&below, "fix: ", &visible(fix)]);
    }
}

fn push_line(text: &mut String, parts: &[&str]) {
    let line = parts.concat();
    text.push_str(line.trim_end());
    text.push('\n');
}

fn summary(files: &[FileReport]) -> String {
    let count = |outcome| {
        let checks = files.iter().flat_map(FileReport::checks);
        checks.filter(|check| check.outcome == outcome).count() as u64
    };
    let servers = files.iter().map(|file| file.servers.len() as u64).sum();
    let found = match (count(Outcome::Error), count(Outcome::Warning)) {
        (0, 0) => "nothing to mend".to_owned(),
        (0, warnings) => counted(warnings, "warning"),
        (errors, 0) => counted(errors, "error"),
        (errors, warnings) => {
            format!(
                "{}, {}",
                counted(errors, "error"),
                counted(warnings, "warning")
            )
        }
    };
    format!("{}: {found}\n", counted(servers, "server"))
}

/// The report for programs.
pub(crate) fn json(files: &[FileReport]) -> String {
    let of_file = |file: &FileReport| {
        json!({
            "client": file.client.map(Client::name),
            "path": file.path.display().to_string(),
            "problem": file.problem.as_ref().map(of_check),
            "servers": file.servers.iter().map(of_server).collect::<Vec<_>>(),
        })
    };
    let files: Vec<_> = files.iter().map(of_file).collect();
    format!("{:#}\n", json!({ "files": files }))
}

fn of_server(server: &ServerReport) -> Value {
    json!({
        "name": server.name,
        "target": server.target,
        "checks": server.checks.iter().map(of_check).collect::<Vec<_>>(),
    })
}

fn of_check(check: &Check) -> Value {
    json!({
        "check": check.name,
        "status": check.outcome.name(),
        "message": check.message,
        "fix": check.fix,
    })
}
