//! Plays the scenarios, one process of the client for each.

use std::collections::BTreeMap;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use mcp_assay::model::Fact;
use mcp_assay::{Direction, Party, Revision, Rule, rules};

use super::harm::{self, Survival};
use super::http_client_reads_both::READS_BOTH;
use super::list::{GOOD, odd};
use super::scenario::{Check, Over, Scenario};
use super::scene::{Habit, Scene};
use super::verdict::Verdict;
use crate::findings::Outcome;
use crate::judge::is_about_missing_answer;
use crate::minimal::minimal;
use crate::options::Options;
use crate::record::{Content, Pairs};
use crate::report::{Gathered, Shown};
use crate::requirement::Wanted;
use crate::serve::Twist;
use crate::serve::http::respond;
use crate::serve::link::{Heard, Link};
use crate::serve::oauth::{DOORS, Desk, Reach};
use crate::serve::recorder::{Ending, Recorder, Talk, Way};
use crate::serve::script::{Received, Script, is_for_endpoint};
use crate::serve::subject::{Circumstances, Exit, Subject, USERS, User};
use crate::transcript::Connection;
use crate::transport::{ClientUnderTest, Unreachable};

/// How long it stays quiet after the client has ended before the scenario is over: what it sent may
/// still be on its way.
const ECHO: Duration = Duration::from_millis(150);

/// Steps that may pass until a client that was started says its first word.
const START: u32 = 4;

/// The longest pause between two looks at the process.
const GLANCE: Duration = Duration::from_millis(20);

/// Probes a client.
pub(crate) fn run(
    wanted: Wanted<'_>,
    client: &ClientUnderTest,
    tell: &mut dyn FnMut(&str),
) -> Result<Gathered, Unreachable> {
    let mut run = Run {
        options: wanted.options,
        wanted,
        client,
        gathered: Gathered::default(),
        habits: BTreeMap::new(),
        reads_streams: true,
        reach: Reach::default(),
    };
    run.all(tell)?;
    Ok(run.gathered)
}

struct Run<'o> {
    options: &'o Options,
    wanted: Wanted<'o>,
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
            let scene = self.play(GOOD, revision)?;
            let connected = scene.talks.iter().any(|talk| !talk.records.is_empty());
            if !connected && stderr.is_none() && self.gathered.messages == 0 {
                return Err(Unreachable::NoConnection(scene.stderr));
            }
            stderr.get_or_insert_with(|| scene.stderr.clone());
            if scene.seen.agreed {
                self.gathered.revisions.push(revision);
                self.habits.insert(revision, Habit::of(&scene));
            }
            self.take(GOOD, scene);
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
            let note = self.options.why_over();
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
        for scenario in odd() {
            if self.options.is_over() {
                break;
            }
            // A client that reads no streams hears nothing of what goes over them.
            let heard = self.reads_streams || !scenario.needs_streams();
            let hopeless = scenario.is_about_tokens() && self.reach.is_hopeless();
            let fits = heard && !hopeless && (scenario.over == Over::Both || scenario.over == over);
            let newest = self
                .habits
                .keys()
                .rev()
                .copied()
                .find(|revision| scenario.revisions.contains(*revision));
            if let Some(revision) = newest.filter(|_| fits && self.is_wanted(scenario)) {
                tell(scenario.name);
                if let Check::Harms = scenario.check {
                    self.play_harms(scenario, revision)?;
                    continue;
                }
                if let Check::TwoUsers(check) = scenario.check {
                    self.play_to_two(scenario, check, revision)?;
                    continue;
                }
                let scene = self.play(scenario, revision)?;
                self.take(scenario, scene);
                if matches!(scenario.twist, Twist::Streams) {
                    let found = self.gathered.findings.of(READS_BOTH.id);
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
        let only = &self.options.only;
        // Nobody is asked for a token elsewhere.
        let about_tokens = |only: &String| {
            let family = only.split('/').next();
            matches!(family, Some("auth" | "ext-auth"))
        };
        if !scenario.is_about_tokens() && !only.is_empty() && only.iter().all(about_tokens) {
            return false;
        }
        only.is_empty() || self.wanted.any(scenario.shows)
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

    /// Plays a scenario with harmful messages. If the client does not survive them, each is sent
    /// alone to a client of its own: a client may end later than at the message that is the reason.
    fn play_harms(&mut self, scenario: &Scenario, revision: Revision) -> Result<(), Unreachable> {
        let all = self.play(scenario, revision)?;
        harm::check_parse_error(&mut self.verdict(scenario, &all));
        let survival = harm::survival(&self.verdict(scenario, &all));
        let Survival::Fallen = survival else {
            harm::report(&mut self.verdict(scenario, &all), survival);
            self.take(scenario, all);
            return Ok(());
        };
        let mut is_found = false;
        for only in 0..all.seen.harms {
            if self.options.is_over() {
                break;
            }
            let Twist::Harms(list, _) = scenario.twist else {
                break;
            };
            let alone = Scenario {
                twist: Twist::Harms(list, Some(only)),
                ..scenario.clone()
            };
            let scene = self.play(&alone, revision)?;
            let survival = harm::survival(&self.verdict(&alone, &scene));
            is_found |= matches!(survival, Survival::Fallen);
            harm::report(&mut self.verdict(&alone, &scene), survival);
            self.take(&alone, scene);
        }
        if !is_found {
            harm::report(&mut self.verdict(scenario, &all), Survival::Fallen);
        }
        self.take(scenario, all);
        Ok(())
    }

    fn verdict<'v>(&'v mut self, scenario: &Scenario, scene: &'v Scene) -> Verdict<'v> {
        Verdict {
            scene,
            twist: scenario.twist,
            habit: self.habits.get(&scene.revision),
            reach: &self.reach,
            findings: &mut self.gathered.findings,
        }
    }

    /// Plays a scenario to two users at the same address, one after the other.
    fn play_to_two(
        &mut self,
        scenario: &Scenario,
        check: fn(&mut Verdict<'_>, &Scene),
        revision: Revision,
    ) -> Result<(), Unreachable> {
        let begun = Instant::now();
        let link = Link::open(begun, 0)?;
        let first = self.play_on(&link, begun, scenario, revision, USERS[0])?;
        let second = self.play_on(&link, begun, scenario, revision, USERS[1])?;
        check(&mut self.verdict(scenario, &second), &first);
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
        let mut recorder = Recorder::new(self.options, begun);
        recorder.streams = matches!(scenario.twist, Twist::Streams);
        recorder.primed = revision.has(Fact::HttpPrimingEvent)
            || (matches!(scenario.twist, Twist::Resume) && over_http);
        let origins = link.origins();
        let origin = origins.first().cloned().unwrap_or_default();
        let mut script = Script::new(scenario.twist, revision, over_http, origins);
        let circumstances = Circumstances {
            scenario: scenario.name,
            user: User {
                token: user,
                is_named: matches!(scenario.check, Check::TwoUsers(_)),
            },
            credentials: script
                .desk
                .as_ref()
                .map_or_else(Vec::new, Desk::credentials),
        };
        let mut subject = Subject::start(self.client, link, &circumstances)?;
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
                    take_in(heard, time, &mut recorder, &mut script);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            script.tick(&mut recorder);
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
            if is_quiet || is_idle || self.options.is_over() || recorder.is_flooded() {
                break;
            }
        }
        let exit = subject.exit();
        Ok(Scene {
            revision,
            origin,
            exit,
            stderr: subject.stderr(),
            talks: std::mem::take(&mut recorder.talks),
            seen: script.seen,
        })
    }

    /// Takes over what a scenario showed.
    fn take(&mut self, scenario: &Scenario, mut scene: Scene) {
        if let Twist::Guarded(guard) = scenario.twist {
            self.reach.extend(guard, &scene.seen.visits);
            let patience = self.options.step_timeout;
            self.reach.fetch(guard, &scene.seen.visits, patience);
        }
        if let Check::One(check) = scenario.check {
            check(&mut self.verdict(scenario, &scene));
        }
        let habit = self.habits.get(&scene.revision);
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
            // A client that was cut off owes nothing but what it had time for, and one that failed
            // does not clear up.
            endings.retain(|broken| match broken.rule {
                rule if is_about_missing_answer(rule) => owed(broken.at),
                rule if *rule == rules::http::SESSION_DELETE => !cut && as_usual,
                _ => !cut && talk.ending != Ending::Ours,
            });
            talk.broken.extend(endings);
            let excused = |rule: &'static Rule| scenario.excuses.contains(&rule);
            talk.broken.retain(|broken| !excused(broken.rule));
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

/// The messages of a conversation, kept to be shown.
fn connection(talk: &Talk, options: &Options, revision: Revision) -> Connection {
    let found = talk.broken.iter();
    let found = found.map(|broken| (broken.at, broken.rule.name));
    Connection {
        revision: Some(revision),
        records: talk.records.clone(),
        found: found.filter(|(_, rule)| options.wants(rule)).collect(),
    }
}

fn take_in(heard: Heard, time: Duration, recorder: &mut Recorder<'_>, script: &mut Script) {
    match heard {
        Heard::Started { pipe, output } => recorder.open(pipe, Some(output)),
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
            let at = recorder.note(pipe, content, time);
            if let Ok(message) = message {
                script.hear(recorder, Way::Pipe(pipe), at, message);
            }
        }
        Heard::InputClosed { pipe } => {
            script.closed(pipe);
            recorder.close_pipe(pipe, Ending::InputClosed);
        }
        Heard::Killed { pipe } => {
            script.closed(pipe);
            recorder.close_pipe(pipe, Ending::Killed);
        }
        Heard::Request {
            door,
            request,
            stream,
        } => {
            let elsewhere = door > 0 || !is_for_endpoint(&request);
            if let Some(desk) = script.desk.as_ref().filter(|_| elsewhere) {
                let mut visit = desk.visit(door, &request);
                (visit.exchange, visit.at) = recorder.receive(request, stream, time);
                script.visited(recorder, visit);
                return;
            }
            if !is_for_endpoint(&request) {
                let status = script.strayed(&request.path);
                let body = if status == 200 { &b"{}"[..] } else { b"" };
                // The client may be gone.
                let _ = respond(&stream, status, &Pairs::new(), Some(body));
                return;
            }
            let received = Received::new(&request);
            let (exchange, at) = recorder.receive(request, stream, time);
            script.hear_request(recorder, &received, exchange, at);
        }
    }
}
