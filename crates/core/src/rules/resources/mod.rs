// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `resources`.

mod list_changed_sent;
mod template_valid;
mod unsubscribe_after_subscribe;
mod updated_only_if_subscribed;
mod uri_valid;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &list_changed_sent::RULE,
    &template_valid::RULE,
    &unsubscribe_after_subscribe::RULE,
    &updated_only_if_subscribed::RULE,
    &uri_valid::RULE,
];
