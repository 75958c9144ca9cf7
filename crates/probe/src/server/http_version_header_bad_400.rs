//! A version header that names no version.

use super::http_requests::{expect_status, has_version_header, set, simple};
use super::{Listed, Probe, Step};
use crate::requirement::{ERROR, FROM_2025_06_TO_2025_11, Requirement};

static BAD_VERSION: Requirement = Requirement::of_server(
    "http/version-header-bad-400",
    ERROR,
    FROM_2025_06_TO_2025_11,
    "An invalid or unsupported version header is answered with 400.",
)
.page(
    "basic/transports#protocol-version-header",
    "A client goes on with a version that the server does not speak.",
    "answer with status 400",
);

pub(super) static PROBE: Probe = Probe::http(&[&BAD_VERSION], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if has_version_header(step) && step.wants(&[&BAD_VERSION]) {
        let answer = simple(step, |headers| {
            set(headers, "mcp-protocol-version", "1999-01-01");
        });
        let what = "a request with `MCP-Protocol-Version: 1999-01-01`";
        expect_status(step, &BAD_VERSION, &answer, 400, what);
    }
}
