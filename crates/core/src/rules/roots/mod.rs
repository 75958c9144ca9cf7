// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `roots`.

mod deprecated;
mod file_uri;
mod list_changed_sent;
mod no_traversal;
mod uris;

pub use self::deprecated::RULE as DEPRECATED;
pub use self::file_uri::RULE as FILE_URI;
pub use self::list_changed_sent::RULE as LIST_CHANGED_SENT;
pub use self::no_traversal::RULE as NO_TRAVERSAL;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&DEPRECATED, &deprecated::CHECK),
    (&FILE_URI, &file_uri::CHECK),
    (&LIST_CHANGED_SENT, &list_changed_sent::CHECK),
    (&NO_TRAVERSAL, &no_traversal::CHECK),
];
