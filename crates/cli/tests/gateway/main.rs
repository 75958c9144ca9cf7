//! `gateway` as a user runs it: between a client and a server that speak HTTP over real sockets.

mod access;
mod client;
mod crowds;
mod enforce;
mod faults;
mod messages;
mod passing;
mod process;
mod records;
mod routes;
mod server;
#[cfg(feature = "otel")]
mod spans;
