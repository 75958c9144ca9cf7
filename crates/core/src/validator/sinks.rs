//! Sinks that a check puts before the sink of its caller.

use core::ops::ControlFlow;

use crate::catalogue::profile::Profile;
use crate::catalogue::{Layer, MessageScope, Policy, Sink, Violation, inline};

/// Forwards only the rules that the policy selects.
pub(super) struct Selected<'s> {
    pub(super) policy: &'s Policy,
    pub(super) sink: &'s mut dyn Sink,
}

impl Sink for Selected<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        if self.policy.selection.allows(violation.rule) {
            self.sink.push(violation)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}

/// Forwards the violations of one message, if the policy selects such messages, with the level that
/// it gives them.
pub(super) struct OfMessage<'s> {
    pub(super) scope: MessageScope,
    pub(super) sink: &'s mut dyn Sink,
}

impl Sink for OfMessage<'_> {
    fn push(&mut self, mut violation: Violation) -> ControlFlow<()> {
        if !self.scope.allowed {
            return ControlFlow::Continue(());
        }
        // A message of a batch has its level already.
        violation.of_message = violation.of_message.or(self.scope.level);
        self.sink.push(violation)
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}

/// Tracks whether a fault of the shape passed; a limit that was reached is none.
pub(super) struct Watch<'s> {
    pub(super) sink: &'s mut dyn Sink,
    pub(super) faulty: bool,
    /// Whether a fault other than the JSON-RPC version passed: then the content is not reliable.
    pub(super) unreliable: bool,
}

impl Sink for Watch<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        let faulty = violation.rule.layer != Layer::Session;
        self.faulty |= faulty;
        self.unreliable |= faulty && *violation.rule != inline::VERSION_MEMBER;
        self.sink.push(violation)
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}

/// Tracks whether anything passed, and forwards it only if its layer is selected.
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(super) struct Relay<'s> {
    pub(super) sink: &'s mut dyn Sink,
    pub(super) pushed: bool,
    pub(super) wanted: bool,
    /// Whether it may refuse something that has no id: HTTP refuses the request as a whole, or the
    /// party that is answered sent something that cannot be named.
    pub(super) refusal: bool,
    /// Whether it answers a request with the same id, whose faults were reported for the request.
    pub(super) echoes: bool,
    /// The profile, which may tolerate a fault.
    pub(super) profile: Option<&'s Profile>,
}

impl Sink for Relay<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        if self.refusal && *violation.rule == inline::ERROR_ID_REQUIRED {
            return ControlFlow::Continue(());
        }
        let is_of_id =
            *violation.rule == inline::ID_TYPE || *violation.rule == inline::ID_NOT_FRACTIONAL;
        if self.echoes && is_of_id {
            return ControlFlow::Continue(());
        }
        if let Some(profile) = self.profile
            && profile.tolerates(&violation)
        {
            return ControlFlow::Continue(());
        }
        self.pushed |= violation.rule.layer == Layer::Jsonrpc;
        if self.wanted {
            self.sink.push(violation)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
