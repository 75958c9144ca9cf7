//! Remembers versions that were named, and refusals of them.

use crate::session::Hook;

/// What is remembered: versions that were named, and refusals of them.
#[derive(Debug, Default)]
pub(crate) struct Versions {}

pub(super) static HOOKS: &[Hook] = &[];
