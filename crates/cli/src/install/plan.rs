//! The plan for one configuration: decided and proven before anything is written.

use std::fmt;

use anyhow::{anyhow, bail};
use mcp_assay_report::visible;

use super::document::{Notation, Server, Start};
use super::edit;
use super::wrapping::{Wrapping, inner_command, is_wrap};

/// The intention for servers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'w> {
    /// Wrap them.
    In(&'w Wrapping),
    /// Unwrap them, if they are wrapped by us under one of these names.
    Out(&'w [String]),
}

/// The plan for one configuration.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The new text.
    pub(crate) text: String,
    /// The outcomes for the requested servers, in their order.
    pub(crate) outcomes: Vec<(String, Outcome)>,
    /// The folders that servers will write to.
    pub(crate) folders: Vec<String>,
    /// Whether a server was wrapped before.
    pub(crate) was_wrapped: bool,
}

/// The outcome for a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Wrapped,
    /// It was wrapped with other arguments.
    WrappedAnew,
    /// It needs no change; the program that wraps it.
    AlreadyWrapped(String),
    Unwrapped,
    NotWrapped,
    /// It is reached by other means; the member that shows so.
    Remote(&'static str),
    /// It is not understood; the reason.
    Unclear(&'static str),
}

impl Outcome {
    /// Whether the client runs a command for it, which can be wrapped.
    pub(crate) fn concerns_us(&self) -> bool {
        !matches!(self, Self::Remote(_) | Self::Unclear(_))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrapped => f.write_str("wrapped"),
            Self::WrappedAnew => f.write_str("wrapped anew"),
            Self::AlreadyWrapped(program) => {
                write!(f, "already wrapped, by {}", visible(program))
            }
            Self::Unwrapped => f.write_str("unwrapped"),
            Self::NotWrapped => f.write_str("not wrapped"),
            Self::Remote(member) => write!(f, "left alone: it is remote (`{member}`)"),
            Self::Unclear(why) => write!(f, "left alone: {why}"),
        }
    }
}

impl Plan {
    /// Plans for the servers of these names, or for all if there are none.
    pub(crate) fn make(
        text: &str,
        notation: Notation,
        names: &[String],
        wanted: Wanted<'_>,
    ) -> anyhow::Result<Self> {
        let read = |text: &str| notation.read(text).map_err(|fault| anyhow!(fault));
        let servers = read(text)?;
        let is_asked = |server: &Server| names.is_empty() || names.contains(&server.name);
        let programs = wanted.programs();
        let was_wrapped = servers
            .iter()
            .any(|server| inner(server, programs).is_some());
        let outcomes: Vec<_> = servers
            .iter()
            .map(|server| is_asked(server).then(|| outcome(server, wanted)))
            .collect();
        // First all removals, then, at their new places, all insertions.
        let mut goes = Vec::new();
        for (server, outcome) in servers.iter().zip(&outcomes) {
            if let Some(Outcome::Unwrapped | Outcome::WrappedAnew) = outcome
                && let (Start::Command(launch), Some(inner)) =
                    (&server.start, inner(server, programs))
            {
                goes.extend(edit::unwrap(text, launch, inner));
            }
        }
        let mut planned = edit::apply(text, goes);
        let bare = read(&planned).map_err(not_editable)?;
        let (mut comes, mut folders) = (Vec::new(), Vec::new());
        for (server, outcome) in bare.iter().zip(&outcomes) {
            if let Some(Outcome::Wrapped | Outcome::WrappedAnew) = outcome
                && let (Start::Command(launch), Wanted::In(wrapping)) = (&server.start, wanted)
            {
                let arguments = wrapping.arguments(server);
                folders.extend(wrapping.folders(server));
                let program = &wrapping.program;
                comes.extend(edit::wrap(&planned, notation, launch, program, &arguments));
            }
        }
        planned = edit::apply(&planned, comes);
        prove(
            &servers,
            &outcomes,
            wanted,
            &read(&planned).map_err(not_editable)?,
        )?;
        let outcomes = servers
            .iter()
            .zip(outcomes)
            .filter_map(|(server, outcome)| Some((server.title(), outcome?)))
            .collect();
        Ok(Self {
            text: planned,
            outcomes,
            folders,
            was_wrapped,
        })
    }

    /// The names of all servers in a text.
    pub(crate) fn names(text: &str, notation: Notation) -> anyhow::Result<Vec<String>> {
        let servers = notation.read(text).map_err(|fault| anyhow!(fault))?;
        Ok(servers.into_iter().map(|server| server.name).collect())
    }
}

impl<'w> Wanted<'w> {
    /// Other names of this program.
    fn programs(self) -> &'w [String] {
        match self {
            Self::In(wrapping) => std::slice::from_ref(&wrapping.program),
            Self::Out(programs) => programs,
        }
    }
}

fn inner(server: &Server, programs: &[String]) -> Option<usize> {
    match &server.start {
        Start::Command(launch) => inner_command(launch, programs),
        Start::Remote(_) | Start::Unclear(_) => None,
    }
}

fn outcome(server: &Server, wanted: Wanted<'_>) -> Outcome {
    let launch = match &server.start {
        Start::Command(launch) => launch,
        Start::Remote(member) => return Outcome::Remote(member),
        Start::Unclear(why) => return Outcome::Unclear(why),
    };
    match (inner(server, wanted.programs()), wanted) {
        (None, _) if is_wrap(launch, wanted.programs()) => {
            Outcome::Unclear("it is wrapped, but no command follows a `--`")
        }
        (None, Wanted::In(_)) => Outcome::Wrapped,
        (None, Wanted::Out(_)) => Outcome::NotWrapped,
        (Some(_), Wanted::Out(_)) => Outcome::Unwrapped,
        (Some(inner), Wanted::In(wrapping)) => {
            let line = launch.line();
            let is_same = line[0] == wrapping.program
                && line[1..=inner].iter().eq(wrapping.arguments(server).iter());
            if is_same || !wrapping.is_explicit {
                Outcome::AlreadyWrapped(launch.command.value.clone())
            } else {
                Outcome::WrappedAnew
            }
        }
    }
}

/// Checks that the new text means what was planned, and the same as before for everything else that
/// we know of.
fn prove(
    before: &[Server],
    outcomes: &[Option<Outcome>],
    wanted: Wanted<'_>,
    after: &[Server],
) -> anyhow::Result<()> {
    if before.len() != after.len() {
        bail!("the servers of this file cannot be distinguished");
    }
    for ((old, outcome), new) in before.iter().zip(outcomes).zip(after) {
        let (Start::Command(was), Start::Command(is)) = (&old.start, &new.start) else {
            if std::mem::discriminant(&old.start) == std::mem::discriminant(&new.start) {
                continue;
            }
            bail!("`{}` would no longer start as it should", old.title());
        };
        let line = was.line();
        let own = match inner(old, wanted.programs()) {
            // The command is the first of the line, so its arguments begin at 1.
            Some(inner) => &line[inner + 1..],
            None => &line[..],
        };
        let expected: Vec<String> = match (outcome, wanted) {
            (Some(Outcome::Wrapped | Outcome::WrappedAnew), Wanted::In(wrapping)) => {
                std::iter::once(wrapping.program.clone())
                    .chain(wrapping.arguments(old))
                    .chain(own.iter().map(|&word| word.to_owned()))
                    .collect()
            }
            (Some(Outcome::Unwrapped), _) => own.iter().map(|&word| word.to_owned()).collect(),
            _ => line.iter().map(|&word| word.to_owned()).collect(),
        };
        if old.name != new.name || !expected.iter().eq(is.line().iter()) {
            bail!("`{}` would not start as it should", old.title());
        }
    }
    Ok(())
}

fn not_editable(fault: anyhow::Error) -> anyhow::Error {
    fault.context("the layout of this file cannot be kept")
}
