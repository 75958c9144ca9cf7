//! JSON Schemas that arrive in traffic: compiled once, shared by equal schemas, and applied to
//! values on the tape.
//!
//! Such a schema comes from a stranger, so nothing about it is trusted. It is measured before it is
//! compiled ([`SchemaLimits`]), patterns run in linear time, a check stops when its steps are used
//! up, and no other document is ever fetched. The meaning of a schema for a tool, and the reports
//! of its faults, are decided elsewhere.

mod cache;
mod compile;
mod compiled;
mod complexity;
mod deferred;
mod dialect;
mod fault;
mod fingerprint;
#[cfg(feature = "files")]
mod folders;
mod graph;
mod headers;
mod keywords;
mod limits;
mod load_error;
mod meter;
mod metered;
mod mismatch;
mod named;
mod pattern_syntax;
mod patterns;
mod quick_check;
mod references;
mod relax;
mod resources;
mod simple;
mod source;
#[cfg(test)]
mod tests;

pub use self::cache::{Counters, SchemaRegistry};
pub use self::compiled::{Compiled, Fit};
pub use self::deferred::Deferred;
pub use self::dialect::Dialect;
pub use self::fault::{SchemaFault, SchemaFaultKind};
pub use self::fingerprint::Fingerprint;
#[cfg(feature = "files")]
pub use self::folders::{Folders, Listed};
pub use self::headers::{ParamHeader, ParamHeaders, ParamType};
pub use self::limits::SchemaLimits;
pub use self::load_error::{LoadError, LoadErrorKind};
pub(crate) use self::meter::Meter;
pub(crate) use self::metered::{MeteredJson, MeteredNode};
pub(crate) use self::mismatch::known_keyword;
pub use self::mismatch::{Member, Mismatch};
pub use self::named::Refreshed;
pub use self::source::{SchemaSource, SchemaText, SourceFault};
