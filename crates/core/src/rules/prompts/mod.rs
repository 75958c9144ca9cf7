// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `prompts`.

mod embedded_resource_mime_type;
mod list_changed_sent;
mod required_arguments;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &embedded_resource_mime_type::RULE,
    &list_changed_sent::RULE,
    &required_arguments::RULE,
];
