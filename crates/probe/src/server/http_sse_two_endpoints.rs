//! The transport of the oldest revision, which listens at one URL and posts to another.

use mcp_assay::Revision;

use super::Probe;
use super::handshake::greet;
use crate::findings::{Findings, Outcome};
use crate::raw_client::{Client, Listened};
use crate::requirement::{ERROR, ONLY_2024_11, Requirement};

static TWO_ENDPOINTS: Requirement = Requirement::of_server(
    "http/sse-two-endpoints",
    ERROR,
    ONLY_2024_11,
    "The 2024-11-05 transport has an SSE endpoint to listen on and a separate endpoint to \
     POST to.",
)
.page(
    "basic/transports#http-with-sse",
    "A client does not learn where to send its messages.",
    "open the stream with an `endpoint` event that holds the URL for POST",
);

pub(super) static PROBE: Probe = Probe::between(&[&TWO_ENDPOINTS]);

/// Listens at the URL and posts to the endpoint that the stream names; returns whether the server
/// has the transport and keeps to it, or nothing if it has another one.
pub(super) fn open(
    client: &mut Client<'_>,
    url: &str,
    revision: Revision,
    findings: &mut Findings,
) -> Option<bool> {
    let (fault, evidence) = match client.listen(url) {
        Listened::Elsewhere => return None,
        Listened::Nowhere(at) => (
            Some("the stream names no endpoint to post to".to_owned()),
            client.records[at..].iter().take(3).cloned().collect(),
        ),
        Listened::Endpoint => {
            let greeting = greet(client, revision.name());
            let posted = greeting.answer.evidence.first().copied();
            let status = posted
                .and_then(|at| client.status(client.records[at].exchange()))
                .filter(|status| *status >= 400);
            let fault = status.map(|status| {
                format!("the endpoint that the stream names answered POST with status {status}")
            });
            let from = posted.unwrap_or_default();
            let evidence = client.records[from..].iter().take(2).cloned().collect();
            (fault, evidence)
        }
    };
    let holds = fault.is_none();
    let outcome = match fault {
        Some(message) => Outcome::Fail { message, evidence },
        None => Outcome::Pass,
    };
    findings.add(TWO_ENDPOINTS.id, Some(revision), outcome);
    Some(holds)
}
