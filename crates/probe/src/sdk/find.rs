//! Finds the SDK of a server: by the packages next to its command, or by the wording of its errors.
//! Looks at files only; nothing is run.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use mcp_assay_system::find_program;

use super::profile::{PROFILES, Profile, Sdk, Wording};
use crate::options::Options;
use crate::transport::Target;

/// Bytes of a script or manifest that are read.
const MAX_FILE: u64 = 1 << 20;

/// Bytes of a compiled program that are searched.
const MAX_PROGRAM: u64 = 512 << 20;

/// Bytes of a program that are searched at once, and those that two searches share.
const PART: usize = 1 << 20;
const OVERLAP: usize = 128;

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
        let is_used = |wording: &&Wording| {
            let mut errors = errors.iter();
            errors.any(|error| error.starts_with(&wording.begins))
        };
        let wording = profile.wording.iter().find(is_used)?;
        Some(Sdk {
            name: profile.name,
            version: wording.version.clone(),
            known_by: format!("its errors begin with `{}`", wording.begins),
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
    let found =
        folders.find_map(|folder| of_npm(profile, folder).or_else(|| of_python(profile, folder)));
    found.or_else(|| of_rust(profile, file))
}

/// A compiled program names the sources of its crates, for messages of panics.
fn of_rust(profile: &Profile, file: &Path) -> Option<(String, PathBuf)> {
    if profile.rust.is_empty() {
        return None;
    }
    let mut reader = fs::File::open(file).ok()?.take(MAX_PROGRAM);
    let (mut part, mut kept) = (vec![0; PART + OVERLAP], 0);
    loop {
        let count = reader.read(&mut part[kept..]).ok()?;
        // The first part tells whether it is a program.
        if count == 0 || kept == 0 && !is_program(&part[..count]) {
            return None;
        }
        let end = kept + count;
        let found = profile.rust.iter().find_map(|package| {
            let name = format!("{package}-");
            crate_version(&part[..end], name.as_bytes())
        });
        if let Some(version) = found {
            return Some((version, file.to_owned()));
        }
        kept = end.min(OVERLAP);
        part.copy_within(end - kept..end, 0);
    }
}

/// Whether a file begins as one for the loader of Linux, Windows or macOS does.
fn is_program(start: &[u8]) -> bool {
    let magics: [&[u8]; 4] = [b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];
    magics.iter().any(|magic| start.starts_with(magic))
}

/// The version in a path such as `/rmcp-3.8.0/src/`.
fn crate_version(bytes: &[u8], name: &[u8]) -> Option<String> {
    let is_slash = |byte: u8| matches!(byte, b'/' | b'\\');
    memchr::memmem::find_iter(bytes, name).find_map(|at| {
        let before = at.checked_sub(1).map(|before| bytes[before])?;
        let rest = &bytes[at + name.len()..];
        let end = rest
            .iter()
            .take(OVERLAP / 2)
            .position(|byte| is_slash(*byte))?;
        let version = std::str::from_utf8(&rest[..end]).ok()?;
        let is_version = version.starts_with(|first: char| first.is_ascii_digit())
            && version.contains('.')
            && version
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || ".-+".contains(char));
        (is_slash(before) && is_version).then(|| version.to_owned())
    })
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
    fn a_compiled_program_names_its_crates() {
        let far = "x".repeat(PART - 20);
        let path = "/home/a/.cargo/registry/src/index/rmcp-3.8.0/src/service.rs";
        let rust = Folder::new(
            "rust",
            &[
                ("server", &format!("\x7fELF{far}{path}")),
                ("other", "\x7fELF rmcp-x and /rmcp-3/src"),
                ("text", path),
            ],
        );
        let found = |name: &str| rust.sdk(&[name]);
        assert_eq!(found("server"), Some(("rmcp", Some("3.8.0".to_owned()))));
        assert_eq!(found("other"), None);
        assert_eq!(found("text"), None);
    }

    #[test]
    fn errors_have_a_wording() {
        let found = by_wording(&["MCP error -32602: no".to_owned()]);
        let found = found.map(|sdk| (sdk.name, sdk.version));
        assert_eq!(found, Some(("typescript", Some("1".to_owned()))));
        assert!(by_wording(&["no".to_owned()]).is_none());
    }
}
