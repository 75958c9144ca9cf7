//! GET and DELETE on the endpoint of the revision that has neither. One GET shows both
//! requirements; in older revisions `http_get_stream` shows the first.

use super::{Listed, Probe, Step};
use crate::raw_client::pair;
use crate::requirement::{ERROR, Requirement, SINCE_2025_03, SINCE_2026_07, WARNING};

pub(super) static SINGLE: Requirement = Requirement::of_server(
    "http/single-endpoint",
    ERROR,
    SINCE_2025_03,
    "One URL serves the whole transport: POST always, and GET as well until 2025-11-25.",
)
.page(
    "basic/transports#streamable-http",
    "A client does not know where to listen or where to send.",
    "serve POST at the URL, and answer GET with a stream or with 405",
);

static GONE: Requirement = Requirement::of_server(
    "http/get-delete-405",
    WARNING,
    SINCE_2026_07,
    "GET and DELETE on the endpoint are answered with 405.",
)
.page(
    "basic/transports/streamable-http#earlier-streamable-http-revisions",
    "Older clients take another status for an endpoint that has the older transport.",
    "answer GET and DELETE with 405",
);

pub(super) static PROBE: Probe = Probe::http(&[&SINGLE, &GONE], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.is_stateless() || !step.wants(&[&SINGLE, &GONE]) {
        return;
    }
    let mut headers = vec![pair("accept", "text/event-stream")];
    step.client.push_session(&mut headers);
    let (sent, exchange) = step.client.http("GET", headers.clone(), Vec::new());
    let Some(status) = step.client.status(exchange) else {
        // A server may hold the head back until it has something to say.
        step.client.closed = false;
        step.not_observed(&SINGLE, "GET was not answered");
        return;
    };
    let evidence = [sent, sent + 1];
    step.pass(&SINGLE);
    if step.findings.serves_older {
        let why = "older revisions, which have GET and DELETE, are served at the same URL";
        return step.not_applicable(&GONE, why);
    }
    if status != 405 {
        let message = format!("GET was answered with status {status}, expected 405");
        step.fail(&GONE, message, &evidence);
        return;
    }
    let (sent, exchange) = step.client.http("DELETE", headers, Vec::new());
    match step.client.status(exchange) {
        Some(405) => step.pass(&GONE),
        Some(status) => {
            let message = format!("DELETE was answered with status {status}, expected 405");
            step.fail(&GONE, message, &[sent, sent + 1]);
        }
        None => step.not_observed(&GONE, "DELETE was not answered"),
    }
}
