//! Remembers what a user was asked for.

use crate::session::Hook;

/// What is remembered: what a user was asked for.
#[derive(Debug, Default)]
pub(crate) struct Elicitations {}

pub(super) static HOOKS: &[Hook] = &[];
