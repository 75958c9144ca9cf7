#![doc = include_str!("../README.md")]

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
pub use self::write::{write_number, write_text};
