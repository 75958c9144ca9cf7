//! Remembers requests that were answered with a demand for more input.

use crate::session::Hook;

/// What is remembered: requests that were answered with a demand for more input.
#[derive(Debug, Default)]
pub(crate) struct Rounds {}

pub(super) static HOOKS: &[Hook] = &[];
