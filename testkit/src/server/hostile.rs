//! Servers that harm whoever listens: they say too much, or nothing, or leave something behind.

use std::io::{self, Write as _};
use std::process::{Command, exit};
use std::thread;
use std::time::Duration;

use crate::server::faults::Fault;

/// Before the first message is read.
pub(crate) fn begin(fault: Fault) {
    match fault.0 {
        "floods-at-once" => flood(),
        "never-reads" => hang(),
        _ => {}
    }
}

/// Before a message is answered.
pub(crate) fn hear(fault: Fault, line: &[u8]) {
    let is_list = line.windows(12).any(|part| part == b"\"tools/list\"");
    match fault.0 {
        "floods" if is_list => flood(),
        "asks-and-does-not-listen" if is_list => ask(),
        "stops-reading" if is_list => hang(),
        "exits-midway" if is_list => exit(0),
        "leaves-a-child" if is_list => {
            let mut child = Command::new("sleep");
            child.arg("3");
            // In a group of its own it outlives whoever ends ours.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut child, 0);
            child.spawn().expect("a child");
            exit(0);
        }
        _ => {}
    }
}

/// The padding of every answer, for a server that says too much in one message.
pub(crate) fn padding(fault: Fault) -> Option<String> {
    fault.is("huge-answers").then(|| "x".repeat(20 << 20))
}

/// An endless stream of notifications.
pub(crate) const NOISE: &str = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"noise"}}"#;

fn flood() {
    let mut out = io::stdout().lock();
    // Until nobody listens any more.
    while writeln!(out, "{NOISE}").is_ok() {}
    exit(0);
}

/// Questions, and no ear for the answers.
fn ask() {
    let mut out = io::stdout().lock();
    for number in 0..3500 {
        let question = format!(r#"{{"jsonrpc":"2.0","id":"q{number}","method":"ping"}}"#);
        if writeln!(out, "{question}").is_err() {
            break;
        }
    }
    drop(out);
    hang();
}

fn hang() {
    thread::sleep(Duration::from_secs(60));
}
