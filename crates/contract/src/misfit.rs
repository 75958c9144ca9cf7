//! Places where a document does not keep a contract, and the reasons: for documents that are not
//! MCP messages.

use core::fmt;

use mcp_assay::syntax::wording::fault_message;
use mcp_assay::syntax::{Node, ScanLimits, Tape, scan};

/// A place where a document does not keep a contract.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Misfit {
    /// The value at fault as a JSON Pointer (RFC 6901); empty for the whole document.
    pub pointer: String,
    /// The fault. Quotes names, never values.
    pub reason: String,
}

impl Misfit {
    pub(crate) fn new(pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            reason: reason.into(),
        }
    }

    pub(crate) fn at(node: Node<'_>, reason: impl Into<String>) -> Self {
        Self::new(node.pointer(), reason)
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.reason),
            pointer => write!(f, "{pointer}: {}", self.reason),
        }
    }
}

impl core::error::Error for Misfit {}

/// Reads a document. The scanner is compiled anew wherever it is called; that is not needed for
/// documents.
#[inline(never)]
pub(crate) fn read_text<'t>(
    bytes: &'t [u8],
    limits: &ScanLimits,
    tape: &'t mut Tape,
) -> Result<Node<'t>, Misfit> {
    if let Err(fault) = scan(bytes, limits, tape) {
        return Err(Misfit::new(
            "",
            format!(
                "not JSON at byte {}: {}",
                fault.start,
                fault_message(bytes, &fault)
            ),
        ));
    }
    tape.root(bytes)
        .ok_or_else(|| Misfit::new("", "there is no value"))
}
