//! A small server that does everything right in all revisions, or one thing wrong: `probe-server [--http] [--stream] [--fault NAME]`.

mod answers;
mod faults;
mod hostile;
mod http;
mod modern;
mod stdio;
mod tasks;

use std::env;

use self::faults::Fault;

fn main() {
    let (mut over_http, mut stream, mut fault) = (false, false, Fault::NONE);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--http" => over_http = true,
            "--stream" => stream = true,
            "--fault" => fault = Fault(arguments.next().unwrap_or_default().leak()),
            other => panic!("no such argument: {other}"),
        }
    }
    if over_http {
        http::serve(fault, stream);
    } else {
        stdio::serve(fault);
    }
}
