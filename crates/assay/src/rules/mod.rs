// Written by `cargo xtask codegen`: do not edit.
//! The rules: what can be violated, and the page that explains each.
//!
//! A rule is a file `<family>/<requirement>.rs` with its page and its check. Rules that the stages raise while they read
//! a message are in `inline/`, what several rules need is in `support/`.

pub(crate) mod check;
pub(crate) mod inline;
mod list;
mod response;
pub(crate) mod rule;
pub(crate) mod support;

pub use self::list::{all, find};
pub use self::rule::{Parties, Rule};

/// The rules of each family.
#[rustfmt::skip]
static FAMILIES: &[&[&Rule]] = &[
    response::ALL,
];
