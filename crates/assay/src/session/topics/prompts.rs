//! Remembers the prompts that a server has shown.

use crate::session::Hook;

/// What is remembered: the prompts that a server has shown.
#[derive(Debug, Default)]
pub(crate) struct Prompts {}

pub(super) static HOOKS: &[Hook] = &[];
