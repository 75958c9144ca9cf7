//! Capabilities that a method needs, as `wire/` states them.

use std::sync::LazyLock;

use crate::catalogue::Capability;
use crate::model::{ByRevision, METHODS, MethodKind};
use crate::rules::check::Findings;
use crate::session::Session;
use crate::session::message::Message;
use crate::{Party, Revision};

/// The capabilities of the client and of the server that each method needs in each revision.
static NEEDS: LazyLock<Vec<ByRevision<[Option<Capability>; 2]>>> = LazyLock::new(|| {
    let of_method = |method: &crate::model::Method| {
        let mut needs = ByRevision::<[Option<Capability>; 2]>::default();
        for revision in Revision::ALL {
            let form = method.forms[revision.index()];
            for need in form.iter().flat_map(|form| form.needs) {
                let name = need.path.join(".");
                let mut all = Capability::ALL.into_iter();
                needs[revision.index()][need.party as usize] =
                    all.find(|capability| capability.name() == name);
            }
        }
        needs
    };
    METHODS.iter().map(of_method).collect()
});

/// Reports a method that needs a capability which a party has not declared. If both parties may
/// send it, the receiver of a request and the sender of a notification must declare it.
pub(crate) fn method_needs(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(method), Some(form)) = (message.exchange.method, message.exchange.form()) else {
        return;
    };
    let needs = NEEDS[usize::from(method.index)][message.revision().index()];
    let party = match needs {
        [Some(_), None] => Party::Client,
        [None, Some(_)] => Party::Server,
        [Some(_), Some(_)] => {
            let Some(direction) = message.direction() else {
                return;
            };
            match form.kind {
                MethodKind::Notification => direction.sender(),
                MethodKind::Request | MethodKind::Input => direction.reverse().sender(),
            }
        }
        [None, None] => return,
    };
    if let Some(capability) = needs[party as usize] {
        self::needs(party, capability, message, session, findings);
    }
}

/// Reports a message that needs a capability which a party has not declared. Silent if its
/// capabilities are not known.
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
