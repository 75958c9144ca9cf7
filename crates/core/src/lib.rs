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
//! The crate does no I/O and reads no clock. Traffic never causes an error or a panic: it causes violations.

mod agenda;
pub mod build;
pub mod canonical;
mod checked;
mod definition;
mod ending;
pub mod envelope;
mod exchange;
mod frame;
#[doc(hidden)]
pub mod fuzzing;
pub mod guard;
mod jsonrpc;
mod message;
mod misfit;
#[cfg(feature = "json-schema")]
mod misfits;
mod policy;
pub mod profile;
pub mod protocol;
#[cfg(not(feature = "json-schema"))]
mod registry {
    //! Without JSON Schema no schema of a tool is compiled.

    /// Compiles nothing.
    #[derive(Debug, Default)]
    pub struct SchemaRegistry;
}
pub mod rules;
#[cfg(feature = "json-schema")]
mod schema_override;
mod selection;
mod session;
mod shape;
pub mod tool_io;
mod validator;
mod violation;
mod wording;

pub use self::checked::Checked;
pub use self::definition::check_definition;
pub use self::ending::Ending;
pub use self::exchange::Exchange;
pub use self::frame::{Carrier, Event, Events, Frame, Headers, Http, Line, Lines, Part};
pub use self::jsonrpc::Envelope;
pub use self::misfit::Misfit;
pub use self::policy::{Layer, LayerSet, Level, Limits, Policy, Verdict};
pub use self::rules::Rule;
pub use self::selection::{LevelOverride, Selection, UnknownName, selectable};
pub use self::session::Session;
pub use self::validator::{Definitions, Validator};
pub use self::violation::{Detail, First, Owner, Place, Sink, Violation};
pub use mcp_assay_json as syntax;
pub use mcp_assay_json::Span;
pub use mcp_assay_model as model;
pub use mcp_assay_model::{
    Direction, MessageKind, Party, Revision, RevisionSet, UnknownRevision, invent, method_named,
    schema,
};
#[cfg(feature = "json-schema")]
pub use mcp_assay_schemas::{json_schema, registry};
