//! Runs the steps over as many connections as it takes.

mod lists;
mod two_endpoints;

use std::time::Duration;

use mcp_assay::model::Fact;
use mcp_assay::{Party, Revision};

use crate::auth;
use crate::client::{Answer, Client, Finished, GivenUp, Reply};
use crate::findings::Outcome;
use crate::minimal::minimal;
use crate::options::Options;
use crate::record::{Content, Record};
use crate::report::{Gathered, Report, Shown, assemble};
use crate::serve;
use crate::steps::{self, Greeting, Listed, Step};
use crate::transcript::Connection;
use crate::transport::{Target, Unreachable};

/// Versions that no server can support: one that is not released yet, and one that is none.
const STRANGERS: [&str; 2] = ["2099-01-01", "mcp-assay"];

/// How long a server is listened to before its input is closed.
const QUIET: Duration = Duration::from_millis(800);

/// In so many places of a revision a broken rule is shown.
const MOST_PLACES: usize = 20;

const EOF: &str = "lifecycle/exit-on-stdin-eof";

/// Probes a server, or a client by being its server.
///
/// `tell` hears what is being done, for a line of progress. Of a server that wants authorisation, the report says what those
/// without credentials are told, and has the status in `authorisation`.
///
/// ```no_run
/// use mcp_assay_probe::{Options, Target, probe};
///
/// let options = Options::new(Target::Command(vec!["./server".to_owned()]));
/// let report = probe(&options, &mut |_| ())?;
/// assert_eq!(report.failures().count(), 0);
/// # Ok::<(), mcp_assay_probe::Unreachable>(())
/// ```
pub fn probe(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Report, Unreachable> {
    if let Target::Client(client) = &options.target {
        return serve::run(options, client, tell);
    }
    let mut run = Run {
        options,
        gathered: Gathered::default(),
        offers: Vec::new(),
        stderr: String::new(),
        stopped: false,
        silent: false,
    };
    match run.all(tell) {
        // What can be said without credentials is said.
        Err(Unreachable::Authorisation(status)) => run.gathered.authorisation = Some(status),
        result => result?,
    }
    if !options.quick {
        auth::run(
            options,
            &mut run.gathered.findings,
            run.gathered.authorisation,
        );
    }
    Ok(assemble(options, run.gathered))
}

struct Run<'o> {
    options: &'o Options,
    gathered: Gathered,
    /// What was offered, what was chosen, and the records of that.
    offers: Vec<(Revision, String, Vec<Record>)>,
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
        self.judge_offers();
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
        let greeting = steps::greet(&mut client, revision.name());
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
        } else if steps::is_counter_offer(&greeting, revision) && client.revision.is_none() {
            let note = "the server chose a version that is not known".to_owned();
            self.gathered.notes.push(note);
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
        let (speaks, answer) = steps::discover(&mut client, revision);
        if !greeted && let Err(why) = reachable(&client, &answer) {
            self.close(client);
            return Err(why);
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
        if let Some((answer, evidence)) = refusal {
            self.judge_refusal(revision, answer, evidence);
        }
        Ok(true)
    }

    /// A version that nobody can support.
    fn stranger(&mut self, offered: &str) -> Result<(), Unreachable> {
        if !self
            .options
            .wants_any(&["version/counter-offer", "ping/any-phase", EOF])
        {
            return Ok(());
        }
        let mut client = self.open()?;
        let mut step = Step {
            client: &mut client,
            findings: &mut self.gathered.findings,
        };
        if offered == STRANGERS[0] {
            steps::early_ping(&mut step);
        }
        let greeting = steps::greet(step.client, offered);
        // The rule is of the handshake, whichever version comes of it.
        let chosen = step.client.revision.take();
        steps::judge_stranger(&mut step, offered, &greeting);
        step.client.revision = chosen;
        if offered == STRANGERS[1] {
            self.close_input(&mut client);
        }
        self.close(client);
        Ok(())
    }

    fn walk(&mut self, client: &mut Client<'o>) -> Listed {
        let mut step = Step {
            client,
            findings: &mut self.gathered.findings,
        };
        if self.options.quick {
            steps::quick(&mut step)
        } else {
            steps::all(&mut step)
        }
    }

    /// Ends a connection, and takes over what the passive rules say of it.
    fn close(&mut self, client: Client<'o>) {
        let revision = client.revision;
        let Finished {
            records,
            broken,
            asked,
            given_up,
        } = client.finish();
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
        const LIMITS: &str = "probe/within-limits";
        let outcome = match given_up {
            Some(GivenUp::SaysTooMuch(excess)) => {
                let is_ours = |record: &Record| record.direction().sender() == Party::Client;
                let from = records.iter().rposition(is_ours).unwrap_or_default();
                Outcome::Fail {
                    message: format!("the server sent {excess} and was cut off"),
                    evidence: records[from..].iter().take(3).cloned().collect(),
                }
            }
            _ => Outcome::Pass,
        };
        self.gathered.findings.add(LIMITS, None, outcome);
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

    /// A version that the server chose once is one that it supports; offered, it has to be chosen.
    fn judge_offers(&mut self) {
        const ID: &str = "version/echo-supported";
        for (offered, chosen, evidence) in &self.offers {
            let supported = self
                .offers
                .iter()
                .any(|(_, version, _)| version == offered.name());
            let outcome = if chosen == offered.name() {
                Outcome::Pass
            } else if supported {
                Outcome::Fail {
                    message: format!(
                        "version {offered} was answered with {chosen} although the server supports it"
                    ),
                    evidence: evidence.clone(),
                }
            } else {
                continue;
            };
            self.gathered.findings.add(ID, Some(*offered), outcome);
        }
    }

    /// A server without handshake that refuses one names the versions that it speaks.
    fn judge_refusal(&mut self, revision: Revision, answer: &Answer, evidence: &[Record]) {
        const ID: &str = "version/initialize-refusal-names-versions";
        let Reply::Error(_, error) = &answer.reply else {
            return;
        };
        let names = error.to_string().contains(revision.name());
        let outcome = if names {
            Outcome::Pass
        } else {
            Outcome::Fail {
                message: format!(
                    "`initialize` was refused with {} that names no version",
                    answer.in_words()
                ),
                evidence: evidence.to_vec(),
            }
        };
        self.gathered.findings.add(ID, Some(revision), outcome);
    }

    /// Closes the standard input of a server that has nothing else to do.
    fn close_input(&mut self, client: &mut Client<'o>) {
        if client.is_http() || client.is_over() || self.is_over() {
            return;
        }
        // A server that waits for an answer of ours is not idle.
        client.wait(QUIET, |_| false);
        let revision = client.revision;
        let outcome = if client.close(self.options.step_timeout) {
            Outcome::Pass
        } else {
            let message = format!(
                "the server was still running {:?} after its standard input was closed",
                self.options.step_timeout
            );
            Outcome::Fail {
                message,
                // What was said last is all that there is to show.
                evidence: client.records.iter().rev().take(1).cloned().collect(),
            }
        };
        self.gathered.findings.add(EOF, revision, outcome);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_does_not_exist_is_unreachable() {
        let target = Target::Command(vec!["/no/such/command".to_owned()]);
        let result = probe(&Options::new(target), &mut |_| ());
        assert!(matches!(result, Err(Unreachable::Start(_))));
    }
}
