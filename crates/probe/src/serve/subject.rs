//! The client under test as a process: it is told where its server is, and ended with all that it
//! started.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs, thread};

use mcp_assay_system::{Console, ProcessTree, command as command_of, create_new_private};
use serde_json::{Value, json};

use super::link::Link;
use crate::transport::{ClientUnderTest, Reach, Unreachable};

/// Bytes kept of the standard error of a client.
const MOST_SAID: usize = 8 << 10;

/// The path of the endpoint over HTTP.
pub(crate) const PATH: &str = "/mcp";

/// The tokens of the two users that a client may be started for; all but one scenario have the
/// first.
pub(crate) const USERS: [&str; 2] = ["assay-first-user", "assay-second-user"];

/// The user that a client is started for.
#[derive(Clone, Copy)]
pub(crate) struct User<'a> {
    pub(crate) token: &'a str,
    /// Whether the configuration of the client names the user.
    pub(crate) is_named: bool,
}

/// The circumstances under which a client is started.
pub(crate) struct Circumstances<'a> {
    /// The name of the scenario.
    pub(crate) scenario: &'a str,
    pub(crate) user: User<'a>,
    /// Variables of its environment with credentials.
    pub(crate) credentials: Vec<(&'static str, String)>,
}

/// A running client.
pub(crate) struct Subject {
    child: Child,
    tree: ProcessTree,
    said: Arc<Mutex<Vec<u8>>>,
    config: Option<PathBuf>,
}

/// The way it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// By itself, with this code; none if a signal ended it.
    Code(Option<i32>),
    /// It was still running when there was nothing more to wait for.
    Running,
}

impl Subject {
    pub(crate) fn start(
        client: &ClientUnderTest,
        link: &Link,
        circumstances: &Circumstances<'_>,
    ) -> Result<Self, Unreachable> {
        let user = circumstances.user;
        let mut place = Place::new(client, link, user.token);
        place.names_user = user.is_named;
        let config = match write_config(&place.config()) {
            Ok(path) => {
                place.config_path = path.to_string_lossy().into_owned();
                Some(path)
            }
            // Whoever needs the file will say that it is not there.
            Err(_) => None,
        };
        let words = place.fill(&client.command);
        let (program, arguments) = words.split_first().ok_or(Unreachable::NoCommand)?;
        let mut command = command_of(program);
        command
            .args(arguments)
            .envs(place.variables())
            .env("MCP_ASSAY_SCENARIO", circumstances.scenario)
            .envs(circumstances.credentials.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (child, tree) =
            ProcessTree::spawn(&mut command, Console::Separate).map_err(Unreachable::Start)?;
        let said = Arc::new(Mutex::new(Vec::new()));
        let mut subject = Self {
            child,
            tree,
            said,
            config,
        };
        if let Some(pipe) = subject.child.stdout.take() {
            keep(pipe, None);
        }
        if let Some(pipe) = subject.child.stderr.take() {
            keep(pipe, Some(Arc::clone(&subject.said)));
        }
        Ok(subject)
    }

    /// The state of the client.
    pub(crate) fn exit(&mut self) -> Exit {
        match self.child.try_wait() {
            Ok(None) => Exit::Running,
            Ok(Some(status)) => Exit::Code(status.code()),
            Err(_) => Exit::Code(None),
        }
    }

    /// The last of what it said on standard error.
    pub(crate) fn stderr(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said).trim().to_owned()
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        self.tree.kill();
        // It may have ended before.
        let _ = self.child.wait();
        if let Some(path) = &self.config {
            // Somebody may have removed it.
            let _ = fs::remove_file(path);
        }
    }
}

/// The address of the server, in every form that clients accept.
struct Place {
    /// The words that start it; empty over HTTP.
    server: Vec<String>,
    /// Its address; empty over stdio.
    url: String,
    config_path: String,
    /// The token of the user.
    token: String,
    /// Whether the configuration says so too: elsewhere a client should not have credentials before
    /// it asks for them.
    names_user: bool,
}

impl Place {
    fn new(client: &ClientUnderTest, link: &Link, user: &str) -> Self {
        let (server, url) = match &client.reach {
            Reach::Stdio(relay) => {
                let more = [link.address.to_string(), link.token.clone()];
                (relay.iter().cloned().chain(more).collect(), String::new())
            }
            Reach::Http => (Vec::new(), format!("http://{}{PATH}", link.address)),
        };
        Self {
            server,
            url,
            config_path: String::new(),
            token: user.to_owned(),
            names_user: false,
        }
    }

    /// The form that most programs read their servers from.
    fn config(&self) -> Value {
        let mut server = match self.server.split_first() {
            Some((command, arguments)) => json!({"command": command, "args": arguments}),
            None => json!({"type": "http", "url": self.url}),
        };
        if self.names_user {
            server["headers"] = json!({"Authorization": format!("Bearer {}", self.token)});
        }
        json!({"mcpServers": {"mcp-assay": server}})
    }

    /// The words of a command with the places filled in. A word that is `{server}` and nothing else
    /// becomes several.
    fn fill(&self, command: &[String]) -> Vec<String> {
        let mut words = Vec::new();
        for word in command {
            if word == "{server}" && !self.server.is_empty() {
                words.extend(self.server.iter().cloned());
                continue;
            }
            words.push(
                word.replace("{server}", &self.line())
                    .replace("{url}", &self.url)
                    .replace("{token}", &self.token)
                    .replace("{config}", &self.config_path),
            );
        }
        words
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![("MCP_ASSAY_CONFIG", self.config_path.clone())];
        if self.server.is_empty() {
            variables.push(("MCP_ASSAY_SERVER_URL", self.url.clone()));
            variables.push(("MCP_ASSAY_TOKEN", self.token.clone()));
        } else {
            variables.push(("MCP_ASSAY_SERVER_COMMAND", self.line()));
            variables.push(("MCP_ASSAY_SERVER_ARGV", json!(self.server).to_string()));
        }
        variables
    }

    /// The command as one line for a shell.
    fn line(&self) -> String {
        let quoted = |word: &String| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-:=@%+,".contains(&byte);
            if !word.is_empty() && word.bytes().all(plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', "'\\''"))
            }
        };
        let words: Vec<_> = self.server.iter().map(quoted).collect();
        words.join(" ")
    }
}

fn write_config(config: &Value) -> std::io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("mcp-assay-{}-{number}.json", std::process::id());
    let path = env::temp_dir().join(name);
    // It must not be somebody else's file, nor a link to one, and it may hold a token.
    let mut file = create_new_private(&path)?;
    std::io::Write::write_all(&mut file, config.to_string().as_bytes())?;
    Ok(path)
}

/// Reads a pipe to its end, so that the client is not held up, and keeps the last of it.
fn keep(mut pipe: impl Read + Send + 'static, kept: Option<Arc<Mutex<Vec<u8>>>>) {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let Some(kept) = &kept else { continue };
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&buffer[..count]);
            let excess = kept.len().saturating_sub(MOST_SAID);
            kept.drain(..excess);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(server: &[&str], url: &str) -> Place {
        Place {
            server: server.iter().map(|word| (*word).to_owned()).collect(),
            url: url.to_owned(),
            config_path: "/tmp/c.json".to_owned(),
            token: USERS[0].to_owned(),
            names_user: false,
        }
    }

    #[test]
    fn the_server_is_named_wherever_a_command_asks_for_it() {
        let command = ["client", "{server}", "--run={server}", "{config}"].map(str::to_owned);
        let words = place(&["my relay", "1"], "").fill(&command);
        assert_eq!(
            words,
            [
                "client",
                "my relay",
                "1",
                "--run='my relay' 1",
                "/tmp/c.json"
            ]
        );
        let words =
            place(&[], "http://x/mcp").fill(&["--to={url}".to_owned(), "{token}".to_owned()]);
        assert_eq!(words, ["--to=http://x/mcp", USERS[0]]);
    }

    #[test]
    fn the_configuration_is_of_the_usual_form() {
        let config = place(&["a", "b"], "").config();
        assert_eq!(config["mcpServers"]["mcp-assay"]["args"], json!(["b"]));
        let config = place(&[], "http://x/mcp").config();
        assert_eq!(config["mcpServers"]["mcp-assay"]["url"], "http://x/mcp");
    }
}
