//! `profiles`: the dialects that are built in.

use std::fmt::Write;

use mcp_assay::profile_files::Builtin;
use mcp_assay_report::visible;

use crate::args::ProfilesCommand;
use crate::exit::Exit;
use crate::profile::ChosenProfile;
use crate::{output, suggest};

pub(crate) fn profiles(command: Option<&ProfilesCommand>) -> anyhow::Result<Exit> {
    match command {
        None => output::print(list()?.as_bytes())?,
        Some(ProfilesCommand::Show { name }) => {
            let Some(builtin) = Builtin::named(name) else {
                return Err(suggest::unknown("profile", name, Builtin::names()));
            };
            output::print(builtin.text.as_bytes())?;
        }
        Some(ProfilesCommand::Check { profiles }) => return check(profiles),
    }
    Ok(Exit::Clean)
}

/// Runs the examples of profiles, or of all built-in ones.
fn check(profiles: &[ChosenProfile]) -> anyhow::Result<Exit> {
    let mut chosen = profiles.to_vec();
    if chosen.is_empty() {
        for name in Builtin::names() {
            chosen.push(ChosenProfile::load(name).map_err(anyhow::Error::msg)?);
        }
    }
    let (mut text, mut exit) = (String::new(), Exit::Clean);
    for profile in &chosen {
        let examples = profile.profile().examples();
        let name = visible(profile.given());
        let mut kept = 0;
        for (index, example) in examples.iter().enumerate() {
            match example.run(profile.profile()) {
                Ok(()) => kept += 1,
                Err(fault) => {
                    exit = Exit::Violations;
                    let kind = if example.is_allowed() {
                        "allowed"
                    } else {
                        "refused"
                    };
                    writeln!(text, "{name}: example {} ({kind}): {fault}", index + 1)?;
                }
            }
        }
        writeln!(
            text,
            "{name}: {kept} of {} examples do what they say",
            examples.len()
        )?;
    }
    output::print(text.as_bytes())?;
    Ok(exit)
}

fn list() -> anyhow::Result<String> {
    let width = Builtin::names().map(str::len).max().unwrap_or_default();
    let mut text = String::new();
    for builtin in Builtin::ALL {
        let profile = builtin.profile()?;
        writeln!(text, "{:<width$}  {}", builtin.name, profile.description())?;
    }
    Ok(text)
}
