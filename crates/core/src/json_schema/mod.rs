//! JSON Schema over the tape, and definitions that come from a JSON Schema document instead of the built-in model.
//!
//! Everything that touches the `jsonschema` crate is here. It reads messages through its `Json` traits, implemented for
//! the tape, so that no tree of values is built. Nothing is fetched: a document refers to itself or is refused.

mod definitions;
mod document;
mod judge;
mod members;
mod number;
mod refusal;
#[cfg(test)]
mod tests;
mod value;

pub use self::definitions::SchemaDefinitions;
pub use self::document::SchemaError;
pub use self::judge::Judgement;
pub(crate) use self::value::{TapeJson, TapeNode};
