//! HTTP/1.1 in a few lines, on blocking streams: a server in a thread of the test and a client,
//! both byte by byte where a test wants that, and the messages of a sound session between them.

pub mod client;
mod request;
pub mod server;
pub mod sound;

pub use self::request::{Request, Response, header, read};
pub use self::server::serve;
