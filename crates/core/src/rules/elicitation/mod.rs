// Written by `cargo xtask codegen`: do not edit.
//! Rules of the family `elicitation`.

mod accept_matches_schema;
mod answers;
mod complete_known_id;
mod enum_names_legacy;
mod form_no_links;
mod id_removed;
mod id_unique;
mod no_content_unless_form_accept;
mod no_secrets_in_form;
mod requests;
mod schema_consistent;
mod schema_formats;
mod url_https;
mod url_no_credentials;
mod url_required_error_justified;
mod url_valid;

pub use self::accept_matches_schema::RULE as ACCEPT_MATCHES_SCHEMA;
pub use self::complete_known_id::RULE as COMPLETE_KNOWN_ID;
pub use self::enum_names_legacy::RULE as ENUM_NAMES_LEGACY;
pub use self::form_no_links::RULE as FORM_NO_LINKS;
pub use self::id_removed::RULE as ID_REMOVED;
pub use self::id_unique::RULE as ID_UNIQUE;
pub use self::no_content_unless_form_accept::RULE as NO_CONTENT_UNLESS_FORM_ACCEPT;
pub use self::no_secrets_in_form::RULE as NO_SECRETS_IN_FORM;
pub use self::schema_consistent::RULE as SCHEMA_CONSISTENT;
pub use self::schema_formats::RULE as SCHEMA_FORMATS;
pub use self::url_https::RULE as URL_HTTPS;
pub use self::url_no_credentials::RULE as URL_NO_CREDENTIALS;
pub use self::url_required_error_justified::RULE as URL_REQUIRED_ERROR_JUSTIFIED;
pub use self::url_valid::RULE as URL_VALID;
use super::Rule;
use super::check::Check;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[(&Rule, &Check)] = &[
    (&ACCEPT_MATCHES_SCHEMA, &accept_matches_schema::CHECK),
    (&COMPLETE_KNOWN_ID, &complete_known_id::CHECK),
    (&ENUM_NAMES_LEGACY, &enum_names_legacy::CHECK),
    (&FORM_NO_LINKS, &form_no_links::CHECK),
    (&ID_REMOVED, &id_removed::CHECK),
    (&ID_UNIQUE, &id_unique::CHECK),
    (&NO_CONTENT_UNLESS_FORM_ACCEPT, &no_content_unless_form_accept::CHECK),
    (&NO_SECRETS_IN_FORM, &no_secrets_in_form::CHECK),
    (&SCHEMA_CONSISTENT, &schema_consistent::CHECK),
    (&SCHEMA_FORMATS, &schema_formats::CHECK),
    (&URL_HTTPS, &url_https::CHECK),
    (&URL_NO_CREDENTIALS, &url_no_credentials::CHECK),
    (&URL_REQUIRED_ERROR_JUSTIFIED, &url_required_error_justified::CHECK),
    (&URL_VALID, &url_valid::CHECK),
];
