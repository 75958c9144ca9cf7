//! The rows of a source.

use std::collections::{BTreeSet, HashMap};

use super::escape::{self, add};
use super::row::{ANCHOR, NEVER_CAME, Row};
use crate::sarif::fingerprint;

/// Rows that browsers lay out together.
const BLOCK: usize = 100;
/// Requests that wait for their answer.
const MAX_OPEN: usize = 10_000;

/// The source that rows come from.
pub(super) struct Section {
    pub(super) source: String,
    /// The prefix of its anchors.
    pub(super) slug: String,
    /// Whether its heading is written.
    pub(super) begun: bool,
    rows: usize,
    /// Rows that were left out since the last one.
    pub(super) gap: u64,
    pub(super) sessions: HashMap<Option<String>, usize>,
    start: Option<f64>,
    /// By session, sender and id.
    open: HashMap<(usize, String, String), Sent>,
}

impl Section {
    pub(super) fn new(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            slug: slug(source),
            begun: false,
            rows: 0,
            gap: 0,
            sessions: HashMap::new(),
            start: None,
            open: HashMap::new(),
        }
    }

    pub(super) fn begin(&mut self, out: &mut String) {
        if self.begun {
            return;
        }
        self.begun = true;
        add(
            out,
            format_args!(
                "<section><h2 id=\"{}\">{}</h2><div class=\"lanes\" aria-hidden=\"true\"><span>line</span><span>time</span>\
             <span>client</span><span>server</span></div><div class=\"b\">\n",
                escape::text(&self.slug),
                escape::text(&self.source)
            ),
        );
    }

    /// Blocks are what a browser lays out at once.
    pub(super) fn next_block(&mut self, out: &mut String) {
        if self.rows > 0 && self.rows.is_multiple_of(BLOCK) {
            out.push_str("</div><div class=\"b\">\n");
        }
        self.rows += 1;
    }

    pub(super) fn write_gap(&mut self, out: &mut String) {
        if self.gap > 0 && self.begun {
            add(
                out,
                format_args!("<p class=\"gap\">{} rows are left out here</p>\n", self.gap),
            );
            self.gap = 0;
        }
    }

    pub(super) fn write_row(
        &mut self,
        row: &Row,
        anchor: &str,
        session: usize,
        has_body: bool,
        out: &mut String,
    ) {
        let pair = self.pair(row, anchor, session);
        let time = row.time.map(|time| time - *self.start.get_or_insert(time));
        let anchor = escape::text(anchor);
        write_opening(row, &anchor, session, pair.as_ref(), out);
        write_line(row, &anchor, time, pair.as_ref(), out);
        out.push_str("<div class=\"body\">");
        if let Some(pair) = pair {
            add(
                out,
                format_args!(
                    "<p class=\"pair\">{} <a href=\"#{}\">line {}</a>{}</p>",
                    if row.kind == NEVER_CAME {
                        "asked for in"
                    } else {
                        "answers"
                    },
                    escape::text(&pair.anchor),
                    pair.line,
                    pair.took
                        .map_or_else(String::new, |took| format!(" after {}", duration(took)))
                ),
            );
        }
        if has_body {
            out.push_str(&row.body.replace(ANCHOR, &anchor));
        } else {
            add(
                out,
                format_args!(
                    "<p class=\"more\">{} bytes, which are not shown: the page holds enough already</p>",
                    row.size
                ),
            );
        }
        out.push_str("</div></details>\n");
    }

    /// The request that a response answers. A request is kept until its answer comes.
    fn pair(&mut self, row: &Row, anchor: &str, session: usize) -> Option<Pair> {
        let id = row.id.clone()?;
        match row.kind.as_str() {
            "request" => {
                if self.open.len() < MAX_OPEN {
                    let sent = Sent {
                        time: row.time,
                        anchor: anchor.to_owned(),
                        line: row.line,
                    };
                    self.open.insert((session, row.direction.clone(), id), sent);
                }
                None
            }
            "response" | "error" | NEVER_CAME => {
                let asked_by = match row.direction.as_str() {
                    "c2s" => "s2c",
                    "s2c" => "c2s",
                    _ => return None,
                };
                let key = (session, asked_by.to_owned(), id);
                let sent = self.open.remove(&key)?;
                let times = row.time.zip(sent.time);
                let took = times.map(|(answered, asked)| answered - asked);
                Some(Pair {
                    anchor: sent.anchor,
                    line: sent.line,
                    took: took.filter(|took| *took >= 0.0),
                })
            }
            _ => None,
        }
    }
}

/// The names of the levels, from none to the gravest.
const GRADES: [&str; 4] = ["", "note", "warning", "error"];

/// The data of a row for filters and the style.
fn write_opening(row: &Row, anchor: &str, session: usize, pair: Option<&Pair>, out: &mut String) {
    let grade = row.grade();
    let class = match grade {
        0 if !row.is_message => "http",
        grade => GRADES[usize::from(grade.min(3))],
    };
    let direction = &row.direction;
    add(
        out,
        format_args!(
            "<details class=\"m {direction} {class}\" id=\"{anchor}\" data-s=\"{session}\""
        ),
    );
    if grade > 0 {
        let rules: BTreeSet<&str> = row.found.iter().map(|found| found.rule.as_str()).collect();
        let rules: Vec<&str> = rules.into_iter().collect();
        let rules = escape::text(&rules.join(" "));
        add(out, format_args!(" data-l=\"{grade}\" data-r=\"{rules}\""));
    }
    if let Some(method) = &row.method {
        add(out, format_args!(" data-m=\"{}\"", escape::text(method)));
    }
    // A request is marked by its answer, not by a missing one.
    if let Some(pair) = pair.filter(|_| row.kind != NEVER_CAME) {
        let asked = escape::text(&pair.anchor);
        add(out, format_args!(" data-q=\"{asked}\""));
    }
    out.push('>');
}

/// The part of a row that is visible before it is opened.
fn write_line(row: &Row, anchor: &str, time: Option<f64>, pair: Option<&Pair>, out: &mut String) {
    let arrow = match row.direction.as_str() {
        "c2s" => "→",
        "s2c" => "←",
        _ => "·",
    };
    let time = time.map_or_else(String::new, |time| format!("{time:.3}"));
    add(
        out,
        format_args!(
            "<summary><a class=\"at\" href=\"#{anchor}\">{}</a><span class=\"t\">{time}</span>\
             <span class=\"msg\">{arrow} <span class=\"k\">{}</span>",
            row.line,
            escape::text(&row.kind)
        ),
    );
    if let Some(method) = &row.method {
        add(out, format_args!(" <b>{}</b>", escape::text(method)));
    }
    if let Some(id) = &row.id {
        let id = escape::text(id);
        add(out, format_args!(" <span class=\"id\">{id}</span>"));
    }
    if let Some(took) = pair.and_then(|pair| pair.took) {
        let took = duration(took);
        add(out, format_args!(" <span class=\"took\">{took}</span>"));
    }
    let grade = row.grade();
    if grade > 0 {
        let level = GRADES[usize::from(grade.min(3))];
        let gravest = row.found.iter().find(|found| found.level + 1 == grade);
        let name = escape::text(gravest.map_or("", |found| found.rule.as_str()));
        let more = match row.found.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        add(
            out,
            format_args!(
                " <span class=\"lv {level}\">{level}</span> <span class=\"named\">{name}{more}</span>"
            ),
        );
    }
    out.push_str("</span></summary>");
}

/// A request that waits for its answer.
struct Sent {
    time: Option<f64>,
    anchor: String,
    line: u64,
}

/// The request that was answered.
struct Pair {
    anchor: String,
    line: u64,
    /// Seconds.
    took: Option<f64>,
}

/// A name that is the same in every report, and that no other source has.
pub(super) fn slug(source: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "._-/".contains(character);
    if source.chars().all(plain) {
        return source.to_owned();
    }
    let readable: String = source
        .chars()
        .map(|character| if plain(character) { character } else { '-' })
        .collect();
    format!("{readable}-{}", &fingerprint(&[source])[..8])
}

fn duration(seconds: f64) -> String {
    let milliseconds = seconds * 1000.0;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{seconds:.2} s")
    }
}
