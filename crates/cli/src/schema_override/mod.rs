//! Definitions from a JSON Schema document in place of the built-in ones: `--schema`, its refresh,
//! and `schema verify`.

mod address;
mod compare;
mod errata;
mod fetch;
mod load;
mod refresh;
#[cfg(test)]
mod tests;
mod verify;

pub(crate) use self::load::{Document, OnFailure};
pub(crate) use self::refresh::Refresher;
pub(crate) use self::verify::verify;
