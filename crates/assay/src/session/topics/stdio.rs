//! Remembers lines of a stream that were no message.

use crate::session::Hook;

/// What is remembered: lines of a stream that were no message.
#[derive(Debug, Default)]
pub(crate) struct Stdio {}

pub(super) static HOOKS: &[Hook] = &[];
