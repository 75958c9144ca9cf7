//! The harness for tests of servers: an example as an author writes it, and what comes of servers
//! with one fault.

mod endings;
mod example;
mod rounds;
mod runtime;
mod server;
mod strict;
mod transports;
