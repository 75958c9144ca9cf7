// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `cancel`.

mod http_no_notification;
mod in_flight;
mod no_response_after;
mod not_for_tasks;
mod not_initialize;
mod notice;
mod own_request;
mod request_id_present;
mod server_only_listen;
mod silence_after;

pub use self::http_no_notification::RULE as HTTP_NO_NOTIFICATION;
pub use self::in_flight::RULE as IN_FLIGHT;
pub use self::no_response_after::RULE as NO_RESPONSE_AFTER;
pub use self::not_for_tasks::RULE as NOT_FOR_TASKS;
pub use self::not_initialize::RULE as NOT_INITIALIZE;
pub use self::own_request::RULE as OWN_REQUEST;
pub use self::request_id_present::RULE as REQUEST_ID_PRESENT;
pub use self::server_only_listen::RULE as SERVER_ONLY_LISTEN;
pub use self::silence_after::RULE as SILENCE_AFTER;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&HTTP_NO_NOTIFICATION, &http_no_notification::CHECK),
    (&IN_FLIGHT, &in_flight::CHECK),
    (&NO_RESPONSE_AFTER, &no_response_after::CHECK),
    (&NOT_FOR_TASKS, &not_for_tasks::CHECK),
    (&NOT_INITIALIZE, &not_initialize::CHECK),
    (&OWN_REQUEST, &own_request::CHECK),
    (&REQUEST_ID_PRESENT, &request_id_present::CHECK),
    (&SERVER_ONLY_LISTEN, &server_only_listen::CHECK),
    (&SILENCE_AFTER, &silence_after::CHECK),
];
