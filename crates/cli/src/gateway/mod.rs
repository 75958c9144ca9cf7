//! `gateway`: a reverse proxy for Streamable HTTP that checks what passes.
//!
//! One thread does all the passing on. In `shadow` bodies and streams are handed on as they come,
//! and what they hold is looked at when it is complete, by another thread if it is long. In
//! `enforce` a body or an event is judged before it goes on. Bytes are never written anew: what
//! passes, passes as it is.
//!
//! A request comes in at `serve`, is handled by `service`, and becomes an [`exchange::Exchange`],
//! which gets the parts that the bodies forward. `inspect` records and checks them, in one order.
//! Every decision about a part is made in [`mcp_assay_live::http`].

mod access;
mod answers;
mod client;
mod connection;
mod download;
mod exchange;
mod headers;
mod idle_spin;
mod inspect;
mod metrics;
mod oauth;
mod run;
mod serve;
mod service;
mod stream;
mod upload;

pub(crate) use self::run::run;
use crate::upstream::Upstream;
