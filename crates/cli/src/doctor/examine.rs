//! Reads configurations, and examines their servers.

use std::thread;

use super::handshake::{Peer, handshake};
use super::{Check, FileReport, Outcome, Scope, ServerReport, command};
use crate::install::{Client, ConfigText, Launch, Place, Server, Start, inner_command};

/// Servers that are started at the same time.
const MAX_STARTED: usize = 4;

/// Examines the files that exist.
pub(crate) fn examine(places: &[Place], scope: &Scope<'_>) -> Vec<FileReport> {
    places
        .iter()
        .filter_map(|place| file(place, scope))
        .collect()
}

fn file(place: &Place, scope: &Scope<'_>) -> Option<FileReport> {
    let mut report = FileReport {
        client: place.client,
        path: place.file.clone(),
        problem: None,
        servers: Vec::new(),
        all: Vec::new(),
    };
    let servers = match ConfigText::read(&place.file) {
        Ok(None) if place.client.is_some() => return None,
        Ok(None) => Err("there is no such file".to_owned()),
        Ok(Some(file)) => file.notation().read(file.text()),
        Err(error) => Err(error.root_cause().to_string()),
    };
    match servers {
        Ok(servers) => {
            report.all = servers.iter().map(|server| server.name.clone()).collect();
            let wanted =
                |server: &&Server| scope.servers.is_empty() || scope.servers.contains(&server.name);
            let wanted: Vec<_> = servers.iter().filter(wanted).collect();
            for few in wanted.chunks(MAX_STARTED) {
                report.servers.extend(examine_few(few, place, scope));
            }
        }
        Err(fault) => {
            let check = Check::new("file", Outcome::Error, fault);
            report.problem = Some(check.fix("correct the file: its client ignores all of it"));
        }
    }
    Some(report)
}

fn examine_few(servers: &[&Server], place: &Place, scope: &Scope<'_>) -> Vec<ServerReport> {
    thread::scope(|threads| {
        let started: Vec<_> = servers
            .iter()
            .map(|server| threads.spawn(|| examine_server(server, place, scope)))
            .collect();
        // A panic would be a defect of ours, and is shown as one.
        let joined = started.into_iter().map(|thread| match thread.join() {
            Ok(report) => report,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
}

fn examine_server(server: &Server, place: &Place, scope: &Scope<'_>) -> ServerReport {
    let mut checks = Vec::new();
    checks.extend(group(server, place.client));
    let target = match &server.start {
        Start::Unclear(why) => {
            let check = Check::new("server", Outcome::Error, *why);
            checks.push(check.fix("give it a `command`, or a `url` if it is reached over HTTP"));
            String::new()
        }
        Start::Remote(_) => {
            let url = server.details.url.as_deref();
            checks.push(remote(server, url, scope));
            checks.push(
                Check::new("wrap", Outcome::Skipped, "it is reached by URL").fix(match url {
                    Some(url) => format!(
                        "to check its traffic, start `mcp-assay gateway --upstream {}` and name its address here",
                        without_query(url)
                    ),
                    None => "give its address as `url`".to_owned(),
                }),
            );
            url.map(without_query).unwrap_or_default().to_owned()
        }
        Start::Command(launch) => {
            let own = own_line(launch);
            checks.extend(started(server, launch, &own, place, scope));
            own.first().map(|&word| word.to_owned()).unwrap_or_default()
        }
    };
    ServerReport {
        name: server.title(),
        target,
        checks,
    }
}

/// The server's own command line: that after `wrap`, if it is wrapped.
fn own_line(launch: &Launch) -> Vec<&str> {
    let line = launch.line();
    match inner_command(launch, &[]) {
        // The command is the first of the line, so its arguments begin at 1.
        Some(inner) => line[inner + 1..].to_vec(),
        None => line,
    }
}

/// A server under a member that its client does not read.
fn group(server: &Server, client: Option<Client>) -> Option<Check> {
    let (read, by) = match client? {
        Client::VsCode => ("servers", "VS Code"),
        Client::ClaudeDesktop | Client::ClaudeCode => ("mcpServers", "Claude"),
        Client::Cursor => ("mcpServers", "Cursor"),
        Client::Windsurf => ("mcpServers", "Windsurf"),
        Client::Codex => ("mcp_servers", "Codex"),
    };
    (server.group != read).then(|| {
        let message = format!("it is in `{}`, which {by} does not read", server.group);
        Check::new("server", Outcome::Warning, message).fix(format!("move it to `{read}`"))
    })
}

fn started(
    server: &Server,
    launch: &Launch,
    own: &[&str],
    place: &Place,
    scope: &Scope<'_>,
) -> Vec<Check> {
    let is_wrapped = own.len() < launch.line().len();
    let folder = server.details.folder.as_deref();
    let mut checks = Vec::new();
    if let Some(variable) = placeholder(server, launch) {
        let why = format!("`{variable}` stands for a value that only the client knows");
        checks.push(Check::new("command", Outcome::Skipped, why.clone()));
        checks.push(Check::new("handshake", Outcome::Skipped, why));
    } else {
        let environment = &server.details.environment;
        if is_wrapped {
            let outer = command::find(&launch.command.value, folder, environment);
            if outer.outcome == Outcome::Error {
                checks.push(outer.fix("run `mcp-assay install` again: it writes the full path"));
            }
        }
        let found = command::find(own[0], folder, environment);
        let is_there = found.outcome != Outcome::Error;
        checks.push(found);
        checks.push(match scope.timeout {
            None => Check::new("handshake", Outcome::Skipped, "--no-start"),
            Some(_) if !is_there => {
                Check::new("handshake", Outcome::Skipped, "the command does not exist")
            }
            Some(timeout) => handshake(
                Peer::Command {
                    line: own,
                    environment,
                    folder,
                },
                timeout,
            ),
        });
    }
    checks.push(wrap(server, is_wrapped, place));
    checks
}

fn remote(server: &Server, url: Option<&str>, scope: &Scope<'_>) -> Check {
    let skipped = |why: &str| Check::new("handshake", Outcome::Skipped, why);
    let Some(url) = url else {
        return Check::new("server", Outcome::Error, "it has no address")
            .fix("give its address as `url`");
    };
    let headers = &server.details.headers;
    if url.contains("${") || headers.iter().any(|(_, value)| value.contains("${")) {
        return skipped("`${...}` stands for a value that only the client knows");
    }
    match scope.timeout {
        None => skipped("--no-start"),
        Some(timeout) => handshake(Peer::Url { url, headers }, timeout),
    }
}

/// A placeholder that the client replaces.
fn placeholder(server: &Server, launch: &Launch) -> Option<String> {
    let variables = server.details.environment.iter();
    let values = variables.map(|(_, value)| value.as_str());
    let texts = launch
        .line()
        .into_iter()
        .chain(values)
        .chain(server.details.folder.as_deref());
    texts.into_iter().find_map(|text| {
        let (_, rest) = text.split_once("${")?;
        let (name, _) = rest.split_once('}')?;
        Some(format!("${{{name}}}"))
    })
}

/// The effect that `install` would have.
fn wrap(server: &Server, is_wrapped: bool, place: &Place) -> Check {
    if is_wrapped {
        return Check::new("wrap", Outcome::Ok, "wrapped: its traffic is checked");
    }
    let client = match place.client {
        Some(client) => client.name().to_owned(),
        None => place.file.display().to_string(),
    };
    let words = ["install", "--client", &client, &server.name];
    let words = words.map(mcp_assay_report::quoted).join(" ");
    let message = "not wrapped: its traffic is not checked";
    Check::new("wrap", Outcome::Skipped, message).fix(format!("`mcp-assay {words}` wraps it"))
}

/// An address without the part that may hold a credential.
fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::Notation;

    fn server(text: &str) -> Server {
        let text = format!(r#"{{"mcpServers": {{"a": {text}}}}}"#);
        Notation::Json.read(&text).unwrap().remove(0)
    }

    fn place(client: Option<Client>) -> Place {
        Place {
            client,
            file: "mcp.json".into(),
        }
    }

    fn checks(text: &str, client: Option<Client>) -> Vec<Check> {
        let scope = Scope {
            servers: &[],
            timeout: None,
        };
        examine_server(&server(text), &place(client), &scope).checks
    }

    #[test]
    fn placeholders_are_left_to_the_client() {
        for text in [
            r#"{"command": "${workspaceFolder}/server"}"#,
            r#"{"command": "npx", "args": ["${input:key}"]}"#,
            r#"{"command": "npx", "env": {"KEY": "${env:KEY}"}}"#,
        ] {
            let checks = checks(text, None);
            assert_eq!(checks[0].outcome, Outcome::Skipped, "{text}");
            assert!(checks[0].message.starts_with("`${"), "{checks:?}");
        }
    }

    #[test]
    fn a_member_that_the_client_does_not_read_is_named() {
        let text = r#"{"url": "https://example.com/mcp?key=secret"}"#;
        let at_vscode = checks(text, Some(Client::VsCode));
        assert_eq!(at_vscode[0].fix.as_deref(), Some("move it to `servers`"));
        let at_cursor = checks(text, Some(Client::Cursor));
        assert!(at_cursor.iter().all(|check| check.name != "server"));
        let shown = format!("{at_cursor:?}");
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn the_inner_command_of_a_wrapped_server_is_examined() {
        let text = r#"{"command": "/no/mcp-assay", "args": ["wrap", "--", "/no/server"]}"#;
        let checks = checks(text, None);
        let messages: Vec<_> = checks.iter().map(|check| check.message.as_str()).collect();
        assert!(messages[0].contains("/no/mcp-assay"), "{messages:?}");
        assert!(messages[1].contains("/no/server"), "{messages:?}");
        assert_eq!(checks.last().map(|check| check.outcome), Some(Outcome::Ok));
    }
}
