#![doc = include_str!("../README.md")]
//!
//! # Revisions
//!
//! Revisions are columns: a field has a shape for each revision, and checking under another
//! revision is another index.

mod definition;
pub mod invent;
mod party;
pub mod schema;
pub mod shape;
mod tables;

pub use self::definition::{Calls, Codes, Definition};
pub use self::party::{Direction, MessageKind, Party};
pub use self::tables::{
    ALIASES, Alias, Arm, ArmTag, ByRevision, ENUMS, ERRORS, Enum, ErrorCode, FACTS, Fact, Field,
    Format, Lookup, METHODS, Method, MethodForm, MethodKind, Need, Revision, RevisionSet, SHAPES,
    STRUCTS, Shape, ShapeId, Struct, UNIONS, Union, UnknownRevision, hash_key, method_at,
    method_named,
};
