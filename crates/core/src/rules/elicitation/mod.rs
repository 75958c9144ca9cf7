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

use super::Rule;

/// All of them, by name.
#[rustfmt::skip]
pub(super) static ALL: &[&Rule] = &[
    &accept_matches_schema::RULE,
    &complete_known_id::RULE,
    &enum_names_legacy::RULE,
    &form_no_links::RULE,
    &id_removed::RULE,
    &id_unique::RULE,
    &no_content_unless_form_accept::RULE,
    &no_secrets_in_form::RULE,
    &schema_consistent::RULE,
    &schema_formats::RULE,
    &url_https::RULE,
    &url_no_credentials::RULE,
    &url_required_error_justified::RULE,
    &url_valid::RULE,
];
