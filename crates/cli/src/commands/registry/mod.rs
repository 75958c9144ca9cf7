//! `registry`: schemas in folders, and those that servers publish.

mod diff;
mod found;
mod list;
mod show;
mod snapshot;
mod verify;

use crate::args::RegistryCommand;
use crate::exit::Exit;

pub(crate) fn registry(command: RegistryCommand) -> anyhow::Result<Exit> {
    match command {
        RegistryCommand::List(folders) => list::list(folders),
        RegistryCommand::Show { name, folders } => show::show(&name, folders),
        RegistryCommand::Verify(folders) => verify::verify(folders),
        RegistryCommand::Diff {
            old,
            new,
            format,
            unknown,
        } => diff::diff(old, new, format, unknown),
    }
}
