//! The servers of a configuration, and their places in its text.

use std::ops::Range;

use mcp_assay_report::visible;

/// A server of a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Server {
    /// The project it belongs to, if one file has several.
    pub(crate) project: Option<String>,
    pub(crate) name: String,
    pub(crate) start: Start,
    /// The member of the file that holds it.
    pub(crate) group: &'static str,
    pub(crate) details: Details,
}

/// Further members of a server, as far as they are texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Details {
    /// Variables for the environment of a command.
    pub(crate) environment: Vec<(String, String)>,
    /// The working directory of a command.
    pub(crate) folder: Option<String>,
    /// The address of a server that is not started.
    pub(crate) url: Option<String>,
    /// Headers for every request to that address.
    pub(crate) headers: Vec<(String, String)>,
}

/// The way a server is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// The client runs a command.
    Command(Launch),
    /// It is not started: the client connects to it. The member that shows so.
    Remote(&'static str),
    /// It is not understood; the reason.
    Unclear(&'static str),
}

/// A command and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Launch {
    pub(crate) command: Text,
    /// `None` if there is no such member.
    pub(crate) arguments: Option<Arguments>,
    /// The place for that member.
    pub(super) gap: Gap,
}

/// A string: its content, and its place with its quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text {
    pub(crate) value: String,
    pub(super) range: Range<usize>,
}

/// The array of arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arguments {
    pub(crate) items: Vec<Text>,
    /// With its brackets.
    pub(super) range: Range<usize>,
}

/// A place for a member that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Gap {
    pub(super) at: usize,
    /// The text before the array.
    pub(super) before: String,
}

impl Launch {
    /// The command line, as the client makes it.
    pub(crate) fn line(&self) -> Vec<&str> {
        let items = self.arguments.iter().flat_map(|array| &array.items);
        std::iter::once(&self.command)
            .chain(items)
            .map(|text| text.value.as_str())
            .collect()
    }
}

impl Server {
    /// Its name in messages.
    pub(crate) fn title(&self) -> String {
        let name = visible(&self.name);
        match &self.project {
            Some(project) => format!("{name} (of {})", visible(project)),
            None => name,
        }
    }
}

/// The notations of configurations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// JSON, with comments and commas at the end.
    Json,
    Toml,
}

impl Notation {
    /// The servers in a text, in its order; the fault begins with `line:column: `.
    pub(crate) fn read(self, text: &str) -> Result<Vec<Server>, String> {
        match self {
            Self::Json => super::jsonc::read(text),
            Self::Toml => super::toml::read(text),
        }
    }

    /// A string with its quotes.
    pub(super) fn quote(self, text: &str) -> String {
        let json = serde_json::Value::from(text).to_string();
        match self {
            Self::Json => json,
            // A string of JSON is one of TOML but for this character.
            Self::Toml => json.replace('\x7f', "\\u007f"),
        }
    }
}

/// The line and the column of a place, from 1.
pub(super) fn located(text: &str, at: usize, message: &str) -> String {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[start..].chars().count() + 1;
    format!("{line}:{column}: {message}")
}

/// The white space before a place if nothing else is before it on its line, with the end of the
/// line before.
pub(super) fn own_line(text: &str, at: usize) -> Option<&str> {
    let before = &text[..at];
    let indent = before.trim_end_matches([' ', '\t']);
    let line_end = if indent.ends_with("\r\n") {
        2
    } else if indent.ends_with('\n') {
        1
    } else {
        return None;
    };
    Some(&before[indent.len() - line_end..])
}
