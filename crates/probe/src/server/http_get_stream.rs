//! GET on the endpoint of the revisions that have a stream for messages of the server. The stream
//! stays open while the other steps go on, and the passive rules check what comes on it.

use std::time::Duration;

use mcp_assay::model::Fact;

use super::http_methods::SINGLE;
use super::{Listed, Probe, Step};
use crate::raw_client::pair;

pub(super) static PROBE: Probe = Probe::http(&[&SINGLE], run);

/// How long the head of the answer is waited for: a server may hold it back until it has something
/// to say.
const HEAD: Duration = Duration::from_secs(1);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    let has_stream = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::HttpGetStream));
    if !has_stream {
        return;
    }
    let mut headers = vec![pair("accept", "text/event-stream")];
    step.client.push_session(&mut headers);
    let (sent, exchange) = step.client.open_stream("GET", headers, Vec::new());
    step.client
        .wait(HEAD, |client| client.status_of(exchange).is_some());
    match (
        step.client.status(exchange),
        step.client.status_of(exchange),
    ) {
        (Some(200 | 405), _) => step.pass(&SINGLE),
        (Some(status), Some((head, _))) => {
            let message =
                format!("GET was answered with status {status}, expected a stream or 405");
            step.fail(&SINGLE, message, &[sent, head]);
        }
        _ => step.not_observed(&SINGLE, "GET was not answered"),
    }
}
