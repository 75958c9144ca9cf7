// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `pagination`.

mod advances;
mod cursor_not_kept;
mod cursor_opaque;
mod cursor_same_list;
mod cursors;
mod missing_is_end;

pub use self::advances::RULE as ADVANCES;
pub use self::cursor_not_kept::RULE as CURSOR_NOT_KEPT;
pub use self::cursor_opaque::RULE as CURSOR_OPAQUE;
pub use self::cursor_same_list::RULE as CURSOR_SAME_LIST;
pub use self::missing_is_end::RULE as MISSING_IS_END;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ADVANCES, &advances::CHECK),
    (&CURSOR_NOT_KEPT, &cursor_not_kept::CHECK),
    (&CURSOR_OPAQUE, &cursor_opaque::CHECK),
    (&CURSOR_SAME_LIST, &cursor_same_list::CHECK),
    (&MISSING_IS_END, &missing_is_end::CHECK),
];
