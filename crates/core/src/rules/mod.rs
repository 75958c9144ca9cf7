// Written by `cargo xtask codegen`: do not edit.
//! The rules: the page of each, and how it is found.
//!
//! A rule is a file `<family>/<requirement>.rs` with its page and its check. Rules that the stages raise while they
//! read a message are in `inline`; functions that several rules need are in `support/`.

mod applies;
pub mod auth;
pub mod caching;
pub mod cancel;
pub mod capability;
pub(crate) mod check;
pub mod content;
mod dialect;
pub mod discover;
pub mod elicitation;
pub mod ext_tasks;
pub mod http;
pub mod jsonrpc;
pub mod lifecycle;
mod list;
pub mod logging;
pub mod meta;
pub mod mrtr;
pub mod pagination;
pub mod ping;
mod prelude;
pub mod progress;
pub mod prompts;
pub mod request;
pub mod resources;
pub mod response;
pub mod roots;
pub mod sampling;
pub mod schema;
mod selectable;
pub mod subscriptions;
pub(crate) mod support;
pub mod tasks;
pub mod tools;
pub mod version;

use self::check::Check;
pub(crate) use self::dialect::GROUP as DIALECT;
pub(crate) use self::list::{Listed, listed};
pub use self::list::{all, find};
pub use self::selectable::{UnknownName, selectable};
pub use crate::catalogue::{Parties, Rule, inline};

/// The rules of each family.
#[rustfmt::skip]
static FAMILIES: &[&[(&Rule, &Check)]] = &[
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
