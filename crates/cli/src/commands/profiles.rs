//! `profiles`: the dialects that are built in.

use std::fmt::Write;

use crate::args::ProfilesCommand;
use crate::exit::Exit;
use crate::profile::Builtin;
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
    }
    Ok(Exit::Clean)
}

fn list() -> anyhow::Result<String> {
    let width = Builtin::names().map(str::len).max().unwrap_or_default();
    let mut text = String::new();
    for builtin in Builtin::ALL {
        let described = builtin.description().map_err(anyhow::Error::msg)?;
        writeln!(text, "{:<width$}  {described}", builtin.name)?;
    }
    Ok(text)
}
