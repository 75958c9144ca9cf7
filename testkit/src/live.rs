//! A server over HTTP that ends with the test.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// The program `probe-server` over HTTP, which ends with the test.
pub struct Live {
    process: Child,
    /// Its endpoint.
    pub url: String,
}

impl Live {
    /// Starts it; only tests know where it is.
    ///
    /// # Panics
    ///
    /// If it does not start.
    #[must_use]
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        let mut process = Command::new(program)
            .arg("--http")
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("the port");
        Self {
            process,
            url: format!("http://127.0.0.1:{}/mcp", line.trim()),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
