//! Remembers session ids, versions and credentials of HTTP.

use crate::session::{Hook, HttpHook};

/// What is remembered: session ids, versions and credentials of HTTP.
#[derive(Debug, Default)]
pub(crate) struct HttpHeads {}

pub(super) static HOOKS: &[Hook] = &[];

pub(super) static HTTP_HOOKS: &[HttpHook] = &[];
