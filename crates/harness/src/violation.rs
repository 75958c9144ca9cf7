//! A rule that a message of the server breaks, told so that one knows what to change.

use std::fmt;

use mcp_assay::{Layer, Level, MessageKind, Revision, Rule, Span};
use mcp_assay_probe::{Broken, Content, Record};
use mcp_assay_report::visible;

/// Bytes of a message that are shown.
const SHOWN: usize = 240;
/// Bytes shown before the fault.
const BEFORE: usize = 100;

/// A rule that a message of the server breaks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// Its level.
    pub level: Level,
    /// The finding, and what was expected instead.
    pub message: String,
    /// A way to mend it.
    pub help: String,
    /// The place in the message, as a JSON Pointer; empty for the whole message.
    pub pointer: String,
    /// The bytes of the message at fault.
    pub span: Span,
    /// The method that the message calls or answers.
    pub method: Option<String>,
    /// The revision in force.
    pub revision: Option<Revision>,
    /// The index in [`Harness::records`](crate::Harness::records).
    pub at: usize,
    /// The kind of the message, in words.
    what: String,
    /// The path of a member that is missing.
    missing: Option<String>,
    /// The message around the fault.
    excerpt: String,
}

impl Violation {
    pub(crate) fn new(broken: &Broken, records: &[Record]) -> Self {
        let record = records.get(broken.at);
        Self {
            rule: broken.rule,
            level: broken.level,
            message: broken.message.clone(),
            help: broken.help.clone(),
            pointer: broken.pointer.clone(),
            span: broken.span,
            method: broken.method.clone(),
            revision: broken.revision,
            at: broken.at,
            what: what(broken, record),
            missing: broken.missing.map(|member| path(&broken.pointer, member)),
            excerpt: record
                .map(|record| excerpt(record, broken.span))
                .unwrap_or_default(),
        }
    }

    /// The violation in one line, such as ``initialize result: `serverInfo.version` is missing``.
    #[must_use]
    pub fn headline(&self) -> String {
        let what = visible(&self.what);
        match &self.missing {
            Some(path) => format!("{what}: `{}` is missing", visible(path)),
            None => format!("{what}: {}", visible(&self.message)),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline())?;
        let (level, layer) = (self.level.name(), self.rule.layer.name());
        write!(f, "\n  rule: {} ({level}, layer {layer}", self.rule.name)?;
        if let Some(revision) = self.revision {
            write!(f, ", {revision}")?;
        }
        f.write_str(")")?;
        let Span { start, end } = self.span;
        match (self.pointer.as_str(), end > start) {
            ("", false) => {}
            ("", true) => write!(f, "\n  at:   bytes {start}..{end}")?,
            (pointer, false) => write!(f, "\n  at:   {}", visible(pointer))?,
            (pointer, true) => write!(f, "\n  at:   {}, bytes {start}..{end}", visible(pointer))?,
        }
        if !self.help.is_empty() {
            write!(f, "\n  help: {}", visible(&self.help))?;
        }
        if !self.excerpt.is_empty() {
            write!(f, "\n  sent: {}", visible(&self.excerpt))?;
        }
        Ok(())
    }
}

/// The kind of a message, in words.
fn what(broken: &Broken, record: Option<&Record>) -> String {
    let method = broken.method.as_deref();
    let over_http = record.is_some_and(|record| record.exchange().is_some());
    if broken.rule.layer == Layer::Http {
        return match method {
            Some(method) => format!("HTTP answer to {method}"),
            None => "HTTP answer".to_owned(),
        };
    }
    match (broken.kind, method) {
        (MessageKind::Response, Some(method)) => format!("{method} result"),
        (MessageKind::Error, Some(method)) => format!("{method} error"),
        (MessageKind::Request, Some(method)) => format!("request {method}"),
        (MessageKind::Notification, Some(method)) => format!("notification {method}"),
        (MessageKind::Unreadable, _) if !over_http => "standard output".to_owned(),
        (kind, _) => kind.name().to_owned(),
    }
}

/// The path of a member within the params, result or error.
fn path(pointer: &str, member: &str) -> String {
    let mut keys: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|key| key.replace("~1", "/").replace("~0", "~"))
        .collect();
    if let Some("result" | "params" | "error") = keys.first().map(String::as_str) {
        keys.remove(0);
    }
    keys.push(member.to_owned());
    let mut path = String::new();
    for key in keys {
        if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push('[');
            path.push_str(&key);
            path.push(']');
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&key);
        }
    }
    path
}

/// The message around a fault.
fn excerpt(record: &Record, span: Span) -> String {
    if let Content::Response {
        status, headers, ..
    } = &record.content
        && record.bytes().is_empty()
    {
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        let all = format!("HTTP {status} [{}]", headers.join("; "));
        return all.chars().take(SHOWN).collect();
    }
    let bytes = record.bytes();
    let start = if bytes.len() <= SHOWN {
        0
    } else {
        (span.start as usize)
            .saturating_sub(BEFORE)
            .min(bytes.len().saturating_sub(SHOWN))
    };
    let end = bytes.len().min(start + SHOWN);
    let (head, tail) = (
        if start > 0 { "…" } else { "" },
        if end < bytes.len() { "…" } else { "" },
    );
    // A character that is cut is replaced, which an ellipsis explains.
    let middle = String::from_utf8_lossy(&bytes[start..end]);
    format!("{head}{middle}{tail}")
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_path_is_what_one_would_write() {
        assert_eq!(path("/result/serverInfo", "version"), "serverInfo.version");
        assert_eq!(
            path("/result/tools/0", "inputSchema"),
            "tools[0].inputSchema"
        );
        assert_eq!(path("", "jsonrpc"), "jsonrpc");
        assert_eq!(path("/result/a~1b", "c"), "a/b.c");
    }
}
