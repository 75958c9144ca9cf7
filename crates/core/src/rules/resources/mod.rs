// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `resources`.

mod list_changed_sent;
mod template_valid;
mod unsubscribe_after_subscribe;
mod updated_only_if_subscribed;
mod uri_valid;

pub use self::list_changed_sent::RULE as LIST_CHANGED_SENT;
pub use self::template_valid::RULE as TEMPLATE_VALID;
pub use self::unsubscribe_after_subscribe::RULE as UNSUBSCRIBE_AFTER_SUBSCRIBE;
pub use self::updated_only_if_subscribed::RULE as UPDATED_ONLY_IF_SUBSCRIBED;
pub use self::uri_valid::RULE as URI_VALID;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&LIST_CHANGED_SENT, &list_changed_sent::CHECK),
    (&TEMPLATE_VALID, &template_valid::CHECK),
    (&UNSUBSCRIBE_AFTER_SUBSCRIBE, &unsubscribe_after_subscribe::CHECK),
    (&UPDATED_ONLY_IF_SUBSCRIBED, &updated_only_if_subscribed::CHECK),
    (&URI_VALID, &uri_valid::CHECK),
];
