//! Both ends of an HTTP/1.1 relay: [`serve`] answers a client by a [`Handler`], and a [`Client`]
//! passes requests on to servers over connections that it keeps.
//!
//! Nothing is added, decoded or followed: heads and bodies go as they are given, header names in
//! the case in which they were written. What a relay is for is its user's affair. Whatever waits is
//! a boxed future, so that all of the protocol is compiled here.

mod body;
mod client;
mod clock;
pub mod headers;
mod link;
mod resolve;
mod server;
mod serving;
mod wire;

use std::pin::Pin;

use bytes::Bytes;

pub use body::whole;
pub use client::{Client, Failure};
pub use server::Server;
pub use serving::{Handler, serve};

/// The error that ends a body before its end.
pub type Broken = Box<dyn std::error::Error + Send + Sync>;

/// The body of a request or response that goes out.
pub type Body = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = Broken> + Send>>;

/// Something that is waited for.
pub type Waiting<T> = Pin<Box<dyn Future<Output = T> + Send>>;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
