//! The Model Context Protocol as static tables, in every released revision.
//!
//! Revisions are columns: a field has a shape for each revision, and checking under another revision is another index. The
//! tables are generated from `wire/*.wire`; nothing here knows sessions, rules or carriers.
//!
//! ```
//! use mcp_assay_model::{Fact, Revision, method_named, schema};
//!
//! assert!(Revision::V2025_03_26.has(Fact::Batches));
//! let call = method_named(b"tools/call").unwrap();
//! assert!(call.forms[Revision::V2024_11_05.index()].is_some());
//! assert!(schema::export(Revision::V2025_06_18).contains("CallToolRequest"));
//! ```

pub mod invent;
mod party;
pub mod schema;
pub mod shape;
mod tables;

pub use self::party::{Direction, MessageKind, Party};
pub use self::tables::{
    Arm, ArmTag, ByRevision, ENUMS, ERRORS, Enum, ErrorCode, FACTS, Fact, Field, Format, Lookup,
    METHODS, Method, MethodForm, MethodKind, Need, Revision, RevisionSet, SHAPES, STRUCTS, Shape,
    ShapeId, Struct, UNIONS, Union, UnknownRevision, hash_key, method_at, method_named,
};
