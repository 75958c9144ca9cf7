//! `wrap` between a client and servers made of the system's own tools: nothing is lost or changed,
//! nothing outlives it.
#![cfg(unix)]

mod definitions;
mod endings;
mod enforce;
mod metrics;
mod outputs;
mod passing;

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use mcp_assay_testkit::wait::until;

/// A running `wrap`.
struct Wrapped {
    process: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
}

/// The result of a run.
struct Ended {
    stdout: Vec<u8>,
    stderr: String,
    code: Option<i32>,
}

/// Runs a shell script as the server.
fn wrap(flags: &[&str], script: &str) -> Wrapped {
    let mut process = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["wrap", "--no-config"])
        .args(flags)
        .args(["--", "sh", "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    Wrapped {
        stdin: process.stdin.take(),
        stdout: process.stdout.take(),
        process,
    }
}

impl Wrapped {
    fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("not closed yet");
        stdin.write_all(bytes).expect("it is read");
    }

    /// Reads so many bytes.
    fn read(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        let stdout = self.stdout.as_mut().expect("not closed yet");
        stdout.read_exact(&mut bytes).expect("so much is written");
        bytes
    }

    /// Writes everything, closes the input, and waits for the end.
    fn say(mut self, bytes: &[u8]) -> Ended {
        let mut stdin = self.stdin.take().expect("not closed yet");
        let bytes = bytes.to_vec();
        // Both at once: pipes are small.
        let writer = thread::spawn(move || stdin.write_all(&bytes));
        let ended = self.end();
        // Whether all of it was read is the test's business.
        let _ = writer.join().expect("the writer does not panic");
        ended
    }

    /// Closes the input and waits for the end.
    fn end(mut self) -> Ended {
        drop(self.stdin.take());
        let mut stdout = Vec::new();
        let mut reader = self.stdout.take().expect("not closed yet");
        let mut errors = self.process.stderr.take().expect("piped");
        let errors = thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).map(|_| text)
        });
        reader.read_to_end(&mut stdout).expect("it can be read");
        let status = self.process.wait().expect("it can be waited for");
        Ended {
            stdout,
            stderr: errors.join().expect("no panic").expect("it is text"),
            code: status.code(),
        }
    }
}
