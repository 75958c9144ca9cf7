//! Runs the steps over as many connections as it takes.

use mcp_assay::model::Fact;
use mcp_assay::{Party, Revision, rules};

use super::discover_implemented::discover;
use super::handshake::{Greeting, greet, is_counter_offer};
use super::lifecycle_exit_on_stdin_eof::EXIT;
use super::ping_any_phase::ANY_PHASE;
use super::version_counter_offer::COUNTER_OFFER;
use super::version_echo_supported::{self, Offer};
use super::walk::{quick, whole};
use super::{Listed, Step};
use super::{
    auth_metadata, http_sse_two_endpoints, lifecycle_exit_on_stdin_eof, lists_stable,
    ping_any_phase, speaks_revision, version_counter_offer, version_initialize_refusal,
    within_limits,
};
use crate::minimal::minimal;
use crate::options::Options;
use crate::raw_client::{Answer, Client, Finished, GivenUp, Reply};
use crate::record::{Content, Record};
use crate::report::{Gathered, Shown};
use crate::requirement::Wanted;
use crate::transcript::Connection;
use crate::transport::{Target, Unreachable};
use crate::weigh::weigh;

/// Versions that no server can support: one that is not released yet, and one that is none.
const STRANGERS: [&str; 2] = ["2099-01-01", "mcp-assay"];

/// Places of a revision in which a broken rule is shown.
const MOST_PLACES: usize = 20;

/// Probes a server.
pub(crate) fn run(wanted: Wanted<'_>, tell: &mut dyn FnMut(&str)) -> Result<Gathered, Unreachable> {
    let mut run = Run {
        options: wanted.options,
        wanted,
        gathered: Gathered::default(),
        offers: Vec::new(),
        stderr: String::new(),
        stopped: false,
        silent: false,
    };
    match run.all(tell) {
        // The report covers the requirements that need no credentials.
        Err(Unreachable::Authorisation(status)) => run.gathered.authorisation = Some(status),
        result => result?,
    }
    let Gathered {
        findings,
        authorisation,
        ..
    } = &mut run.gathered;
    if !run.options.quick {
        auth_metadata::run(wanted, findings, *authorisation);
    }
    Ok(run.gathered)
}

struct Run<'o> {
    options: &'o Options,
    wanted: Wanted<'o>,
    gathered: Gathered,
    offers: Vec<Offer>,
    stderr: String,
    /// Whether the server showed that there is no point in going on.
    stopped: bool,
    /// Whether the server never said a word.
    silent: bool,
}

impl<'o> Run<'o> {
    fn all(&mut self, tell: &mut dyn FnMut(&str)) -> Result<(), Unreachable> {
        let wanted = |revision: &Revision| self.options.wants_revision(*revision);
        let (modern, legacy): (Vec<Revision>, Vec<Revision>) = Revision::ALL
            .into_iter()
            .rev()
            .filter(wanted)
            .partition(|revision| revision.has(Fact::Stateless));
        let mut greeted = false;
        let mut refusal = None;
        for revision in legacy {
            // Over HTTP the oldest revision has a transport of its own.
            if revision.has(Fact::HttpTwoEndpoints) && self.options.target.is_http() {
                continue;
            }
            if self.is_over() || (self.options.quick && greeted) {
                break;
            }
            tell(&format!("revision {revision}"));
            let (answer, evidence) = self.legacy(revision)?;
            greeted |= answer.result().is_some();
            // A server that refuses or hangs once does so again.
            if answer.result().is_none() && !greeted {
                refusal = Some((answer, evidence));
                break;
            }
        }
        if !(self.options.quick && greeted) {
            for revision in modern {
                if self.is_over() {
                    break;
                }
                tell(&format!("revision {revision}"));
                greeted |= self.stateless(revision, greeted, refusal.as_ref())?;
            }
        }
        if !greeted && !self.is_over() && self.options.target.is_http() {
            greeted = self.two_endpoints(tell)?;
        }
        if !greeted && !self.stopped {
            let stderr = std::mem::take(&mut self.stderr);
            return Err(Unreachable::NoHandshake(stderr));
        }
        let has_handshake = self
            .gathered
            .revisions
            .iter()
            .any(|revision| revision.has(Fact::Handshake));
        // Strangers would need a stream of their own where answers come on one.
        if !self.options.quick && has_handshake && !self.offers.is_empty() {
            for stranger in STRANGERS {
                if self.is_over() {
                    break;
                }
                tell(&format!("version {stranger}"));
                self.stranger(stranger)?;
            }
        }
        // A server that was cut off has shown another fault.
        if !self.is_over() {
            speaks_revision::check(&self.gathered.revisions, &mut self.gathered.findings);
        }
        version_echo_supported::check(&self.offers, &mut self.gathered.findings);
        if self.options.is_over() {
            let note = "time was up before everything was put to the test";
            self.gathered.notes.push(note.to_owned());
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.options.is_over() || self.stopped
    }

    fn open(&mut self) -> Result<Client<'o>, Unreachable> {
        self.gathered.connections += 1;
        let mut client = Client::open(self.options)?;
        // A server that never said a word is not given as much time again.
        if self.silent {
            client.start = 1;
        }
        Ok(client)
    }

    /// A session with a handshake; gives the answer to `initialize`.
    fn legacy(&mut self, revision: Revision) -> Result<(Answer, Vec<Record>), Unreachable> {
        let mut client = self.open()?;
        let greeting = greet(&mut client, revision.name());
        if let Err(why) = reachable(&client, &greeting.answer) {
            self.close(client);
            return Err(why);
        }
        let evidence = evidence(&client, &greeting.answer);
        let Greeting { answer, version } = &greeting;
        if let Some(version) = version {
            let offer = (revision, version.clone(), evidence.clone());
            self.offers.push(offer);
        }
        if client.revision == Some(revision) {
            self.gathered.revisions.push(revision);
            self.walk(&mut client);
        } else if self.options.quick
            && let Some(chosen) = client.revision
        {
            self.gathered.revisions.push(chosen);
            self.walk(&mut client);
        } else if answer.result().is_none() {
            self.stderr = client.stderr();
            self.silent = answer.reply == Reply::Silence;
        } else if is_counter_offer(&greeting, revision) && client.revision.is_none() {
            let version = greeting.version.as_deref().unwrap_or_default();
            speaks_revision::unknown_version(version, &evidence, &mut self.gathered.findings);
        }
        let answer = answer.clone();
        self.close(client);
        Ok((answer, evidence))
    }

    /// Requests without a handshake; tells whether the server speaks the revision.
    fn stateless(
        &mut self,
        revision: Revision,
        greeted: bool,
        refusal: Option<&(Answer, Vec<Record>)>,
    ) -> Result<bool, Unreachable> {
        let mut client = self.open()?;
        let (speaks, answer) = discover(&mut client, revision);
        if !greeted && let Err(why) = reachable(&client, &answer) {
            self.close(client);
            return Err(why);
        }
        if !speaks && let Some(result) = answer.result() {
            let evidence = evidence(&client, &answer);
            let findings = &mut self.gathered.findings;
            let is_fault = speaks_revision::no_version(result, greeted, evidence, findings);
            if is_fault {
                self.close(client);
            }
            return Ok(is_fault);
        }
        if !speaks {
            // What a server of another revision makes of it says nothing about it.
            return Ok(false);
        }
        self.gathered.revisions.push(revision);
        let listed = self.walk(&mut client);
        self.close(client);
        if !self.options.quick && !self.is_over() {
            self.compare_lists(revision, &listed)?;
        }
        if let Some(refusal) = refusal {
            let findings = &mut self.gathered.findings;
            version_initialize_refusal::check(revision, refusal, findings);
        }
        Ok(true)
    }

    /// A version that nobody can support.
    fn stranger(&mut self, offered: &str) -> Result<(), Unreachable> {
        if !self.wanted.any(&[&COUNTER_OFFER, &ANY_PHASE, &EXIT]) {
            return Ok(());
        }
        let mut client = self.open()?;
        let mut step = self.step(&mut client);
        if offered == STRANGERS[0] {
            ping_any_phase::early_ping(&mut step);
        }
        let greeting = greet(step.client, offered);
        // The rule is of the handshake, whichever version comes of it.
        let chosen = step.client.revision.take();
        version_counter_offer::check_answer(&mut step, offered, &greeting);
        step.client.revision = chosen;
        // Whether a client that offers no known version understands the event, no server can know.
        client
            .broken
            .retain(|broken| *broken.rule != rules::http::SSE_PRIMING_EVENT);
        if offered == STRANGERS[1] {
            self.close_input(&mut client);
        }
        self.close(client);
        Ok(())
    }

    fn step<'a>(&'a mut self, client: &'a mut Client<'o>) -> Step<'a, 'o> {
        Step {
            client,
            findings: &mut self.gathered.findings,
            wanted: self.wanted,
        }
    }

    fn walk(&mut self, client: &mut Client<'o>) -> Listed {
        let is_quick = self.options.quick;
        let mut step = self.step(client);
        if is_quick {
            quick(&mut step)
        } else {
            whole(&mut step)
        }
    }

    /// Lists may not depend on the connection.
    fn compare_lists(&mut self, revision: Revision, first: &Listed) -> Result<(), Unreachable> {
        if !self.wanted.any(&lists_stable::ALL) && !self.options.wants(EXIT.id) {
            return Ok(());
        }
        let mut client = self.open()?;
        discover(&mut client, revision);
        let mut step = self.step(&mut client);
        let before = step.client.records.len();
        let second = quick(&mut step);
        let evidence: Vec<usize> = (before..step.client.records.len()).take(8).collect();
        lists_stable::check(&mut step, [first, &second], &evidence);
        if self.offers.is_empty() {
            self.close_input(&mut client);
        }
        self.close(client);
        Ok(())
    }

    /// The transport of the oldest revision; returns whether the server has it.
    fn two_endpoints(&mut self, tell: &mut dyn FnMut(&str)) -> Result<bool, Unreachable> {
        let Some(revision) = Revision::latest_with(Fact::HttpTwoEndpoints)
            .filter(|revision| self.options.wants_revision(*revision))
        else {
            return Ok(false);
        };
        let Target::Url { url, .. } = &self.options.target else {
            return Ok(false);
        };
        tell(&format!("revision {revision}"));
        let mut client = self.open()?;
        let findings = &mut self.gathered.findings;
        let opened = http_sse_two_endpoints::open(&mut client, url, revision, findings);
        let Some(holds) = opened else {
            return Ok(false);
        };
        self.gathered.revisions.push(revision);
        if holds && client.revision == Some(revision) {
            self.walk(&mut client);
        }
        self.close(client);
        Ok(true)
    }

    /// Ends a connection, and takes over what the passive rules say of it.
    fn close(&mut self, client: Client<'o>) {
        let (revision, malformed) = (client.revision, client.malformed);
        let Finished {
            records,
            mut broken,
            asked,
            given_up,
        } = client.finish();
        weigh(&records, &mut broken, &self.options.policy, malformed);
        self.gathered.note_errors(&records);
        self.note_given_up(&records, given_up.as_ref());
        self.gathered.messages += records.len();
        self.gathered.asked.extend(asked);
        let found: Vec<_> = broken
            .iter()
            .map(|broken| (broken.at, broken.rule.name))
            .filter(|(_, rule)| self.options.wants(rule))
            .collect();
        for broken in broken {
            let known = self.gathered.broken.iter().any(|shown| {
                shown.broken.rule.name == broken.rule.name
                    && shown.broken.revision == broken.revision
                    && shown.broken.pointer == broken.pointer
                    && shown.broken.method == broken.method
            });
            let same = |shown: &&Shown| {
                shown.broken.rule.name == broken.rule.name
                    && shown.broken.revision == broken.revision
            };
            if known || self.gathered.broken.iter().filter(same).count() >= MOST_PLACES {
                continue;
            }
            let (evidence, capture) = minimal(&records, &broken, self.options, Party::Server);
            self.gathered.broken.push(Shown {
                broken,
                evidence,
                capture,
            });
        }
        if self.options.keep_transcript {
            self.gathered.transcript.push(Connection {
                revision,
                records,
                found,
            });
        }
    }

    /// A server that says too much, or nothing any more, does so again.
    fn note_given_up(&mut self, records: &[Record], given_up: Option<&GivenUp>) {
        within_limits::check(records, given_up, &mut self.gathered.findings);
        let why = match given_up {
            Some(GivenUp::SaysTooMuch(_)) => "says too much",
            Some(GivenUp::Hangs) => "hangs",
            None => return,
        };
        if !self.stopped {
            let note = format!("the rest was not put to the test: the server {why}");
            self.gathered.notes.push(note);
        }
        self.stopped = true;
    }

    /// Closes the standard input of a server that has nothing else to do.
    fn close_input(&mut self, client: &mut Client<'o>) {
        if client.is_http() || client.is_over() || self.is_over() {
            return;
        }
        lifecycle_exit_on_stdin_eof::check(client, &mut self.gathered.findings);
    }
}

/// Whether the first answer shows that there is somebody to talk to.
fn reachable(client: &Client<'_>, answer: &Answer) -> Result<(), Unreachable> {
    for record in client.records.iter().take(4) {
        if let Content::Response { status, .. } = record.content
            && matches!(status, 401 | 403)
        {
            return Err(Unreachable::Authorisation(status));
        }
    }
    if client.is_http() && answer.reply == Reply::Closed {
        return Err(Unreachable::Connect(
            "no answer to the first request".to_owned(),
        ));
    }
    Ok(())
}

fn evidence(client: &Client<'_>, answer: &Answer) -> Vec<Record> {
    answer
        .evidence
        .iter()
        .filter_map(|at| client.records.get(*at).cloned())
        .collect()
}
