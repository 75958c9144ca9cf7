//! The command that probes the same server again.

use mcp_assay_report::quoted;

use super::client;
use crate::args::ProbeArgs;

/// The server in words: its command line, or its URL without parts that may be secret.
pub(super) fn subject(args: &ProbeArgs) -> String {
    match &args.url {
        Some(url) => public(url),
        None => words(&args.command),
    }
}

/// The arguments before `--only RULE`.
pub(super) fn program(args: &ProbeArgs) -> String {
    let mut words = vec!["mcp-assay", "probe"];
    words.extend(client::words(args.tested));
    words.join(" ")
}

/// The arguments after `--only RULE` in a document that others may read.
pub(super) fn in_public(args: &ProbeArgs) -> String {
    let mut flags = flags(args);
    flags.push(match &args.url {
        Some(url) => format!("--url {}", quoted(&public(url))),
        None => format!("-- {}", words(&args.command)),
    });
    flags.join(" ")
}

/// The same for the user alone.
pub(super) fn in_private(args: &ProbeArgs) -> String {
    let mut flags = flags(args);
    flags.push(match &args.url {
        Some(url) => format!("--url {}", quoted(url)),
        None => format!("-- {}", words(&args.command)),
    });
    flags.join(" ")
}

/// The flags that decide what is sent and how it is checked.
fn flags(args: &ProbeArgs) -> Vec<String> {
    let mut flags = Vec::new();
    if args.call_tools {
        flags.push("--call-tools".to_owned());
    }
    for (tool, arguments) in &args.call {
        let call = format!("{tool}={arguments}");
        flags.push(format!("--call {}", quoted(&call)));
    }
    if args.seed != 0 {
        flags.push(format!("--seed {}", args.seed));
    }
    flags.extend(judging(args));
    flags
}

/// The flags that decide how it is checked, also by `check`. The selection of rules is not among
/// them: another run selects one.
pub(super) fn judging(args: &ProbeArgs) -> Vec<String> {
    let mut flags = Vec::new();
    let mut pair = |flag: &str, value: &str| flags.push(format!("{flag} {}", quoted(value)));
    if let Some(profile) = &args.report.selection.profile {
        pair("--profile", profile.given());
    }
    if let Some(config) = &args.report.selection.config {
        pair("--config", &config.to_string_lossy());
    }
    for (flag, given) in [
        ("--strict", args.report.selection.strict),
        ("--no-strict", args.report.selection.no_strict),
        ("--no-config", args.report.selection.no_config),
    ] {
        if given {
            flags.push(flag.to_owned());
        }
    }
    flags
}

fn words(command: &[String]) -> String {
    let words: Vec<_> = command.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A URL without user, password and query, which may contain secrets.
fn public(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::public;

    #[test]
    fn secrets_of_urls_stay_away() {
        assert_eq!(
            public("https://me:word@example.com:8/mcp?key=1#x"),
            "https://example.com:8/mcp"
        );
        assert_eq!(public("http://[::1]:80"), "http://[::1]:80");
    }
}
