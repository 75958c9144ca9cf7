//! Remembers the least level that the client wants to see.

use crate::session::Hook;

/// What is remembered: the least level that the client wants to see.
#[derive(Debug, Default)]
pub(crate) struct Logging {}

pub(super) static HOOKS: &[Hook] = &[];
