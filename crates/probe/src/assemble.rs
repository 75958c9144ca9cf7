//! Puts the findings of all connections together, rule by rule.

use mcp_assay::{Layer, Party, Revision, RevisionSet, Rule, rules};

use crate::findings::Outcome;
use crate::judge::concerns;
use crate::options::Options;
use crate::report::{Entry, Failure, Gathered, Report, Shown, Status};
use crate::requirement::Requirement;
use crate::requirements::{find_rule, is_provoked, requirement, requirements};

pub(crate) fn assemble(options: &Options, gathered: Gathered) -> Report {
    let required = requirements().iter().copied();
    let required = required.filter(|requirement| {
        options.wants(requirement.id) && options.policy.wants(rule_of(requirement))
    });
    let of_profile = options.policy.dialect().into_iter();
    let of_profile = of_profile.flat_map(mcp_assay::profile::Profile::rules);
    // A rule that every profile can raise gets a row only if it was raised.
    let raised = |rule: &&Rule| {
        let mut broken = gathered.broken.iter();
        broken.any(|shown| shown.broken.rule.name == rule.name)
    };
    let fixed = mcp_assay::profile::fixed_rules().filter(raised);
    let rules = rules::all().chain(of_profile).chain(fixed);
    let rules = rules.filter(|rule| options.wants(rule.name) && options.policy.wants(rule));
    // A requirement that traffic shows, too, is one entry.
    let rules = rules.filter(|rule| requirement(rule.name).is_none());
    let required = required.map(|requirement| of_requirement(requirement, options, &gathered));
    let rules = rules.map(|rule| of_rule(rule, options, &gathered));
    let mut entries: Vec<Entry> = required.chain(rules).collect();
    entries.sort_by_key(|entry| entry.id);
    // Connections run side by side.
    let mut revisions = gathered.revisions;
    revisions.sort_unstable_by(|one, other| other.cmp(one));
    Report {
        entries,
        revisions,
        notes: gathered.notes,
        errors: gathered.errors,
        messages: gathered.messages,
        connections: gathered.connections,
        authorisation: gathered.authorisation,
        transcript: gathered.transcript,
    }
}

/// The party of a rule that is not about the party under test.
fn about_others(judged: Party) -> &'static str {
    match judged {
        Party::Client => "it is about servers",
        Party::Server => "it is about clients",
    }
}

fn rule_of(requirement: &Requirement) -> &'static Rule {
    find_rule(requirement.id).expect("every requirement is a rule")
}

/// The entry of a requirement that only probing shows.
fn of_requirement(requirement: &Requirement, options: &Options, gathered: &Gathered) -> Entry {
    let judged = options.target.party();
    let mut entry = Entry {
        id: requirement.id,
        about: requirement.demand,
        level: options.policy.level(rule_of(requirement), None),
        passive: false,
        status: Status::NotObserved,
        reason: String::new(),
        failures: Vec::new(),
    };
    let over_http = matches!(requirement.family(), "http" | "auth" | "ext-auth");
    let why_not = if !concerns(requirement.party, judged) {
        Some(about_others(judged))
    } else if over_http && !options.target.is_http() {
        Some("it is about HTTP")
    } else {
        other_revisions(requirement.revisions, &gathered.revisions)
    };
    match why_not {
        Some(why) => {
            entry.status = Status::NotApplicable;
            why.clone_into(&mut entry.reason);
        }
        None if !is_provoked(requirement.id, judged) => {
            let why = requirement.unprovoked_in(judged);
            why.unwrap_or("nothing provokes it")
                .clone_into(&mut entry.reason);
        }
        None => settle(
            &mut entry,
            requirement.revisions,
            gathered.findings.of(requirement.id),
        ),
    }
    if entry.failures.is_empty() && entry.status != Status::NotApplicable {
        merge_broken(&mut entry, gathered);
        if !entry.failures.is_empty() {
            entry.status = Status::Fail;
            entry.reason.clear();
        }
    }
    entry
}

/// Adds the violations of the rule of an entry; their levels decide that of the entry.
fn merge_broken(entry: &mut Entry, gathered: &Gathered) {
    let broken = gathered.broken.iter();
    let shown = broken.filter(|shown| shown.broken.rule.name == entry.id);
    let mut level = None;
    for shown in shown {
        level = level.max(Some(shown.broken.level));
        merge(&mut entry.failures, shown);
    }
    entry.level = level.unwrap_or(entry.level);
}

/// The entry of a rule that any traffic can break.
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
    merge_broken(&mut entry, gathered);
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

/// A failure in any revision is a failure; where one passes, the others were merely not in a
/// position to.
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
                        schema: None,
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
            schema: broken.schema.clone(),
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
