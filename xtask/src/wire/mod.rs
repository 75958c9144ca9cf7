//! The wire notation: reading it, and putting its columns straight.
//!
//! What the text means (which revision has what, which name is which type) is the business of [`crate::tables`].

pub(crate) mod ast;
pub(crate) mod diagnostic;
pub(crate) mod format;
mod lexer;
mod parser;
mod source;
mod types;

pub(crate) use self::parser::parse;
pub(crate) use self::source::read_all;
