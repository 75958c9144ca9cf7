//! Runs the steps over as many connections as it takes.

use std::time::Duration;

use mcp_assay::model::Fact;
use mcp_assay::{Party, Revision};

use crate::client::{Answer, Client, Finished, Reply};
use crate::findings::Outcome;
use crate::judge::shows;
use crate::options::Options;
use crate::record::{Content, Record};
use crate::report::{Gathered, Report, Shown, assemble};
use crate::serve;
use crate::steps::{self, Greeting, Listed, Step};
use crate::transport::{Target, Unreachable};

/// Versions that no server can support: one that is not released yet, and one that is none.
const STRANGERS: [&str; 2] = ["2099-01-01", "mcp-assay"];

/// How long a server is listened to before its input is closed.
const QUIET: Duration = Duration::from_millis(800);

const EOF: &str = "lifecycle/exit-on-stdin-eof";

/// Probes a server, or a client by being its server.
///
/// `tell` hears what is being done, for a line of progress.
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
    };
    run.all(tell)?;
    Ok(assemble(options, run.gathered))
}

struct Run<'o> {
    options: &'o Options,
    gathered: Gathered,
    /// What was offered, what was chosen, and the records of that.
    offers: Vec<(Revision, String, Vec<Record>)>,
    stderr: String,
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
                tell(&format!("revision {revision}"));
                greeted |= self.stateless(revision, greeted, refusal.as_ref())?;
            }
        }
        if !greeted {
            let stderr = std::mem::take(&mut self.stderr);
            return Err(Unreachable::NoHandshake(stderr));
        }
        let has_handshake = self
            .gathered
            .revisions
            .iter()
            .any(|revision| revision.has(Fact::Handshake));
        if !self.options.quick && has_handshake {
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
        self.options.is_over()
    }

    fn open(&mut self) -> Result<Client<'o>, Unreachable> {
        self.gathered.connections += 1;
        Client::open(self.options)
    }

    /// A session with a handshake; gives the answer to `initialize`.
    fn legacy(&mut self, revision: Revision) -> Result<(Answer, Vec<Record>), Unreachable> {
        let mut client = self.open()?;
        let greeting = steps::greet(&mut client, revision.name());
        reachable(&client, &greeting.answer)?;
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
        if !greeted {
            reachable(&client, &answer)?;
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
        let Finished {
            records,
            broken,
            asked,
        } = client.finish();
        self.gathered.messages += records.len();
        self.gathered.asked.extend(asked);
        for broken in broken {
            let known = self.gathered.broken.iter().any(|shown| {
                shown.broken.rule.name == broken.rule.name
                    && shown.broken.revision == broken.revision
                    && shown.broken.pointer == broken.pointer
                    && shown.broken.method == broken.method
            });
            if known {
                continue;
            }
            let (evidence, capture) = minimal(&records, &broken, self.options, Party::Server);
            self.gathered.broken.push(Shown {
                broken,
                evidence,
                capture,
            });
        }
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

    /// Lists may not depend on the connection.
    fn compare_lists(&mut self, revision: Revision, first: &Listed) -> Result<(), Unreachable> {
        const IDS: [&str; 3] = [
            "tools/list-stable-across-connections",
            "resources/list-stable-across-connections",
            "prompts/list-stable-across-connections",
        ];
        if !self.options.wants_any(&IDS) && !self.options.wants(EOF) {
            return Ok(());
        }
        let mut client = self.open()?;
        steps::discover(&mut client, revision);
        let mut step = Step {
            client: &mut client,
            findings: &mut self.gathered.findings,
        };
        let before = step.client.records.len();
        let second = steps::quick(&mut step);
        let evidence: Vec<usize> = (before..step.client.records.len()).take(8).collect();
        let names = |items: &[serde_json::Value], member: &str| {
            let mut names: Vec<String> =
                items.iter().map(|item| item[member].to_string()).collect();
            names.sort();
            names
        };
        for (id, member, one, other, capability) in [
            (IDS[0], "name", &first.tools, &second.tools, "/tools"),
            (
                IDS[1],
                "uri",
                &first.resources,
                &second.resources,
                "/resources",
            ),
            (IDS[2], "name", &first.prompts, &second.prompts, "/prompts"),
        ] {
            if !step.client.declares(capability) {
                step.not_applicable(id, "the capability is not declared");
            } else if names(one, member) == names(other, member) {
                step.pass(id);
            } else {
                step.fail(id, "another connection was shown another list", &evidence);
            }
        }
        if self.offers.is_empty() {
            self.close_input(&mut client);
        }
        self.close(client);
        Ok(())
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
                evidence: Vec::new(),
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

/// The messages that show a violation, and the fewest records with which `check` finds it.
pub(crate) fn minimal(
    records: &[Record],
    broken: &crate::judge::Broken,
    options: &Options,
    party: Party,
) -> (Vec<Record>, Vec<Record>) {
    let at = broken.at.min(records.len().saturating_sub(1));
    let Some(culprit) = records.get(at) else {
        return (Vec::new(), Vec::new());
    };
    let asked = culprit.message().and_then(|message| {
        let id = message.get("id")?.clone();
        records[..at].iter().rposition(|record| {
            record.direction() != culprit.direction()
                && record
                    .message()
                    .is_some_and(|asked| asked.get("id") == Some(&id))
        })
    });
    let of_exchange =
        |record: &&Record| culprit.exchange().is_some() && record.exchange() == culprit.exchange();
    let mut evidence: Vec<Record> = match culprit.exchange() {
        Some(_) => records[..=at].iter().filter(of_exchange).cloned().collect(),
        None => asked
            .into_iter()
            .chain([at])
            .map(|at| records[at].clone())
            .collect(),
    };
    if evidence.is_empty() {
        evidence.push(culprit.clone());
    }
    let opening = opening(&records[..at]);
    let with_opening: Vec<Record> = opening
        .iter()
        .filter(|record| culprit.exchange().is_none() || record.exchange() != culprit.exchange())
        .chain(&evidence)
        .cloned()
        .collect();
    let capture = [&evidence[..], &with_opening, &records[..=at]]
        .into_iter()
        .find(|records| shows(records, broken.rule.name, &options.policy, party))
        .unwrap_or(records)
        .to_vec();
    (evidence, capture)
}

/// The records of the handshake.
fn opening(records: &[Record]) -> Vec<Record> {
    let end = records.iter().position(|record| {
        record
            .message()
            .is_some_and(|message| message["method"] == "notifications/initialized")
    });
    records[..end.map_or(0, |end| end + 1)].to_vec()
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
