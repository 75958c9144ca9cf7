//! Runs a conversation and shows it.

use mcp_assay::{Direction, Frame, Policy, Session, Validator};
use mcp_assay_report::{Format, Origin, Pieces, Style, Totals};

/// A policy that forces a revision, or reads it from the traffic (`auto`).
pub(crate) fn policy(revision: &str) -> Policy {
    let mut policy = Policy::default();
    policy.revision = (revision != "auto").then(|| revision.parse().unwrap());
    policy
}

/// The messages of a conversation, one a line: `-->` comes from the client, `<--` from the server.
pub(crate) fn conversation(text: &[u8]) -> Vec<(Direction, &[u8])> {
    let lines = text.split(|&byte| byte == b'\n');
    lines
        .map(|line| match line.split_at_checked(4) {
            Some((b"--> ", message)) => (Direction::ClientToServer, message),
            Some((b"<-- ", message)) => (Direction::ServerToClient, message),
            _ => panic!("no arrow before {}", String::from_utf8_lossy(line)),
        })
        .collect()
}

/// Checks the messages of one session and returns the output.
pub(crate) fn show(
    format: Format,
    style: Style,
    policy: Policy,
    messages: &[(Direction, &[u8])],
) -> String {
    let (mut validator, mut session) = (Validator::new(policy), Session::new());
    let reporter = format.reporter(style);
    let mut totals = Totals::default();
    let mut out = Pieces::begin(&*reporter, Vec::new()).unwrap();
    for (line, (direction, bytes)) in (1..).zip(messages) {
        let checked = validator.check(&mut session, Frame::new(bytes).direction(*direction));
        totals.add(&checked);
        out.message(
            &Origin {
                source: "log.ndjson",
                line,
                bare: true,
                ..Origin::default()
            },
            &checked,
        )
        .unwrap();
    }
    String::from_utf8(out.finish(&totals).unwrap()).unwrap()
}
