//! What came of a probe, rule by rule.

use mcp_assay::{Layer, Level, Party, Policy, Revision, RevisionSet, Rule, rules};

use crate::demands::demand;
use crate::findings::{Findings, Outcome};
use crate::judge::{Broken, concerns};
use crate::options::Options;
use crate::record::Record;
use crate::rows::{OWN, ROWS, Row, UNPROVOKED, UNPROVOKED_IN_CLIENTS};
use crate::transcript::Connection;

/// What came of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// It was broken.
    Fail,
    /// It was put to the test, and held.
    Pass,
    /// It could not be put to the test.
    NotObserved,
    /// It does not concern this server or client.
    NotApplicable,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Fail,
        Self::Pass,
        Self::NotObserved,
        Self::NotApplicable,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Pass => "pass",
            Self::NotObserved => "not observed",
            Self::NotApplicable => "not applicable",
        }
    }
}

/// A failure, once for every place where it shows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// What was found and what was expected.
    pub message: String,
    /// The JSON Pointer into the message at fault; empty if it is the whole of it.
    pub pointer: String,
    /// The method that the message at fault calls or answers.
    pub method: Option<String>,
    /// The revisions in which it shows.
    pub revisions: Vec<Revision>,
    /// The exact messages.
    pub evidence: Vec<Record>,
    /// A capture that shows it to `check`; for passive rules only.
    pub capture: Vec<Record>,
}

/// A rule and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// `family/requirement`.
    pub id: &'static str,
    /// The rule in a sentence: what it demands, or for those of `check` what is wrong.
    pub about: &'static str,
    /// How grave it is to break it.
    pub level: Level,
    /// Whether traffic that is only watched shows it: then `check` finds it too.
    pub passive: bool,
    /// What came of it.
    pub status: Status,
    /// Why it was not put to the test.
    pub reason: String,
    /// Where it was broken.
    pub failures: Vec<Failure>,
}

impl Entry {
    /// The first half of its id.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.id
            .split_once('/')
            .map_or(self.id, |(family, _)| family)
    }
}

/// What came of a probe.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Every rule, in the order of its name.
    pub entries: Vec<Entry>,
    /// The revisions that the server or client speaks.
    pub revisions: Vec<Revision>,
    /// What a person should know: time was up, and the like.
    pub notes: Vec<String>,
    /// Messages that passed.
    pub messages: usize,
    /// Connections that were made.
    pub connections: usize,
    /// The status with which the server asked for authorisation, if nothing else could be put to the test for that.
    pub authorisation: Option<u16>,
    /// Those that were kept.
    pub transcript: Vec<Connection>,
}

impl Report {
    /// The rules that were broken.
    pub fn failures(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| entry.status == Status::Fail)
    }

    /// How many rules have this status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        let has = |entry: &&Entry| entry.status == status;
        self.entries.iter().filter(has).count()
    }
}

/// A passive rule that was broken, with the connection that shows it.
pub(crate) struct Shown {
    pub(crate) broken: Broken,
    pub(crate) evidence: Vec<Record>,
    pub(crate) capture: Vec<Record>,
}

/// Everything that the connections showed.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) findings: Findings,
    pub(crate) broken: Vec<Shown>,
    pub(crate) asked: std::collections::BTreeSet<&'static str>,
    pub(crate) revisions: Vec<Revision>,
    pub(crate) notes: Vec<String>,
    pub(crate) messages: usize,
    pub(crate) connections: usize,
    pub(crate) authorisation: Option<u16>,
    pub(crate) transcript: Vec<Connection>,
}

pub(crate) fn assemble(options: &Options, gathered: Gathered) -> Report {
    let rows = OWN.iter().chain(ROWS);
    let rows = rows.filter(|row| options.wants(row.id) && is_selected(&options.policy, row));
    let of_profile = options.policy.profile().into_iter();
    let of_profile = of_profile.flat_map(mcp_assay::profile::Profile::rules);
    // What every profile can raise is of interest only where it did.
    let raised = |rule: &&Rule| {
        let mut broken = gathered.broken.iter();
        broken.any(|shown| shown.broken.rule.name == rule.name)
    };
    let fixed = mcp_assay::profile::fixed_rules().filter(raised);
    let rules = rules::all().chain(of_profile).chain(fixed);
    let rules = rules.filter(|rule| options.wants(rule.name) && options.policy.wants(rule));
    let rows = rows.map(|row| of_row(row, options, &gathered));
    let rules = rules.map(|rule| of_rule(rule, options, &gathered));
    let mut entries: Vec<Entry> = rows.chain(rules).collect();
    entries.sort_by_key(|entry| entry.id);
    Report {
        entries,
        revisions: gathered.revisions,
        notes: gathered.notes,
        messages: gathered.messages,
        connections: gathered.connections,
        authorisation: gathered.authorisation,
        transcript: gathered.transcript,
    }
}

/// Whom a rule is about that is not about the party that is judged.
fn about_others(judged: Party) -> &'static str {
    match judged {
        Party::Client => "it is about servers",
        Party::Server => "it is about clients",
    }
}

/// What came of a requirement that only probing shows.
fn of_row(row: &Row, options: &Options, gathered: &Gathered) -> Entry {
    let judged = options.target.party();
    let mut entry = Entry {
        id: row.id,
        about: demand(row.id).unwrap_or_default(),
        level: level(&options.policy, row),
        passive: false,
        status: Status::NotObserved,
        reason: String::new(),
        failures: Vec::new(),
    };
    let over_http = matches!(row.family(), "http" | "auth");
    let why_not = if !concerns(row.party, judged) {
        Some(about_others(judged))
    } else if over_http && !options.target.is_http() {
        Some("it is about HTTP")
    } else {
        other_revisions(row.revisions, &gathered.revisions)
    };
    match why_not {
        Some(why) => {
            entry.status = Status::NotApplicable;
            why.clone_into(&mut entry.reason);
        }
        None if !is_built(row, judged) => {
            let reasons = match judged {
                Party::Client => UNPROVOKED_IN_CLIENTS,
                Party::Server => UNPROVOKED,
            };
            let known = reasons.iter().find(|(id, _)| *id == row.id);
            known
                .map_or("nothing provokes it", |(_, why)| *why)
                .clone_into(&mut entry.reason);
        }
        None => settle(&mut entry, row.revisions, gathered.findings.of(row.id)),
    }
    entry
}

/// What came of a rule that any traffic can break.
fn of_rule(rule: &'static Rule, options: &Options, gathered: &Gathered) -> Entry {
    let judged = options.target.party();
    let mut entry = Entry {
        id: rule.name,
        about: rule.summary(),
        level: options.policy.level(rule, None),
        passive: true,
        status: Status::NotObserved,
        reason: "nothing that it looks at was seen".to_owned(),
        failures: Vec::new(),
    };
    let shown = gathered
        .broken
        .iter()
        .filter(|shown| shown.broken.rule.name == rule.name);
    for shown in shown {
        entry.level = entry.level.max(shown.broken.level);
        merge(&mut entry.failures, shown);
    }
    if entry.failures.is_empty() {
        // A step may know what the traffic as a whole no longer shows.
        settle(&mut entry, rule.revisions, gathered.findings.of(rule.name));
        entry.passive = entry.failures.is_empty();
        entry.status = Status::NotObserved;
        "nothing that it looks at was seen".clone_into(&mut entry.reason);
    }
    let elsewhere = match rule.layer {
        Layer::Http => !options.target.is_http(),
        Layer::Framing => options.target.is_http(),
        _ => false,
    };
    if !entry.failures.is_empty() {
        entry.status = Status::Fail;
    } else if !concerns(rule.party, judged) {
        entry.status = Status::NotApplicable;
        about_others(judged).clone_into(&mut entry.reason);
    } else if elsewhere {
        entry.status = Status::NotApplicable;
        "it is about another transport".clone_into(&mut entry.reason);
    } else if let Some(why) = other_revisions(rule.revisions, &gathered.revisions)
        // No revision states a rule of a profile.
        && rules::find(rule.name).is_some()
    {
        entry.status = Status::NotApplicable;
        why.clone_into(&mut entry.reason);
    } else if gathered.asked.contains(rule.name) {
        entry.status = Status::Pass;
    }
    if matches!(entry.status, Status::Pass | Status::Fail) {
        entry.reason.clear();
    }
    entry
}

/// Whether something provokes it.
fn is_built(row: &Row, judged: Party) -> bool {
    match judged {
        Party::Client => row.has_scenario(),
        Party::Server => row.built,
    }
}

/// A failure in any revision is a failure; where one passes, the others were merely not in a position to.
fn settle(entry: &mut Entry, revisions: RevisionSet, found: &[(Option<Revision>, Outcome)]) {
    let mut best = Status::NotApplicable;
    "it was not put to the test".clone_into(&mut entry.reason);
    let counts =
        |revision: &Option<Revision>| revision.is_none_or(|revision| revisions.contains(revision));
    let mut seen = false;
    for (revision, outcome) in found.iter().filter(|(revision, _)| counts(revision)) {
        seen = true;
        let (status, reason) = match outcome {
            Outcome::Pass => (Status::Pass, ""),
            Outcome::NotApplicable(why) => (Status::NotApplicable, why.as_str()),
            Outcome::NotObserved(why) => (Status::NotObserved, why.as_str()),
            Outcome::Fail { message, evidence } => {
                let known = entry
                    .failures
                    .iter_mut()
                    .find(|failure| failure.message == *message);
                match known {
                    Some(failure) => push_new(&mut failure.revisions, *revision),
                    None => entry.failures.push(Failure {
                        message: message.clone(),
                        pointer: String::new(),
                        method: None,
                        revisions: revision.iter().copied().collect(),
                        evidence: evidence.clone(),
                        capture: Vec::new(),
                    }),
                }
                (Status::Fail, "")
            }
        };
        if status <= best {
            best = status;
            reason.clone_into(&mut entry.reason);
        }
    }
    entry.status = if seen { best } else { Status::NotObserved };
}

fn merge(failures: &mut Vec<Failure>, shown: &Shown) {
    let broken = &shown.broken;
    let known = failures.iter_mut().find(|failure| {
        failure.message == broken.message
            && failure.method == broken.method
            && failure.pointer == broken.pointer
    });
    match known {
        Some(failure) => push_new(&mut failure.revisions, broken.revision),
        None => failures.push(Failure {
            message: broken.message.clone(),
            pointer: broken.pointer.clone(),
            method: broken.method.clone(),
            revisions: broken.revision.into_iter().collect(),
            evidence: shown.evidence.clone(),
            capture: shown.capture.clone(),
        }),
    }
}

fn push_new(revisions: &mut Vec<Revision>, revision: Option<Revision>) {
    if let Some(revision) = revision
        && !revisions.contains(&revision)
    {
        revisions.push(revision);
    }
}

fn other_revisions(stated: RevisionSet, spoken: &[Revision]) -> Option<&'static str> {
    let concerned = spoken.iter().any(|revision| stated.contains(*revision));
    (!concerned && !spoken.is_empty()).then_some("it is of revisions that were not spoken")
}

fn level(policy: &Policy, row: &Row) -> Level {
    let level = policy.selection.level_in_family(row.family(), row.level);
    if policy.strict && level == Level::Warning {
        Level::Error
    } else {
        level
    }
}

/// Selection knows the names of passive rules. A rule that only probing shows follows those of its family, if there are any those
/// of its level.
fn is_selected(policy: &Policy, row: &Row) -> bool {
    let family = || rules::all().filter(|rule| rule.family() == row.family());
    let wanted = |rules: &mut dyn Iterator<Item = &Rule>| {
        rules
            .map(|rule| policy.wants(rule))
            .reduce(|one, other| one || other)
    };
    policy.selection.is_everything()
        || wanted(&mut family().filter(|rule| rule.level == row.level))
            .or_else(|| wanted(&mut family()))
            .unwrap_or(true)
}
