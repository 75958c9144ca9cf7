//! What is remembered of an open request besides its id and method: whatever some rule needs when the answer comes.

use super::capabilities::Capabilities;

/// What is remembered of an open request.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// What the client declared in this very request, where there is no handshake.
    pub(crate) capabilities: Option<Capabilities>,
    /// The batch that it came in, by its place in the session.
    pub(crate) batch: Option<u64>,
}
