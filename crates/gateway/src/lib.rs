//! A reverse proxy for Model Context Protocol servers over HTTP that checks the traffic.
//!
//! A [`Gateway`] forwards requests to its [`Upstream`]s. In `shadow` bodies and streams are
//! forwarded as they come, and checked when they are complete, by another thread if they are long.
//! In `enforce` a body or an event is checked before it is forwarded. Bytes are never written anew:
//! what is forwarded unchanged is forwarded byte for byte.
//!
//! A [`Checker`] checks the messages and reports the findings in its own way; a
//! [`Guard`](mcp_assay_live::guard::Guard) is one that reports nothing. A [`Recording`] gets the
//! traffic as records of the capture format. This crate knows neither signals nor arguments, and
//! writes no files.
//!
//! `net` holds both ends of the relay and knows nothing of the protocol, `inspect` records and
//! checks parts of exchanges in one order, `service` handles requests. Every decision about a part
//! is made in [`mcp_assay_live::http`].

mod error;
mod headers;
mod inspect;
mod net;
mod service;
mod upstream;

pub use self::error::Error;
pub use self::inspect::{Checker, Metrics, Recording};
pub use self::service::{Ended, Gateway, Options, Until};
pub use self::upstream::Upstream;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
