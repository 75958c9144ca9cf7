//! Both ends of an HTTP/1.1 relay: [`serve`] answers a client by a [`Handler`], and a [`Client`]
//! forwards requests to servers over connections that it keeps.
//!
//! Nothing is added, decoded or followed: heads and bodies go as they are given, header names in
//! the case in which they were written. Nothing here knows the Model Context Protocol.

mod body;
mod client;
mod clock;
mod failure;
pub(crate) mod headers;
mod link;
mod resolve;
mod server;
mod serving;
mod tls;
mod waiting;
mod wire;

pub(crate) use self::body::{Body, Broken, whole};
pub(crate) use self::client::Client;
pub(crate) use self::failure::{Cause, Failure, Unanswered};
pub(crate) use self::server::Server;
pub(crate) use self::serving::{Handler, serve};
pub(crate) use self::tls::tls;
pub(crate) use self::waiting::Waiting;
