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

pub use self::increases::RULE as INCREASES;
pub use self::stops_after_completion::RULE as STOPS_AFTER_COMPLETION;
pub use self::task_stops_at_terminal::RULE as TASK_STOPS_AT_TERMINAL;
pub use self::task_token_kept::RULE as TASK_TOKEN_KEPT;
pub use self::token_known::RULE as TOKEN_KNOWN;
pub use self::token_type_preserved::RULE as TOKEN_TYPE_PRESERVED;
pub use self::token_unique::RULE as TOKEN_UNIQUE;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&INCREASES, &increases::CHECK),
    (&STOPS_AFTER_COMPLETION, &stops_after_completion::CHECK),
    (&TASK_STOPS_AT_TERMINAL, &task_stops_at_terminal::CHECK),
    (&TASK_TOKEN_KEPT, &task_token_kept::CHECK),
    (&TOKEN_KNOWN, &token_known::CHECK),
    (&TOKEN_TYPE_PRESERVED, &token_type_preserved::CHECK),
    (&TOKEN_UNIQUE, &token_unique::CHECK),
];
