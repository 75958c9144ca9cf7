//! The reason why no connection came about, in words that say what to do.

use std::fmt::Write as _;
use std::ops::Range;

use super::reachable_paths;
use crate::options::Options;
use crate::raw_client::{Answer, Client, Reply};
use crate::record::{Content, Pairs, Record};
use crate::transport::{Target, Unreachable, url};

/// Columns shown of a message.
const WIDTH: usize = 96;

/// Lines shown of standard error.
const STDERR_LINES: usize = 12;

/// The line of progress while the first answer is waited for.
pub(super) fn waiting(options: &Options, what: &str) -> String {
    let limit = options.start_limit();
    match &options.target {
        Target::Command(command) => {
            let command = command.join(" ");
            format!("{what}: waits for the first answer of `{command}`, up to {limit}")
        }
        _ => format!("{what}: waits for the first answer, up to {limit}"),
    }
}

/// The course of the first contact.
#[derive(Default)]
pub(super) struct Contact {
    /// Whether no answer came in time.
    pub(super) is_silent: bool,
    /// Whether the server ended, or its connection.
    pub(super) is_closed: bool,
    /// The method of the first request.
    method: &'static str,
    answer: Option<(Answer, Vec<Record>)>,
    /// The fault of the answer to `initialize`, and its bytes.
    malformed: Option<(String, Range<usize>, Vec<u8>)>,
    /// The first line on standard output that is no message.
    noise: Option<String>,
    exit: Option<String>,
    stderr: String,
}

impl Contact {
    /// Tracks how the server took the first message.
    pub(super) fn note(&mut self, client: &mut Client<'_>, method: &'static str, answer: &Answer) {
        self.method = method;
        self.is_silent = answer.reply == Reply::Silence;
        self.is_closed = answer.reply == Reply::Closed;
        let at = |at: &usize| client.records.get(*at).cloned();
        let records = answer.evidence.iter().filter_map(at).collect();
        self.answer = Some((answer.clone(), records));
        let broken = client.broken.iter().find(|broken| {
            let record = client.records.get(broken.at);
            record.is_some_and(|record| !record.is_noise() && !record.bytes().is_empty())
        });
        self.malformed = broken.map(|broken| {
            let bytes = client.records[broken.at].bytes().to_vec();
            (
                broken.message.clone(),
                broken.span.start as usize..broken.span.end as usize,
                bytes,
            )
        });
        let noise = client.records.iter().find(|record| record.is_noise());
        self.noise = noise.map(|record| first_line(record.bytes()));
        if answer.result().is_none() {
            let (exit, stderr) = client.last_words();
            self.exit = exit;
            self.stderr = stderr;
        }
    }

    /// Whether the first answer shows that there is somebody to talk to.
    pub(super) fn reachable(client: &Client<'_>, answer: &Answer) -> Result<(), Unreachable> {
        let Some((status, headers, body)) = client.records.iter().take(4).find_map(response) else {
            if client.is_http() && answer.reply == Reply::Closed {
                let why = client.failure.clone();
                let why = why.unwrap_or_else(|| "no answer to the first request".to_owned());
                return Err(Unreachable::Connect(why));
            }
            return Ok(());
        };
        let endpoint = client.endpoint();
        match status {
            401 | 403 => Err(Unreachable::Authorisation(status)),
            300..=399 => Err(Unreachable::NotMcp(redirect(endpoint, status, headers))),
            429 => Err(Unreachable::NotMcp(too_many(headers, body))),
            _ => Ok(()),
        }
    }

    /// Whether the answer to POST is one of a server with the transport of 2024-11-05.
    pub(super) fn may_be_oldest(&self) -> bool {
        let reply = self.answer.as_ref().map(|(answer, _)| &answer.reply);
        match reply {
            Some(Reply::Status(status)) => (400..500).contains(status),
            Some(Reply::Error(..)) | None => true,
            _ => false,
        }
    }

    /// The refusal of `initialize`, with its records.
    pub(super) fn refusal(&self) -> Option<&(Answer, Vec<Record>)> {
        self.answer.as_ref()
    }
}

/// The reason why no revision was agreed on.
pub(super) fn diagnose(options: &Options, contact: &Contact) -> Unreachable {
    let mut text = match &options.target {
        Target::Url { url, headers } => match of_http(options, url, headers, contact) {
            Some(text) => return Unreachable::NotMcp(text),
            None => String::new(),
        },
        _ => String::new(),
    };
    let method = contact.method;
    let reply = contact.answer.as_ref().map(|(answer, _)| &answer.reply);
    match (reply, &contact.malformed) {
        (Some(answer @ Reply::Error(code, error)), _) if is_error(answer) => {
            let message = error["message"].as_str().unwrap_or_default();
            let _ = write!(text, "`{method}` was refused with error {code}: {message}");
            if let Some(bytes) = answered(contact) {
                let found = find(&bytes, &error["message"].to_string());
                text += &excerpt(&bytes, found, "this is the refusal");
            }
        }
        (_, Some((message, span, bytes))) => {
            let _ = write!(text, "the answer to `{method}` is malformed");
            text += &excerpt(bytes, span.clone(), message);
        }
        (Some(Reply::Silence), _) if options.interrupt.is_set() => {
            let _ = write!(
                text,
                "interrupted while waiting for the answer to `{method}`"
            );
        }
        (Some(Reply::Silence), _) => {
            let limit = options.start_limit();
            let _ = write!(text, "no answer to `{method}` came within {limit}");
        }
        (Some(Reply::Closed), _) if contact.exit.is_none() => {
            let _ = write!(
                text,
                "the server closed its output before it answered `{method}`"
            );
        }
        _ => {}
    }
    if let Some(exit) = &contact.exit {
        let separator = if text.is_empty() { "" } else { "; " };
        let _ = write!(
            text,
            "{separator}the server {exit} before it completed a handshake"
        );
    }
    if text.is_empty() {
        text += "the server completed no handshake in any revision";
    }
    if let Some(noise) = &contact.noise {
        let _ = write!(text, "\n  its standard output begins with: {noise}");
    }
    text += &stderr_lines(&contact.stderr);
    if contact.is_silent
        && let Some(url) = named_url(contact.noise.as_deref(), &contact.stderr)
    {
        let _ = write!(
            text,
            "\n  it may serve over HTTP: start it, and then mcp-assay probe --url {url}"
        );
    }
    Unreachable::NoHandshake(text)
}

/// The first URL of this machine that a silent server names.
fn named_url(noise: Option<&str>, stderr: &str) -> Option<String> {
    let words = noise.into_iter().chain([stderr]);
    let mut words = words.flat_map(|text| text.split([' ', '\t', '\n', '"', '\'', '(', ')', ',']));
    let url = words.find(|word| word.starts_with("http://") && url::is_local(word))?;
    Some(url.trim_end_matches(['.', ';', ':']).to_owned())
}

/// The last lines of standard error, indented.
fn stderr_lines(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let from = lines.len().saturating_sub(STDERR_LINES);
    let shown: Vec<_> = lines[from..]
        .iter()
        .map(|line| format!("\n  | {line}"))
        .collect();
    format!("\n  its standard error ends with:{}", shown.concat())
}

fn of_http(options: &Options, url: &str, given: &Pairs, contact: &Contact) -> Option<String> {
    let (answer, records) = contact.answer.as_ref()?;
    let (status, headers, body) = records.iter().find_map(response)?;
    let kind = header(headers, "content-type").unwrap_or_default();
    let is_html = kind.contains("html") || body.trim_ascii_start().starts_with(b"<");
    match status {
        404 | 405 => {
            let path = url::path(url);
            let mut text = format!("POST {path} is answered with status {status}");
            let found = reachable_paths::find(options, url, given);
            for (path, what) in &found {
                let there = format!("{}{path}", url::origin(url));
                let _ = write!(text, "\n  {path} answers {what}: try --url {there}");
            }
            if found.is_empty() {
                let _ = write!(
                    text,
                    "; nor does any of {} answer at {}",
                    reachable_paths::NAMES,
                    url::origin(url)
                );
            }
            Some(text)
        }
        500..=599 => {
            let title = title(body).filter(|_| is_html);
            let line = title.unwrap_or_else(|| first_line(body));
            Some(format!(
                "the server failed with status {status}{}",
                if line.is_empty() {
                    line
                } else {
                    format!(": {line}")
                }
            ))
        }
        _ if is_html => {
            let title = title(body);
            let title = title.map_or_else(String::new, |title| format!(" titled `{title}`"));
            Some(format!(
                "status {status} came with a web page{title}, not with a message: this is no MCP \
                 endpoint"
            ))
        }
        400..=499 if !is_error(&answer.reply) => {
            let line = first_line(body);
            Some(format!(
                "`{}` was refused with status {status}{}",
                contact.method,
                if line.is_empty() {
                    line
                } else {
                    format!(": {line}")
                }
            ))
        }
        _ if matches!(answer.reply, Reply::Status(_)) && body.is_empty() => Some(format!(
            "`{}` was answered with status {status} and no message",
            contact.method
        )),
        _ => None,
    }
}

/// Whether it is an error of JSON-RPC, and not only a body with a member of that name.
fn is_error(reply: &Reply) -> bool {
    matches!(reply, Reply::Error(_, error) if error["code"].is_i64())
}

fn redirect(from: &str, status: u16, headers: &Pairs) -> String {
    let Some(location) = header(headers, "location") else {
        return format!("the server redirects with status {status}, and does not say where to");
    };
    let target = url::absolute(from, location).unwrap_or_else(|| location.to_owned());
    let text = format!("the server redirects with status {status} to {target}");
    if target.starts_with("http://") || target.starts_with("https://") {
        format!("{text}\n  if you trust it: mcp-assay probe --url {target}")
    } else {
        text
    }
}

fn too_many(headers: &Pairs, body: &[u8]) -> String {
    let mut text = "the server limits requests (status 429)".to_owned();
    match header(headers, "retry-after") {
        Some(after) if after.trim().parse::<u64>().is_ok() => {
            let _ = write!(text, "; it says to retry after {} s", after.trim());
        }
        Some(after) => {
            let _ = write!(text, "; it says to retry after {after}");
        }
        None => text += "; it does not say when to retry",
    }
    let line = first_line(body);
    if !line.is_empty() {
        let _ = write!(text, "\n  {line}");
    }
    text
}

fn response(record: &Record) -> Option<(u16, &Pairs, &[u8])> {
    match &record.content {
        Content::Response {
            status,
            headers,
            body,
            ..
        } => Some((*status, headers, body)),
        _ => None,
    }
}

fn header<'h>(headers: &'h Pairs, name: &str) -> Option<&'h str> {
    let named = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
    headers.iter().find(named).map(|(_, value)| value.as_str())
}

/// The bytes of the answer.
fn answered(contact: &Contact) -> Option<Vec<u8>> {
    let (_, records) = contact.answer.as_ref()?;
    records.get(1).map(|record| record.bytes().to_vec())
}

/// The first line that is not blank, shortened.
fn first_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    shortened(line.unwrap_or_default())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(WIDTH * 2) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The title of a web page.
fn title(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&body[..body.len().min(16 << 10)]);
    let lower = text.to_ascii_lowercase();
    let from = lower.find("<title>")? + "<title>".len();
    let until = from + lower[from..].find("</title>")?;
    Some(shortened(text[from..until].trim()))
}

/// The bytes of a text in a message; all of it if it is written in another way.
fn find(bytes: &[u8], text: &str) -> Range<usize> {
    let at = bytes
        .windows(text.len().max(1))
        .position(|part| part == text.as_bytes());
    match at {
        Some(at) => at..at + text.len(),
        None => 0..bytes.len(),
    }
}

/// A line of a message with carets under a part of it.
fn excerpt(bytes: &[u8], place: Range<usize>, message: &str) -> String {
    let text = String::from_utf8_lossy(bytes);
    if text.len() != bytes.len() {
        // Offsets would be those of other bytes.
        return format!(": {message}\n    {}", first_line(bytes));
    }
    let (start, end) = (place.start.min(bytes.len()), place.end.min(bytes.len()));
    let line_start = text[..floor(&text, start)]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let line_end = text[floor(&text, start)..]
        .find('\n')
        .map_or(text.len(), |at| floor(&text, start) + at);
    // A long line is shown from a little before the place.
    let from = floor(&text, line_start.max(start.saturating_sub(WIDTH / 2)));
    let until = floor(&text, line_end.min(from + WIDTH));
    let before = text[from..floor(&text, start).clamp(from, until)]
        .chars()
        .count();
    let under = text[floor(&text, start).clamp(from, until)..floor(&text, end).clamp(from, until)]
        .chars()
        .count();
    let line: String = text[from..until]
        .chars()
        .map(|char| if char.is_control() { ' ' } else { char })
        .collect();
    let carets = "^".repeat(under.max(1));
    format!("\n    {line}\n    {}{carets} {message}", " ".repeat(before))
}

/// The nearest boundary of a character at or before an offset.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_the_place() {
        let shown = excerpt(b"{\"id\":true}", 6..10, "expected a number");
        assert_eq!(
            shown,
            "\n    {\"id\":true}\n          ^^^^ expected a number"
        );
        let long = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let shown = excerpt(long.as_bytes(), 500..501, "here");
        let lines: Vec<_> = shown.lines().skip(1).collect();
        assert_eq!(lines[0].find('X'), lines[1].find('^'), "{shown}");
        assert!(lines[0].len() <= WIDTH + 4, "{shown}");
        assert!(excerpt("é".as_bytes(), 1..2, "inside").contains('^'));
        assert!(excerpt(b"\xff", 0..1, "bytes").contains("bytes"));
        assert!(excerpt(b"", 7..9, "nothing").contains("nothing"));
    }

    #[test]
    fn only_the_last_lines_of_standard_error_are_shown() {
        let lines: Vec<_> = (0..40).map(|number| format!("line {number}")).collect();
        let shown = stderr_lines(&lines.join("\n"));
        assert_eq!(shown.matches("\n  | ").count(), STDERR_LINES);
        assert!(shown.ends_with("line 39"), "{shown}");
    }
}
