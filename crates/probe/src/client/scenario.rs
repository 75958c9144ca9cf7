//! A scenario: one oddity of the server that a client meets, and what it shows.

use mcp_assay::{RevisionSet, Rule};

use super::scene::Scene;
use super::verdict::Verdict;
use crate::requirement::Requirement;
use crate::serve::Twist;

/// The transports over which a scenario can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    Both,
    Stdio,
    Http,
}

/// The way the requirements of a scenario are checked.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// By the passive rules alone.
    PassiveRules,
    /// By whether the client survives; if it does not, each harmful message is sent alone.
    Harms,
    /// After the scenario was played.
    One(fn(&mut Verdict<'_>)),
    /// After the scenario was played to two users, one after the other; given the first.
    TwoUsers(fn(&mut Verdict<'_>, &Scene)),
}

/// A scenario.
#[derive(Clone)]
pub(crate) struct Scenario {
    pub(super) name: &'static str,
    pub(super) twist: Twist,
    pub(super) over: Over,
    /// The revisions in which it makes sense; it is played in the newest of those that the client
    /// speaks.
    pub(super) revisions: RevisionSet,
    /// The requirements that only it can show. Passive rules are checked in every scenario.
    pub(crate) shows: &'static [&'static Requirement],
    pub(super) check: Check,
    /// Passive rules that the scenario makes a client break.
    pub(super) excuses: &'static [&'static Rule],
}

impl Scenario {
    /// Whether, over HTTP, its oddity goes over streams.
    pub(super) fn needs_streams(&self) -> bool {
        matches!(
            self.twist,
            Twist::Asks(_) | Twist::Harms(..) | Twist::Resume
        )
    }

    pub(super) fn is_about_tokens(&self) -> bool {
        matches!(self.twist, Twist::Guarded(_))
    }
}
