//! A list whose second page is empty and whose third cursor is the empty string. The page at which
//! a client stops shows both requirements.

use mcp_assay::model::Fact;

use super::verdict::Verdict;
use crate::requirement::{ALL, ERROR, Requirement, SINCE_2026_07};
use crate::serve::answers::page;
use crate::serve::script::Call;

pub(super) static SIZE: Requirement = Requirement::of_client(
    "pagination/no-assumed-page-size",
    ERROR,
    ALL,
    "A client copes with any page length, including pages that are short or empty but have a \
     nextCursor.",
)
.page(
    "server/utilities/pagination#pagination-model",
    "The client stops too early and misses entries.",
    "go on while there is a `nextCursor`, however short the page is",
);

pub(super) static EMPTY: Requirement = Requirement::of_client(
    "pagination/empty-cursor-is-cursor",
    ERROR,
    SINCE_2026_07,
    "A nextCursor that is the empty string still points to a further page.",
)
.page(
    "server/utilities/pagination#implementation-guidelines",
    "The client stops at the first page and misses the rest.",
    "test whether `nextCursor` is present, not whether it is empty",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let calls = &verdict.scene.seen.calls;
    let lists: Vec<&Call> = calls
        .iter()
        .filter(|call| call.method == "tools/list" && call.is_feature)
        .collect();
    let Some(last) = lists.iter().max_by_key(|call| page(&call.params)) else {
        return;
    };
    let reached = page(&last.params).unwrap_or_default();
    let (talk, at) = (last.talk, last.at);
    let modern = verdict.scene.revision.has(Fact::Stateless);
    let unpaged = "the client asks for first pages only";
    match reached {
        0 | 1 => {
            verdict.not_observed(&SIZE, unpaged);
            verdict.not_observed(&EMPTY, unpaged);
        }
        2 => {
            let message = "the client stopped at an empty page although there is a `nextCursor`";
            verdict.fail(&SIZE, message, talk, &[at, at + 1]);
        }
        3 if modern => {
            verdict.pass(&SIZE);
            let message = "the client stopped at a page whose `nextCursor` is the empty string";
            verdict.fail(&EMPTY, message, talk, &[at, at + 1]);
        }
        _ => {
            verdict.pass(&SIZE);
            verdict.pass(&EMPTY);
        }
    }
}
