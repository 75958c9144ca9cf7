//! The order in which a client ends its server.

use super::verdict::Verdict;
use crate::requirement::{ALL, Requirement, WARNING};
use crate::serve::recorder::Ending;

pub(super) static SHUTDOWN: Requirement = Requirement::of_client(
    "lifecycle/stdio-shutdown-order",
    WARNING,
    ALL,
    "A stdio client ends the server by closing its standard input first, waiting, and only \
     then signalling or killing it.",
)
.page(
    "basic/transports/stdio#shutdown",
    "A server that is killed at once cannot save its state.",
    "close the standard input of the server, wait, and only then send signals",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let scene = verdict.scene;
    for talk in &scene.talks {
        match talk.ending {
            Ending::InputClosed => verdict.pass(&SHUTDOWN),
            Ending::Killed if !talk.records.is_empty() => {
                let message = "the client ended the server without closing its standard input first and \
                     waiting";
                let last = talk.records.last().cloned();
                verdict.fail_with(&SHUTDOWN, message.to_owned(), last.into_iter().collect());
            }
            _ => verdict.not_observed(&SHUTDOWN, "the client did not end its server"),
        }
    }
}
