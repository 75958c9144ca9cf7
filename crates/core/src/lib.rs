//! mcp-assay checks Model Context Protocol traffic: bytes in, violations out.
//!
//! ```
//! let (mut validator, mut session) = (mcp_assay::Validator::default(), mcp_assay::Session::new());
//! let checked = validator.check(&mut session, br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
//! assert_eq!(checked.verdict(), mcp_assay::Verdict::Pass);
//! ```
//!
//! A message goes from left to right, and each arrow is one module:
//!
//! ```text
//! bytes -> Frame -> Tape -> Envelope -> Exchange -> shape -> Violations -> Verdict
//!                                         | reads Session      afterwards: session.advance
//! ```
//!
//! The crate does no I/O and reads no clock. Traffic never causes an error or a panic: it causes
//! violations.

mod catalogue;
mod compiled_schema;
mod ending;
mod envelope;
mod exchange;
mod frame;
#[doc(hidden)]
pub mod fuzzing;
#[cfg(feature = "profiles")]
pub mod profile_files;
#[cfg(not(feature = "json-schema"))]
pub mod registry {
    //! A stand-in without JSON Schema: no schema of a tool is compiled.

    /// Compiles nothing.
    #[derive(Debug, Default)]
    pub struct SchemaRegistry;
}
pub mod rules;
mod schedule;
#[cfg(feature = "json-schema")]
mod schema_override;
mod session;
mod shape;
mod similar;
#[cfg(feature = "profiles")]
#[doc(hidden)]
pub mod toml_keys;
mod validator;
pub mod wording;

pub use self::catalogue::{
    Detail, First, Layer, LayerSet, Level, LevelOverride, Limits, Owner, Place, Policy,
    RefusalStatus, Rule, SchemaRef, Selection, Sink, Verdict, Violation, profile,
};
#[cfg(feature = "json-schema")]
pub use self::compiled_schema::load_tool_schema;
pub use self::ending::Ending;
pub use self::envelope::Envelope;
pub use self::exchange::Exchange;
pub use self::frame::{
    Carrier, Event, Events, Frame, Headers, Http, Line, Lines, Part, speaks_jsonrpc,
};
pub use self::rules::{UnknownName, selectable};
pub use self::session::{ListedTools, Session};
pub use self::shape::check_value;
#[doc(hidden)]
pub use self::similar::unknown_text;
pub use self::validator::{
    Checked, CurrentDefinitions, Definitions, SchemaPlace, Validator, unreadable,
};
pub use mcp_assay_json as syntax;
pub use mcp_assay_json::Span;
pub use mcp_assay_model as model;
pub use mcp_assay_model::{
    Direction, MessageKind, Party, Revision, RevisionSet, UnknownRevision, invent, method_named,
    schema,
};
#[cfg(feature = "json-schema")]
pub use mcp_assay_schemas::{json_schema, registry};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
