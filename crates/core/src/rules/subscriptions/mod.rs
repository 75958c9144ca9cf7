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

pub use self::ack_first::RULE as ACK_FIRST;
pub use self::ack_sent::RULE as ACK_SENT;
pub use self::ack_subset::RULE as ACK_SUBSET;
pub use self::change_only_on_listen::RULE as CHANGE_ONLY_ON_LISTEN;
pub use self::close_graceful::RULE as CLOSE_GRACEFUL;
pub use self::close_result::RULE as CLOSE_RESULT;
pub use self::id_matches::RULE as ID_MATCHES;
pub use self::id_tag::RULE as ID_TAG;
pub use self::no_request_scoped::RULE as NO_REQUEST_SCOPED;
pub use self::only_requested::RULE as ONLY_REQUESTED;
pub use self::only_requested_uris::RULE as ONLY_REQUESTED_URIS;
pub use self::silent_after_close::RULE as SILENT_AFTER_CLOSE;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ACK_FIRST, &ack_first::CHECK),
    (&ACK_SENT, &ack_sent::CHECK),
    (&ACK_SUBSET, &ack_subset::CHECK),
    (&CHANGE_ONLY_ON_LISTEN, &change_only_on_listen::CHECK),
    (&CLOSE_GRACEFUL, &close_graceful::CHECK),
    (&CLOSE_RESULT, &close_result::CHECK),
    (&ID_MATCHES, &id_matches::CHECK),
    (&ID_TAG, &id_tag::CHECK),
    (&NO_REQUEST_SCOPED, &no_request_scoped::CHECK),
    (&ONLY_REQUESTED, &only_requested::CHECK),
    (&ONLY_REQUESTED_URIS, &only_requested_uris::CHECK),
    (&SILENT_AFTER_CLOSE, &silent_after_close::CHECK),
];
