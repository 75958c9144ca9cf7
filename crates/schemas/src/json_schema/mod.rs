//! Definitions that come from a JSON Schema document instead of the built-in model.
//!
//! A document refers to itself or is refused; nothing is fetched. A fault of a message is reported
//! as a [`Refusal`]; the caller decides which rule that breaks.

mod definitions;
mod document;
mod judge;
mod refusal;
#[cfg(test)]
mod tests;

pub use self::definitions::{SchemaDefinitions, Subject};
pub use self::document::SchemaError;
pub use self::judge::Judgement;
pub use self::refusal::{Refusal, RefusalKind, RefusalSink};
