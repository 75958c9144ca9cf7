//! The scripted client: correct in all revisions, or with one fault.
//!
//! A program gives its arguments to [`run`]: `[--bare] [--legacy] [--tasks] [--fault NAME] (URL |
//! COMMAND...)`. As `relay ADDRESS TOKEN` it is the server that the client starts.

mod cooperate;
mod grants;
mod http;
mod oauth;
mod obey;
mod proof;
mod stdio;
mod talk;
mod tasks;
mod walk;

use self::talk::{Client, Gone, Wire};

/// Runs the client to its end; returns whether it came through.
///
/// # Panics
///
/// If an argument is not known.
#[must_use]
pub fn run(mut arguments: Vec<String>) -> bool {
    if arguments.first().is_some_and(|first| first == "relay") {
        // The client may be gone.
        let _ = mcp_assay_probe::relay(&arguments[1], &arguments[2]);
        return true;
    }
    let (mut bare, mut legacy, mut tasks, mut fault) = (false, false, false, String::new());
    while let Some(first) = arguments.first().filter(|first| first.starts_with("--")) {
        match first.as_str() {
            "--bare" => bare = true,
            "--legacy" => legacy = true,
            "--tasks" => tasks = true,
            "--fault" => fault = arguments.remove(1),
            other => panic!("no such argument: {other}"),
        }
        arguments.remove(0);
    }
    let connect = || {
        let wire = if arguments[0].starts_with("http") {
            Wire::Http(http::Http::new(&arguments[0]))
        } else {
            Wire::Stdio(stdio::Stdio::start(&arguments))
        };
        let mut client = Client::new(wire, fault.clone(), bare, legacy);
        client.tasks = tasks.then(tasks::Tasks::default);
        client
    };
    let mut client = connect();
    if client.is("looks-ahead") {
        // Whether there is a token or not, it goes on.
        oauth::authorise(&mut client, "");
    }
    let mut result = walk::all(&mut client);
    if let Err(Gone::Ended) = result
        && client.modern
        && client.is_stdio()
    {
        // A server that died is started again, once.
        let subscribed = client.subscribed;
        client = connect();
        client.resumes = subscribed;
        result = walk::all(&mut client);
    }
    client.close();
    result.is_ok()
}
