//! The table of what only probing can show, against the requirements.

use mcp_assay::rules::Parties;
use mcp_assay::{Level, Party, Revision};
use mcp_assay_probe::{ROWS, UNPROVOKED, UNPROVOKED_IN_CLIENTS};

#[test]
fn every_requirement_that_only_probing_shows_is_in_the_table() {
    let rows: Vec<[&str; 5]> = include_str!("../covered/rows.tsv")
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<_> = line.split('\t').collect();
            columns.try_into().expect("five columns")
        })
        .filter(|columns: &[&str; 5]| columns[4] == "probe")
        .collect();
    assert_eq!(rows.len(), ROWS.len());
    for ([id, level, revisions, party, _], row) in rows.into_iter().zip(ROWS) {
        assert_eq!(id, row.id);
        let is_error = level.starts_with("MUST");
        assert_eq!(is_error, row.level == Level::Error, "{id}");
        assert_eq!(party, row.party.to_string(), "{id}");
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
        assert_eq!(stated, row.revisions.iter().collect::<Vec<_>>(), "{id}");
    }
}

#[test]
fn what_no_server_can_be_made_to_show_has_a_reason() {
    let unprovoked: Vec<_> = ROWS
        .iter()
        .filter(|row| !row.built && row.party != Parties::Only(Party::Client))
        .map(|row| row.id)
        .collect();
    let reasons: Vec<_> = UNPROVOKED.iter().map(|(id, _)| *id).collect();
    assert_eq!(unprovoked, reasons);
}

#[test]
fn what_no_client_can_be_made_to_show_has_a_reason() {
    let unprovoked: Vec<_> = ROWS
        .iter()
        .filter(|row| row.party != Parties::Only(Party::Server))
        .filter(|row| !row.has_scenario())
        .map(|row| row.id)
        .collect();
    let reasons: Vec<_> = UNPROVOKED_IN_CLIENTS.iter().map(|(id, _)| *id).collect();
    assert_eq!(unprovoked, reasons);
}
