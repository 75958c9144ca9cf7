//! Servers in TOML.

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::document::{Arguments, Details, Gap, Launch, Server, Start, Text, located};

/// The table that holds the servers of Codex.
const GROUP: &str = "mcp_servers";

/// The servers in a text; the fault begins with `line:column: `.
pub(super) fn read(text: &str) -> Result<Vec<Server>, String> {
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(text.len(), |span| span.start);
        located(text, at, &error.message().replace('\n', "; "))
    })?;
    let Some((_, group)) = member(root.get_ref(), GROUP) else {
        return Ok(Vec::new());
    };
    let DeValue::Table(group) = group.get_ref() else {
        return Ok(Vec::new());
    };
    let mut servers: Vec<_> = group
        .iter()
        .map(|(name, server)| {
            let read = Server {
                project: None,
                name: name.get_ref().to_string(),
                start: start(text, server),
                group: GROUP,
                details: details(server),
            };
            (name.span().start, read)
        })
        .collect();
    // The table is sorted by name.
    servers.sort_by_key(|(at, _)| *at);
    Ok(servers.into_iter().map(|(_, server)| server).collect())
}

fn details(server: &Spanned<DeValue<'_>>) -> Details {
    let DeValue::Table(table) = server.get_ref() else {
        return Details::default();
    };
    let text = |name| Some(text_of(member(table, name)?.1)?.value);
    let pairs = |name| match member(table, name).map(|(_, value)| value.get_ref()) {
        Some(DeValue::Table(pairs)) => pairs
            .iter()
            .filter_map(|(key, value)| Some((key.get_ref().to_string(), text_of(value)?.value)))
            .collect(),
        _ => Vec::new(),
    };
    Details {
        environment: pairs("env"),
        folder: text("cwd"),
        url: text("url"),
        headers: pairs("http_headers"),
    }
}

fn start(text: &str, server: &Spanned<DeValue<'_>>) -> Start {
    let DeValue::Table(table) = server.get_ref() else {
        return Start::Unclear("it is not a table");
    };
    if member(table, "url").is_some() {
        return Start::Remote("url");
    }
    let Some((key, command)) = member(table, "command") else {
        return Start::Unclear("it has no command");
    };
    let Some(command) = text_of(command) else {
        return Start::Unclear("its command is not a string");
    };
    let arguments = match member(table, "args") {
        None => None,
        Some((_, value)) => {
            let DeValue::Array(array) = value.get_ref() else {
                return Start::Unclear("its arguments are not an array");
            };
            let items: Option<Vec<_>> = array.iter().map(text_of).collect();
            let Some(items) = items else {
                return Start::Unclear("one of its arguments is not a string");
            };
            let range = value.span();
            Some(Arguments { items, range })
        }
    };
    let is_inline = text[server.span().start..].starts_with('{');
    let gap = if is_inline {
        Gap {
            at: command.range.end,
            before: ", args = ".to_owned(),
        }
    } else {
        line_below(text, &key, &command.range)
    };
    Start::Command(Launch {
        command,
        arguments,
        gap,
    })
}

/// The place for a line below that of the command, which may end with a comment. The keys before a
/// dot are the same.
fn line_below(text: &str, key: &Range<usize>, command: &Range<usize>) -> Gap {
    let line = text[..key.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let rest = &text[command.end..];
    let length = rest.find('\n').unwrap_or(rest.len());
    let has_return = rest[..length].ends_with('\r');
    // The last line has no line end to copy.
    let is_windows = has_return || length == rest.len() && text.contains("\r\n");
    let newline = if is_windows { "\r\n" } else { "\n" };
    Gap {
        at: command.end + length - usize::from(has_return),
        before: format!("{newline}{}args = ", &text[line..key.start]),
    }
}

fn text_of(value: &Spanned<DeValue<'_>>) -> Option<Text> {
    Some(Text {
        value: value.get_ref().as_str()?.to_owned(),
        range: value.span(),
    })
}

fn member<'t>(
    table: &'t DeTable<'_>,
    name: &str,
) -> Option<(Range<usize>, &'t Spanned<DeValue<'t>>)> {
    table
        .iter()
        .find(|(key, _)| key.get_ref() == name)
        .map(|(key, value)| (key.span(), value))
}
