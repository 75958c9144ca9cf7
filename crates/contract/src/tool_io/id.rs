//! The id of a tool.

use core::fmt;
use core::str::FromStr;

/// The prefix of every id.
const PREFIX: &str = "mcp.tool:";

/// The id of a tool: `mcp.tool:` and its name, which is not empty.
///
/// ```
/// use mcp_assay_contract::tool_io::ToolId;
///
/// let id = ToolId::new("search").unwrap();
/// assert_eq!(id.to_string(), "mcp.tool:search");
/// assert_eq!("mcp.tool:search".parse(), Ok(id));
/// assert!("search".parse::<ToolId>().is_err());
/// assert!("mcp.tool:".parse::<ToolId>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ToolId(Box<str>);

impl ToolId {
    /// The id of the tool of this name, unless the name is empty.
    #[must_use]
    pub fn new(name: impl Into<Box<str>>) -> Option<Self> {
        let name = name.into();
        (!name.is_empty()).then_some(Self(name))
    }

    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        f.write_str(&self.0)
    }
}

impl FromStr for ToolId {
    type Err = NotAToolId;

    fn from_str(text: &str) -> Result<Self, NotAToolId> {
        let name = text.strip_prefix(PREFIX).ok_or(NotAToolId)?;
        Self::new(name).ok_or(NotAToolId)
    }
}

/// The error for a text that is not the id of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAToolId;

impl fmt::Display for NotAToolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the id of a tool: `mcp.tool:` and a name are expected")
    }
}

impl core::error::Error for NotAToolId {}
