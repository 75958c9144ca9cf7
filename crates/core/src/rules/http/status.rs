//! Error codes that demand an HTTP status.

use crate::rules::prelude::*;

/// Checks that an error with this code comes with this status, and not on a stream, whose status
/// was sent before.
pub(super) fn goes_with(
    code: i64,
    wanted: u16,
    transfer: &Transfer<'_>,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let Some(message) = transfer.message else {
        return;
    };
    if message.error_code() != Some(code) || session.state.http.has_two_endpoints() {
        return;
    }
    match transfer.http.part {
        Part::Response { status, .. } if status != wanted => {
            findings.head(
                Place::Status,
                "another status goes with the code of this error",
            );
        }
        Part::Event { .. } => findings.at(
            message
                .exchange
                .envelope
                .error_code()
                .unwrap_or(message.root()),
            "a status of its own goes with this code, and a stream has sent its status before",
        ),
        _ => {}
    }
}
