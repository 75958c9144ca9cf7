//! The commands, one function each: arguments in, exit code out.

mod check;
mod demo;
mod diff_logs;
mod doctor;
mod gateway;
mod install;
mod probe;
mod profiles;
mod registry;
mod rules;
mod schema;
mod shell;
mod validate;
mod wrap;

pub(crate) use self::check::check;
pub(crate) use self::demo::{demo, demo_server};
pub(crate) use self::diff_logs::diff_logs;
pub(crate) use self::doctor::doctor;
pub(crate) use self::gateway::gateway;
pub(crate) use self::install::{install, uninstall};
pub(crate) use self::probe::probe;
pub(crate) use self::profiles::profiles;
pub(crate) use self::registry::registry;
pub(crate) use self::rules::{explain, rules};
pub(crate) use self::schema::schema;
pub(crate) use self::shell::{completions, man};
pub(crate) use self::validate::validate;
pub(crate) use self::wrap::{exec_server, wrap};
