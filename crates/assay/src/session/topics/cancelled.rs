//! Remembers requests that were taken back.

use crate::session::Hook;

/// What is remembered: requests that were taken back.
#[derive(Debug, Default)]
pub(crate) struct Cancellations {}

pub(super) static HOOKS: &[Hook] = &[];
