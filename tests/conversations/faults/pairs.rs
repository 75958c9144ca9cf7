//! Two faults in one dialogue, far apart: both are told.
//!
//! A fault that is told keeps silent what follows from it, and must not keep silent what has
//! nothing to do with it.

use std::collections::BTreeMap;

use mcp_assay::Revision;
use mcp_assay_testkit::traffic::{Carried, Finding, Record, Runner};

use super::change::{Changed, changes};
use super::{dialogues, names};

/// One in so many faults is tried as the first one, and one in so many of those that come after it
/// as the second.
const ONE_IN: usize = 23;

/// One in so many pairs of faults of different parties is tried.
const ONE_IN_BOTH: usize = 113;

/// The least number of records between the two.
const APART: usize = 3;

/// Changes after which nobody can tell for certain what the messages after it belong to: the
/// message that tells is lost, has no id or that of another, or cannot be understood.
const LOSES_TRACK: &[&str] = &[
    "drop",
    "torn",
    "glued",
    "order",
    "twice",
    "id-",
    "method",
    "params-gone:_meta",
];

/// One in so many faults may be hidden by another one after which all is clear: it would show only
/// by comparing with a message that is not sound, such as a call that is repeated or a task that
/// was not created.
const MAY_HIDE: usize = 50;

/// The same after one that loses track.
const MAY_HIDE_ASTRAY: usize = 25;

#[test]
fn two_faults_far_apart_are_both_told() {
    let mut runner = Runner::new();
    let (mut clear, mut astray) = (Share::default(), Share::default());
    let mut count = 0;
    for traffic in dialogues() {
        let records = recorded(&traffic.records);
        let (firsts, alone) = single_faults(&mut runner, traffic.revision, &records);
        for (first, told) in firsts.iter().step_by(ONE_IN) {
            let grown = first.records.len().wrapping_sub(records.len());
            changes(&first.records, &mut |second| {
                let is_apart = second.at.wrapping_sub(grown) >= first.at + APART;
                let wanted = alone.get(&key(&second, grown)).filter(|_| is_apart);
                count += usize::from(wanted.is_some());
                let Some(wanted) = wanted.filter(|_| count.is_multiple_of(ONE_IN)) else {
                    return;
                };
                // The first may show only afterwards, or in the message that the second one spoils.
                if told.at >= second.at || told.rule == wanted.rule {
                    return;
                }
                let found = runner.run(traffic.revision, &second.records);
                let has = |rule| found.iter().any(|finding| finding.rule == rule);
                let is_hidden = !has(told.rule) || !has(wanted.rule);
                let loses = LOSES_TRACK.iter().any(|kind| first.kind.starts_with(kind));
                let share = if loses { &mut astray } else { &mut clear };
                share.tried += 1;
                if is_hidden {
                    share.hidden += 1;
                    let (one, other) = (&first.kind, &second.kind);
                    let (name, at, then) = (&traffic.name, first.at, second.at);
                    println!(
                        "{name}, {one} at {at}, {other} at {then}: {:?}",
                        names(&found)
                    );
                }
            });
        }
    }
    assert!(clear.tried > 100 && astray.tried > 300);
    assert!(clear.hidden * MAY_HIDE <= clear.tried, "{clear:?}");
    assert!(
        astray.hidden * MAY_HIDE_ASTRAY <= astray.tried,
        "{astray:?}"
    );
    println!("{clear:?} {astray:?}");
}

/// A reason why one fault may hide another one of the other party.
struct Reason {
    /// The kind of the change that hides: its beginning.
    kind: &'static str,
    /// The rules that it may hide: their beginnings.
    hides: &'static [&'static str],
    why: &'static str,
}

const fn reason(kind: &'static str, hides: &'static [&'static str], why: &'static str) -> Reason {
    Reason { kind, hides, why }
}

/// Rules about answers, and about messages that refer to an earlier one.
const REFERENCES: &[&str] = &[
    "cancel/",
    "http/session-delete",
    "http/version-header",
    "jsonrpc/batch-answer-per-request",
    "lifecycle/",
    "mrtr/",
    "pagination/",
    "ping/",
    "progress/",
    "response/",
    "subscriptions/",
    "tasks/",
    "tools/",
    "version/negotiated-respected",
];

/// Every reason; a pair that has none fails the test.
const REASONS: &[Reason] = &[
    reason(
        "torn",
        REFERENCES,
        "the unreadable line may be the message that the other party refers to",
    ),
    reason(
        "glued",
        REFERENCES,
        "the unreadable line may be the message that the other party refers to",
    ),
    reason(
        "drop",
        REFERENCES,
        "the message that is not there may be the one that the other party refers to",
    ),
    reason(
        "order",
        REFERENCES,
        "nobody can tell which of the two was sent first",
    ),
    reason(
        "twice",
        REFERENCES,
        "an answer may belong to either of two equal messages",
    ),
    reason(
        "id-",
        REFERENCES,
        "an answer without the id of its request may belong to any open one",
    ),
    reason(
        "method",
        REFERENCES,
        "a method that does not exist may have been meant as any other",
    ),
    reason(
        "answer-to-notification",
        &["pagination/"],
        "the answer that matches no request may hold the cursor",
    ),
    reason(
        "params-",
        &[
            "logging/",
            "mrtr/",
            "progress/",
            "response/",
            "subscriptions/",
            "tasks/",
        ],
        "a malformed request may be refused, and nothing follows from it then",
    ),
    reason(
        "result-",
        &[
            "http/mcp-param",
            "http/version-header",
            "jsonrpc/error-id",
            "mrtr/",
            "pagination/",
            "prompts/",
            "response/",
            "tasks/",
            "tools/",
        ],
        "nobody knows what a malformed answer or a refusal in its place would have said",
    ),
    reason(
        "version-",
        &["http/notification-202"],
        "a message without its version of JSON-RPC need not be taken for a notification",
    ),
];

#[test]
fn faults_of_both_parties_are_both_reported() {
    let mut runner = Runner::new();
    let (mut tried, mut with_reason, mut without) = (0, 0, 0);
    let mut count = 0;
    for traffic in dialogues() {
        let records = recorded(&traffic.records);
        let (firsts, alone) = single_faults(&mut runner, traffic.revision, &records);
        for (first, told) in &firsts {
            let grown = first.records.len().wrapping_sub(records.len());
            changes(&first.records, &mut |second| {
                let at = second.at.wrapping_sub(grown);
                let is_after = at > first.at && at <= records.len();
                let wanted = alone.get(&key(&second, grown)).filter(|_| is_after);
                let Some(wanted) = wanted.filter(|wanted| are_of_two(told, wanted)) else {
                    return;
                };
                // One change may replace the message that shows the other.
                let replaces = told.at == second.at || told.at == at || wanted.at == first.at;
                count += 1;
                if replaces || !usize::is_multiple_of(count, ONE_IN_BOTH) {
                    return;
                }
                let found = runner.run(traffic.revision, &second.records);
                let has = |rule| found.iter().any(|finding| finding.rule == rule);
                tried += 1;
                let (hides, hidden) = match (has(told.rule), has(wanted.rule)) {
                    (true, true) => return,
                    (false, _) => (&second.kind, told.rule),
                    (true, false) => (&first.kind, wanted.rule),
                };
                let reason = REASONS.iter().find(|reason| {
                    hides.starts_with(reason.kind)
                        && reason.hides.iter().any(|rule| hidden.starts_with(rule))
                });
                let why = reason.map_or("NO REASON", |reason| reason.why);
                let known = reason.is_some();
                with_reason += usize::from(known);
                without += usize::from(!known);
                println!(
                    "{}: {} at {} ({}), {} at {} ({}): {:?}: {why}",
                    traffic.name,
                    first.kind,
                    first.at,
                    told.rule,
                    second.kind,
                    second.at,
                    wanted.rule,
                    names(&found)
                );
            });
        }
    }
    println!("{tried} pairs, {with_reason} hidden with a reason, {without} without");
    assert!(tried > 3_000, "{tried}");
    assert_eq!(
        without, 0,
        "of {tried}: a pair is not reported, and has no reason"
    );
    // The reasons do not become an excuse.
    assert!(with_reason * 30 <= tried, "{with_reason} of {tried}");
}

/// Whether two findings are of different parties and rules.
fn are_of_two(one: &Finding, other: &Finding) -> bool {
    one.rule != other.rule
        && one.party.is_some()
        && other.party.is_some()
        && one.party != other.party
}

/// How many pairs were tried, and in how many of them one is not told.
#[derive(Default, Debug)]
struct Share {
    tried: usize,
    hidden: usize,
}

/// The changes that give one violation each, and these violations by the change.
fn single_faults(
    runner: &mut Runner,
    revision: Option<Revision>,
    records: &[Record],
) -> (Vec<(Changed, Finding)>, BTreeMap<Identity, Finding>) {
    let (mut firsts, mut alone) = (Vec::new(), BTreeMap::new());
    changes(records, &mut |changed| {
        if let [finding] = &runner.run(revision, &changed.records)[..] {
            alone.insert(key(&changed, 0), finding.clone());
            firsts.push((changed, finding.clone()));
        }
    });
    (firsts, alone)
}

/// Lines as those of a recording that begins with the session.
fn recorded(records: &[Record]) -> Vec<Record> {
    let mut records = records.to_vec();
    for record in &mut records {
        if let Carried::Line { stdio, .. } = &mut record.carrier {
            *stdio = true;
        }
    }
    records
}

/// The place, the kind and the record of a change.
type Identity = (usize, String, String);

/// The identity of a change, if this number of records was added before it.
fn key(changed: &Changed, added: usize) -> Identity {
    let at = changed.at.wrapping_sub(added);
    (at, changed.kind.clone(), changed.label.clone())
}
