//! Remembers what a model was asked for.

use crate::session::Hook;

/// What is remembered: what a model was asked for.
#[derive(Debug, Default)]
pub(crate) struct Sampling {}

pub(super) static HOOKS: &[Hook] = &[];
