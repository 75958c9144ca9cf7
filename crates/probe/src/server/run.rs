//! Runs the steps over as many connections as it takes. The first connection finds out whether
//! there is a server; the others run side by side.

use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use mcp_assay::Revision;
use mcp_assay::model::Fact;

use super::connect::{self, Contact};
use super::connection::{Connections, MOST_PLACES, Opened, Partial};
use super::{auth_metadata, speaks_revision, version_echo_supported};
use crate::options::Options;
use crate::report::{Gathered, MAX_ERRORS};
use crate::requirement::Wanted;
use crate::transport::Unreachable;

/// Versions that no server can support: one that is not released yet, and one that is none.
pub(super) const STRANGERS: [&str; 2] = ["2099-01-01", "mcp-assay"];

/// Connections at a time. They wait for the server most of the time.
const MAX_CONNECTIONS: usize = 4;

/// How many times as long as the first one another start may take, beside the time of a step.
const START_FACTOR: u32 = 4;

/// Probes a server.
pub(crate) fn run(wanted: Wanted<'_>, tell: &mut dyn FnMut(&str)) -> Result<Gathered, Unreachable> {
    let mut gathered = Gathered::default();
    let mut partials = Vec::new();
    match all(wanted, &mut partials, tell) {
        // The report covers the requirements that need no credentials.
        Err(Unreachable::Authorisation(status)) => gathered.authorisation = Some(status),
        result => result?,
    }
    let mut offers = Vec::new();
    let mut is_stopped = false;
    for partial in partials {
        // A server that floods or hangs does so everywhere: once is enough.
        is_stopped = partial.is_stopped;
        merge(&mut gathered, partial, &mut offers);
        if is_stopped {
            break;
        }
    }
    // A server that was cut off has shown another fault.
    if !is_stopped && !wanted.options.is_over() && gathered.authorisation.is_none() {
        speaks_revision::check(&gathered.revisions, &mut gathered.findings);
    }
    version_echo_supported::check(&offers, &mut gathered.findings);
    let options = wanted.options;
    if options.is_over() {
        gathered.notes.push(options.why_over().to_owned());
    }
    if !options.quick && !options.interrupt.is_set() {
        auth_metadata::run(wanted, &mut gathered.findings, gathered.authorisation);
    }
    Ok(gathered)
}

/// Something that has a connection of its own.
#[derive(Clone, Copy)]
pub(super) enum Job {
    /// A session with a handshake.
    Legacy(Revision),
    /// Requests without a handshake.
    Stateless(Revision),
    /// A session with a client that declares no capability.
    Incapable(Revision),
    /// A version that nobody can support.
    Stranger(&'static str),
}

impl Job {
    fn name(self) -> String {
        match self {
            Self::Legacy(revision) | Self::Stateless(revision) => format!("revision {revision}"),
            Self::Incapable(revision) => {
                format!("a client without capabilities, revision {revision}")
            }
            Self::Stranger(version) => format!("version {version}"),
        }
    }
}

fn all(
    wanted: Wanted<'_>,
    partials: &mut Vec<Partial>,
    tell: &mut dyn FnMut(&str),
) -> Result<(), Unreachable> {
    let options = wanted.options;
    let (modern, legacy) = revisions(options);
    let mut first = Connections::new(wanted);
    let mut contact = Contact::default();
    // Over HTTP the oldest revision has a transport of its own.
    let legacy: Vec<_> = legacy
        .into_iter()
        .filter(|revision| !(revision.has(Fact::HttpTwoEndpoints) && options.target.is_http()))
        .collect();
    let mut jobs: Vec<Job> = Vec::new();
    if let Some((newest, others)) = legacy.split_first() {
        tell(&connect::waiting(options, &Job::Legacy(*newest).name()));
        let greeted = first.greet(*newest, &mut contact);
        let greeted = keep(greeted, first, partials)?;
        if let Some((mut connections, client)) = greeted {
            if options.quick {
                tell("lists");
                connections.walk_greeted(*newest, client);
                partials.push(connections.into_partial());
                return Ok(());
            }
            jobs.extend(others.iter().map(|revision| Job::Legacy(*revision)));
            jobs.extend(modern.iter().map(|revision| Job::Stateless(*revision)));
            jobs.push(Job::Incapable(*newest));
            jobs.extend(STRANGERS.map(Job::Stranger));
            side_by_side(wanted, jobs, (connections, *newest, client), partials, tell);
            return Ok(());
        }
        if partials.iter().any(|partial| partial.is_stopped) {
            return Ok(());
        }
        first = Connections::new(wanted);
    }
    // A server that refuses or hangs once does so again: what is left is the revision without a
    // handshake, and the oldest transport.
    // One that never said a word is not given as much time again.
    if contact.is_silent {
        first.start_timeout = options.step_timeout;
    }
    let mut greeted = false;
    for revision in modern {
        if options.is_over() {
            break;
        }
        tell(&connect::waiting(options, &Job::Stateless(revision).name()));
        let speaks = first.stateless(revision, greeted, Some(&mut contact));
        match speaks {
            Ok(speaks) => greeted |= speaks,
            Err(why) => {
                partials.push(first.into_partial());
                return Err(why);
            }
        }
    }
    if !greeted && !options.is_over() && options.target.is_http() && contact.may_be_oldest() {
        tell("the transport of 2024-11-05");
        greeted = first.two_endpoints()?;
    }
    let stopped = first.stopped;
    partials.push(first.into_partial());
    if !greeted && !stopped {
        return Err(connect::diagnose(options, &contact));
    }
    Ok(())
}

/// A connection whose server answered the handshake.
type Greeted<'o> = (Connections<'o>, Opened<'o>);

/// Keeps what a first connection showed, also where it leads no further.
fn keep<'o>(
    greeted: Result<Option<Opened<'o>>, Unreachable>,
    connections: Connections<'o>,
    partials: &mut Vec<Partial>,
) -> Result<Option<Greeted<'o>>, Unreachable> {
    match greeted {
        Ok(Some(client)) => Ok(Some((connections, client))),
        Ok(None) => {
            partials.push(connections.into_partial());
            Ok(None)
        }
        Err(why) => {
            partials.push(connections.into_partial());
            Err(why)
        }
    }
}

/// The revisions to speak, newest first: those without a handshake, and those with one.
fn revisions(options: &Options) -> (Vec<Revision>, Vec<Revision>) {
    Revision::ALL
        .into_iter()
        .rev()
        .filter(|revision| options.wants_revision(*revision))
        .partition(|revision| revision.has(Fact::Stateless))
}

/// Walks over the first connection, and does the other jobs at the same time. A job that found
/// nobody is done again alone: some servers can run only once.
fn side_by_side<'o>(
    wanted: Wanted<'o>,
    jobs: Vec<Job>,
    (mut first, newest, client): (Connections<'o>, Revision, Opened<'o>),
    partials: &mut Vec<Partial>,
    tell: &mut dyn FnMut(&str),
) {
    let count = jobs.len();
    // The machine may be busier than before, but the server is installed by now.
    let start = first.started_in * START_FACTOR + wanted.options.step_timeout;
    let start = start.min(wanted.options.start_timeout);
    let queue: Mutex<VecDeque<(usize, Job)>> =
        Mutex::new(jobs.iter().copied().enumerate().collect());
    let done: Mutex<Vec<Option<Partial>>> = Mutex::new((0..count).map(|_| None).collect());
    let (sender, names) = channel::<String>();
    let mut of_first = None;
    thread::scope(|scope| {
        let walk = scope.spawn(move || {
            first.walk_greeted(newest, client);
            first.into_partial()
        });
        for _ in 0..MAX_CONNECTIONS.min(count) {
            let (queue, done, sender) = (&queue, &done, sender.clone());
            scope.spawn(move || work(wanted, start, queue, done, &sender));
        }
        drop(sender);
        for name in names {
            tell(&name);
        }
        of_first = walk.join().ok();
    });
    partials.extend(of_first);
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (job, partial) in jobs.into_iter().zip(done) {
        let partial = match partial {
            Some(partial) if partial.is_alone && !wanted.options.is_over() => {
                tell(&job.name());
                perform(wanted, start, job)
            }
            Some(partial) => partial,
            None => continue,
        };
        partials.push(partial);
    }
}

fn work(
    wanted: Wanted<'_>,
    start: Duration,
    queue: &Mutex<VecDeque<(usize, Job)>>,
    done: &Mutex<Vec<Option<Partial>>>,
    names: &Sender<String>,
) {
    loop {
        let next = queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        let Some((number, job)) = next else {
            return;
        };
        if wanted.options.is_over() {
            return;
        }
        // Nobody may be listening any more.
        let _ = names.send(job.name());
        let partial = perform(wanted, start, job);
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        done[number] = Some(partial);
    }
}

/// Does a job over connections of its own.
fn perform(wanted: Wanted<'_>, start: Duration, job: Job) -> Partial {
    let mut connections = Connections::new(wanted);
    connections.start_timeout = start;
    let result = match job {
        Job::Legacy(revision) => {
            let mut contact = Contact::default();
            let greeted = connections.greet(revision, &mut contact);
            greeted.map(|client| match client {
                Some(client) => connections.walk_greeted(revision, client),
                None => connections.is_alone = contact.is_silent || contact.is_closed,
            })
        }
        Job::Stateless(revision) => {
            connections.note_older();
            connections.stateless(revision, true, None).map(drop)
        }
        Job::Incapable(revision) => connections.incapable(revision),
        Job::Stranger(version) => connections.stranger(version),
    };
    if let Err(why) = result {
        connections.is_alone = true;
        connections.note(format!("{} was not put to the test: {why}", job.name()));
    }
    connections.into_partial()
}

/// Takes over what a connection showed, in the order of the jobs.
fn merge(
    gathered: &mut Gathered,
    partial: Partial,
    offers: &mut Vec<version_echo_supported::Offer>,
) {
    offers.extend(partial.offers);
    let more = partial.gathered;
    gathered.findings.extend(more.findings);
    gathered.asked.extend(more.asked);
    gathered.revisions.extend(more.revisions);
    let left = MAX_ERRORS.saturating_sub(gathered.errors.len());
    gathered.errors.extend(more.errors.into_iter().take(left));
    gathered.messages += more.messages;
    gathered.connections += more.connections;
    gathered.transcript.extend(more.transcript);
    for note in more.notes {
        if !gathered.notes.contains(&note) {
            gathered.notes.push(note);
        }
    }
    for mut shown in more.broken {
        // A wrong id is one fault, whichever answer showed it first.
        let known = gathered.broken.iter().find(|known| {
            let is_about_id =
                known.broken.pointer == "/id" || known.broken.rule.family() == "response";
            is_about_id && known.broken.rule == shown.broken.rule
        });
        if let Some(known) = known {
            shown.broken.method.clone_from(&known.broken.method);
            shown.broken.pointer.clone_from(&known.broken.pointer);
        }
        let (rule, revision) = (shown.broken.rule, shown.broken.revision);
        let same = gathered
            .broken
            .iter()
            .filter(|known| known.broken.rule == rule && known.broken.revision == revision);
        let is_known = same.clone().any(|known| {
            known.broken.pointer == shown.broken.pointer
                && known.broken.method == shown.broken.method
        });
        if !is_known && same.count() < MOST_PLACES {
            gathered.broken.push(shown);
        }
    }
}
