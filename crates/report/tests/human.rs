//! What people see for each kind of fault: a stranger must understand it without the source.

use mcp_assay::{Direction, Frame, Policy, Revision, Session, Validator};
use mcp_assay_report::{Format, Origin, Pieces, Style, Totals};

use Direction::{ClientToServer as Client, ServerToClient as Server};

/// Checks messages of one session and gives what is shown.
fn show(policy: Policy, style: Style, messages: &[(Direction, &[u8])]) -> String {
    let (mut validator, mut session) = (Validator::new(policy), Session::new());
    let reporter = Format::Human.reporter(style);
    let mut totals = Totals::default();
    let mut out = Pieces::begin(&*reporter, Vec::new()).unwrap();
    for (line, (direction, bytes)) in (1..).zip(messages) {
        let checked = validator.check(&mut session, Frame::new(bytes).direction(*direction));
        totals.add(&checked);
        out.message(&Origin { source: "log.ndjson", line, session: None }, &checked).unwrap();
    }
    String::from_utf8(out.finish(&totals).unwrap()).unwrap()
}
#[test]
fn t() {
    for (r, d, m) in [
        (Revision::V2025_06_18, Client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"nmae\":3}}"),
        (Revision::V2025_06_18, Client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\""),
        (Revision::V2025_06_18, Client, "Starting server"),
        (Revision::V2025_06_18, Client, ""),
    ] {
        let mut p = Policy::default(); p.revision = Some(r);
        println!("{}", show(p.clone(), Style::PLAIN, &[(d, m.as_bytes())]));
        println!("{}", show(p, Style{colour:true,width:100}, &[(d, m.as_bytes())]));
    }
}
