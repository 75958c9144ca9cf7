//! Remembers the tools that a server has shown, with their compiled schemas.

use crate::session::Hook;

/// What is remembered: the tools that a server has shown, with their compiled schemas.
#[derive(Debug, Default)]
pub(crate) struct Tools {}

pub(super) static HOOKS: &[Hook] = &[];
