//! Scenarios that show no requirement of their own: the passive rules check what the client sends
//! in them.

use super::scenario::{Check, Over, Scenario};
use crate::requirement::{ALL, FROM_2025_03_TO_2025_11, UNTIL_2025_11};
use crate::serve::Twist;

pub(super) static REFUSED_HANDSHAKE: Scenario = Scenario {
    name: "a refused handshake",
    twist: Twist::RefusedInitialize,
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[],
    check: Check::PassiveRules,
    excuses: &[],
};

pub(super) static ERRORS: Scenario = Scenario {
    name: "errors only",
    twist: Twist::Errors,
    over: Over::Both,
    revisions: ALL,
    shows: &[],
    check: Check::PassiveRules,
    excuses: &[],
};

pub(super) static SLOW: Scenario = Scenario {
    name: "slow answers",
    twist: Twist::Slow,
    over: Over::Both,
    revisions: ALL,
    shows: &[],
    check: Check::PassiveRules,
    excuses: &[],
};

pub(super) static BROKEN_STREAM: Scenario = Scenario {
    name: "a stream that breaks off",
    twist: Twist::Resume,
    over: Over::Http,
    revisions: FROM_2025_03_TO_2025_11,
    shows: &[],
    check: Check::PassiveRules,
    excuses: &[],
};

pub(super) static EXPIRED_SESSION: Scenario = Scenario {
    name: "a session that expires",
    twist: Twist::Expired,
    over: Over::Http,
    revisions: FROM_2025_03_TO_2025_11,
    shows: &[],
    check: Check::PassiveRules,
    excuses: &[],
};
