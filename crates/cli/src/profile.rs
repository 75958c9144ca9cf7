//! The profile of a run: a built-in one, or a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use mcp_assay::Policy;
use mcp_assay::profile::Profile;
use mcp_assay::profile_files::{Builtin, ProfileText};

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
        let profile = Profile::load(chosen, folder, &read_file);
        Ok(Self {
            profile: Arc::new(profile.map_err(|fault| fault.to_string())?),
            given: chosen.to_owned(),
        })
    }

    /// The name or the file, as it was given.
    pub(crate) fn given(&self) -> &str {
        &self.given
    }

    /// The profile.
    pub(crate) fn profile(&self) -> &Arc<Profile> {
        &self.profile
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

/// Reads the file of a profile that is not built in.
fn read_file(chosen: &str, folder: &Path) -> Result<ProfileText, String> {
    let is_path = chosen.contains(['/', '\\']) || chosen.contains(".toml");
    let path = folder.join(chosen);
    if !is_path && !path.is_file() {
        let unknown = suggest::unknown_text("profile", chosen, Builtin::names());
        return Err(format!("{unknown} (nor is there a file of this name)"));
    }
    let shown = path.display().to_string();
    let place = shown.escape_debug().to_string();
    let failed = |error: std::io::Error| format!("failed to read the profile {place}: {error}");
    let file = File::open(&path).map_err(failed)?;
    let mut text = String::new();
    // A pipe or a device has no size.
    let mut bounded = file.take(MAX_BYTES + 1);
    bounded.read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!(
            "failed to read the profile {place}: it has more than {MAX_BYTES} bytes"
        ));
    }
    let name = path.file_stem().map(|name| name.to_string_lossy());
    Ok(ProfileText {
        name: name.as_deref().unwrap_or("profile").to_owned(),
        place,
        folder: path.parent().unwrap_or(folder).to_owned(),
        text,
    })
}
