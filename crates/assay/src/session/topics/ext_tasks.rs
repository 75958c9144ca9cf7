//! Remembers the tasks of the extension.

use crate::session::Hook;

/// What is remembered: the tasks of the extension.
#[derive(Debug, Default)]
pub(crate) struct ExtTasks {}

pub(super) static HOOKS: &[Hook] = &[];
