//! `validate --serve-json`: the one-call functions and sessions for programs in any language. One
//! question per line comes in, one answer per line goes out, in the same order.
//!
//! Nothing is decided here: a question names a function of `mcp-assay-contract`, or a session of the
//! validator, and the answer is what it returns. A bad question gets an answer that says so.

mod answer;
mod canonical;
mod documents;
mod protocol;
mod question;
mod sessions;

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use mcp_assay::registry::SchemaRegistry;
use mcp_assay::syntax::{ScanLimits, Tape, scan};
use mcp_assay::{Policy, Revision};

use self::question::{BadQuestion, Question};
use self::sessions::Sessions;
use crate::bounded_lines::{self as lines, Line};
use crate::suggest;

/// The state of a server.
pub(crate) struct Server {
    /// The policy of questions that name no profile.
    policy: Policy,
    /// The revision of questions that name none; `None` reads it from the message.
    revision: Option<Revision>,
    /// Compiled schemas, shared by all questions.
    registry: Arc<SchemaRegistry>,
    sessions: Sessions,
}

/// The result of a command as JSON text, on one line.
type Outcome = Result<String, BadQuestion>;

/// A command: its name, its members beside `id` and `command`, and the function.
struct Command {
    name: &'static str,
    members: &'static [&'static str],
    run: fn(&mut Server, &Question<'_>) -> Outcome,
}

impl Server {
    pub(crate) fn new(policy: Policy, revision: Option<Revision>) -> Self {
        Self {
            policy,
            revision,
            registry: Arc::default(),
            sessions: Sessions::default(),
        }
    }

    /// Answers questions until there are no more.
    pub(crate) fn serve(
        &mut self,
        input: &mut impl BufRead,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let mut tape = Tape::new();
        loop {
            let mut answer = match lines::next(input)? {
                Line::End => return Ok(()),
                Line::TooLong => answer::bad("null", lines::TOO_LONG),
                Line::Text(line) if line.trim_ascii().is_empty() => continue,
                Line::Text(line) => self.answer(&line, &mut tape),
            };
            answer.push('\n');
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
    }

    /// The answer to one line.
    fn answer(&mut self, line: &[u8], tape: &mut Tape) -> String {
        // A message has its limits within the question.
        let limits = ScanLimits {
            depth: ScanLimits::DEFAULT.depth + 8,
            ..ScanLimits::DEFAULT
        };
        if let Err(fault) = scan(line, &limits, tape) {
            return answer::bad("null", &format!("not JSON at byte {}", fault.start));
        }
        let Some(root) = tape.root(line) else {
            return answer::bad("null", "there is no question");
        };
        let question = match Question::read(root) {
            Ok(question) => question,
            Err(bad) => return answer::bad("null", &bad.0),
        };
        let id = question.id();
        match self.run(&question) {
            Ok(result) => answer::good(id, &result),
            Err(bad) => answer::bad(id, &bad.0),
        }
    }

    fn run(&mut self, question: &Question<'_>) -> Outcome {
        let name = question.text("command")?;
        // `protocol.validate_request` and `session.open` are the same without their modules.
        let plain = name
            .strip_prefix("protocol.")
            .or_else(|| name.strip_prefix("session."))
            .unwrap_or(&name);
        let Some(command) = commands().find(|command| command.name == plain) else {
            let names = commands().map(|command| command.name);
            return Err(BadQuestion(suggest::unknown_text("command", &name, names)));
        };
        question.allow(command.members)?;
        (command.run)(self, question).map_err(|bad| BadQuestion(format!("{name}: {}", bad.0)))
    }
}

/// All commands.
fn commands() -> impl Iterator<Item = &'static Command> {
    protocol::COMMANDS
        .iter()
        .chain(documents::COMMANDS)
        .chain(canonical::COMMANDS)
        .chain(sessions::COMMANDS)
}

#[cfg(test)]
mod tests;
