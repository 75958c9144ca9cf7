//! The first line of a script: a letter for each setting, followed by its number if it has one.
//!
//! | letter | setting |
//! |---|---|
//! | `R` | the forced revision, counted from 1 |
//! | `s` | strict |
//! | `L` | the layers, as a set of bits |
//! | `S`, `I`, `W` | selects, ignores or lowers to a warning one of [`names`] |
//! | `D` | a dialect with null ids, positional params and another name for `tools/call` |
//! | `b` `d` `n` | limits: bytes, depth, tokens |
//! | `f` `o` `i` `p` `c` | limits: violations, open requests, ids, progress tokens, cursors |
//! | `l` `u` `k` `g` `h` | limits: listed, subscriptions, tasks, elicitations, streams |
//! | `v` | refusals quote values |
//! | `r` `q` | repairs values, removes broken tools from lists |
//! | `t` | pieces of messages are text |
//! | `w` | there is no clock |
//!
//! A limit without a number is 2. All other bytes are ignored.

use std::sync::Arc;

use mcp_assay::profile::Profile;
use mcp_assay::rules::{inline, response};
use mcp_assay::{Layer, LevelOverride, Limits, Policy, Revision, Validator};

use crate::guard::{Guard, Mode, Pieces, Repairs, Values};

/// Names of rules, families, layers and levels that a script can select.
fn names() -> [&'static str; 10] {
    [
        "schema",
        "session",
        "jsonrpc",
        "http",
        "tools",
        "error",
        "warning",
        "progress",
        response::ID_KNOWN.name,
        inline::MEMORY_LIMIT.name,
    ]
}

/// A limit whose number is missing.
const SMALL: usize = 2;

/// The settings of a script.
#[derive(Default)]
pub(super) struct Settings {
    /// The first line itself.
    pub(super) line: Vec<u8>,
    pub(super) policy: Policy,
    pub(super) has_no_clock: bool,
    values: Values,
    repairs: Repairs,
    pieces: Pieces,
}

impl Settings {
    /// Reads the first line.
    pub(super) fn read(line: &[u8]) -> Self {
        let mut settings = Self {
            line: line.to_vec(),
            ..Self::default()
        };
        let mut rest = line;
        while let Some((&letter, after)) = rest.split_first() {
            let digits = after.iter().take_while(|byte| byte.is_ascii_digit());
            let (digits, after) = after.split_at(digits.count());
            settings.set(letter, number(digits));
            rest = after;
        }
        settings
    }

    /// A guard with these settings around a validator.
    pub(super) fn guard(&self, validator: Validator) -> Guard {
        let mut guard = Guard::with_validator(validator, Mode::default());
        guard.values = self.values;
        guard.repairs = self.repairs;
        guard.pieces = self.pieces;
        guard
    }

    /// The policy with another limit of violations.
    pub(super) fn policy_with_violations(&self, violations: usize) -> Policy {
        let mut policy = self.policy.clone();
        policy.limits.violations = violations;
        policy
    }

    fn set(&mut self, letter: u8, number: Option<usize>) {
        let policy = &mut self.policy;
        match letter {
            b'R' => policy.revision = number.and_then(revision),
            b's' => policy.strict = true,
            b'L' => {
                let bits = number.unwrap_or_default();
                let layers = Layer::ALL.into_iter();
                policy.layers = layers
                    .filter(|layer| bits >> *layer as u8 & 1 == 1)
                    .collect();
            }
            b'S' | b'I' | b'W' => self.select(letter, number.unwrap_or_default()),
            b'D' => self.speak_dialect(),
            b'v' => self.values = Values::Quoted,
            b'r' => self.repairs.values = true,
            b'q' => self.repairs.quarantine = true,
            b't' => self.pieces = Pieces::Text,
            b'w' => self.has_no_clock = true,
            // A message with a violation must be able to say so.
            b'f' => policy.limits.violations = number.unwrap_or(SMALL).max(1),
            _ => {
                if let Some(limit) = limit(&mut policy.limits, letter) {
                    *limit = number.unwrap_or(SMALL);
                }
            }
        }
    }

    fn speak_dialect(&mut self) {
        let mut policy = Policy::with_profile(dialect());
        policy.limits = self.policy.limits;
        policy.layers = self.policy.layers;
        policy.revision = self.policy.revision;
        policy.selection = self.policy.selection.clone();
        policy.strict = self.policy.strict;
        self.policy = policy;
    }

    fn select(&mut self, letter: u8, number: usize) {
        let name = names()[number % names().len()];
        let selection = &mut self.policy.selection;
        let selected = match letter {
            b'S' => selection.select(name),
            b'I' => selection.ignore(name),
            _ => selection.set_level(name, LevelOverride::Warning),
        };
        selected.expect("every name of the list can be selected");
    }
}

/// A revision by its number, counted from 1.
pub(super) fn revision(number: usize) -> Option<Revision> {
    Revision::ALL.get(number.checked_sub(1)?).copied()
}

fn number(digits: &[u8]) -> Option<usize> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}

fn limit(limits: &mut Limits, letter: u8) -> Option<&mut usize> {
    Some(match letter {
        b'b' => &mut limits.bytes,
        b'd' => &mut limits.depth,
        b'n' => &mut limits.tokens,
        b'o' => &mut limits.open_requests,
        b'i' => &mut limits.ids,
        b'p' => &mut limits.progress_tokens,
        b'c' => &mut limits.cursors,
        b'l' => &mut limits.listed,
        b'u' => &mut limits.subscriptions,
        b'k' => &mut limits.tasks,
        b'g' => &mut limits.elicitations,
        b'h' => &mut limits.streams,
        _ => return None,
    })
}

fn dialect() -> Arc<Profile> {
    let mut profile = Profile::new("fuzz");
    profile.allow_null_ids();
    profile.allow_positional_params();
    let renamed = profile.rename("tools/call", "tools/run");
    renamed.expect("the method can have another name");
    Arc::new(profile)
}
