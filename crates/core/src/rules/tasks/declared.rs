//! Whether the party that answers has declared tasks for the kind of request.

use crate::rules::prelude::*;

/// What the party that answers a request has declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    /// Tasks for this kind of request.
    With,
    /// No tasks for it.
    Without,
    /// It is not known.
    Unknown,
}

impl Declared {
    /// For the request that a message answers.
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

/// Whether the request that a message answers asked to be run as a task.
pub(super) fn asks_for_task(message: &Message<'_>) -> bool {
    let asked = message.request.and_then(|request| request.asked());
    asked.is_some_and(|asked| asked.task)
}
