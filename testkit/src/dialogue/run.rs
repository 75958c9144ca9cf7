//! The findings of the program in a dialogue.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_assay::{
    Carrier, Checked, Direction, Frame, Headers, Http, Level, Place, Revision, Session, Span,
    Validator,
};

use super::headers::{Agreed, usual};
use super::text::{self, Setting};
use super::{Dialogue, HttpStep, MarkPlace, Step};
use crate::traffic::{Carried, Record};

/// A violation, where it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The step of the dialogue.
    pub step: usize,
    /// The rule.
    pub rule: String,
    /// Where.
    pub at: Where,
    /// The level, if the drawing names it.
    pub level: Option<Level>,
}

/// Where in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// These bytes of the message.
    Bytes(u32, u32),
    /// This header.
    Header(u16),
    /// The head of an HTTP request or response, or of an event.
    Head,
    /// The awaited answer never came.
    Missing,
}

/// The outcome of a dialogue.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings.
    pub found: Vec<Found>,
    /// The lines of a drawing.
    pub drawn: Vec<Found>,
    /// The messages, labels and remedies of the findings.
    pub sentences: Vec<String>,
}

impl Outcome {
    /// Whether exactly what is drawn was found, in any order within a step.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let sorted = |found: &[Found]| {
            let mut keys: Vec<String> = found.iter().map(|found| format!("{found:?}")).collect();
            keys.sort();
            keys
        };
        sorted(&self.found) == sorted(&self.drawn)
    }
}

impl Dialogue {
    /// How much is drawn under it.
    #[must_use]
    pub fn marks(&self) -> usize {
        self.marks.len()
    }

    /// Whether it goes over HTTP.
    #[must_use]
    pub fn uses_http(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Http(_)))
    }

    /// The sender of the first message that anything is drawn under.
    #[must_use]
    pub fn marked_direction(&self) -> Option<Direction> {
        self.direction_of(self.marks.first()?.step)
    }

    /// The direction of a step, if it is a message.
    #[must_use]
    pub fn direction_of(&self, step: usize) -> Option<Direction> {
        match self.steps.get(step)? {
            Step::Message { direction, .. } => Some(*direction),
            Step::Http(http) => Some(http.direction),
            Step::Open { .. } | Step::Wait(_) | Step::End(_) => None,
        }
    }

    /// Runs it under a revision. A caret means this rule, unless the name of another one stands
    /// there.
    #[must_use]
    pub fn run(&self, revision: Revision, rule: Option<&str>) -> Outcome {
        self.run_with(revision, rule, |_| {})
    }

    /// The same, with a validator that is prepared.
    #[must_use]
    pub fn run_with(
        &self,
        revision: Revision,
        rule: Option<&str>,
        prepare: impl Fn(&mut Validator),
    ) -> Outcome {
        self.play(revision, rule, prepare).outcome
    }

    /// The messages and parts of HTTP exchanges that it stands for, written out.
    #[must_use]
    pub fn records(&self) -> Vec<Record> {
        self.play(self.revision, None, |_| {}).records
    }

    fn play<'d>(
        &'d self,
        revision: Revision,
        rule: Option<&'d str>,
        prepare: impl Fn(&mut Validator),
    ) -> Run<'d> {
        let mut policy = self.policy.clone();
        if !self.auto {
            policy.revision = Some(revision);
        }
        let mut validator = Validator::new(policy);
        prepare(&mut validator);
        let mut run = Run {
            dialogue: self,
            revision,
            rule,
            validator,
            session: Session::new(),
            clock: 0.0,
            client: "{}".to_owned(),
            agreed: Agreed::default(),
            header_revisions: BTreeMap::new(),
            outcome: Outcome::default(),
            records: Vec::new(),
        };
        for (position, step) in self.steps.iter().enumerate() {
            run.step(position, step);
        }
        run
    }
}

struct Run<'d> {
    dialogue: &'d Dialogue,
    revision: Revision,
    rule: Option<&'d str>,
    validator: Validator,
    session: Session,
    clock: f64,
    client: String,
    agreed: Agreed,
    /// The revision that the headers of each exchange name.
    header_revisions: BTreeMap<i64, Revision>,
    outcome: Outcome,
    /// Everything that was sent so far.
    records: Vec<Record>,
}

impl Run<'_> {
    fn step(&mut self, position: usize, step: &Step) {
        match step {
            Step::Wait(seconds) => self.clock += seconds,
            Step::Open { client, server } => {
                self.client.clone_from(client);
                for (direction, text) in text::opening(self.revision, client, server) {
                    self.message(position, direction, &text, false);
                }
            }
            Step::Message {
                direction,
                text,
                unterminated,
            } => self.message(position, *direction, text, *unterminated),
            Step::Http(http) => self.http(position, http),
            Step::End(by) => {
                if let Some(party) = by {
                    self.session.close(*party);
                }
                for ending in self.validator.end(&self.session) {
                    let step = usize::try_from(ending.at).expect("a step");
                    self.outcome.sentences.push(ending.message.to_string());
                    let drawn = self.draw_missing(step, ending.rule.name);
                    self.outcome.found.push(Found {
                        step,
                        rule: ending.rule.name.to_owned(),
                        at: Where::Missing,
                        level: drawn.map(|_| ending.level),
                    });
                }
            }
        }
    }

    fn setting<'s>(&'s self, direction: Direction, client: &'s str) -> Setting<'s> {
        Setting {
            revision: self.revision,
            direction,
            client,
            raw: self.dialogue.options.iter().any(|option| option == "raw"),
        }
    }

    fn message(&mut self, step: usize, direction: Direction, text: &str, unterminated: bool) {
        let (bytes, columns) = text::bytes(text, &self.setting(direction, &self.client));
        self.draw(step, &columns);
        let carrier = if self.dialogue.stdio {
            Carrier::Stdio
        } else {
            Carrier::Unknown
        };
        let mut frame = Frame::new(&bytes)
            .direction(direction)
            .carrier(carrier)
            .time(Duration::from_secs_f64(self.clock))
            .at(step as u64);
        frame.unterminated = unterminated;
        let checked = self.validator.check(&mut self.session, frame);
        note(&mut self.outcome, step, &checked);
        let stdio = self.dialogue.stdio;
        self.records.push(Record {
            direction,
            time: self.clock,
            carrier: Carried::Line {
                stdio,
                unterminated,
            },
            bytes,
        });
        // Messages do not fall on the same instant.
        self.clock += 0.001;
    }

    fn http(&mut self, step: usize, http: &HttpStep) {
        let body = http.body.as_deref().unwrap_or_default();
        let (bytes, columns) = text::bytes(body, &self.setting(http.direction, &self.client));
        let mut headers = Vec::new();
        // Where each of the headers that are written out stands among all.
        let mut positions = Vec::new();
        for (name, value) in &http.headers {
            positions.push(headers.len());
            if name.is_empty() {
                headers.extend(usual(http, &bytes, self.revision, &self.agreed));
            } else {
                // What is written out takes the place of what is usual.
                headers.retain(|(known, _): &(String, String)| !known.eq_ignore_ascii_case(name));
                let last = positions.len() - 1;
                positions[last] = headers.len();
                let value = value.replace("YYYY-MM-DD", self.revision.name());
                headers.push((name.clone(), value));
            }
        }
        self.draw_http(step, &columns, &positions);
        let pairs: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let part = http.head.part(Headers(&pairs));
        let carrier = Http::new(http.exchange, part);
        let frame = if bytes.is_empty() {
            Frame::without_message(&carrier)
        } else {
            Frame::over_http(&bytes, &carrier)
        };
        let mut frame = frame
            .direction(http.direction)
            .time(Duration::from_secs_f64(self.clock))
            .at(step as u64);
        if self.dialogue.auto {
            frame.header_revision = self.header_revision(http, &pairs);
        }
        let checked = self.validator.check(&mut self.session, frame);
        note(&mut self.outcome, step, &checked);
        self.agreed.note(http, &headers, &bytes);
        self.records.push(Record {
            direction: http.direction,
            time: self.clock,
            carrier: Carried::Http {
                exchange: http.exchange,
                head: http.head.clone(),
                headers,
            },
            bytes,
        });
        self.clock += 0.001;
    }

    /// The revision that the headers of an exchange name, for all of its parts.
    fn header_revision(&mut self, http: &HttpStep, headers: &[(&str, &str)]) -> Option<Revision> {
        let exchange = http.exchange?;
        let header = headers
            .iter()
            .find(|(name, _)| *name == "mcp-protocol-version");
        let named = header.and_then(|(_, value)| value.parse().ok());
        if let Some(revision) = named {
            self.header_revisions.insert(exchange, revision);
        }
        self.header_revisions.get(&exchange).copied()
    }

    fn marks_under(&self, step: usize) -> impl Iterator<Item = (String, MarkPlace, Option<Level>)> {
        let marks = self.dialogue.marks.iter();
        let own = marks.filter(move |mark| mark.step == step);
        own.map(|mark| {
            let mut words = mark.text.split_whitespace().peekable();
            let level = words.peek().and_then(|word| level(word));
            let named = words.nth(usize::from(level.is_some())).unwrap_or_default();
            let rule = match self.rule {
                // A page may show another rule beside its own, by name.
                Some(rule) if mcp_assay::rules::find(named).is_none() => rule,
                _ => named,
            };
            (rule.to_owned(), mark.place, level)
        })
    }

    /// Draws findings under a step.
    fn draw(&mut self, step: usize, columns: &[u32]) {
        self.draw_http(step, columns, &[]);
    }

    fn draw_http(&mut self, step: usize, columns: &[u32], headers: &[usize]) {
        let drawn: Vec<Found> = self
            .marks_under(step)
            .map(|(rule, place, level)| {
                let at = match place {
                    MarkPlace::Columns(start, end) => {
                        Where::Bytes(columns[start], columns[end.min(columns.len() - 1)])
                    }
                    MarkPlace::Header(written) => {
                        Where::Header(u16::try_from(headers[written]).expect("few headers"))
                    }
                    MarkPlace::Head => Where::Head,
                };
                Found {
                    step,
                    rule,
                    at,
                    level,
                }
            })
            .collect();
        self.outcome.drawn.extend(drawn);
    }

    /// A mark under a message may mean what is missing in the end; it then was not found before.
    fn draw_missing(&mut self, step: usize, rule: &str) -> Option<Level> {
        let found = &self.outcome.found;
        let position =
            self.outcome.drawn.iter().position(|drawn| {
                drawn.step == step && drawn.rule == rule && !found.contains(drawn)
            });
        let drawn = &mut self.outcome.drawn[position?];
        drawn.at = Where::Missing;
        drawn.level
    }
}

fn note(outcome: &mut Outcome, step: usize, checked: &Checked<'_>) {
    for violation in checked.violations() {
        let Span { start, end } = violation.span;
        let at = match violation.place {
            Place::Message => Where::Bytes(start, end),
            Place::Header(position) => Where::Header(position),
            _ => Where::Head,
        };
        let sentences = [
            checked.message(violation),
            checked.label(violation),
            checked.help(violation),
        ];
        let shown = sentences
            .into_iter()
            .filter(|sentence| !sentence.is_empty());
        outcome.sentences.extend(shown);
        let rule = violation.rule.name.to_owned();
        // What is empty has no width to draw: carets stand for the place where they begin.
        let nothing = at == Where::Bytes(start, start);
        let caret = outcome.drawn.iter().find(|drawn| {
            nothing
                && drawn.step == step
                && drawn.rule == rule
                && matches!(drawn.at, Where::Bytes(first, _) if first == start)
        });
        let at = caret.map_or(at, |caret| caret.at);
        let is_same = |drawn: &&Found| drawn.step == step && drawn.rule == rule && drawn.at == at;
        let drawn = outcome.drawn.iter().find(is_same);
        let level = drawn.and_then(|drawn| drawn.level);
        outcome.found.push(Found {
            step,
            rule,
            at,
            level: level.map(|_| checked.level(violation)),
        });
    }
}

/// `[note]`, `[warning]` or `[error]`.
fn level(word: &str) -> Option<Level> {
    let name = word.strip_prefix('[')?.strip_suffix(']')?;
    [Level::Note, Level::Warning, Level::Error]
        .into_iter()
        .find(|level| level.name() == name)
}
