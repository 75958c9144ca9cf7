//! From the bytes of a frame to a tape of tokens.
//!
//! One pass, no tree of values, no copied strings. But for the way in which most messages begin (`head.rs`), nothing
//! here knows about JSON-RPC or MCP.

mod begin;
mod blocks;
mod diagnose;
mod differential;
mod duplicates;
mod escaped;
mod fault;
mod head;
mod look;
mod node;
mod number;
mod scan;
mod simd;
mod slots;
mod string;
mod tape;
mod utf8;

pub(crate) use self::differential::lanes_agree;
pub use self::fault::{Fault, FaultKind};
pub(crate) use self::head::Head;
pub(crate) use self::look::Look;
pub use self::node::{Items, Members, Node};
pub use self::scan::scan;
pub use self::tape::{Kind, Tape, Token};
