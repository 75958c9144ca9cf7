//! What goes into a tool and what comes out of it, in a shape that all tools share.

mod id;

pub use self::id::{NotAToolId, ToolId};
