//! Sinks that a check puts before that of its caller.

use core::ops::ControlFlow;

use crate::catalogue::profile::Profile;
use crate::catalogue::{Layer, Policy, Sink, Violation, inline};

/// Passes on only what the policy selects.
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
}

/// Remembers whether a fault of the shape passed; a limit that was reached is none.
pub(super) struct Watch<'s> {
    pub(super) sink: &'s mut dyn Sink,
    pub(super) faulty: bool,
    /// Whether there is more to it than the version of JSON-RPC: then what it says cannot be relied on.
    pub(super) unreliable: bool,
}

impl Sink for Watch<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        let faulty = violation.rule.layer != Layer::Session;
        self.faulty |= faulty;
        self.unreliable |= faulty && *violation.rule != inline::VERSION_MEMBER;
        self.sink.push(violation)
    }
}

/// Remembers whether anything passed, and passes it on only if its layer is wanted.
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(super) struct Relay<'s> {
    pub(super) sink: &'s mut dyn Sink,
    pub(super) pushed: bool,
    pub(super) wanted: bool,
    /// Whether HTTP refuses the request as a whole: the error has no id then.
    pub(super) refusal: bool,
    /// Whether it answers a request that has the same id: what is wrong with that was told of the request.
    pub(super) echoes: bool,
    /// What a dialect tolerates is no fault.
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
}
