//! One connection after the other: opened, walked over, closed, and what each showed.

use std::time::{Duration, Instant};

use mcp_assay::model::Fact;
use mcp_assay::{Party, Revision, rules};
use serde_json::json;

use super::connect::Contact;
use super::discover_implemented::discover;
use super::handshake::{Greeting, greet, greet_as, is_counter_offer};
use super::lifecycle_exit_on_stdin_eof::EXIT;
use super::ping_any_phase::ANY_PHASE;
use super::run::STRANGERS;
use super::version_counter_offer::COUNTER_OFFER;
use super::version_echo_supported::Offer;
use super::walk::{quick, whole};
use super::{Listed, Step};
use super::{
    http_result_status, http_sse_two_endpoints, lifecycle_exit_on_stdin_eof, lists_stable,
    ping_any_phase, speaks_revision, tools_calls, version_counter_offer,
    version_initialize_refusal, within_limits,
};
use crate::minimal::minimal;
use crate::options::Options;
use crate::raw_client::{Answer, Client, Finished, GivenUp};
use crate::record::Record;
use crate::report::{Gathered, Shown};
use crate::requirement::Wanted;
use crate::transcript::Connection;
use crate::transport::{Target, Unreachable};
use crate::weigh::weigh;

/// Places of a revision in which a broken rule is shown.
pub(super) const MOST_PLACES: usize = 20;

/// Everything that some connections showed.
#[derive(Default)]
pub(super) struct Partial {
    pub(super) gathered: Gathered,
    pub(super) offers: Vec<Offer>,
    /// Whether the server did not answer beside other connections, and may alone.
    pub(super) is_alone: bool,
    /// Whether the server showed that there is no point in going on.
    pub(super) is_stopped: bool,
}

/// A connection after its handshake.
pub(super) struct Opened<'o> {
    client: Client<'o>,
    greeting: Greeting,
}

/// Connections that are made one after the other.
pub(super) struct Connections<'o> {
    options: &'o Options,
    wanted: Wanted<'o>,
    gathered: Gathered,
    offers: Vec<Offer>,
    /// Whether the server showed that there is no point in going on.
    pub(super) stopped: bool,
    /// How long a first answer may take.
    pub(super) start_timeout: Duration,
    /// How long the last first answer took.
    pub(super) started_in: Duration,
    /// Whether the server did not answer beside other connections, and may alone.
    pub(super) is_alone: bool,
}

impl<'o> Connections<'o> {
    pub(super) fn new(wanted: Wanted<'o>) -> Self {
        Self {
            options: wanted.options,
            wanted,
            gathered: Gathered::default(),
            offers: Vec::new(),
            stopped: false,
            start_timeout: wanted.options.start_timeout,
            started_in: Duration::ZERO,
            is_alone: false,
        }
    }

    /// Offers a revision; the connection, if the server answered with a result.
    pub(super) fn greet(
        &mut self,
        revision: Revision,
        contact: &mut Contact,
    ) -> Result<Option<Opened<'o>>, Unreachable> {
        let begun = Instant::now();
        let mut client = self.open()?;
        let greeting = greet(&mut client, revision.name());
        self.started_in = begun.elapsed();
        contact.note(&mut client, "initialize", &greeting.answer);
        if let Err(why) = Contact::reachable(&client, &greeting.answer) {
            self.close(client);
            return Err(why);
        }
        if greeting.answer.result().is_none() {
            self.close(client);
            return Ok(None);
        }
        if let Some(version) = &greeting.version {
            let records = evidence(&client, &greeting.answer);
            self.offers.push((revision, version.clone(), records));
        }
        Ok(Some(Opened { client, greeting }))
    }

    /// Walks over a connection whose handshake is over.
    pub(super) fn walk_greeted(&mut self, revision: Revision, opened: Opened<'o>) {
        let Opened {
            mut client,
            greeting,
        } = opened;
        let chosen = client.revision;
        if let Some(chosen) = chosen.filter(|chosen| *chosen == revision || self.options.quick) {
            self.gathered.revisions.push(chosen);
            self.walk(&mut client);
        } else if is_counter_offer(&greeting, revision) && chosen.is_none() {
            let version = greeting.version.as_deref().unwrap_or_default();
            let records = evidence(&client, &greeting.answer);
            speaks_revision::unknown_version(version, &records, &mut self.gathered.findings);
        }
        self.close(client);
    }

    /// Requests without a handshake; returns whether the server speaks the revision.
    pub(super) fn stateless(
        &mut self,
        revision: Revision,
        greeted: bool,
        contact: Option<&mut Contact>,
    ) -> Result<bool, Unreachable> {
        let mut client = self.open()?;
        let (mut speaks, answer) = discover(&mut client, revision);
        if contact.is_some()
            && !greeted
            && let Err(why) = Contact::reachable(&client, &answer)
        {
            self.close(client);
            return Err(why);
        }
        if !speaks && let Some(result) = answer.result() {
            let records = evidence(&client, &answer);
            let findings = &mut self.gathered.findings;
            let is_fault = speaks_revision::no_version(result, greeted, records, findings);
            if is_fault {
                // The rule for the list says the same.
                client
                    .broken
                    .retain(|broken| *broken.rule != rules::discover::LISTS_SERVED_VERSION);
                self.close(client);
                return Ok(true);
            }
        }
        // A server that knows the form of this revision speaks it, whatever else its answer lacks.
        speaks |= answer.result().is_some_and(speaks_revision::is_unnamed);
        if !speaks {
            // The answers of a server of another revision say nothing about it.
            if let Some(contact) = contact.filter(|contact| contact.refusal().is_none()) {
                contact.note(&mut client, "server/discover", &answer);
            }
            // A server that serves a version which it does not list is to blame for that.
            let is_modern = |result: &serde_json::Value| result["resultType"].is_string();
            if answer.result().is_some_and(is_modern) {
                self.close(client);
            }
            return Ok(false);
        }
        self.gathered.revisions.push(revision);
        let listed = self.walk(&mut client);
        self.close(client);
        if !self.options.quick && !self.is_over() {
            self.compare_lists(revision, &listed, contact.is_some())?;
        }
        if let Some(refusal) = contact.and_then(|contact| contact.refusal()) {
            let findings = &mut self.gathered.findings;
            version_initialize_refusal::check(revision, refusal, findings);
        }
        Ok(true)
    }

    /// A session with a client that declares no capability: the passive rules check that it is
    /// asked nothing.
    pub(super) fn incapable(&mut self, revision: Revision) -> Result<(), Unreachable> {
        let mut client = self.open()?;
        greet_as(&mut client, revision.name(), json!({}));
        if client.revision == Some(revision) {
            let mut step = self.step(&mut client);
            let listed = quick(&mut step);
            tools_calls::call_each(&mut step, &listed);
        }
        self.close(client);
        Ok(())
    }

    /// A version that nobody can support.
    pub(super) fn stranger(&mut self, offered: &str) -> Result<(), Unreachable> {
        if !self.wanted.any(&[&COUNTER_OFFER, &ANY_PHASE, &EXIT]) {
            return Ok(());
        }
        let mut client = self.open()?;
        let mut step = self.step(&mut client);
        let early = (offered == STRANGERS[0])
            .then(|| ping_any_phase::early_ping(&mut step))
            .flatten();
        let greeting = greet(step.client, offered);
        // The rule is of the handshake, whichever version comes of it.
        let chosen = step.client.revision.take();
        if let Some((id, sent)) = early {
            ping_any_phase::check_early_ping(&mut step, id, sent, &greeting.answer);
        }
        version_counter_offer::check_answer(&mut step, offered, &greeting);
        step.client.revision = chosen;
        // No server can know whether a client that offers no known version understands the event.
        client
            .broken
            .retain(|broken| *broken.rule != rules::http::SSE_PRIMING_EVENT);
        if offered == STRANGERS[1] {
            self.close_input(&mut client);
        }
        self.close(client);
        Ok(())
    }

    /// The transport of the oldest revision; returns whether the server has it.
    pub(super) fn two_endpoints(&mut self) -> Result<bool, Unreachable> {
        let Some(revision) = Revision::latest_with(Fact::HttpTwoEndpoints)
            .filter(|revision| self.options.wants_revision(*revision))
        else {
            return Ok(false);
        };
        let Target::Url { url, .. } = &self.options.target else {
            return Ok(false);
        };
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

    pub(super) fn note(&mut self, note: String) {
        self.gathered.notes.push(note);
    }

    /// The server also speaks revisions with a handshake.
    pub(super) fn note_older(&mut self) {
        self.gathered.findings.serves_older = true;
    }

    pub(super) fn into_partial(self) -> Partial {
        Partial {
            gathered: self.gathered,
            offers: self.offers,
            is_alone: self.is_alone,
            is_stopped: self.stopped,
        }
    }

    fn is_over(&self) -> bool {
        self.options.is_over() || self.stopped
    }

    fn open(&mut self) -> Result<Client<'o>, Unreachable> {
        self.gathered.connections += 1;
        let mut client = Client::open(self.options)?;
        client.start_timeout = self.start_timeout;
        Ok(client)
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
    fn compare_lists(
        &mut self,
        revision: Revision,
        first: &Listed,
        is_only_revision: bool,
    ) -> Result<(), Unreachable> {
        if !self.wanted.any(&lists_stable::ALL) && !self.options.wants(EXIT.id) {
            return Ok(());
        }
        let mut client = self.open()?;
        let (speaks, _) = discover(&mut client, revision);
        if !speaks {
            self.close(client);
            return Ok(());
        }
        let mut step = self.step(&mut client);
        let before = step.client.records.len();
        let second = quick(&mut step);
        let evidence: Vec<usize> = (before..step.client.records.len()).take(8).collect();
        lists_stable::check(&mut step, [first, &second], &evidence);
        if is_only_revision {
            self.close_input(&mut client);
        }
        self.close(client);
        Ok(())
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
        http_result_status::check(&records, revision, &mut self.gathered.findings);
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

fn evidence(client: &Client<'_>, answer: &Answer) -> Vec<Record> {
    answer
        .evidence
        .iter()
        .filter_map(|at| client.records.get(*at).cloned())
        .collect()
}
