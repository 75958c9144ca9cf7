//! Finds the SDK of a server: by the packages next to its command, or by the wording of its errors.
//! Looks at files only; nothing is run.

use std::path::{Path, PathBuf};
use std::{env, fs};

use mcp_assay_system::find_program;

use super::profile::{PROFILES, Profile, Sdk};
use crate::options::Options;
use crate::transport::Target;

/// Bytes of a script or manifest that are read.
const MAX_FILE: u64 = 1 << 20;

/// The SDK whose package is installed next to a file that the command names.
pub(super) fn by_package(options: &Options) -> Option<Sdk> {
    let Target::Command(command) = &options.target else {
        return None;
    };
    let files = files(command, options.folder.as_deref());
    let scripts: Vec<String> = files.iter().filter_map(|file| text(file)).collect();
    PROFILES.iter().find_map(|profile| {
        let imported = |words: &String| scripts.iter().any(|script| script.contains(words));
        if !profile.imports.is_empty() && !profile.imports.iter().any(imported) {
            return None;
        }
        let (version, place) = files.iter().find_map(|file| installed(profile, file))?;
        Some(Sdk {
            name: profile.name,
            version: Some(version),
            known_by: format!("found in {}", place.display()),
        })
    })
}

/// The SDK that words its errors like this.
pub(super) fn by_wording(errors: &[String]) -> Option<Sdk> {
    PROFILES.iter().find_map(|profile| {
        let begins = |words: &&String| errors.iter().any(|error| error.starts_with(*words));
        let words = profile.wording.iter().find(begins)?;
        Some(Sdk {
            name: profile.name,
            version: None,
            known_by: format!("its errors begin with `{words}`"),
        })
    })
}

/// The files among the words of a command, the program itself included: as they are named, and
/// without symbolic links.
fn files(command: &[String], folder: Option<&Path>) -> Vec<PathBuf> {
    let folder = folder.map_or_else(|| env::current_dir().unwrap_or_default(), Path::to_owned);
    let mut files = Vec::new();
    for (index, word) in command.iter().enumerate() {
        let path = folder.join(word);
        let path = if path.is_file() {
            path
        } else if let Some(path) = (index == 0).then(|| find_program(word)).flatten() {
            path
        } else {
            continue;
        };
        files.extend(path.canonicalize().ok().filter(|real| *real != path));
        files.push(path);
    }
    files
}

/// The version of a package of the SDK that a file would load, and its place.
fn installed(profile: &Profile, file: &Path) -> Option<(String, PathBuf)> {
    let mut folders = file.ancestors().skip(1);
    folders.find_map(|folder| of_npm(profile, folder).or_else(|| of_python(profile, folder)))
}

fn of_npm(profile: &Profile, folder: &Path) -> Option<(String, PathBuf)> {
    profile.npm.iter().find_map(|package| {
        let manifest = folder
            .join("node_modules")
            .join(package)
            .join("package.json");
        let manifest_text = text(&manifest)?;
        let json: serde_json::Value = serde_json::from_str(&manifest_text).ok()?;
        let version = json["version"].as_str()?.to_owned();
        Some((version, manifest))
    })
}

/// A virtual environment has its packages in `lib/python3.N/site-packages`, beside its `bin`.
fn of_python(profile: &Profile, folder: &Path) -> Option<(String, PathBuf)> {
    if profile.python.is_empty() {
        return None;
    }
    let environments = [
        folder.join("lib"),
        folder.join(".venv/lib"),
        folder.join("venv/lib"),
    ];
    let versions = environments.iter().flat_map(|lib| entries(lib));
    let sites = versions.map(|version| version.join("site-packages"));
    sites.flat_map(|site| entries(&site)).find_map(|entry| {
        let name = entry.file_name()?.to_str()?.strip_suffix(".dist-info")?;
        let (package, version) = name.rsplit_once('-')?;
        let is_it = profile.python.iter().any(|one| one == package);
        is_it.then(|| (version.to_owned(), entry.clone()))
    })
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

fn text(path: &Path) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|about| about.len() <= MAX_FILE);
    is_small.then(|| fs::read_to_string(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with files, which is removed in the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let folder = env::temp_dir().join(format!("mcp-assay-{}-{name}", std::process::id()));
            for (path, text) in files {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self(folder)
        }

        fn sdk(&self, command: &[&str]) -> Option<(&'static str, Option<String>)> {
            let command = command.iter().map(|word| (*word).to_owned()).collect();
            let mut options = Options::new(Target::Command(command));
            options.folder = Some(self.0.clone());
            by_package(&options).map(|sdk| (sdk.name, sdk.version))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_package_next_to_the_script_is_found() {
        let npm = Folder::new(
            "npm",
            &[
                (
                    "node_modules/@modelcontextprotocol/sdk/package.json",
                    r#"{"version":"1.2.3"}"#,
                ),
                ("node_modules/some-server/dist/index.js", "import 'x'"),
            ],
        );
        let found = npm.sdk(&["no-such-node", "node_modules/some-server/dist/index.js"]);
        assert_eq!(found, Some(("typescript", Some("1.2.3".to_owned()))));
        assert_eq!(npm.sdk(&["no-such-node", "missing.js"]), None);
    }

    #[test]
    fn the_script_decides_between_packages_of_one_environment() {
        let python = Folder::new(
            "python",
            &[
                ("v/bin/python", ""),
                (
                    "v/lib/python3.12/site-packages/mcp-1.30.0.dist-info/METADATA",
                    "",
                ),
                (
                    "v/lib/python3.12/site-packages/fastmcp-3.4.10.dist-info/METADATA",
                    "",
                ),
                ("a.py", "from fastmcp import FastMCP"),
                ("b.py", "from mcp.server.fastmcp import FastMCP"),
            ],
        );
        let of = |script| python.sdk(&["v/bin/python", script]);
        assert_eq!(of("a.py"), Some(("fastmcp", Some("3.4.10".to_owned()))));
        assert_eq!(of("b.py"), Some(("python", Some("1.30.0".to_owned()))));
    }

    #[test]
    fn errors_have_a_wording() {
        let found = by_wording(&["MCP error -32602: no".to_owned()]);
        assert_eq!(found.map(|sdk| sdk.name), Some("typescript"));
        assert!(by_wording(&["no".to_owned()]).is_none());
    }
}
