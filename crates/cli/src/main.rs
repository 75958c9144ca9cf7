//! The program `mcp-assay`: arguments, files and pipes around the library of the same name.
//!
//! Nothing is checked here. A command turns its arguments into settings (`config`), reads (`input`,
//! `capture`), lets the library check, and passes the findings to a reporter.

mod against;
mod args;
mod baseline;
mod bounded_lines;
mod check;
mod commands;
mod config;
mod demo;
mod diff_logs;
mod doctor;
mod exit;
mod globs;
mod input;
mod install;
mod interrupts;
mod json;
mod live;
mod log;
mod output;
mod output_file;
mod probe;
mod profile;
mod rule_names;
mod schema_override;
mod schemas;
mod serve_json;
#[cfg(feature = "otel")]
mod spans;
#[cfg(not(feature = "otel"))]
#[path = "spans/none.rs"]
mod spans;
mod suggest;
mod tool_diff;
mod wrap;

use clap::Parser;
use mcp_assay_capture as capture;

use crate::args::{Args, Command};
use crate::exit::Exit;

fn main() {
    let args = Args::try_parse().unwrap_or_else(|refusal| args::with_tip(refusal).exit());
    let exit = run(args.command);
    output::finish();
    // Servers on Windows have codes of 32 bits, which `ExitCode` cannot hold.
    std::process::exit(exit.code())
}

fn run(command: Command) -> Exit {
    let exit = match command {
        Command::Wrap(args) => commands::wrap(&args),
        Command::ExecServer(args) => Ok(commands::exec_server(&args)),
        Command::Probe(args) => commands::probe(*args),
        Command::Validate(args) => commands::validate(&args),
        Command::Gateway(args) => commands::gateway(&args),
        Command::Check(args) => commands::check(&args),
        Command::Rules(args) => commands::rules(&args),
        Command::Explain(args) => commands::explain(&args),
        Command::Schema(args) => commands::schema(args.command),
        Command::Registry(args) => commands::registry(args.command),
        Command::DiffLogs(args) => commands::diff_logs(&args),
        Command::Profiles(args) => commands::profiles(args.command.as_ref()),
        Command::Install(args) => commands::install(&args),
        Command::Uninstall(args) => commands::uninstall(&args),
        Command::Doctor(args) => commands::doctor(&args),
        Command::Demo(args) => commands::demo(&args),
        Command::DemoServer => commands::demo_server(),
        Command::Completions(args) => commands::completions(&args),
        Command::Man(args) => commands::man(&args),
    };
    exit.unwrap_or_else(|error| {
        if output::is_broken_pipe(&error) {
            return Exit::Clean;
        }
        output::complain(&error);
        Exit::CouldNotRun
    })
}
