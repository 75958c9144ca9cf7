//! Lines of a stream: the library cuts them.

pub(crate) use mcp_assay::{Line, Lines};
