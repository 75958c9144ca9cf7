//! The options of a session, as Python gives them, as a policy.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use mcp_assay::profile::Profile;
use mcp_assay::profile_files::{Builtin, ProfileText};
use mcp_assay::{Carrier, Direction, Layer, Policy, Revision, Selection};
use mcp_assay_live::guard::Mode;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The largest profile that is read.
const MAX_PROFILE_BYTES: u64 = 1 << 20;

/// The keyword arguments that all entry points share; the module in Python gives all of them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    revision: Option<String>,
    strict: bool,
    select: Vec<String>,
    ignore: Vec<String>,
    profile: Option<String>,
    pub(crate) reserialised: bool,
    transport: Option<String>,
}

impl Options {
    pub(crate) fn read(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        given.as_any().extract()
    }

    /// The carrier of the messages of a session.
    pub(crate) fn carrier(&self) -> PyResult<Carrier> {
        match self.transport.as_deref() {
            // Messages that were written anew show nothing of their framing.
            Some("stdio") if !self.reserialised => Ok(Carrier::Stdio),
            None | Some("stdio") => Ok(Carrier::Unknown),
            Some(_) => Err(PyValueError::new_err("transport is \"stdio\"")),
        }
    }

    pub(crate) fn policy(&self) -> PyResult<Policy> {
        let mut policy = match &self.profile {
            None => Policy::default(),
            Some(chosen) => {
                let profile = Profile::load(chosen, Path::new(""), &read_profile);
                Policy::with_profile(Arc::new(profile.map_err(value_error)?))
            }
        };
        policy.strict |= self.strict;
        if let Some(name) = &self.revision {
            let unknown = |error| value_error(format!("revision `{name}`: {error}"));
            policy.revision = Some(name.parse::<Revision>().map_err(unknown)?);
        }
        select(&mut policy.selection, &self.select, &self.ignore)?;
        if self.reserialised {
            // The text and its framing are not those that the peer would have sent.
            let lost = |layer: &Layer| matches!(layer, Layer::Framing | Layer::Http);
            policy.layers = Layer::ALL.into_iter().filter(|it| !lost(it)).collect();
        }
        Ok(policy)
    }
}

/// The direction of a message by its name.
pub(crate) fn direction(name: Option<&str>) -> PyResult<Option<Direction>> {
    match name {
        None => Ok(None),
        Some("c2s") => Ok(Some(Direction::ClientToServer)),
        Some("s2c") => Ok(Some(Direction::ServerToClient)),
        Some(_) => Err(PyValueError::new_err("direction is \"c2s\" or \"s2c\"")),
    }
}

/// The mode of live checking by its name.
pub(crate) fn mode(name: &str) -> PyResult<Mode> {
    let found = Mode::ALL.into_iter().find(|mode| mode.name() == name);
    found.ok_or_else(|| PyValueError::new_err("mode is \"shadow\" or \"enforce\""))
}

fn select(selection: &mut Selection, select: &[String], ignore: &[String]) -> PyResult<()> {
    for what in select {
        selection.select(what).map_err(value_error)?;
    }
    for what in ignore {
        selection.ignore(what).map_err(value_error)?;
    }
    Ok(())
}

fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Reads the file of a profile that is not built in.
fn read_profile(chosen: &str, folder: &Path) -> Result<ProfileText, String> {
    let path = folder.join(chosen);
    if !path.is_file() {
        let unknown = mcp_assay::unknown_text("profile", chosen, Builtin::names());
        return Err(format!("{unknown} (nor is there a file of this name)"));
    }
    let place = path.display().to_string().escape_debug().to_string();
    let failed = |error: std::io::Error| format!("failed to read the profile {place}: {error}");
    let mut text = String::new();
    let mut bounded = File::open(&path)
        .map_err(failed)?
        .take(MAX_PROFILE_BYTES + 1);
    bounded.read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_PROFILE_BYTES {
        return Err(format!(
            "failed to read the profile {place}: it has more than {MAX_PROFILE_BYTES} bytes"
        ));
    }
    let name = path.file_stem().map(|name| name.to_string_lossy());
    Ok(ProfileText {
        name: name.as_deref().unwrap_or("profile").to_owned(),
        folder: path.parent().unwrap_or(folder).to_owned(),
        place,
        text,
    })
}
