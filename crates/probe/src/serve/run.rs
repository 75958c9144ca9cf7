//! Plays the scenarios, one process of the client for each.

use std::collections::BTreeMap;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use mcp_assay::model::Fact;
use mcp_assay::{Direction, Party, Revision};

use super::answers::page;
use super::link::{Heard, Link};
use super::oauth::{DOORS, GUARDED, Reach};
use super::scenarios::{GOOD, Over, SCENARIOS, Scenario, Twist};
use super::script::{Call, Received, Script, Seen, is_for_endpoint};
use super::stage::{Ending, Stage, Talk};
use super::subject::{Exit, Subject, USERS};
use super::verdicts::{self, Known};
use crate::findings::Outcome;
use crate::judge::UNANSWERED;
use crate::minimal::minimal;
use crate::options::Options;
use crate::record::Content;
use crate::report::{Gathered, Report, Shown, assemble};
use crate::rows::{OWN, ROWS};
use crate::transcript::Connection;
use crate::transport::{ClientUnderTest, Unreachable};

/// How long it stays quiet after the client has ended before the scenario is over: what it sent may still be on its way.
const ECHO: Duration = Duration::from_millis(150);

/// The rule about errors without an id.
const NO_ID: &str = "jsonrpc/error-id-omitted-only-if-unreadable";

/// So many steps may pass until a client that was started says its first word.
const START: u32 = 4;

/// The longest pause between two looks at the process.
const GLANCE: Duration = Duration::from_millis(20);

/// What came of a scenario.
pub(super) struct Scene {
    pub(super) revision: Revision,
    /// Where the server is, over HTTP.
    pub(super) origin: String,
    pub(super) talks: Vec<Talk>,
    pub(super) seen: Seen,
    pub(super) exit: Exit,
    pub(super) stderr: String,
}

/// What the client does when nothing is odd.
pub(super) struct Habit {
    /// The methods of its requests, in their order.
    pub(super) calls: Vec<String>,
    pub(super) exit: Exit,
    /// Whether it answers `ping`.
    pub(super) pings: bool,
    /// Whether it asks for more than the first page of the tools.
    pub(super) pages: bool,
    pub(super) sampled: Sampled,
}

/// How a client answers a request for a sampled message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sampled {
    /// With some text.
    Text,
    /// In another way, or not at all.
    Otherwise,
}

impl Habit {
    fn of(scene: &Scene) -> Self {
        let Scene { seen, exit, .. } = scene;
        let reply = |name: &str| {
            let asked = seen.asked.iter().find(|asked| asked.name == name);
            asked.and_then(|asked| asked.reply.as_ref())
        };
        let sampled =
            reply("sampling").and_then(|(reply, _)| reply["result"]["content"]["text"].as_str());
        let pages = |call: &Call| call.method == "tools/list" && page(&call.params) > Some(1);
        Self {
            calls: seen.calls.iter().map(|call| call.method.clone()).collect(),
            exit: *exit,
            pings: reply("ping").is_some(),
            pages: seen.calls.iter().any(pages),
            sampled: match sampled {
                None | Some("") => Sampled::Otherwise,
                Some(_) => Sampled::Text,
            },
        }
    }
}

impl Scene {
    /// Whether a request said that it is of this user.
    pub(super) fn names(&self, user: &str) -> bool {
        let records = self.talks.iter().flat_map(|talk| &talk.records);
        let mut headers = records.filter_map(|record| match &record.content {
            Content::Request { headers, .. } => Some(headers),
            _ => None,
        });
        headers.any(|headers| {
            let mut credentials = headers.iter().filter(|(name, _)| name == "authorization");
            credentials.any(|(_, value)| value.ends_with(user))
        })
    }
}

/// Probes a client.
pub(crate) fn run(
    options: &Options,
    client: &ClientUnderTest,
    tell: &mut dyn FnMut(&str),
) -> Result<Report, Unreachable> {
    let mut run = Run {
        options,
        client,
        gathered: Gathered::default(),
        habits: BTreeMap::new(),
        reads_streams: true,
        reach: Reach::default(),
    };
    run.all(tell)?;
    Ok(assemble(options, run.gathered))
}

struct Run<'o> {
    options: &'o Options,
    client: &'o ClientUnderTest,
    gathered: Gathered,
    habits: BTreeMap<Revision, Habit>,
    /// Whether the client understands answers that are streams; over stdio there are none.
    reads_streams: bool,
    /// How far the client goes for a token.
    reach: Reach,
}

impl Run<'_> {
    fn all(&mut self, tell: &mut dyn FnMut(&str)) -> Result<(), Unreachable> {
        let over_http = self.options.target.is_http();
        let mut stderr = None;
        for revision in Revision::ALL.into_iter().rev() {
            // Over HTTP the oldest revision has a transport of its own.
            let elsewhere = over_http && revision.has(Fact::HttpTwoEndpoints);
            if elsewhere || !self.options.wants_revision(revision) || self.options.is_over() {
                continue;
            }
            if self.options.quick && !self.habits.is_empty() {
                break;
            }
            tell(&format!("revision {revision}"));
            let scene = self.play(&GOOD, revision)?;
            let connected = scene.talks.iter().any(|talk| !talk.records.is_empty());
            if !connected && stderr.is_none() && self.gathered.messages == 0 {
                return Err(Unreachable::NoConnection(scene.stderr));
            }
            stderr.get_or_insert_with(|| scene.stderr.clone());
            if scene.seen.agreed {
                self.gathered.revisions.push(revision);
                self.habits.insert(revision, Habit::of(&scene));
            }
            self.take(&GOOD, scene);
        }
        if self.habits.is_empty() {
            let note = "the client completed no handshake in any revision";
            self.gathered.notes.push(note.to_owned());
            if let Some(stderr) = stderr.filter(|stderr| !stderr.is_empty()) {
                self.gathered.notes.push(format!("it said: {stderr}"));
            }
        }
        if !self.options.quick {
            self.odd_ones(tell)?;
        }
        if self.options.is_over() {
            let note = "time was up before everything was put to the test";
            self.gathered.notes.push(note.to_owned());
        }
        Ok(())
    }

    fn odd_ones(&mut self, tell: &mut dyn FnMut(&str)) -> Result<(), Unreachable> {
        let over = if self.options.target.is_http() {
            Over::Http
        } else {
            Over::Stdio
        };
        for scenario in SCENARIOS.iter().chain(GUARDED) {
            if self.options.is_over() {
                break;
            }
            // Who reads no streams hears nothing of what goes over them.
            let heard = self.reads_streams || !scenario.needs_streams();
            let hopeless = matches!(scenario.twist, Twist::Guarded(_)) && self.reach.is_hopeless();
            let fits = heard && !hopeless && (scenario.over == Over::Both || scenario.over == over);
            let newest = self
                .habits
                .keys()
                .rev()
                .copied()
                .find(|revision| scenario.revisions.contains(*revision));
            if let Some(revision) = newest.filter(|_| fits && self.is_wanted(scenario)) {
                tell(scenario.name);
                if scenario.twist == Twist::Private {
                    self.play_to_two(scenario, revision)?;
                    continue;
                }
                let scene = self.play(scenario, revision)?;
                self.take(scenario, scene);
                if scenario.twist == Twist::Streams {
                    let found = self.gathered.findings.of("http/client-reads-both");
                    let failed =
                        |(_, outcome): &(_, Outcome)| matches!(outcome, Outcome::Fail { .. });
                    self.reads_streams = !found.iter().any(failed);
                }
            }
        }
        Ok(())
    }

    /// A scenario is left out if only requirements that it cannot show are asked for.
    fn is_wanted(&self, scenario: &Scenario) -> bool {
        // Nobody is asked for a token elsewhere.
        let about_tokens = |only: &String| only == "auth" || only.starts_with("auth/");
        let is_elsewhere = !matches!(scenario.twist, Twist::Guarded(_));
        if is_elsewhere
            && !self.options.only.is_empty()
            && self.options.only.iter().all(about_tokens)
        {
            return false;
        }
        let is_row = |only: &String| OWN.iter().chain(ROWS).any(|row| row.id == only);
        !self.options.only.iter().all(is_row)
            || self.options.only.is_empty()
            || self.options.wants_any(scenario.shows)
    }

    fn play(&self, scenario: &Scenario, revision: Revision) -> Result<Scene, Unreachable> {
        let begun = Instant::now();
        let doors = match scenario.twist {
            Twist::Guarded(_) => DOORS,
            _ => 1,
        };
        let link = Link::open(begun, doors - 1)?;
        self.play_on(&link, begun, scenario, revision, USERS[0])
    }

    /// Plays a scenario to two users at the same address, one after the other.
    fn play_to_two(&mut self, scenario: &Scenario, revision: Revision) -> Result<(), Unreachable> {
        let begun = Instant::now();
        let link = Link::open(begun, 0)?;
        let first = self.play_on(&link, begun, scenario, revision, USERS[0])?;
        let second = self.play_on(&link, begun, scenario, revision, USERS[1])?;
        let known = Known {
            habit: self.habits.get(&revision),
            reach: &self.reach,
        };
        verdicts::give_private([&first, &second], known, &mut self.gathered.findings);
        self.take(scenario, first);
        self.take(scenario, second);
        Ok(())
    }

    fn play_on(
        &self,
        link: &Link,
        begun: Instant,
        scenario: &Scenario,
        revision: Revision,
        user: &str,
    ) -> Result<Scene, Unreachable> {
        let over_http = self.options.target.is_http();
        let mut stage = Stage::new(self.options, begun);
        stage.streams = scenario.twist == Twist::Streams;
        stage.primed =
            revision.has(Fact::HttpPrimingEvent) || (scenario.twist == Twist::Resume && over_http);
        let origins = link.origins();
        let origin = origins.first().cloned().unwrap_or_default();
        let mut script = Script::new(scenario.twist, revision, over_http, origins);
        let mut subject = Subject::start(self.client, link, scenario, user)?;
        let mut last = Instant::now();
        let mut ended: Option<Instant> = None;
        loop {
            let now = Instant::now();
            let pause = script
                .next_due()
                .map_or(GLANCE, |due| due.saturating_duration_since(now).min(GLANCE));
            match link.heard.recv_timeout(pause) {
                Ok((heard, time)) => {
                    last = Instant::now();
                    ended = ended.map(|_| last);
                    take_in(heard, time, &mut stage, &mut script);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            script.tick(&mut stage);
            if ended.is_none() && subject.exit() != Exit::Running {
                ended = Some(Instant::now());
            }
            let is_quiet = ended.is_some_and(|ended| ended.elapsed() >= ECHO);
            // A client that stays when there is nothing to do is not waited for.
            let patience = if script.seen.calls.is_empty() && script.seen.refused.is_none() {
                self.options.step_timeout * START
            } else {
                self.options.step_timeout
            };
            let is_idle = script.next_due().is_none() && last.elapsed() >= patience;
            if is_quiet || is_idle || self.options.is_over() || stage.is_flooded() {
                break;
            }
        }
        let exit = subject.exit();
        Ok(Scene {
            revision,
            origin,
            exit,
            stderr: subject.stderr(),
            talks: std::mem::take(&mut stage.talks),
            seen: script.seen,
        })
    }

    /// Takes over what a scenario showed.
    fn take(&mut self, scenario: &Scenario, mut scene: Scene) {
        let habit = self.habits.get(&scene.revision);
        if let Twist::Guarded(guard) = scenario.twist {
            self.reach.extend(guard, &scene.seen.visits);
            let patience = self.options.step_timeout;
            self.reach.fetch(guard, &scene.seen.visits, patience);
        }
        let known = Known {
            habit,
            reach: &self.reach,
        };
        verdicts::give(scenario, &scene, known, &mut self.gathered.findings);
        let as_usual = habit.is_none_or(|habit| habit.exit == scene.exit);
        let cut =
            scene.exit == Exit::Running || matches!(scenario.twist, Twist::Dies | Twist::Silent);
        for (number, talk) in scene.talks.iter_mut().enumerate() {
            let mut endings = talk.judge.end();
            let owed = |at: usize| {
                scene.seen.asked.iter().any(|asked| {
                    asked.talk == number && asked.at == at && asked.owed && asked.in_vain
                })
            };
            // Whoever was cut off owes nothing but what it had time for, and who has come to grief does not clear up.
            endings.retain(|broken| match broken.rule.name {
                name if UNANSWERED.contains(&name) => owed(broken.at),
                "http/session-delete" => !cut && as_usual,
                _ => !cut && talk.ending != Ending::Ours,
            });
            talk.broken.extend(endings);
            if scenario.twist == Twist::Garbage {
                // What it answers had no id.
                talk.broken.retain(|broken| broken.rule.name != NO_ID);
            }
            self.gathered.messages += talk.records.len();
            self.gathered.connections += 1;
            self.gathered.asked.extend(talk.judge.asked());
            if self.options.keep_transcript {
                self.gathered
                    .transcript
                    .push(connection(talk, self.options, scene.revision));
            }
            for broken in std::mem::take(&mut talk.broken) {
                let known = self.gathered.broken.iter().any(|shown| {
                    shown.broken.rule.name == broken.rule.name
                        && shown.broken.revision == broken.revision
                        && shown.broken.pointer == broken.pointer
                        && shown.broken.method == broken.method
                });
                if known {
                    continue;
                }
                let (evidence, capture) =
                    minimal(&talk.records, &broken, self.options, Party::Client);
                self.gathered.broken.push(Shown {
                    broken,
                    evidence,
                    capture,
                });
            }
        }
    }
}

/// What passed in a talk, kept to be shown.
fn connection(talk: &Talk, options: &Options, revision: Revision) -> Connection {
    let found = talk.broken.iter();
    let found = found.map(|broken| (broken.at, broken.rule.name));
    Connection {
        revision: Some(revision),
        records: talk.records.clone(),
        found: found.filter(|(_, rule)| options.wants(rule)).collect(),
    }
}

fn take_in(heard: Heard, time: Duration, stage: &mut Stage<'_>, script: &mut Script) {
    match heard {
        Heard::Started { pipe, output } => stage.open(pipe, Some(output)),
        Heard::Line {
            pipe,
            bytes,
            unterminated,
        } => {
            let message = serde_json::from_slice(&bytes);
            if bytes.trim_ascii().is_empty() && !unterminated {
                return;
            }
            let content = Content::Line {
                direction: Direction::ClientToServer,
                bytes,
                unterminated,
            };
            let at = stage.note(pipe, content, time);
            if let Ok(message) = message {
                script.hear(stage, super::stage::Way::Pipe(pipe), at, message);
            }
        }
        Heard::InputClosed { pipe } => {
            script.closed(pipe);
            stage.close_pipe(pipe, Ending::InputClosed);
        }
        Heard::Killed { pipe } => {
            script.closed(pipe);
            stage.close_pipe(pipe, Ending::Killed);
        }
        Heard::Request {
            door,
            request,
            stream,
        } => {
            let elsewhere = door > 0 || !is_for_endpoint(&request);
            if let Some(desk) = script.desk.as_ref().filter(|_| elsewhere) {
                let mut visit = desk.visit(door, &request);
                (visit.exchange, visit.at) = stage.receive(request, stream, time);
                script.visited(stage, visit);
                return;
            }
            if !is_for_endpoint(&request) {
                let status = script.strayed(&request.path);
                let body = if status == 200 { &b"{}"[..] } else { b"" };
                // The client may be gone.
                let _ =
                    super::http::respond(&stream, status, &crate::record::Pairs::new(), Some(body));
                return;
            }
            let received = Received::new(&request);
            let (exchange, at) = stage.receive(request, stream, time);
            script.hear_request(stage, &received, exchange, at);
        }
    }
}
