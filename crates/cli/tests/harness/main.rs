//! `probe --serve-json`: commands and answers, and tests in other languages that use it.

mod commands;
mod examples;
mod process;
#[cfg(unix)]
mod support;
