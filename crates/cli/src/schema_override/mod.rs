//! Definitions from a JSON Schema document in place of the built-in ones: `--schema` and
//! `schema verify`.

mod address;
mod compare;
mod errata;
mod fetch;
mod load;
#[cfg(test)]
mod tests;
mod verify;

pub(crate) use self::load::{OnFailure, definitions};
pub(crate) use self::verify::verify;
