//! Remembers subscriptions of the handshake revisions.

use crate::session::Hook;

/// What is remembered: subscriptions of the handshake revisions.
#[derive(Debug, Default)]
pub(crate) struct Resources {}

pub(super) static HOOKS: &[Hook] = &[];
