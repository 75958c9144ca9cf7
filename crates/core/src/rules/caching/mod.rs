// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `caching`.

mod no_hints_on_interim;
mod not_a_poll_timer;
mod scope_same_on_pages;

pub use self::no_hints_on_interim::RULE as NO_HINTS_ON_INTERIM;
pub use self::not_a_poll_timer::RULE as NOT_A_POLL_TIMER;
pub use self::scope_same_on_pages::RULE as SCOPE_SAME_ON_PAGES;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&NO_HINTS_ON_INTERIM, &no_hints_on_interim::CHECK),
    (&NOT_A_POLL_TIMER, &not_a_poll_timer::CHECK),
    (&SCOPE_SAME_ON_PAGES, &scope_same_on_pages::CHECK),
];
