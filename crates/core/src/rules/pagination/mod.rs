// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `pagination`.

mod advances;
mod cursor_not_kept;
mod cursor_opaque;
mod cursor_same_list;
mod cursors;
mod missing_is_end;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &advances::RULE,
    &cursor_not_kept::RULE,
    &cursor_opaque::RULE,
    &cursor_same_list::RULE,
    &missing_is_end::RULE,
];
