//! The known clients, and the places of their configuration.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::suggest;

/// A known client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Client {
    ClaudeDesktop,
    ClaudeCode,
    VsCode,
    Cursor,
    Windsurf,
    Codex,
}

impl Client {
    /// All of them.
    pub(crate) const ALL: [Self; 6] = [
        Self::ClaudeDesktop,
        Self::ClaudeCode,
        Self::VsCode,
        Self::Cursor,
        Self::Windsurf,
        Self::Codex,
    ];

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "claude",
            Self::ClaudeCode => "claude-code",
            Self::VsCode => "vscode",
            Self::Cursor => "cursor",
            Self::Windsurf => "windsurf",
            Self::Codex => "codex",
        }
    }

    /// The place of a server's standard error, where `wrap` writes its summary.
    pub(crate) fn server_log(self) -> &'static str {
        match self {
            Self::ClaudeDesktop if cfg!(target_os = "macos") => {
                "~/Library/Logs/Claude/mcp-server-SERVER.log"
            }
            Self::ClaudeDesktop if cfg!(windows) => r"%APPDATA%\Claude\logs\mcp-server-SERVER.log",
            Self::VsCode => "the command `MCP: List Servers`, then `Show Output`",
            Self::Cursor => "the panel Output, channel of the server or `MCP Logs`",
            Self::ClaudeDesktop | Self::ClaudeCode | Self::Windsurf | Self::Codex => UNKNOWN_LOG,
        }
    }

    /// The files in which it looks for servers: that of the project first.
    fn files(self, around: &Surroundings) -> Vec<PathBuf> {
        let project = |name: &str| Some(around.project.join(name));
        let home = |name: &str| Some(around.home.as_ref()?.join(name));
        let applications = |name: &str| Some(around.applications()?.join(name));
        let own = |folder: &Option<PathBuf>, name: &str| Some(folder.as_ref()?.join(name));
        let files = match self {
            Self::ClaudeDesktop => vec![applications("Claude/claude_desktop_config.json")],
            Self::ClaudeCode => vec![
                project(".mcp.json"),
                own(&around.claude, ".claude.json").or_else(|| home(".claude.json")),
            ],
            Self::VsCode => vec![
                project(".vscode/mcp.json"),
                applications("Code/User/mcp.json"),
            ],
            Self::Cursor => vec![project(".cursor/mcp.json"), home(".cursor/mcp.json")],
            Self::Windsurf => vec![home(".codeium/windsurf/mcp_config.json")],
            Self::Codex => vec![
                project(".codex/config.toml"),
                own(&around.codex, "config.toml").or_else(|| home(".codex/config.toml")),
            ],
        };
        // In the form of the system: with backslashes on Windows.
        let files = files.into_iter().flatten();
        let mut files: Vec<PathBuf> = files.map(|file| file.components().collect()).collect();
        // In the home folder, the project's file is the user's.
        files.dedup();
        files
    }
}

/// The place of a server's standard error at a client without a fixed one.
pub(crate) const UNKNOWN_LOG: &str = "the client's log of the server's standard error";

/// A file that may have servers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// Its client; `None` for a file that was named.
    pub(crate) client: Option<Client>,
    pub(crate) file: PathBuf,
}

/// The systems on which the places of configurations differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum System {
    Linux,
    MacOs,
    Windows,
}

/// The environment that determines the places of files.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(crate) system: System,
    pub(crate) project: PathBuf,
    pub(crate) home: Option<PathBuf>,
    /// `APPDATA` of Windows.
    pub(crate) roaming: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub(crate) config: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`.
    pub(crate) claude: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub(crate) codex: Option<PathBuf>,
}

impl Surroundings {
    /// The environment of this process.
    pub(crate) fn of_process() -> anyhow::Result<Self> {
        let folder = |name: &str| {
            env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        Ok(Self {
            system: if cfg!(target_os = "macos") {
                System::MacOs
            } else if cfg!(windows) {
                System::Windows
            } else {
                System::Linux
            },
            project: env::current_dir().context("failed to find the working directory")?,
            home: env::home_dir().filter(|path| path.is_absolute()),
            roaming: folder("APPDATA"),
            config: folder("XDG_CONFIG_HOME"),
            claude: folder("CLAUDE_CONFIG_DIR"),
            codex: folder("CODEX_HOME"),
        })
    }

    /// The folder in which applications keep their settings.
    fn applications(&self) -> Option<PathBuf> {
        let home = self.home.as_ref();
        match self.system {
            System::MacOs => Some(home?.join("Library/Application Support")),
            System::Windows => self
                .roaming
                .clone()
                .or_else(|| Some(home?.join("AppData/Roaming"))),
            System::Linux => self.config.clone().or_else(|| Some(home?.join(".config"))),
        }
    }
}

/// The places of every client, whether there is a file or not.
pub(crate) fn all_places(around: &Surroundings) -> Vec<Place> {
    Client::ALL
        .into_iter()
        .flat_map(|client| of_client(client, around))
        .collect()
}

/// The places that `--client` means.
pub(crate) fn places(name: &str, around: &Surroundings) -> anyhow::Result<Vec<Place>> {
    if name == "all" {
        return Ok(all_places(around));
    }
    if let Some(client) = Client::ALL.into_iter().find(|client| client.name() == name) {
        return Ok(of_client(client, around));
    }
    let file = Path::new(name);
    // A name with a folder or an ending, or of an existing file, is a file; any other is a misspelt
    // client.
    let is_path = file.components().count() > 1 || file.extension().is_some();
    if !is_path && !file.exists() {
        let known = Client::ALL.map(Client::name);
        let unknown = suggest::unknown("client", name, known.into_iter().chain(["all"]));
        return Err(unknown.context("it is no file either"));
    }
    Ok(vec![Place {
        client: None,
        file: file.to_owned(),
    }])
}

fn of_client(client: Client, around: &Surroundings) -> Vec<Place> {
    let files = client.files(around).into_iter();
    files
        .map(|file| Place {
            client: Some(client),
            file,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(system: System) -> Surroundings {
        Surroundings {
            system,
            project: "/garden".into(),
            home: Some("/home/ada".into()),
            roaming: None,
            config: None,
            claude: None,
            codex: None,
        }
    }

    fn files(client: &str, around: &Surroundings) -> Vec<String> {
        places(client, around)
            .unwrap()
            .iter()
            .map(|place| place.file.display().to_string())
            .collect()
    }

    #[test]
    fn every_system_has_its_folders() {
        let claude = |system| files("claude", &around(system));
        assert_eq!(
            claude(System::Linux),
            ["/home/ada/.config/Claude/claude_desktop_config.json"]
        );
        assert_eq!(
            claude(System::MacOs),
            ["/home/ada/Library/Application Support/Claude/claude_desktop_config.json"]
        );
        assert_eq!(
            claude(System::Windows),
            ["/home/ada/AppData/Roaming/Claude/claude_desktop_config.json"]
        );
        let vscode = |system| files("vscode", &around(system));
        assert_eq!(
            vscode(System::Linux),
            [
                "/garden/.vscode/mcp.json",
                "/home/ada/.config/Code/User/mcp.json"
            ]
        );
        assert_eq!(
            vscode(System::MacOs)[1],
            "/home/ada/Library/Application Support/Code/User/mcp.json"
        );
    }

    #[test]
    fn folders_may_be_moved() {
        let moved = Surroundings {
            roaming: Some("/roaming".into()),
            config: Some("/config".into()),
            claude: Some("/claude".into()),
            codex: Some("/codex".into()),
            ..around(System::Linux)
        };
        assert_eq!(
            files("claude", &moved),
            ["/config/Claude/claude_desktop_config.json"]
        );
        assert_eq!(
            files("claude-code", &moved),
            ["/garden/.mcp.json", "/claude/.claude.json"]
        );
        assert_eq!(
            files("codex", &moved),
            ["/garden/.codex/config.toml", "/codex/config.toml"]
        );
        let windows = Surroundings {
            system: System::Windows,
            ..moved
        };
        assert_eq!(
            files("claude", &windows),
            ["/roaming/Claude/claude_desktop_config.json"]
        );
    }

    #[test]
    fn in_the_home_folder_a_file_is_looked_at_once() {
        let home = Surroundings {
            project: "/home/ada".into(),
            ..around(System::Linux)
        };
        assert_eq!(files("cursor", &home), ["/home/ada/.cursor/mcp.json"]);
    }

    #[test]
    fn a_misspelt_client_is_no_file() {
        let error = |name| format!("{:#}", places(name, &around(System::Linux)).unwrap_err());
        assert!(error("curser").contains("did you mean `cursor`?"));
        assert_eq!(
            files("my/servers.json", &around(System::Linux)),
            ["my/servers.json"]
        );
        assert_eq!(files("mcp.json", &around(System::Linux)), ["mcp.json"]);
    }
}
