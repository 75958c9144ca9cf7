// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `content`.

mod annotation_last_modified;
mod base64;
mod blocks;
mod icon_scheme;
mod mime_type_valid;
mod resource_text_xor_blob;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &annotation_last_modified::RULE,
    &base64::RULE,
    &icon_scheme::RULE,
    &mime_type_valid::RULE,
    &resource_text_xor_blob::RULE,
];
