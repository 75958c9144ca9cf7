//! Sessions: `open`, `check` and `end`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use mcp_assay::syntax::Kind;
use mcp_assay::{Checked, Frame, Session, Validator};
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_report::{Format, Origin, Reporter, SourceState, Style};
use serde_json::json;

use super::question::{BadQuestion, Question};
use super::{Command, Outcome, Server};

/// The number of sessions that may be open at the same time.
const MAX_SESSIONS: usize = 256;

/// The open sessions, by their numbers.
#[derive(Default)]
pub(super) struct Sessions {
    open: BTreeMap<i64, Open>,
    last: i64,
}

/// An open session.
struct Open {
    validator: Validator,
    session: Session,
    /// The messages that it was given.
    messages: u64,
}

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "open",
        members: &["revision", "profile"],
        run: open,
    },
    Command {
        name: "check",
        members: &["session", "message", "text", "direction", "answers", "time"],
        run: check,
    },
    Command {
        name: "end",
        members: &["session"],
        run: end,
    },
];

fn open(server: &mut Server, question: &Question<'_>) -> Outcome {
    let mut policy = server.policy(question)?;
    policy.revision = question.revision()?.or(server.revision).or(policy.revision);
    let sessions = &mut server.sessions;
    if sessions.open.len() >= MAX_SESSIONS {
        return Err(BadQuestion(format!(
            "{MAX_SESSIONS} sessions are open: end one of them"
        )));
    }
    sessions.last += 1;
    let opened = Open {
        validator: Validator::with_registry(policy, Arc::clone(&server.registry)),
        session: Session::new(),
        messages: 0,
    };
    sessions.open.insert(sessions.last, opened);
    Ok(json!({"session": sessions.last}).to_string())
}

fn check(server: &mut Server, question: &Question<'_>) -> Outcome {
    let number = question.integer("session")?;
    let direction = question.direction()?;
    let bytes = question.message("message")?;
    let answers = question.optional_text("answers")?;
    let time = match question.get("time") {
        None => None,
        Some(time) => {
            let seconds = (time.kind() == Kind::Number).then(|| time.as_f64());
            let time = seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
            let bad = || BadQuestion("`time` is not a number of seconds from 0".to_owned());
            Some(time.ok_or_else(bad)?)
        }
    };
    let open = server.sessions.named(number)?;
    open.messages += 1;
    let mut frame = Frame::new(&bytes).at(open.messages);
    (frame.direction, frame.answers, frame.time) = (direction, answers.as_deref(), time);
    let checked = open.validator.check(&mut open.session, frame);
    report(number, open.messages, &checked)
}

fn end(server: &mut Server, question: &Question<'_>) -> Outcome {
    let number = question.integer("session")?;
    server.sessions.named(number)?;
    let Some(open) = server.sessions.open.remove(&number) else {
        return Err(unknown(number));
    };
    let mut rows = Vec::new();
    for ending in open.validator.end(&open.session) {
        let canonical = CanonicalError::of_ending(&ending).name();
        rows.push(row(&[canonical], |reporter, out| {
            let name = number.to_string();
            let origin = origin(&name, ending.at);
            reporter.ending(&origin, &ending, &mut SourceState::default(), out)
        })?);
    }
    let (messages, endings) = (open.messages, rows.join(","));
    Ok(format!(
        r#"{{"messages":{messages},"endings":[{endings}]}}"#
    ))
}

impl Sessions {
    fn named(&mut self, number: i64) -> Result<&mut Open, BadQuestion> {
        self.open.get_mut(&number).ok_or_else(|| unknown(number))
    }
}

fn unknown(number: i64) -> BadQuestion {
    BadQuestion(format!("no session {number} is open"))
}

/// The result of a check.
fn report(number: i64, line: u64, checked: &Checked<'_>) -> Outcome {
    let violations = checked.violations().iter();
    let canonical = violations.map(|it| CanonicalError::of_violation(checked, it).name());
    row(&canonical.collect::<Vec<_>>(), |reporter, out| {
        let name = number.to_string();
        let origin = origin(&name, line);
        reporter.message(&origin, checked, &mut SourceState::default(), out)
    })
}

/// A row as `check --format ndjson` has it, with the canonical error of each violation.
fn row(
    canonical: &[&str],
    write: impl FnOnce(&dyn Reporter, &mut dyn Write) -> io::Result<()>,
) -> Outcome {
    let mut text = Vec::new();
    write(&*Format::Ndjson.reporter(Style::PLAIN), &mut text)
        .map_err(|error| BadQuestion(error.to_string()))?;
    let text = String::from_utf8_lossy(text.trim_ascii()).into_owned();
    match text.strip_suffix('}') {
        Some(members) => Ok(format!("{members},\"canonical\":{}}}", json!(canonical))),
        // Nothing is written of a frame without a message.
        None => Ok("null".to_owned()),
    }
}

fn origin(session: &str, line: u64) -> Origin<'_> {
    Origin {
        source: "<stdin>",
        line,
        session: Some(session),
        ..Origin::default()
    }
}
