//! Remembers cursors, pages and lists as they were last shown.

use crate::session::Hook;

/// What is remembered: cursors, pages and lists as they were last shown.
#[derive(Debug, Default)]
pub(crate) struct Lists {}

pub(super) static HOOKS: &[Hook] = &[];
