//! Remembers what `subscriptions/listen` has opened.

use crate::session::Hook;

/// What is remembered: what `subscriptions/listen` has opened.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {}

pub(super) static HOOKS: &[Hook] = &[];
