//! Several requests at once: a client need not wait for one answer before it asks the next question.

use super::{Listed, Step};
use crate::client::Reply;

/// So many at once.
const MANY: usize = 3;

pub(crate) fn run(step: &mut Step<'_, '_>, _: &Listed) {
    const ID: &str = "probe/answers";
    if !step.wants(&[ID]) {
        return;
    }
    // A server that is gone already was not felled by this.
    if !step.client.is_alive() {
        return;
    }
    let before = step.client.records.len();
    let method = if step.client.is_stateless() {
        "server/discover"
    } else {
        "ping"
    };
    let answers = step.client.request_together(method, MANY);
    let answered = answers
        .iter()
        .filter(|answer| matches!(answer.reply, Reply::Result(_) | Reply::Error(..)))
        .count();
    if answered == MANY {
        step.pass(ID);
    } else if !step.client.options.is_over() && !step.client.is_garbled_since(before) {
        let message = format!(
            "of {MANY} requests that were sent at once, {answered} were answered within {:?}",
            step.client.options.step_timeout
        );
        let evidence: Vec<usize> = answers
            .into_iter()
            .flat_map(|answer| answer.evidence)
            .collect();
        step.fail(ID, message, &evidence);
    }
}
