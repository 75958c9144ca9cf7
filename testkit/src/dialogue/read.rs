//! From the drawing to the steps.

use mcp_assay::{Direction, Party, Policy};

use super::{Dialogue, Head, HttpStep, Mark, MarkPlace, Step};

const INDENT: usize = 4;

impl Dialogue {
    /// Reads a dialogue. `options` begin with the revision: `2025-06-18,only,raw,bytes:100`.
    ///
    /// # Panics
    ///
    /// If it cannot be read: it is part of a test.
    #[must_use]
    pub fn read<'l>(name: &str, options: &str, lines: impl IntoIterator<Item = &'l str>) -> Self {
        let mut words = options.split(',');
        let revision = words.next().unwrap_or_default();
        let revision = revision
            .parse()
            .unwrap_or_else(|error| panic!("{name}: `{revision}`: {error}"));
        let mut dialogue = Self {
            revision,
            only: false,
            policy: Policy::default(),
            stdio: false,
            auto: false,
            options: Vec::new(),
            steps: Vec::new(),
            marks: Vec::new(),
        };
        for word in words {
            dialogue.option(name, word);
        }
        for line in lines {
            dialogue.line(name, line);
        }
        dialogue
    }

    fn option(&mut self, name: &str, word: &str) {
        let (key, value) = word.split_once(':').unwrap_or((word, ""));
        let number = || {
            value
                .parse()
                .unwrap_or_else(|error| panic!("{name}: `{word}`: {error}"))
        };
        let limits = &mut self.policy.limits;
        match key {
            "only" => self.only = true,
            "without" => self
                .policy
                .selection
                .ignore(value)
                .unwrap_or_else(|error| panic!("{name}: `{word}`: {error}")),
            "stdio" => self.stdio = true,
            "auto" => self.auto = true,
            "bytes" => limits.bytes = number(),
            "depth" => limits.depth = number(),
            "tokens" => limits.tokens = number(),
            "open-requests" => limits.open_requests = number(),
            "violations" => limits.violations = number(),
            "ids" => limits.ids = number(),
            "progress-tokens" => limits.progress_tokens = number(),
            "cursors" => limits.cursors = number(),
            "listed" => limits.listed = number(),
            "subscriptions" => limits.subscriptions = number(),
            "tasks" => limits.tasks = number(),
            "elicitations" => limits.elicitations = number(),
            "streams" => limits.streams = number(),
            _ => self.options.push(word.to_owned()),
        }
    }

    fn line(&mut self, name: &str, line: &str) {
        if let Some(directive) = line.strip_prefix("=== ") {
            self.steps.push(directive_step(name, directive));
            return;
        }
        let direction = match line.get(..INDENT) {
            Some("--> ") => Some(Direction::ClientToServer),
            Some("<-- ") => Some(Direction::ServerToClient),
            _ => None,
        };
        match direction {
            Some(direction) => {
                let text = &line[INDENT..];
                let http = http_head(text).map(|(exchange, head)| {
                    Step::Http(HttpStep {
                        direction,
                        exchange,
                        head,
                        headers: Vec::new(),
                        body: None,
                    })
                });
                self.steps.push(http.unwrap_or_else(|| Step::Message {
                    direction,
                    text: text.trim_end_matches("<EOF>").to_owned(),
                    unterminated: text.ends_with("<EOF>"),
                }));
            }
            None if line.trim_start().starts_with('^') => self.mark(name, line),
            None if line.trim().is_empty() => {}
            None => {
                let Some(Step::Http(http)) = self.steps.last_mut() else {
                    panic!("{name}: neither message nor caret: {line}");
                };
                let text = line.get(INDENT..).unwrap_or_default();
                match header(text) {
                    Some(header) if http.body.is_none() => http.headers.push(header),
                    _ => {
                        let body = http.body.get_or_insert_default();
                        assert!(body.is_empty(), "{name}: a second body: {line}");
                        text.clone_into(body);
                    }
                }
            }
        }
    }

    fn mark(&mut self, name: &str, line: &str) {
        let start = line.chars().take_while(|c| *c != '^').count();
        let length = line.chars().skip(start).take_while(|c| *c == '^').count();
        let text: String = line.chars().skip(start + length).collect();
        let step = self
            .steps
            .len()
            .checked_sub(1)
            .unwrap_or_else(|| panic!("{name}: a caret under nothing"));
        assert!(
            start >= INDENT,
            "{name}: a caret left of the message: {line}"
        );
        let columns = MarkPlace::Columns(start - INDENT, start - INDENT + length);
        let place = match &self.steps[step] {
            Step::Message { .. } => columns,
            Step::Http(http) if http.body.is_some() => columns,
            Step::Http(http) if http.headers.is_empty() => MarkPlace::Head,
            Step::Http(http) => MarkPlace::Header(http.headers.len() - 1),
            _ => panic!("{name}: a caret under what is no message: {line}"),
        };
        self.marks.push(Mark {
            text: text.trim().to_owned(),
            step,
            place,
        });
    }
}

fn directive_step(name: &str, directive: &str) -> Step {
    let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
    match word {
        "open" => {
            let part = |key: &str| {
                let (_, tail) = rest.split_once(key)?;
                let end = tail
                    .find(" client:")
                    .or_else(|| tail.find(" server:"))
                    .unwrap_or(tail.len());
                Some(tail[..end].trim().to_owned())
            };
            Step::Open {
                client: part("client:").unwrap_or_else(|| "{}".to_owned()),
                server: part("server:").unwrap_or_else(|| "{}".to_owned()),
            }
        }
        "wait" => {
            let seconds = rest.strip_suffix("ms").map_or_else(
                || rest.strip_suffix('s').and_then(|text| text.parse().ok()),
                |text| text.parse::<f64>().ok().map(|value| value / 1000.0),
            );
            Step::Wait(seconds.unwrap_or_else(|| panic!("{name}: not a time: {rest}")))
        }
        "end" => Step::End(Party::named(rest)),
        _ => panic!("{name}: unknown directive: {directive}"),
    }
}

/// `POST /mcp #1`, `200 #1 stream`, `event #1 id:7`, `end #1 by:server`.
fn http_head(text: &str) -> Option<(Option<i64>, Head)> {
    let mut words = text.split(' ');
    let first = words.next()?;
    let rest: Vec<&str> = words.collect();
    let exchange = rest
        .iter()
        .find_map(|word| word.strip_prefix('#')?.parse().ok());
    let field = |key: &str| {
        rest.iter()
            .find_map(|word| word.strip_prefix(key))
            .map(str::to_owned)
    };
    let head = match first {
        "event" => Head::Event {
            name: field("name:"),
            id: field("id:"),
            retry: field("retry:").and_then(|text| text.parse().ok()),
        },
        "end" if rest.iter().all(|word| word.starts_with(['#', 'b'])) => Head::End {
            by: field("by:").as_deref().and_then(Party::named),
        },
        status if status.len() == 3 && status.bytes().all(|byte| byte.is_ascii_digit()) => {
            Head::Response {
                status: status.parse().ok()?,
                streamed: rest.contains(&"stream"),
            }
        }
        "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "PATCH" => Head::Request {
            method: first.to_owned(),
            path: rest.first()?.to_string(),
        },
        _ => return None,
    };
    Some((exchange, head))
}

/// `name: value`, or `…` for all that are usual.
fn header(text: &str) -> Option<(String, String)> {
    if text == "…" {
        return Some((String::new(), String::new()));
    }
    let (name, value) = text
        .split_once(": ")
        .or_else(|| Some((text.strip_suffix(':')?, "")))?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then(|| (name.to_owned(), value.to_owned()))
}
