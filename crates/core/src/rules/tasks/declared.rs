//! Whether the party that answers has declared tasks for the kind of request.

use crate::rules::prelude::*;

/// The declaration of the party that answers a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    /// Tasks for this kind of request.
    With,
    /// No tasks for it.
    Without,
    /// Not known.
    Unknown,
}

impl Declared {
    /// The declaration for the request that a message answers.
    pub(super) fn of(message: &Message<'_>, session: &Session) -> Self {
        let capability = match message.method() {
            Some("tools/call") => Capability::TasksToolsCall,
            Some("sampling/createMessage") => Capability::TasksSampling,
            Some("elicitation/create") => Capability::TasksElicitation,
            _ => return Self::Unknown,
        };
        let holder = message.direction().map(Direction::sender);
        match holder.and_then(|holder| session.declared(holder, message)) {
            Some(declared) if declared.has(capability) => Self::With,
            Some(_) => Self::Without,
            None => Self::Unknown,
        }
    }
}

/// Whether the request that a message answers asks to be run as a task.
pub(super) fn asks_for_task(message: &Message<'_>) -> bool {
    let data = message.request.and_then(|request| request.data());
    data.is_some_and(|data| data.task)
}
