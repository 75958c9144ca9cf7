//! The program as it runs.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;

use crate::client::Client;

/// A running gateway.
pub(crate) struct Gateway {
    child: Child,
    pub(crate) address: SocketAddr,
    stderr: Option<JoinHandle<String>>,
}

/// The output of a gateway.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stderr: String,
}

impl Gateway {
    /// In front of one server.
    pub(crate) fn new(upstream: &str, args: &[&str]) -> Self {
        let args: Vec<&str> = ["--upstream", upstream]
            .into_iter()
            .chain(args.iter().copied())
            .collect();
        Self::start(&args, Path::new("/"))
    }

    pub(crate) fn start(args: &[&str], folder: &Path) -> Self {
        let program = Command::new(env!("CARGO_BIN_EXE_mcp-assay"));
        Self::run(program, args, folder)
    }

    /// By a command that is, or becomes, the program.
    pub(crate) fn run(mut program: Command, args: &[&str], folder: &Path) -> Self {
        let mut child = program
            .args(["gateway", "--listen", "127.0.0.1:0"])
            .args(if args.contains(&"--grace") {
                &[][..]
            } else {
                &["--grace", "0.3"]
            })
            .args(args)
            .current_dir(folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut line, mut before) = (String::new(), String::new());
        while !line.contains(" stands behind http://") {
            before.push_str(&line);
            line.clear();
            let read = stderr.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "{before}");
        }
        let address = line.trim_end().rsplit("http://").next().unwrap();
        let address = address.parse().unwrap_or_else(|_| {
            let mut rest = String::new();
            stderr.read_to_string(&mut rest).unwrap();
            panic!("{line}{rest}")
        });
        let stderr = std::thread::spawn(move || {
            let mut text = before;
            stderr.read_to_string(&mut text).unwrap();
            text
        });
        Self {
            child,
            address,
            stderr: Some(stderr),
        }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Resident memory in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// The value of a number in `/metrics`.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = self.client().ask("GET", "/metrics", "").text();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or("0").trim().parse().unwrap()
    }

    /// Asks it to read its definitions again.
    #[cfg(unix)]
    pub(crate) fn hang_up(&self) {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-HUP", &id]).status().unwrap();
    }

    /// Ends it as a service manager does.
    pub(crate) fn end(self) -> Ended {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.finish()
    }

    /// Waits until it ends by itself.
    pub(crate) fn finish(mut self) -> Ended {
        let status = self.child.wait().unwrap();
        Ended {
            status,
            stderr: self.stderr.take().unwrap().join().unwrap(),
        }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
