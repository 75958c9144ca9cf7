//! Whether a party may count on a capability of the other.

use crate::Party;
use crate::catalogue::Capability;
use crate::rules::check::Findings;
use crate::session::Session;
use crate::session::message::Message;

/// The message needs a capability that a party has not declared. Silent where it is not known what it declared.
pub(crate) fn needs(
    party: Party,
    capability: Capability,
    message: &Message<'_>,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let declared = session.declared(party, message);
    if declared.is_some_and(|declared| !declared.has(capability)) {
        let text = match party {
            Party::Client => "the client has not declared `{}`",
            Party::Server => "the server has not declared `{}`",
        };
        findings.named(message.method_or_root(), text, capability.name());
    }
}
