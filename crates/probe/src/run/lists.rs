//! What two connections of a stateless revision are shown.

use mcp_assay::Revision;

use super::{EOF, Run};
use crate::steps::{self, Listed, Step};
use crate::transport::Unreachable;

impl Run<'_> {
    /// Lists may not depend on the connection.
    pub(super) fn compare_lists(
        &mut self,
        revision: Revision,
        first: &Listed,
    ) -> Result<(), Unreachable> {
        const IDS: [&str; 3] = [
            "tools/list-stable-across-connections",
            "resources/list-stable-across-connections",
            "prompts/list-stable-across-connections",
        ];
        if !self.options.wants_any(&IDS) && !self.options.wants(EOF) {
            return Ok(());
        }
        let mut client = self.open()?;
        steps::discover(&mut client, revision);
        let mut step = Step {
            client: &mut client,
            findings: &mut self.gathered.findings,
        };
        let before = step.client.records.len();
        let second = steps::quick(&mut step);
        let evidence: Vec<usize> = (before..step.client.records.len()).take(8).collect();
        let names = |items: &[serde_json::Value], member: &str| {
            let mut names: Vec<String> =
                items.iter().map(|item| item[member].to_string()).collect();
            names.sort();
            names
        };
        for (id, member, one, other, capability) in [
            (IDS[0], "name", &first.tools, &second.tools, "/tools"),
            (
                IDS[1],
                "uri",
                &first.resources,
                &second.resources,
                "/resources",
            ),
            (IDS[2], "name", &first.prompts, &second.prompts, "/prompts"),
        ] {
            if !step.client.declares(capability) {
                step.not_applicable(id, "the capability is not declared");
            } else if names(one, member) == names(other, member) {
                step.pass(id);
            } else {
                step.fail(id, "another connection was shown another list", &evidence);
            }
        }
        if self.offers.is_empty() {
            self.close_input(&mut client);
        }
        self.close(client);
        Ok(())
    }
}
