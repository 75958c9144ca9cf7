//! The requirements that only probing shows, against the catalogue and against the faults.

use std::collections::BTreeSet;

use mcp_assay::{Level, Party, Revision};
use mcp_assay_probe::{is_provoked, requirement, requirements};

use crate::{authorisation, clients, faults, hostile};

/// Demands of JSON-RPC that MCP repeats without a MUST of its own, and batches, which the next
/// revision removed: their pages say so.
const WARNINGS: [&str; 5] = [
    "jsonrpc/batch-accepted",
    "jsonrpc/invalid-params-reply",
    "jsonrpc/invalid-request-reply",
    "jsonrpc/parse-error-reply",
    "jsonrpc/unknown-method-reply",
];

#[test]
fn every_requirement_that_only_probing_shows_has_an_entry() {
    let rows: Vec<[&str; 5]> = include_str!("../covered/rows.tsv")
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<_> = line.split('\t').collect();
            columns.try_into().expect("five columns")
        })
        // Some are shown by other traffic, too.
        .filter(|columns: &[&str; 5]| columns[4] == "probe" || requirement(columns[0]).is_some())
        .collect();
    let of_catalogue = requirements()
        .iter()
        .filter(|known| known.family() != "probe");
    assert_eq!(rows.len(), of_catalogue.count());
    for [id, level, revisions, party, _] in rows {
        let known = requirement(id).unwrap_or_else(|| panic!("{id} has no entry"));
        let is_error = level.starts_with("MUST") && !WARNINGS.contains(&id);
        assert_eq!(is_error, known.level == Level::Error, "{id}");
        assert_eq!(party, known.party.to_string(), "{id}");
        let (first, last) = revisions.split_once("..").expect("a range");
        let last = if last.is_empty() {
            Revision::latest().name()
        } else {
            last
        };
        let stated: Vec<_> = Revision::ALL
            .into_iter()
            .filter(|revision| (first..=last).contains(&revision.name()))
            .collect();
        assert_eq!(stated, known.revisions.iter().collect::<Vec<_>>(), "{id}");
    }
}

#[test]
fn every_requirement_that_is_provoked_has_a_fault_that_shows_it() {
    let of_servers: BTreeSet<_> = faults::found().chain(hostile::found()).collect();
    let of_clients: BTreeSet<_> = clients::found().chain(authorisation::found()).collect();
    for (party, found) in [(Party::Server, of_servers), (Party::Client, of_clients)] {
        let ids = requirements().iter().map(|known| known.id);
        let missing: Vec<_> = ids
            .filter(|id| is_provoked(id, party) && !found.contains(id))
            .collect();
        assert_eq!(missing, [""; 0], "{party:?}");
    }
}
