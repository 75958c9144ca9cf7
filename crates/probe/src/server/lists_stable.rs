//! Lists on a second connection. The requirements share the connection.

use serde_json::Value;

use super::Probe;
use super::{Listed, Step};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static TOOLS: Requirement = Requirement::of_server(
    "tools/list-stable-across-connections",
    ERROR,
    SINCE_2026_07,
    "The tool list may depend on the caller's authorization but not on the connection or on \
     earlier requests.",
)
.page(
    "server/tools#capabilities",
    "Requests of one client may reach different connections: what one lists, the next \
         does not know.",
    "make the list of tools depend on the authorization alone",
);

static RESOURCES: Requirement = Requirement::of_server(
    "resources/list-stable-across-connections",
    ERROR,
    SINCE_2026_07,
    "The resource list may depend on authorization but not on the connection or on earlier \
     requests.",
)
.page(
    "server/resources#capabilities",
    "Requests of one client may reach different connections: what one lists, the next \
         does not know.",
    "make the list of resources depend on the authorization alone",
);

static PROMPTS: Requirement = Requirement::of_server(
    "prompts/list-stable-across-connections",
    ERROR,
    SINCE_2026_07,
    "The prompt list may depend on authorization but not on the connection or on earlier \
     requests.",
)
.page(
    "server/prompts#capabilities",
    "Requests of one client may reach different connections: what one lists, the next \
         does not know.",
    "make the list of prompts depend on the authorization alone",
);

pub(super) static PROBE: Probe = Probe::between(&[&TOOLS, &RESOURCES, &PROMPTS]);

pub(super) static ALL: [&Requirement; 3] = [&TOOLS, &RESOURCES, &PROMPTS];

/// Compares the lists of two connections; `evidence` are the records of the second.
pub(super) fn check(step: &mut Step<'_, '_>, lists: [&Listed; 2], evidence: &[usize]) {
    let [first, second] = lists;
    let names = |items: &[Value], member: &str| {
        let mut names: Vec<String> = items.iter().map(|item| item[member].to_string()).collect();
        names.sort();
        names
    };
    for (requirement, member, one, other, capability) in [
        (&TOOLS, "name", &first.tools, &second.tools, "/tools"),
        (
            &RESOURCES,
            "uri",
            &first.resources,
            &second.resources,
            "/resources",
        ),
        (
            &PROMPTS,
            "name",
            &first.prompts,
            &second.prompts,
            "/prompts",
        ),
    ] {
        let method = format!("{}/list", capability.trim_start_matches('/'));
        let is_unread = |listed: &Listed| listed.unread.contains(&method.as_str());
        if !step.client.declares(capability) {
            step.not_applicable(requirement, "the capability is not declared");
        } else if first.changed.borrow().contains(capability) {
            step.not_observed(requirement, "the list changed on the first connection");
        } else if is_unread(first) || is_unread(second) {
            step.not_observed(requirement, "the list was not read on both connections");
        } else if names(one, member) == names(other, member) {
            step.pass(requirement);
        } else {
            step.fail(
                requirement,
                "another connection was shown another list",
                evidence,
            );
        }
    }
}
