//! A small server that does everything right in all revisions, or one thing wrong: `probe-server [--http | --sse] [--stream] [--auth] [--fault NAME]`.

mod answers;
mod door;
mod faults;
mod hostile;
mod http;
mod modern;
mod resources;
mod sse;
mod stdio;
mod streams;
mod tasks;
mod tools;

use std::env;

use self::faults::Fault;

fn main() {
    let (mut over_http, mut old, mut stream, mut wants_token) = (false, false, false, false);
    let mut fault = Fault::NONE;
    let mut arguments = env::args().skip(1);
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
