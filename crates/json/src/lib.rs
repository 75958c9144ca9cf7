//! Scans the bytes of a JSON text into a tape of tokens, and writes text as JSON.
//!
//! One pass, no tree of values, no copied strings. Apart from the common beginning of messages
//! ([`Head`]), nothing here knows about JSON-RPC, and nothing at all about MCP. The crate does no
//! I/O and deserialises into no types.
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
mod key_hash;
mod limits;
mod node;
mod number;
mod scan;
mod simd;
mod slots;
mod span;
mod state;
mod string;
mod tape;
mod token;
mod utf8;
pub mod wording;
mod write;

pub use self::fault::{Fault, FaultKind};
pub use self::head::{Head, MEMBERS};
pub use self::key_hash::KeyHash;
pub use self::limits::ScanLimits;
pub use self::node::{Items, Members, Node};
pub use self::scan::scan;
pub use self::span::Span;
pub use self::tape::Tape;
pub use self::token::{Kind, Token};
pub use self::write::write_text;
