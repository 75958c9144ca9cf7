//! `validate`: questions about single messages and sessions.

use std::io;

use anyhow::Context as _;

use crate::args::{Choice, ValidateArgs};
use crate::config::{Choices, ConfigFile, policy};
use crate::exit::Exit;
use crate::serve_json::Server;

pub(crate) fn validate(args: &ValidateArgs) -> anyhow::Result<Exit> {
    let file = ConfigFile::find(&args.selection)?;
    let flags = Choices::of_flags(&args.selection);
    let places = file.iter().map(ConfigFile::choices).chain([&flags]);
    let policy = policy(&places.collect::<Vec<_>>());
    let revision = args.revision.and_then(Choice::given).or(policy.revision);
    let mut server = Server::new(policy, revision);
    let ended = server.serve(&mut io::stdin().lock(), &mut io::stdout().lock());
    match ended {
        // The caller has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Clean),
        ended => ended
            .map(|()| Exit::Clean)
            .context("failed to serve questions"),
    }
}
