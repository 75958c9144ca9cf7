//! The messages that are measured: generated, the same in every run, and similar to those of agents
//! and servers.

mod complex_tools;
mod faults;
mod large;
mod lists;
mod message;
mod mix;
mod random;
mod server;
mod small;
mod text;

pub use self::message::{Class, Definition, Entry, Message, invalid, valid};
