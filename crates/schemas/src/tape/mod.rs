//! The tape as a representation of values for the `jsonschema` crate, so that no tree of values is built.

mod members;
mod number;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use self::value::{TapeJson, TapeNode};
