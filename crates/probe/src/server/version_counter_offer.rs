//! Versions that no server can support.

use super::Probe;
use super::Step;
use super::handshake::Greeting;
use crate::raw_client::Reply;
use crate::requirement::{ERROR, Requirement, UNTIL_2025_11};

pub(super) static COUNTER_OFFER: Requirement = Requirement::of_server(
    "version/counter-offer",
    ERROR,
    UNTIL_2025_11,
    "A server that does not support the offered version answers with one it does support (the \
     page also shows a -32602 error carrying data.supported).",
)
.page(
    "basic/lifecycle#version-negotiation",
    "A client of a later revision cannot fall back to one that both know.",
    "answer with the latest version that the server supports",
)
.examples(
    r#"```mcp,good,2025-11-25,only
--> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
<-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"garden","version":"3.1.0"}}}
```
```mcp,bad,2025-11-25,only
--> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
<-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2099-01-01","capabilities":{},"serverInfo":{"name":"garden","version":"3.1.0"}}}
                                                        ^^^^^^^^^^^^ a version that the server does not know
```"#,
);

pub(super) static PROBE: Probe = Probe::between(&[&COUNTER_OFFER]);

pub(super) fn check_answer(step: &mut Step<'_, '_>, offered: &str, greeting: &Greeting) {
    let answer = &greeting.answer;
    match &answer.reply {
        Reply::Result(_) => match greeting.version.as_deref() {
            Some(version) if version == offered => {
                let message =
                    format!("the server agreed to version `{offered}`, which does not exist");
                step.fail(&COUNTER_OFFER, message, &answer.evidence);
            }
            Some(_) => step.pass(&COUNTER_OFFER),
            // The shape of the result is judged by other rules.
            None => step.not_observed(&COUNTER_OFFER, "the result names no version"),
        },
        Reply::Error(-32602 | -32022, _) | Reply::Status(400) => step.pass(&COUNTER_OFFER),
        Reply::Silence | Reply::Closed => {
            let why = step.why_silent(answer);
            step.not_observed(&COUNTER_OFFER, &why);
        }
        _ => {
            let message = format!(
                "version `{offered}` was answered with {}, expected a version that the server \
                 supports",
                answer.in_words()
            );
            step.fail(&COUNTER_OFFER, message, &answer.evidence);
        }
    }
}
