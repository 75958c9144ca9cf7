//! The wire notation: its reader and its formatter.
//!
//! The meaning of the text (the revisions of an item, the type of a name) is the task of
//! [`crate::tables`].

pub(crate) mod ast;
pub(crate) mod diagnostic;
pub(crate) mod format;
mod lexer;
mod parser;
mod source;
mod types;

pub(crate) use self::parser::parse;
pub(crate) use self::source::read_all;
