//! JSON Schema documents over the tape.
//!
//! [`registry`] compiles schemas that arrive in traffic or have a name, once each, and checks
//! values against them; [`json_schema`] reads a document in the manner of the official schemas and
//! checks whole messages against it; [`containment`] compares two schemas. Everything that touches
//! the `jsonschema` crate is here. Nothing is fetched, and nothing here knows rules or sessions:
//! faults are reported to a sink or listed, and the caller decides what they mean.
//!
//! ```
//! use mcp_assay_json::{ScanLimits, Tape, scan};
//! use mcp_assay_schemas::registry::SchemaRegistry;
//!
//! let registry = SchemaRegistry::default();
//! let schema = registry.load_text(br#"{"type":"object","required":["a"]}"#, "example").unwrap();
//! let (value, mut tape) = (b"{}", Tape::new());
//! scan(value, &ScanLimits::DEFAULT, &mut tape).unwrap();
//! assert!(!schema.accepts(tape.root(value).unwrap()));
//! ```

pub mod containment;
pub mod json_schema;
pub mod registry;
mod tape;
