// Written by `cargo xtask codegen`: do not edit.
//! The rules: what can be violated, and the page that explains each.
//!
//! A rule is a file `<family>/<requirement>.rs` with its page and its check. Rules that the stages raise while they read
//! a message are in `inline/`, what several rules need is in `support/`.

mod auth;
mod caching;
mod cancel;
mod capability;
pub(crate) mod check;
mod content;
mod discover;
mod elicitation;
mod ext_tasks;
mod http;
pub mod inline;
mod jsonrpc;
mod lifecycle;
mod list;
mod logging;
mod meta;
mod mrtr;
mod pages;
mod pagination;
mod ping;
mod progress;
mod prompts;
mod request;
mod resources;
mod response;
mod roots;
pub(crate) mod rule;
mod sampling;
mod schema;
mod subscriptions;
pub(crate) mod support;
mod tasks;
mod tools;
mod version;

pub use self::list::{all, find};
pub use self::rule::{Parties, Rule};

/// The rules of each family.
#[rustfmt::skip]
static FAMILIES: &[&[&Rule]] = &[
    auth::ALL,
    caching::ALL,
    cancel::ALL,
    capability::ALL,
    content::ALL,
    discover::ALL,
    elicitation::ALL,
    ext_tasks::ALL,
    http::ALL,
    jsonrpc::ALL,
    lifecycle::ALL,
    logging::ALL,
    meta::ALL,
    mrtr::ALL,
    pagination::ALL,
    ping::ALL,
    progress::ALL,
    prompts::ALL,
    request::ALL,
    resources::ALL,
    response::ALL,
    roots::ALL,
    sampling::ALL,
    schema::ALL,
    subscriptions::ALL,
    tasks::ALL,
    tools::ALL,
    version::ALL,
];
