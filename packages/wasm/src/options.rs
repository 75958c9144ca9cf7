//! The options of a session, as the host gives them, as a policy.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcp_assay::profile::Profile;
use mcp_assay::profile_files::{Builtin, ProfileText};
use mcp_assay::{Carrier, Layer, Policy, Revision, Selection};
use mcp_assay_live::guard::{Guard, Mode};
use serde::Deserialize;

/// The options; the module for JavaScript gives all of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Options {
    revision: Option<String>,
    strict: bool,
    select: Vec<String>,
    ignore: Vec<String>,
    profile: Option<Chosen>,
    reserialised: bool,
    mode: String,
    transport: Option<String>,
}

/// A profile: the name of a built-in one, or the text of a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Chosen {
    Name(String),
    File { name: String, text: String },
}

impl Options {
    pub(crate) fn read(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }

    pub(crate) fn guard(&self) -> Result<Guard, String> {
        let mode = Mode::ALL.into_iter().find(|it| it.name() == self.mode);
        let mode = mode.ok_or("mode is \"shadow\" or \"enforce\"")?;
        Ok(Guard::new(self.policy()?, mode))
    }

    /// The carrier of the messages of a session.
    pub(crate) fn carrier(&self) -> Result<Carrier, String> {
        match self.transport.as_deref() {
            // Messages that were written anew show nothing of their framing.
            Some("stdio") if !self.reserialised => Ok(Carrier::Stdio),
            None | Some("stdio") => Ok(Carrier::Unknown),
            Some(_) => Err("transport is \"stdio\"".to_owned()),
        }
    }

    fn policy(&self) -> Result<Policy, String> {
        let mut policy = match &self.profile {
            None => Policy::default(),
            Some(chosen) => Policy::with_profile(Arc::new(chosen.load()?)),
        };
        policy.strict |= self.strict;
        if let Some(name) = &self.revision {
            let unknown = |error| format!("revision `{name}`: {error}");
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

impl Chosen {
    fn load(&self) -> Result<Profile, String> {
        let name = match self {
            Self::Name(name) | Self::File { name, .. } => name,
        };
        let find = |wanted: &str, _: &Path| match self {
            Self::File { name, text } if wanted == name => Ok(ProfileText {
                name: name.clone(),
                place: name.escape_debug().to_string(),
                folder: PathBuf::new(),
                text: text.clone(),
            }),
            _ => Err(mcp_assay::unknown_text("profile", wanted, Builtin::names())),
        };
        Profile::load(name, Path::new(""), &find).map_err(|fault| fault.to_string())
    }
}

fn select(selection: &mut Selection, select: &[String], ignore: &[String]) -> Result<(), String> {
    for name in select {
        selection.select(name).map_err(|error| error.to_string())?;
    }
    for name in ignore {
        selection.ignore(name).map_err(|error| error.to_string())?;
    }
    Ok(())
}
