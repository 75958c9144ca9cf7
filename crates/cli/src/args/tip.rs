//! A tip for command lines that lack the `--` before a server's command.

use std::env;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use mcp_assay_report::quoted;

/// Adds the tip to a refusal of this process's command line, if it applies.
pub(crate) fn with_tip(mut refusal: Error) -> Error {
    let words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let refused = match refusal.kind() {
        ErrorKind::InvalidSubcommand => refusal.get(ContextKind::InvalidSubcommand),
        ErrorKind::UnknownArgument => refusal.get(ContextKind::InvalidArg),
        _ => None,
    };
    if let Some(ContextValue::String(refused)) = refused
        && let Some(line) = with_dashes(words.skip(1).collect(), refused)
    {
        let tip = format!("the server's command stands after `--`: {line}");
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        refusal.insert(ContextKind::Suggested, tips);
        // Names of subcommands that resemble the server's.
        refusal.remove(ContextKind::SuggestedSubcommand);
    }
    refusal
}

/// The command line with `--` before the word that was refused.
fn with_dashes(mut words: Vec<String>, refused: &str) -> Option<String> {
    let takes_a_command = matches!(words.first()?.as_str(), "probe" | "wrap");
    if !takes_a_command || refused.starts_with('-') || words.iter().any(|word| word == "--") {
        return None;
    }
    let at = words.iter().skip(1).position(|word| word == refused)? + 1;
    words.insert(at, "--".to_owned());
    let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    Some(format!("mcp-assay {}", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_put_before_the_command_of_a_server() {
        let line = |words: &[&str], refused: &str| {
            with_dashes(words.iter().map(|&word| word.to_owned()).collect(), refused)
        };
        assert_eq!(
            line(&["probe", "--quick", "python", "my server.py"], "python").as_deref(),
            Some("mcp-assay probe --quick -- python 'my server.py'")
        );
        assert_eq!(
            line(&["wrap", "wrap"], "wrap").as_deref(),
            Some("mcp-assay wrap -- wrap")
        );
        assert_eq!(line(&["probe", "--qiuck"], "--qiuck"), None);
        assert_eq!(line(&["probe", "x", "--", "y"], "x"), None);
        assert_eq!(line(&["check", "x"], "x"), None);
    }
}
