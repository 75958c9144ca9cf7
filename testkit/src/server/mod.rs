//! The scripted server: correct in all revisions, or with one fault.
//!
//! A program gives its arguments to [`run`]: `[--http | --sse] [--stream] [--auth] [--fault NAME]`.
//! Without them the server is correct and reads standard input; over HTTP it prints its port first.

mod answers;
mod changes;
mod door;
mod faults;
mod hostile;
mod http;
mod jobs;
mod modern;
mod resources;
mod sse;
mod stdio;
mod streams;
mod tasks;
mod tools;

use self::faults::Fault;

/// Runs the server until its input ends, or for ever over HTTP.
///
/// # Panics
///
/// If an argument is not known.
pub fn run(mut arguments: impl Iterator<Item = String>) {
    let (mut over_http, mut old, mut stream, mut wants_token) = (false, false, false, false);
    let mut fault = Fault::NONE;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--http" => over_http = true,
            "--sse" => old = true,
            "--stream" => stream = true,
            "--auth" => wants_token = true,
            "--fault" => fault = Fault(arguments.next().unwrap_or_default().leak()),
            other => panic!("no such argument: {other}"),
        }
    }
    if old || fault.0.starts_with("sse-") {
        sse::serve(fault);
    } else if over_http {
        http::serve(fault, stream, wants_token || fault.0.starts_with("auth-"));
    } else {
        stdio::serve(fault);
    }
}
