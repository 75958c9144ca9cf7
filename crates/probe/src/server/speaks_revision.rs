//! `probe/speaks-revision`: the server speaks a revision of MCP. Without one nothing else is put to
//! the test, and a report without failures would look like success.

use mcp_assay::Revision;
use serde_json::Value;

use super::Probe;
use crate::findings::{Findings, Outcome};
use crate::record::Record;
use crate::requirement::{ALL, ERROR, Requirement};

static SPEAKS: Requirement = Requirement::of_server(
    "probe/speaks-revision",
    ERROR,
    ALL,
    "The server agrees to a revision of MCP that exists.",
)
.page(
    "basic/lifecycle#version-negotiation",
    "A client cannot use the server at all, and nothing else could be put to the test.",
    "answer `initialize` with the offered version if it is supported, else with the \
         latest one that is; since 2026-07-28 list the versions in `server/discover`",
);

pub(super) static PROBE: Probe = Probe::between(&[&SPEAKS]);

/// Reports a version in the answer to `initialize` that is no revision.
pub(super) fn unknown_version(version: &str, evidence: &[Record], findings: &mut Findings) {
    let outcome = Outcome::Fail {
        message: format!(
            "the server chose version `{version}`, which is no revision of MCP: expected the \
             offered version, or another that exists"
        ),
        evidence: evidence.to_vec(),
    };
    findings.add(SPEAKS.id, None, outcome);
}

/// Reports an answer to `server/discover` that names no version; returns whether it does. A server
/// of an older revision may answer anything.
pub(super) fn no_version(
    result: &Value,
    greeted: bool,
    evidence: Vec<Record>,
    findings: &mut Findings,
) -> bool {
    let versions = result["supportedVersions"].as_array();
    let names_one = versions.is_some_and(|versions| versions.iter().any(Value::is_string));
    // One that knows the form of the revision is put to the test, and the rules report the member.
    let is_member_wrong = versions.is_none() && result["resultType"].is_string();
    if names_one || greeted || is_member_wrong {
        return false;
    }
    let outcome = Outcome::Fail {
        message: "`server/discover` was answered without a version that the server supports"
            .to_owned(),
        evidence,
    };
    findings.add(SPEAKS.id, None, outcome);
    true
}

/// Whether an answer to `server/discover` has the form of the revision that has the method, and
/// names no version. A server of an older revision may answer anything.
pub(super) fn is_unnamed(result: &Value) -> bool {
    let names_one = |versions: &Vec<Value>| versions.iter().any(Value::is_string);
    result["resultType"].is_string()
        && !result["supportedVersions"]
            .as_array()
            .is_some_and(names_one)
}

/// Reports the outcome once every revision was offered.
pub(super) fn check(spoken: &[Revision], findings: &mut Findings) {
    let failed = findings.of(SPEAKS.id).iter();
    let failed = failed.filter(|(_, outcome)| matches!(outcome, Outcome::Fail { .. }));
    let outcome = match (spoken, failed.count()) {
        ([], 0) => Outcome::Fail {
            message: "the server agreed to none of the revisions that it was offered, so nothing \
                      was put to the test"
                .to_owned(),
            evidence: Vec::new(),
        },
        ([], _) => return,
        _ => Outcome::Pass,
    };
    findings.add(SPEAKS.id, None, outcome);
}
