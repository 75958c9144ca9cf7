//! The profile of a run.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use mcp_assay::Policy;
use mcp_assay::profile::Profile;

use super::builtin::Builtin;
use super::read::{self, Content};
use crate::suggest;

/// The largest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// A profile that was chosen and read.
#[derive(Clone, Debug)]
pub(crate) struct ChosenProfile {
    profile: Arc<Profile>,
    given: String,
}

impl ChosenProfile {
    /// A built-in profile by its name, or a file.
    pub(crate) fn load(chosen: &str) -> Result<Self, String> {
        Self::load_in(chosen, Path::new(""))
    }

    /// The same; paths begin at a folder.
    pub(crate) fn load_in(chosen: &str, folder: &Path) -> Result<Self, String> {
        let content = find(chosen, folder, 0)?;
        Ok(Self {
            profile: Arc::new(content.profile),
            given: chosen.to_owned(),
        })
    }

    /// The name or the file, as it was given.
    pub(crate) fn given(&self) -> &str {
        &self.given
    }

    /// The usual policy under this profile.
    pub(crate) fn policy(&self) -> Policy {
        Policy::with_profile(Arc::clone(&self.profile))
    }
}

/// Two choices are the same if one is a copy of the other.
impl PartialEq for ChosenProfile {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.profile, &other.profile)
    }
}

impl Eq for ChosenProfile {}

/// Reads a built-in profile or a file; `depth` counts those that extend it.
pub(super) fn find(chosen: &str, folder: &Path, depth: usize) -> Result<Content, String> {
    if let Some(builtin) = Builtin::named(chosen) {
        let read = read::read(builtin.text, builtin.name, folder, depth);
        return read.map_err(|fault| format!("profile {chosen}:{fault}"));
    }
    let is_path = chosen.contains(['/', '\\']) || chosen.contains(".toml");
    let path = folder.join(chosen);
    if !is_path && !path.is_file() {
        let unknown = suggest::unknown_text("profile", chosen, Builtin::names());
        return Err(format!("{unknown} (nor is there a file of this name)"));
    }
    let shown = path.display().to_string();
    let shown = shown.escape_debug();
    let failed = |error: std::io::Error| format!("failed to read the profile {shown}: {error}");
    let file = File::open(&path).map_err(failed)?;
    let mut text = String::new();
    // A pipe or a device has no size.
    let mut bounded = file.take(MAX_BYTES + 1);
    bounded.read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!(
            "failed to read the profile {shown}: it has more than {MAX_BYTES} bytes"
        ));
    }
    let name = path.file_stem().map(|name| name.to_string_lossy());
    let name = name.as_deref().unwrap_or("profile");
    let folder = path.parent().unwrap_or(folder);
    read::read(&text, name, folder, depth).map_err(|fault| format!("{shown}:{fault}"))
}
