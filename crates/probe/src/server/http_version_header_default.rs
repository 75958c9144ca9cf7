//! A request without the version header.

use super::http_requests::{has_version_header, remove, simple, status};
use super::{Listed, Probe, Step};
use crate::requirement::{FROM_2025_06_TO_2025_11, Requirement, WARNING};

static NO_VERSION: Requirement = Requirement::of_server(
    "http/version-header-default",
    WARNING,
    FROM_2025_06_TO_2025_11,
    "Without the header, and with nothing else to go by, a server assumes 2025-03-26.",
)
.page(
    "basic/transports#protocol-version-header",
    "A client of 2025-03-26, which sends no header, is refused.",
    "assume 2025-03-26 if the header is missing",
);

pub(super) static PROBE: Probe = Probe::http(&[&NO_VERSION], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !has_version_header(step) {
        return;
    }
    if step.wants(&[&NO_VERSION]) {
        let answer = simple(step, |headers| remove(headers, "mcp-protocol-version"));
        if let Some(status @ 400..) = status(step, &answer) {
            let message = format!(
                "a request without `MCP-Protocol-Version` was answered with status {status}, \
                 expected to be served"
            );
            step.fail(&NO_VERSION, message, &answer.evidence);
        } else {
            step.pass(&NO_VERSION);
        }
    }
}
