//! The program from outside: arguments, input, output and exit codes. One binary, because linking
//! takes longest.

mod attempts;
mod captures;
mod check;
mod commands;
mod contracts;
mod definitions;
mod files;
mod formats;
mod logs;
mod probe;
mod probe_again;
mod probe_client;
mod probe_config;
mod probe_formats;
mod probe_http;
mod registry;
mod results;
mod support;
