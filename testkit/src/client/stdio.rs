//! The server as a process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio as Pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

pub(crate) struct Stdio {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
}

/// The answer.
pub(crate) enum Came {
    Line(Vec<u8>),
    Nothing,
    End,
}

impl Stdio {
    pub(crate) fn start(command: &[String]) -> Self {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Pipe::piped())
            .stdout(Pipe::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut line = Vec::new();
            while let Ok(1..) = output.read_until(b'\n', &mut line) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            input,
            lines,
        }
    }

    pub(crate) fn send(&mut self, line: &[u8]) {
        if let Some(input) = &mut self.input {
            // The server may be gone.
            let _ = input.write_all(line);
            let _ = input.write_all(b"\n");
            let _ = input.flush();
        }
    }

    pub(crate) fn receive(&self, patience: Duration) -> Came {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Came::Line(line),
            Err(RecvTimeoutError::Timeout) => Came::Nothing,
            Err(RecvTimeoutError::Disconnected) => Came::End,
        }
    }
}
