//! `check`: recorded traffic.

use crate::args::CheckArgs;
use crate::config::Settings;
use crate::exit::Exit;
use crate::{check as checking, input};

pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
    let sources = input::find(&args.inputs);
    let settings = Settings::of_check(args, &sources)?;
    checking::run(&settings, sources)
}
