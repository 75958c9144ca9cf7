//! `gateway`: a reverse proxy for Streamable HTTP that checks what passes.
//!
//! One thread does all the passing on. In `shadow` bodies and streams are handed on as they come, and what they hold is looked at when
//! it is complete, by another thread if it is long. In `enforce` a body or an event is judged before it goes on. Bytes are never
//! written anew: what passes, passes as it is.
//!
//! A request comes in at `serve`, is handled by `service`, and becomes an [`exchange::Exchange`], to which the bodies tell what they
//! have seen. `inspect` records and judges it, in one order for both.

mod access;
mod answers;
mod client;
mod connection;
mod download;
mod exchange;
mod headers;
mod inspect;
mod kept;
mod metrics;
mod oauth;
mod patience;
mod route;
mod run;
mod serve;
mod service;
mod sessions;
mod stream;
mod upload;

pub(crate) use self::route::Upstream;
pub(crate) use self::run::run;
