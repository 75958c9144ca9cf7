//! The formats, as people and programs read them.

mod conversation;
mod documents;
mod human;
mod programs;
mod random;
mod sheet;
