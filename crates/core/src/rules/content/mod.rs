// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `content`.

mod annotation_last_modified;
mod base64;
mod blocks;
mod icon_scheme;
mod mime_type_valid;
mod resource_text_xor_blob;

pub use self::annotation_last_modified::RULE as ANNOTATION_LAST_MODIFIED;
pub use self::base64::RULE as BASE64;
pub use self::icon_scheme::RULE as ICON_SCHEME;
pub use self::mime_type_valid::RULE as MIME_TYPE_VALID;
pub use self::resource_text_xor_blob::RULE as RESOURCE_TEXT_XOR_BLOB;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ANNOTATION_LAST_MODIFIED, &annotation_last_modified::CHECK),
    (&BASE64, &base64::CHECK),
    (&ICON_SCHEME, &icon_scheme::CHECK),
    (&MIME_TYPE_VALID, &mime_type_valid::CHECK),
    (&RESOURCE_TEXT_XOR_BLOB, &resource_text_xor_blob::CHECK),
];
