//! Checks elicitations in one walk for all rules: in a request, in a result that demands input, in
//! an error.

use super::{
    enum_names_legacy, form_no_links, id_removed, no_secrets_in_form, schema_consistent,
    schema_formats, url_https, url_no_credentials, url_valid,
};
use crate::rules::prelude::*;
use crate::rules::support::Uri;
use crate::session::message::inputs;
use crate::session::{is_url, required};

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[
        On::Call("elicitation/create"),
        On::Where(Fact::InputRequests, &On::Result("tools/call")),
        On::Where(Fact::InputRequests, &On::Result("prompts/get")),
        On::Where(Fact::InputRequests, &On::Result("resources/read")),
        On::Where(Fact::InputRequests, &On::Result("tasks/get")),
        On::Call("notifications/tasks"),
        On::AnyError,
    ],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let is_own = message.method() == Some("elicitation/create");
    if let Some(params) = message.params().filter(|_| is_own) {
        check_params(params, findings);
    }
    for input in inputs(message).filter(|input| input.asks("elicitation/create")) {
        if let Some(params) = input.params {
            check_params(params, findings);
        }
    }
    for elicitation in required(message).into_iter().flat_map(Node::items) {
        check_params(elicitation, findings);
    }
}

fn check_params(params: Node<'_>, findings: &mut Findings<'_>) {
    id_removed::check(params, findings);
    if is_url(params) {
        if let Some(url) = params.get("url").filter(|url| url.kind() == Kind::String) {
            check_url(url, findings);
        }
        return;
    }
    let message = params
        .get("message")
        .filter(|message| message.kind() == Kind::String);
    if let Some(message) = message {
        form_no_links::check(message, findings);
    }
    let Some(schema) = params.get("requestedSchema") else {
        return;
    };
    schema_consistent::check_form(schema, findings);
    let mut asks_secret = false;
    let fields = schema
        .get("properties")
        .filter(|fields| fields.kind() == Kind::Object);
    for (key, field) in fields.into_iter().flat_map(Node::members) {
        schema_formats::check(field, findings);
        schema_consistent::check_field(field, findings);
        enum_names_legacy::check(field, findings);
        form_no_links::check_field(field, findings);
        asks_secret |= no_secrets_in_form::check_field(key, field, findings);
    }
    if let Some(message) = message.filter(|_| !asks_secret) {
        no_secrets_in_form::check_message(message, findings);
    }
}

fn check_url(url: Node<'_>, findings: &mut Findings<'_>) {
    if !url_valid::check(url, findings) {
        return;
    }
    let Some(text) = url.text() else {
        return;
    };
    if let Ok(parsed) = Uri::parse(text.as_bytes()) {
        url_https::check(url, &parsed, findings);
        url_no_credentials::check(url, &parsed, findings);
    }
}
