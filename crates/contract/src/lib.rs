#![doc = include_str!("../README.md")]

pub mod build;
pub mod canonical;
mod definition;
pub mod envelope;
mod misfit;
#[cfg(feature = "json-schema")]
mod misfits;
pub mod protocol;
pub mod tool_io;

pub use self::definition::{check_definition, check_definition_in};
pub use self::misfit::Misfit;
