// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `progress`.

mod increases;
mod report;
mod stops_after_completion;
mod task_stops_at_terminal;
mod task_token_kept;
mod token_known;
mod token_type_preserved;
mod token_unique;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &increases::RULE,
    &stops_after_completion::RULE,
    &task_stops_at_terminal::RULE,
    &task_token_kept::RULE,
    &token_known::RULE,
    &token_type_preserved::RULE,
    &token_unique::RULE,
];
