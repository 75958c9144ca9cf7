//! `doctor`: the servers in the configurations of clients.

use anyhow::bail;

use crate::args::{DoctorArgs, ListFormat};
use crate::doctor::{self, Scope};
use crate::exit::Exit;
use crate::install::{Surroundings, places};
use crate::{output, suggest};

pub(crate) fn doctor(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let places = places(&args.client, &Surroundings::of_process()?)?;
    let scope = Scope {
        servers: &args.servers,
        timeout: (!args.no_start).then(|| args.timeout.into()),
    };
    let found = doctor::examine(&places, &scope);
    if found.is_empty() {
        let mut text = "no configuration was found; searched for".to_owned();
        for place in &places {
            text.push_str("\n  ");
            text.push_str(&place.file.display().to_string());
        }
        bail!(text);
    }
    let known: Vec<_> = found.iter().flat_map(doctor::FileReport::names).collect();
    if let Some(name) = args
        .servers
        .iter()
        .find(|name| !known.contains(&name.as_str()))
    {
        // A file that cannot be read may have it.
        if found.iter().all(|file| file.problem.is_none()) {
            return Err(suggest::unknown("server", name, known.iter().copied()));
        }
    }
    let style = output::style(args.color, false);
    let text = match args.format {
        ListFormat::Human => doctor::human(&found, style),
        ListFormat::Json => doctor::json(&found),
    };
    output::print(text.as_bytes())?;
    let is_sick = found.iter().any(doctor::FileReport::needs_mending);
    Ok(if is_sick {
        Exit::Violations
    } else {
        Exit::Clean
    })
}
