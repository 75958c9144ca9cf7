//! The kinds of sources.

/// What a source is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Lines that are records of a capture, or messages.
    Capture,
    /// Lines that are messages, whatever they look like.
    Ndjson,
    /// A log of Claude Desktop.
    Claude,
    /// The output of an MCP server in VS Code.
    VsCode,
    /// An export of MCP Inspector.
    Inspector,
    /// An HTTP archive.
    Har,
    /// A trace of `mcp-trace-capture`.
    Trace,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Capture,
        Self::Ndjson,
        Self::Claude,
        Self::VsCode,
        Self::Inspector,
        Self::Har,
        Self::Trace,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Ndjson => "ndjson",
            Self::Claude => "claude",
            Self::VsCode => "vscode",
            Self::Inspector => "inspector",
            Self::Har => "har",
            Self::Trace => "trace",
        }
    }

    /// What it is, with its article; nothing for our own.
    pub fn described(self) -> Option<&'static str> {
        Some(match self {
            Self::Capture | Self::Ndjson => return None,
            Self::Claude => "a Claude Desktop log",
            Self::VsCode => "a VS Code log",
            Self::Inspector => "an MCP Inspector export",
            Self::Har => "a HAR file",
            Self::Trace => "an mcp-trace-capture trace",
        })
    }

    /// Whether it is one JSON text, not lines.
    pub fn is_document(self) -> bool {
        matches!(self, Self::Inspector | Self::Har)
    }
}
