//! Checks the declared capabilities once for all rules: in the handshake, or in each request and in
//! the answer to `server/discover`.

use super::{elicitation_some_mode, extension_key};
use crate::rules::prelude::*;

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[
        On::Call("initialize"),
        On::Where(Fact::Stateless, &On::AnyRequest),
        On::Result("server/discover"),
    ],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let declared = match message.result() {
        Some(result) => result.get("capabilities"),
        None => by_client(message),
    };
    for (name, capability) in declared.into_iter().flat_map(Node::members) {
        if name.is_text("extensions") {
            extension_key::check_capability(capability, findings);
        } else if name.is_text("elicitation") {
            elicitation_some_mode::check_capability(capability, findings);
        }
    }
}

fn by_client<'a>(request: &Message<'a>) -> Option<Node<'a>> {
    if request.has(Fact::Stateless) {
        let meta = request.meta()?;
        meta.get("io.modelcontextprotocol/clientCapabilities")
    } else if request.method() == Some("initialize") {
        request.param("capabilities")
    } else {
        None
    }
}
