//! The client: runs the server through `wrap`, and sends requests to it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};

/// How long the server may take for an answer, and `wrap` to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The messages of the client, and the answers that it waits for. The method `tasks/list` is of a
/// later revision.
const SCRIPT: [(&str, Awaited); 6] = [
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"demo-client","version":"1.0.0"}}}"#,
        Awaited::AnswerTo(1),
    ),
    (
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        Awaited::Nothing,
    ),
    (
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        Awaited::AnswerTo(2),
    ),
    (
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Zürich"},"_meta":{"progressToken":"f-3"}}}"#,
        Awaited::AnswerTo(3),
    ),
    (
        r#"{"jsonrpc":"2.0","id":4,"method":"tasks/list"}"#,
        Awaited::AnswerTo(4),
    ),
    (
        r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#,
        Awaited::AnswerTo(5),
    ),
];

#[derive(Clone, Copy)]
enum Awaited {
    Nothing,
    AnswerTo(u64),
}

/// Runs the session, and returns the recording of `wrap`.
pub(crate) fn session() -> anyhow::Result<String> {
    let recording = Recording::new();
    let wrap = Wrapped::start(&recording.0)?;
    wrap.talk()?;
    let text = fs::read_to_string(&recording.0).context("failed to read the recording")?;
    Ok(text)
}

/// A file that is removed after it was read.
struct Recording(PathBuf);

impl Recording {
    fn new() -> Self {
        let name = format!(
            "mcp-assay-demo-{}-{}.ndjson",
            std::process::id(),
            crate::log::file_stamp(SystemTime::now())
        );
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // If it was never written there is nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

/// The server with `wrap` around it.
struct Wrapped {
    process: Child,
    lines: Receiver<String>,
}

impl Wrapped {
    fn start(recording: &Path) -> anyhow::Result<Self> {
        let ours = std::env::current_exe().context("failed to find this program")?;
        let mut process = Command::new(&ours)
            .args(["wrap", "--quiet", "--no-config", "--record"])
            .arg(recording)
            .arg("--")
            .arg(&ours)
            .arg("demo-server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("failed to start `wrap`")?;
        let (sender, lines) = channel();
        if let Some(stdout) = process.stdout.take() {
            // It ends with the stream.
            std::thread::spawn(move || {
                let lines = BufReader::new(stdout).lines();
                for line in lines.map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self { process, lines })
    }

    /// Sends the messages, each after the answer to the last, and waits for the end.
    fn talk(mut self) -> anyhow::Result<()> {
        let mut stdin = self.process.stdin.take().context("`wrap` has no input")?;
        // The server announces itself.
        self.hear()?;
        for (message, awaited) in SCRIPT {
            writeln!(stdin, "{message}").context("failed to talk to the server")?;
            if let Awaited::AnswerTo(id) = awaited {
                let id = format!("\"id\":{id},");
                while !self.hear()?.contains(&id) {}
            }
        }
        drop(stdin);
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait()? {
                if status.success() {
                    return Ok(());
                }
                bail!("`wrap` ended with {status}");
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        bail!("`wrap` did not end")
    }

    fn hear(&self) -> anyhow::Result<String> {
        let line = self.lines.recv_timeout(PATIENCE);
        line.context("the server did not answer")
    }
}

/// Leaves nothing behind, whatever failed.
impl Drop for Wrapped {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
