//! Handles the requests of clients.
//!
//! `serve` takes connections, `handle` answers a request by forwarding it, and an
//! [`exchange::Exchange`] gets the parts that the bodies forward and hands them to `inspect`. One
//! thread can do all of it; only long bodies are checked elsewhere.

mod access;
mod answers;
mod connection;
mod download;
mod enforce;
mod exchange;
mod failure;
mod gateway;
mod handle;
mod oauth;
mod once;
mod options;
mod serve;
mod state;
mod stream;
mod tool_list;
mod upload;

pub use self::gateway::{Ended, Gateway};
pub use self::options::{Options, Until};
