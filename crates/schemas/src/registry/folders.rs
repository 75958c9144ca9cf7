//! Schemas in folders: the only file of the library that reads files and the environment, behind a
//! feature.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::limits::SchemaLimits;
use super::source::{SchemaSource, SchemaText, SourceFault};

/// Folders that are searched in order: the schema `tools/search.input` is the file
/// `tools/search.input.json` in the first folder that has it.
///
/// ```no_run
/// use std::sync::Arc;
/// use mcp_assay_schemas::registry::{Folders, SchemaLimits, SchemaRegistry};
///
/// let folders = Folders::new(Folders::default_roots());
/// let registry = SchemaRegistry::with_source(SchemaLimits::DEFAULT, Arc::new(folders));
/// let order = registry.load_named("order")?;
/// # Ok::<(), mcp_assay_schemas::registry::LoadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folders {
    roots: Vec<PathBuf>,
}

/// A schema in a folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// Whether an earlier folder has a schema of this name, which is used instead.
    pub shadowed: bool,
}

impl Listed {
    /// Reads it, shadowed or not.
    ///
    /// # Errors
    ///
    /// It is gone, or cannot be read.
    pub fn read(&self) -> Result<SchemaText, SourceFault> {
        read_text(&self.path)
    }
}

/// The depth to which folders are searched.
const MAX_DEPTH: usize = 16;

impl Folders {
    /// Folders in the order in which they are searched. One that does not exist has no schemas.
    #[must_use]
    pub fn new(roots: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            roots: roots.into_iter().collect(),
        }
    }

    /// `./schemas`, then `mcp-assay/schemas` in the user's folder for configuration:
    /// `$XDG_CONFIG_HOME`, or `~/.config`; on Windows `%APPDATA%`.
    #[must_use]
    pub fn default_roots() -> Vec<PathBuf> {
        let variable = |name: &str| env::var_os(name).map(PathBuf::from);
        let home = if cfg!(windows) {
            variable("APPDATA")
        } else {
            variable("XDG_CONFIG_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| variable("HOME").map(|home| home.join(".config")))
        };
        let users = home.map(|home| home.join("mcp-assay").join("schemas"));
        [PathBuf::from("schemas")]
            .into_iter()
            .chain(users)
            .collect()
    }

    /// The folders.
    #[must_use]
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// All schemas, by name, and those of earlier folders first. Links to folders are not followed.
    ///
    /// # Errors
    ///
    /// A folder that exists cannot be read; the message names it.
    pub fn list(&self) -> io::Result<Vec<Listed>> {
        let mut listed: Vec<Listed> = Vec::new();
        for root in &self.roots {
            let mut found = Vec::new();
            walk(root, "", 0, &mut found)?;
            found.sort_unstable();
            for (name, path) in found {
                let shadowed = listed.iter().any(|earlier| earlier.name == name);
                listed.push(Listed {
                    name,
                    path,
                    shadowed,
                });
            }
        }
        // The order of folders stays within a name.
        listed.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(listed)
    }
}

impl SchemaSource for Folders {
    fn read(&self, name: &str) -> Result<SchemaText, SourceFault> {
        if is_name(name) {
            for root in &self.roots {
                match read_text(&root.join(format!("{name}.json"))) {
                    Err(SourceFault::Missing { .. }) => {}
                    read => return read,
                }
            }
        }
        let roots: Vec<_> = self.roots.iter().map(|root| shown(root)).collect();
        let looked_for = format!("{}.json in {}", shown(Path::new(name)), roots.join(", "));
        Err(SourceFault::Missing { looked_for })
    }
}

/// Whether a name stays within its folder, on every system.
fn is_name(name: &str) -> bool {
    let harmless = |c: char| !c.is_control() && !matches!(c, '\\' | ':');
    name.split('/')
        .all(|part| !matches!(part, "" | "." | "..") && part.chars().all(harmless))
}

fn read_text(path: &Path) -> Result<SchemaText, SourceFault> {
    let location = shown(path);
    match read_file(path) {
        Ok(bytes) => Ok(SchemaText {
            stamp: stamp(&bytes),
            bytes,
            location,
        }),
        Err(error) if is_missing(&error) => Err(SourceFault::Missing {
            looked_for: location,
        }),
        Err(error) => Err(SourceFault::Unreadable {
            location,
            reason: error.to_string(),
        }),
    }
}

/// As much of a file as can be a schema, and one byte more, so that more is noticed.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = SchemaLimits::DEFAULT.bytes as u64 + 1;
    // Opening a pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

fn stamp(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut out, byte| {
            // Writing to a string cannot fail.
            let _ = write!(out, "{byte:02x}");
            out
        })
}

/// A path that a terminal may show.
fn shown(path: &Path) -> String {
    let mut out = String::new();
    for c in path.to_string_lossy().chars() {
        if c.is_control() {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

fn walk(
    folder: &Path,
    prefix: &str,
    depth: usize,
    found: &mut Vec<(String, PathBuf)>,
) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(()),
        Err(error) => {
            let text = format!("{}: {error}", shown(folder));
            return Err(io::Error::new(error.kind(), text));
        }
    };
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let file = entry.file_name();
        // A name that is not Unicode cannot be requested.
        let Some(file) = file.to_str().filter(|file| is_name(file)) else {
            continue;
        };
        if entry.file_type()?.is_dir() {
            if depth < MAX_DEPTH {
                walk(&path, &format!("{prefix}{file}/"), depth + 1, found)?;
            }
        } else if path.extension() == Some(OsStr::new("json"))
            && let Some(stem) = file.strip_suffix(".json")
            && !stem.is_empty()
        {
            found.push((format!("{prefix}{stem}"), path));
        }
    }
    Ok(())
}
