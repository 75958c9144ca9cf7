// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `prompts`.

mod embedded_resource_mime_type;
mod list_changed_sent;
mod required_arguments;

pub use self::embedded_resource_mime_type::RULE as EMBEDDED_RESOURCE_MIME_TYPE;
pub use self::list_changed_sent::RULE as LIST_CHANGED_SENT;
pub use self::required_arguments::RULE as REQUIRED_ARGUMENTS;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&EMBEDDED_RESOURCE_MIME_TYPE, &embedded_resource_mime_type::CHECK),
    (&LIST_CHANGED_SENT, &list_changed_sent::CHECK),
    (&REQUIRED_ARGUMENTS, &required_arguments::CHECK),
];
