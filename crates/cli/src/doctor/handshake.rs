//! Starts a server or connects to it, and asks for its lists, as `probe --quick` does.

use std::time::{Duration, Instant};

use mcp_assay::Level;
use mcp_assay_probe::{Options, Report, Status, Target, Unreachable, probe};

use super::{Check, Outcome};
use crate::output::counted;

/// The server, as its client reaches it.
#[derive(Clone, Copy)]
pub(super) enum Peer<'a> {
    Command {
        line: &'a [&'a str],
        environment: &'a [(String, String)],
        folder: Option<&'a str>,
    },
    Url {
        url: &'a str,
        headers: &'a [(String, String)],
    },
}

/// Checks that the server completes the handshake.
pub(super) fn handshake(peer: Peer<'_>, timeout: Duration) -> Check {
    let mut options = Options::new(match peer {
        Peer::Command { line, .. } => {
            Target::Command(line.iter().map(|&word| word.to_owned()).collect())
        }
        Peer::Url { url, headers } => Target::Url {
            url: url.to_owned(),
            headers: headers
                .iter()
                .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
                .collect(),
        },
    });
    if let Peer::Command {
        environment,
        folder,
        ..
    } = peer
    {
        options.environment = environment.to_vec();
        options.folder = folder.map(Into::into);
    }
    options.quick = true;
    options.start_timeout = timeout;
    options.deadline = Instant::now() + timeout;
    let result = |outcome, message: String| Check::new("handshake", outcome, message);
    match probe(&options, &mut |_| {}) {
        Ok(report) => match report.authorisation {
            Some(status) => authorisation(status),
            None => completed(&report),
        },
        Err(Unreachable::Authorisation(status)) => authorisation(status),
        Err(why) => result(Outcome::Error, why.to_string()).fix(match why {
            Unreachable::Connect(_) => "start the server, or correct its address",
            _ => "start the command in a terminal, and read what it says",
        }),
    }
}

fn authorisation(status: u16) -> Check {
    let message = format!("it answers, and asks for authorisation (status {status})");
    Check::new("handshake", Outcome::Ok, message)
}

fn completed(report: &Report) -> Check {
    let revisions: Vec<_> = report
        .revisions
        .iter()
        .map(|revision| revision.name())
        .collect();
    if revisions.is_empty() {
        return Check::new(
            "handshake",
            Outcome::Error,
            "no handshake was completed in time",
        )
        .fix("start the command in a terminal, and read what it says");
    }
    let failed = |level| {
        let failed = report
            .entries
            .iter()
            .filter(|entry| entry.status == Status::Fail);
        failed.filter(|entry| entry.level == level).count() as u64
    };
    let spoken = format!("it speaks {}", revisions.join(", "));
    let found: Vec<_> = [(Level::Error, "error"), (Level::Warning, "warning")]
        .into_iter()
        .map(|(level, noun)| (failed(level), noun))
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
    if found.is_empty() {
        return Check::new("handshake", Outcome::Ok, spoken);
    }
    let message = format!("{spoken}, with {}", found.join(" and "));
    Check::new("handshake", Outcome::Warning, message)
        .fix("`mcp-assay probe --quick` with its command or URL shows them")
}
