//! The arguments before a server's own command, and their recognition.

use std::path::{Path, PathBuf};

use mcp_assay_live::guard::Mode;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::document::{Details, Launch, Server, Start};

/// The name that identifies the program at any path.
const NAME: &str = "mcp-assay";

/// The arguments to put before the commands of servers.
#[derive(Clone, Debug)]
pub(crate) struct Wrapping {
    /// The program that clients start.
    pub(crate) program: String,
    pub(crate) mode: Option<Mode>,
    /// An absolute folder.
    pub(crate) record: Option<String>,
    /// An absolute folder.
    pub(crate) log_dir: Option<String>,
    /// Whether the user requested any of this. If not, servers that are wrapped with other
    /// arguments stay as they are.
    pub(crate) is_explicit: bool,
}

impl Wrapping {
    /// The arguments up to a server's own command.
    pub(super) fn arguments(&self, server: &Server) -> Vec<String> {
        let mut arguments = vec!["wrap".to_owned()];
        if let Some(mode) = self.mode {
            arguments.extend(["--mode".to_owned(), mode.name().to_owned()]);
        }
        let folders = [("--record", &self.record), ("--log-dir", &self.log_dir)];
        for (name, folder) in folders {
            if let Some(folder) = folder {
                arguments.extend([name.to_owned(), within(folder, &file_name(server))]);
            }
        }
        arguments.push("--".to_owned());
        arguments
    }

    /// The folders that a server writes to.
    pub(super) fn folders(&self, server: &Server) -> impl Iterator<Item = String> {
        let folders = [&self.record, &self.log_dir].into_iter().flatten();
        folders.map(|folder| within(folder, &file_name(server)))
    }

    /// Arguments as any server may get them, to check that they are understood.
    pub(crate) fn sample(&self) -> Vec<String> {
        let server = Server {
            project: None,
            name: "server".to_owned(),
            start: Start::Unclear("it is none"),
            group: "",
            details: Details::default(),
        };
        let mut arguments = self.arguments(&server);
        arguments.push("command".to_owned());
        arguments
    }
}

/// The position of a server's own command among the arguments, if it is wrapped: by a program of
/// our name at any path, or by one of these.
pub(crate) fn inner_command(launch: &Launch, programs: &[String]) -> Option<usize> {
    if !is_wrap(launch, programs) {
        return None;
    }
    let items = &launch.arguments.as_ref()?.items;
    let inner = items.iter().position(|item| item.value == "--")? + 1;
    (inner < items.len()).then_some(inner)
}

/// Whether the command is `wrap` of this program, whatever follows.
pub(super) fn is_wrap(launch: &Launch, programs: &[String]) -> bool {
    let line = launch.line();
    let is_ours = is_us(line[0]) || programs.iter().any(|program| program == line[0]);
    is_ours && line.get(1) == Some(&"wrap")
}

fn is_us(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let ending = name.len().saturating_sub(4);
    let stem = match name.get(ending..) {
        Some(exe) if exe.eq_ignore_ascii_case(".exe") => &name[..ending],
        _ => name,
    };
    stem == NAME
}

fn within(folder: &str, name: &str) -> String {
    let path: PathBuf = Path::new(folder).join(name);
    // Both are texts.
    path.to_string_lossy().into_owned()
}

/// A name for files of a server: no two servers share one, and it is never a path.
fn file_name(server: &Server) -> String {
    let mut name = escaped(&server.name);
    if let Some(project) = &server.project {
        name.push('@');
        name.push_str(&escaped(project));
    }
    name
}

fn escaped(text: &str) -> String {
    const SPECIAL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');
    let name = utf8_percent_encode(text, SPECIAL).to_string();
    // The name is neither hidden nor a path to another folder.
    match name.strip_prefix('.') {
        Some(rest) => format!("%2E{rest}"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_are_recognised_at_any_path() {
        for command in [
            "mcp-assay",
            "/usr/local/bin/mcp-assay",
            r"C:\Tools\mcp-assay.EXE",
            "./mcp-assay.exe",
        ] {
            assert!(is_us(command), "{command}");
        }
        for command in ["npx", "mcp-assay2", "/mcp-assay/npx", "", "é.exe", ".exe"] {
            assert!(!is_us(command), "{command}");
        }
    }

    #[test]
    fn names_of_servers_become_names_of_files() {
        assert_eq!(escaped("weather-2.0"), "weather-2.0");
        assert_eq!(escaped("../a b/é"), "%2E.%2Fa%20b%2F%C3%A9");
    }
}
