// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `roots`.

mod deprecated;
mod file_uri;
mod list_changed_sent;
mod no_traversal;
mod uris;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &deprecated::RULE,
    &file_uri::RULE,
    &list_changed_sent::RULE,
    &no_traversal::RULE,
];
