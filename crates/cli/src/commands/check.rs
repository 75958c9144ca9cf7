//! `check`: recorded traffic.

use crate::args::CheckArgs;
use crate::config::Settings;
use crate::exit::Exit;
use crate::{check as checking, input};

pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
    let settings = Settings::of_check(args)?;
    checking::run(&settings, input::find(&args.inputs))
}
