//! The formats, as people and programs read them.

mod conversation;
mod documents;
mod human;
mod probe_report;
mod programs;
mod random;
