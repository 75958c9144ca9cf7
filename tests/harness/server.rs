//! The servers: one that does everything right or one thing wrong, and ones in a few lines of shell.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mcp_assay_test::{Builder, Harness};

pub(crate) const SERVER: &str = env!("CARGO_BIN_EXE_probe-server");

/// The server with one fault.
pub(crate) fn faulty(fault: &str) -> Builder {
    Harness::command([SERVER, "--fault", fault]).timeout(Duration::from_secs(3))
}

/// A server in a few lines of shell. `REST` are more cases; `$line` is the message, `$id` its id.
pub(crate) fn shell(rest: &str) -> Builder {
    let script = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"ask","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
REST
  esac
done
"#;
    Harness::command(["sh", "-c", &script.replace("REST", rest)]).timeout(Duration::from_secs(3))
}

/// A server over HTTP that ends with the test.
pub(crate) struct Live {
    process: Child,
    pub(crate) url: String,
}

impl Live {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(SERVER)
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

    pub(crate) fn harness(&self) -> Builder {
        Harness::url(&self.url).timeout(Duration::from_secs(3))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
