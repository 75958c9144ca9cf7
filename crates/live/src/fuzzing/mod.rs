//! The function that the fuzz target `session` and its stable twins run. Not part of the interface.
//!
//! It takes any bytes and panics only where a promise about sessions is broken: two of them,
//! interleaved, share a validator and a guard. An input is a script of lines, so that dialogues can
//! be written as inputs and mutations of an input are still dialogues; `script.rs` has the
//! notation.

mod answer;
mod guards;
mod kit;
mod run;
mod script;
mod seen;
mod settings;
mod validators;

pub use self::run::{rules_raised, session_keeps_promises};
