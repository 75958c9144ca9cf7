//! The transport of the oldest revision over HTTP.

use mcp_assay::Revision;
use mcp_assay::model::Fact;

use super::Run;
use crate::client::Listened;
use crate::findings::Outcome;
use crate::steps;
use crate::transport::{Target, Unreachable};

impl Run<'_> {
    /// The transport of the oldest revision, which listens at one place and posts to another; tells whether it is that.
    pub(super) fn two_endpoints(
        &mut self,
        tell: &mut dyn FnMut(&str),
    ) -> Result<bool, Unreachable> {
        const ID: &str = "http/sse-two-endpoints";
        let Some(revision) = Revision::latest_with(Fact::HttpTwoEndpoints)
            .filter(|revision| self.options.wants_revision(*revision))
        else {
            return Ok(false);
        };
        let Target::Url { url, .. } = &self.options.target else {
            return Ok(false);
        };
        tell(&format!("revision {revision}"));
        let mut client = self.open()?;
        let (fault, evidence) = match client.listen(url) {
            Listened::Elsewhere => return Ok(false),
            Listened::Nowhere(at) => (
                Some("the stream names no endpoint to post to".to_owned()),
                client.records[at..].iter().take(3).cloned().collect(),
            ),
            Listened::Endpoint => {
                let greeting = steps::greet(&mut client, revision.name());
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
        self.gathered.revisions.push(revision);
        let outcome = match fault {
            Some(message) => Outcome::Fail { message, evidence },
            None => Outcome::Pass,
        };
        let held = matches!(outcome, Outcome::Pass);
        self.gathered.findings.add(ID, Some(revision), outcome);
        if held && client.revision == Some(revision) {
            self.walk(&mut client);
        }
        self.close(client);
        Ok(true)
    }
}
