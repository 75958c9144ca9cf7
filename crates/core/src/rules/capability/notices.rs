//! Notifications of changes, and the capabilities that they need.

use crate::rules::prelude::*;
use crate::rules::support::method_needs;
use crate::session::{Notice, subscription_id};

/// Checks that a server has declared the capability for its notification.
pub(super) fn notice_needs(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // With subscriptions other rules report a notification that was not requested, or that belongs
    // to an undeclared capability.
    if !message.has(Fact::Subscriptions) || is_agreed(message, session) {
        method_needs(message, session, findings);
    }
}

/// Whether the server has acknowledged the notification, and has declared its subject.
fn is_agreed(message: &Message<'_>, session: &Session) -> bool {
    let subscription = subscription_id(message)
        .and_then(|id| session.state.subscriptions.named(id, &message.now()));
    let agreed = subscription
        .filter(|subscription| subscription.ended.is_none())
        .and_then(|subscription| subscription.agreed.as_ref());
    let Some(filter) = agreed else {
        return false;
    };
    let (covered, owner) = match message.method() {
        Some("notifications/tools/list_changed") => (filter.has(Notice::Tools), Capability::Tools),
        Some("notifications/prompts/list_changed") => {
            (filter.has(Notice::Prompts), Capability::Prompts)
        }
        Some("notifications/resources/list_changed") => {
            (filter.has(Notice::Resources), Capability::Resources)
        }
        _ => {
            let uri = message.param("uri");
            (
                uri.is_some_and(|uri| filter.watches(uri)),
                Capability::Resources,
            )
        }
    };
    let declared = session.declared(Party::Server, message);
    covered && declared.is_some_and(|declared| declared.has(owner))
}
