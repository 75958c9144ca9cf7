//! Evidence of a violation: the messages for people, and the fewest records for `check`.

use mcp_assay::Party;

use crate::judge::{Broken, shows};
use crate::options::Options;
use crate::record::Record;
use crate::reduce::reduce;

/// Records, and bytes of them, in the capture of one failure.
const MOST_CAPTURED: usize = 2_000;
const MOST_WEIGHT: usize = 8 << 20;

/// The messages that show a violation, and the fewest records with which `check` finds it.
pub(crate) fn minimal(
    records: &[Record],
    broken: &Broken,
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
    let before = &records[..=at];
    let weight: usize = before.iter().map(|record| record.bytes().len()).sum();
    // What a server says without end is neither judged nor kept again for every fault.
    let whole = if before.len() <= MOST_CAPTURED && weight <= MOST_WEIGHT {
        before
    } else {
        &with_opening
    };
    let shows = |records: &[Record]| shows(records, broken.rule.name, options, party);
    let capture = [&evidence[..], &with_opening, whole]
        .into_iter()
        .find(|records| shows(records))
        .unwrap_or(whole)
        .to_vec();
    (evidence, reduce(capture, shows))
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
