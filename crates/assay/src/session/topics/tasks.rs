//! Remembers the tasks of 2025-11-25.

use crate::session::Hook;

/// What is remembered: the tasks of 2025-11-25.
#[derive(Debug, Default)]
pub(crate) struct Tasks {}

pub(super) static HOOKS: &[Hook] = &[];
