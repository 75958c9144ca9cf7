//! The requirements of the specification: how strict, in which revisions, for whom, and what shows
//! a violation.

use mcp_assay::rules::Parties;
use mcp_assay::{Level, Party, Revision};

/// A requirement.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) level: Level,
    /// The revisions that state it.
    pub(crate) revisions: Vec<Revision>,
    /// The party that can violate it.
    pub(crate) party: Parties,
    /// Whether traffic that is only watched can show a violation.
    pub(crate) passive: bool,
    /// The columns as they are written.
    pub(crate) columns: [&'static str; 5],
}

/// All requirements.
pub(crate) fn rows() -> Vec<Row> {
    let mut lines = include_str!("rows.tsv").lines();
    assert_eq!(
        lines.next(),
        Some("id\tlevel\trevisions\tparty\tobserves"),
        "the columns of rows.tsv"
    );
    lines.map(row).collect()
}

fn row(line: &'static str) -> Row {
    let columns: Vec<_> = line.split('\t').collect();
    let [id, level, revisions, party, observes] = columns[..] else {
        panic!("five columns are expected: {line}");
    };
    Row {
        id,
        level: match level {
            "MUST" | "MUST NOT" => Level::Error,
            "SHOULD" | "SHOULD NOT" => Level::Warning,
            "MAY-breaking" => Level::Note,
            _ => panic!("no such level: {line}"),
        },
        revisions: range(revisions),
        party: match party {
            "client" => Parties::Only(Party::Client),
            "server" => Parties::Only(Party::Server),
            "both" => Parties::Both,
            _ => panic!("no such party: {line}"),
        },
        passive: match observes {
            "message" | "session" | "stdio" | "http" => true,
            "probe" => false,
            _ => panic!("nothing that can be observed: {line}"),
        },
        columns: [id, level, revisions, party, observes],
    }
}

/// `first..last`, both included, or `first..` without an end.
fn range(text: &str) -> Vec<Revision> {
    let (first, last) = text
        .split_once("..")
        .unwrap_or_else(|| panic!("not a range: {text}"));
    let revision = |text: &str| {
        text.parse::<Revision>()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let first = revision(first);
    let last = if last.is_empty() {
        Revision::latest()
    } else {
        revision(last)
    };
    Revision::ALL
        .into_iter()
        .filter(|revision| (first..=last).contains(revision))
        .collect()
}
