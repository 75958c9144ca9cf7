// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `subscriptions`.

mod ack_first;
mod ack_sent;
mod ack_subset;
mod change_only_on_listen;
mod close_graceful;
mod close_result;
mod id_matches;
mod id_tag;
mod no_request_scoped;
mod notices;
mod only_requested;
mod only_requested_uris;
mod silent_after_close;

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &ack_first::RULE,
    &ack_sent::RULE,
    &ack_subset::RULE,
    &change_only_on_listen::RULE,
    &close_graceful::RULE,
    &close_result::RULE,
    &id_matches::RULE,
    &id_tag::RULE,
    &no_request_scoped::RULE,
    &only_requested::RULE,
    &only_requested_uris::RULE,
    &silent_after_close::RULE,
];
