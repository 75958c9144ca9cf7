//! From the bytes of a JSON text to a tape of tokens, and text back to JSON.
//!
//! One pass, no tree of values, no copied strings. But for the way in which most messages begin ([`Head`]), nothing here
//! knows about JSON-RPC, and nothing at all about MCP. The crate does no I/O and deserialises into no types.
//!
//! ```
//! use mcp_assay_json::{ScanLimits, Tape, scan};
//!
//! let (text, mut tape) = (br#"{"id":1,"tags":["a","b"]}"#, Tape::new());
//! scan(text, &ScanLimits::DEFAULT, &mut tape).unwrap();
//! let root = tape.root(text).unwrap();
//! assert_eq!(root.get("id").and_then(|id| id.as_i64()), Some(1));
//! assert_eq!(root.get("tags").unwrap().items().count(), 2);
//! ```

mod begin;
mod blocks;
mod diagnose;
mod differential;
mod duplicates;
mod escaped;
mod fault;
#[doc(hidden)]
pub mod fuzzing;
mod head;
mod limits;
mod look;
mod node;
mod number;
mod scan;
mod simd;
mod slots;
mod span;
mod string;
mod tape;
mod utf8;
pub mod wording;
mod write;

pub use self::fault::{Fault, FaultKind};
pub use self::head::{Head, MEMBERS};
pub use self::limits::ScanLimits;
pub use self::look::Look;
pub use self::node::{Items, Members, Node};
pub use self::scan::scan;
pub use self::span::Span;
pub use self::tape::{Kind, Tape, Token};
pub use self::write::write_text;
