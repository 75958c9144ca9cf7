//! Remembers progress tokens.

use crate::session::Hook;

/// What is remembered: progress tokens.
#[derive(Debug, Default)]
pub(crate) struct Progress {}

pub(super) static HOOKS: &[Hook] = &[];
