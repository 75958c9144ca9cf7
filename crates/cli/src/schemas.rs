//! The one cache of compiled schemas, which all validators of this process share.

use std::sync::{Arc, LazyLock};

use mcp_assay::registry::SchemaRegistry;

static SHARED: LazyLock<Arc<SchemaRegistry>> = LazyLock::new(Arc::default);

/// The registry of this process.
pub(crate) fn shared() -> Arc<SchemaRegistry> {
    Arc::clone(&SHARED)
}
