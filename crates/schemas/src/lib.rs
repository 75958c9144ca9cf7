#![doc = include_str!("../README.md")]

pub mod containment;
pub mod json_schema;
pub mod registry;
mod tape;
