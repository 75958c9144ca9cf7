//! Which rules ask for which capability: what was not declared is told at its first use.

use super::Context;
use crate::Party;
use crate::model::Fact;
use crate::session::Capability;

/// A rule that asks for a capability.
pub(super) struct Use {
    pub(super) rule: &'static str,
    whose: Whose,
    pub(super) member: Member,
    /// What of the member; 0 is the member itself.
    pub(super) flag: u32,
}

/// Whose capability a rule asks for, seen from the message that violates it.
#[derive(Clone, Copy)]
enum Whose {
    Senders,
    Receivers,
}

/// A member of `capabilities`.
#[derive(Clone, Copy)]
pub(super) enum Member {
    Tools,
    Resources,
    Prompts,
    Logging,
    Completions,
    Roots,
    Sampling,
    Elicitation,
    Tasks,
    Extension,
}

impl Member {
    pub(super) fn capability(self) -> Capability {
        match self {
            Self::Tools => Capability::Tools,
            Self::Resources => Capability::Resources,
            Self::Prompts => Capability::Prompts,
            Self::Logging => Capability::Logging,
            Self::Completions => Capability::Completions,
            Self::Roots => Capability::Roots,
            Self::Sampling => Capability::Sampling,
            Self::Elicitation => Capability::Elicitation,
            Self::Tasks => Capability::Tasks,
            Self::Extension => Capability::TasksExtension,
        }
    }

    pub(super) fn bit(self, party: Party, flag: u32) -> u128 {
        let party = match party {
            Party::Client => 0,
            Party::Server => 1,
        };
        1 << ((self as u32 * 2 + party) * 4 + flag)
    }
}

/// What was not declared is told at its first use, and not at every other.
#[rustfmt::skip]
pub(super) const USES: &[Use] = {
    use Member as M;
    use Whose::{Receivers, Senders};
    &[
        Use { rule: "capability/tools", whose: Receivers, member: M::Tools, flag: 0 },
        Use { rule: "capability/tools-list-changed", whose: Senders, member: M::Tools, flag: 1 },
        Use { rule: "capability/resources", whose: Receivers, member: M::Resources, flag: 0 },
        Use { rule: "tools/embedded-needs-resources", whose: Senders, member: M::Resources, flag: 0 },
        Use { rule: "capability/resources-subscribe", whose: Receivers, member: M::Resources, flag: 1 },
        Use { rule: "capability/resources-updated", whose: Senders, member: M::Resources, flag: 1 },
        Use { rule: "capability/resources-list-changed", whose: Senders, member: M::Resources, flag: 2 },
        Use { rule: "capability/prompts", whose: Receivers, member: M::Prompts, flag: 0 },
        Use { rule: "capability/prompts-list-changed", whose: Senders, member: M::Prompts, flag: 1 },
        Use { rule: "capability/logging-set-level", whose: Receivers, member: M::Logging, flag: 0 },
        Use { rule: "capability/logging-message", whose: Senders, member: M::Logging, flag: 0 },
        Use { rule: "capability/completions", whose: Receivers, member: M::Completions, flag: 0 },
        Use { rule: "capability/roots", whose: Receivers, member: M::Roots, flag: 0 },
        Use { rule: "capability/roots-list-changed", whose: Senders, member: M::Roots, flag: 1 },
        Use { rule: "capability/sampling", whose: Receivers, member: M::Sampling, flag: 0 },
        Use { rule: "capability/sampling-tools", whose: Receivers, member: M::Sampling, flag: 1 },
        Use { rule: "capability/sampling-context", whose: Receivers, member: M::Sampling, flag: 2 },
        Use { rule: "capability/elicitation", whose: Receivers, member: M::Elicitation, flag: 0 },
        Use { rule: "capability/elicitation-mode", whose: Receivers, member: M::Elicitation, flag: 1 },
        Use { rule: "elicitation/url-required-error-justified", whose: Receivers, member: M::Elicitation, flag: 1 },
        Use { rule: "tasks/capability-tools-call", whose: Receivers, member: M::Tasks, flag: 1 },
        Use { rule: "tasks/capability-client-requests", whose: Receivers, member: M::Tasks, flag: 1 },
        Use { rule: "tasks/undeclared-ignored", whose: Senders, member: M::Tasks, flag: 1 },
        Use { rule: "tasks/capability-list", whose: Receivers, member: M::Tasks, flag: 2 },
        Use { rule: "tasks/capability-cancel", whose: Receivers, member: M::Tasks, flag: 3 },
        Use { rule: "capability/extension-fallback", whose: Receivers, member: M::Extension, flag: 0 },
        // It agrees to send notices of what it does not have.
        Use { rule: "subscriptions/ack-subset", whose: Senders, member: M::Tools, flag: 1 },
        Use { rule: "subscriptions/ack-subset", whose: Senders, member: M::Prompts, flag: 1 },
        Use { rule: "subscriptions/ack-subset", whose: Senders, member: M::Resources, flag: 2 },
    ]
};

impl Use {
    /// Whose capability it is, if it is declared once for the whole session.
    pub(super) fn party(&self, told: Context) -> Option<Party> {
        let party = match (self.whose, told.sender?) {
            (Whose::Senders, sender) => sender,
            (Whose::Receivers, Party::Client) => Party::Server,
            (Whose::Receivers, Party::Server) => Party::Client,
        };
        let is_lasting = party == Party::Server || told.revision?.has(Fact::Handshake);
        is_lasting.then_some(party)
    }
}
