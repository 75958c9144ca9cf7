//! The page: rows in sections by source, what the filters need to know, and the summary on top.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mcp_assay::rules;
use sha2::{Digest, Sha256};

use super::escape;
use super::row::{ANCHOR, Entry, Row};
use super::summary;
use crate::Totals;
use crate::document::Gather;
use crate::sarif::fingerprint;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Rows of messages that pass, and bytes of what opens in them: a page must stay one that browsers like.
const MOST_PASSING: usize = 10_000;
const MOST_PASSING_BYTES: usize = 12 << 20;
/// Rows of messages with violations, and bytes of what opens in them.
const MOST_FAULTY: usize = 5_000;
const MOST_FAULTY_BYTES: usize = 24 << 20;
/// Rows that browsers lay out together.
const BLOCK: usize = 100;
/// Requests that wait for their answer, sessions and methods to choose from, sources that could not be read.
const MOST_OPEN: usize = 10_000;
const MOST_CHOICES: usize = 500;

/// Everything that is on the page, so far.
#[derive(Default)]
pub(super) struct Page {
    /// HTML of the sections.
    timeline: String,
    section: Option<Section>,
    pub(super) rules: BTreeMap<String, Broken>,
    /// Labels of sessions; their number is in the rows.
    pub(super) sessions: Vec<String>,
    pub(super) methods: BTreeMap<String, u64>,
    anchors: HashSet<String>,
    passing: Shown,
    faulty: Shown,
    pub(super) failures: Vec<(String, String)>,
}

/// A rule that was broken.
pub(super) struct Broken {
    pub(super) level: u8,
    pub(super) count: u64,
    /// The first row that shows it.
    pub(super) first: Option<String>,
}

/// How much of something is shown.
#[derive(Default)]
struct Shown {
    rows: usize,
    bytes: usize,
    left_out: u64,
}

/// The source that rows come from.
struct Section {
    source: String,
    /// What anchors in it begin with.
    slug: String,
    /// Whether its heading is written.
    begun: bool,
    rows: usize,
    /// Rows that were left out since the last one.
    gap: u64,
    sessions: HashMap<Option<String>, usize>,
    start: Option<f64>,
    /// By session, sender and id: when it was sent, and its anchor.
    open: HashMap<(usize, String, String), (Option<f64>, String, u64)>,
}

impl Gather for Page {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        match Entry::read(line)? {
            Entry::Row(row) => self.row(&row),
            Entry::Source { source, failure } => {
                self.close();
                if self.failures.len() < MOST_CHOICES {
                    self.failures
                        .extend(failure.map(|failure| (source, failure)));
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        self.close();
        let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"generator\" content=\"mcp-assay {}\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
            hash(STYLE),
            hash(SCRIPT),
            env!("CARGO_PKG_VERSION"),
            escape::text(&summary::title(totals)),
        )?;
        let left_out = (self.passing.left_out, self.faulty.left_out);
        out.write_all(summary::header(&self, totals, left_out).as_bytes())?;
        out.write_all(b"<main>\n")?;
        out.write_all(self.timeline.as_bytes())?;
        write!(
            out,
            "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )
    }
}

impl Page {
    fn row(&mut self, row: &Row) {
        let mut section = match self.section.take() {
            Some(section) if section.source == row.source => section,
            other => {
                self.section = other;
                self.close();
                Section::new(&row.source)
            }
        };
        self.place(&mut section, row);
        self.section = Some(section);
    }

    fn close(&mut self) {
        if let Some(mut section) = self.section.take()
            && section.begun
        {
            section.write_gap(&mut self.timeline);
            self.timeline.push_str("</div></section>\n");
        }
    }

    /// Puts a row into the section, if there is room for it.
    fn place(&mut self, section: &mut Section, row: &Row) {
        let grade = row.grade();
        let (shown, most_rows, most_bytes) = if grade == 0 {
            (&mut self.passing, MOST_PASSING, MOST_PASSING_BYTES)
        } else {
            (&mut self.faulty, MOST_FAULTY, MOST_FAULTY_BYTES)
        };
        let has_body = shown.bytes + row.body.len() <= most_bytes;
        // A message that passes is worth a row without its bytes; a violation is not.
        let room = shown.rows < most_rows && (has_body || grade == 0);
        if room {
            shown.rows += 1;
            shown.bytes += if has_body { row.body.len() } else { 0 };
        } else {
            shown.left_out += 1;
            section.gap += 1;
        }
        let anchor = room.then(|| self.anchor(section, row.line));
        for (index, (rule, level)) in row.found.iter().enumerate() {
            let broken = self.rules.entry(rule.clone()).or_insert(Broken {
                level: *level,
                count: 0,
                first: None,
            });
            broken.level = broken.level.max(*level);
            broken.count += 1;
            if broken.first.is_none() {
                let anchor = anchor.as_ref();
                broken.first = anchor.map(|anchor| format!("{anchor}.{}", index + 1));
            }
        }
        let Some(anchor) = anchor else { return };
        if let Some(method) = &row.method
            && (self.methods.len() < MOST_CHOICES || self.methods.contains_key(method))
        {
            *self.methods.entry(method.clone()).or_default() += 1;
        }
        let session = self.session(section, row);
        section.begin(&mut self.timeline);
        section.write_gap(&mut self.timeline);
        section.next_block(&mut self.timeline);
        section.write_row(row, &anchor, session, has_body, &mut self.timeline);
    }

    /// The number of the row's session among all.
    fn session(&mut self, section: &mut Section, row: &Row) -> usize {
        if let Some(&known) = section.sessions.get(&row.session) {
            return known;
        }
        let number = self.sessions.len();
        if number >= MOST_CHOICES {
            return MOST_CHOICES;
        }
        self.sessions.push(match &row.session {
            Some(session) => format!("{} · {session}", row.source),
            None => row.source.clone(),
        });
        section.sessions.insert(row.session.clone(), number);
        number
    }

    /// `log.ndjson:7`; a second row of the same line is `log.ndjson:7~2`.
    fn anchor(&mut self, section: &Section, line: u64) -> String {
        let plain = format!("{}:{line}", section.slug);
        let mut anchor = plain.clone();
        let mut number = 2;
        while !self.anchors.insert(anchor.clone()) {
            anchor = format!("{plain}~{number}");
            number += 1;
        }
        anchor
    }
}

impl Section {
    fn new(source: &str) -> Self {
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

    fn begin(&mut self, out: &mut String) {
        if self.begun {
            return;
        }
        self.begun = true;
        out.push_str(&format!(
            "<section><h2 id=\"{}\">{}</h2><div class=\"lanes\" aria-hidden=\"true\"><span>line</span><span>time</span>\
             <span>client</span><span>server</span></div><div class=\"b\">\n",
            escape::text(&self.slug),
            escape::text(&self.source)
        ));
    }

    /// Blocks are what a browser lays out at once.
    fn next_block(&mut self, out: &mut String) {
        if self.rows > 0 && self.rows.is_multiple_of(BLOCK) {
            out.push_str("</div><div class=\"b\">\n");
        }
        self.rows += 1;
    }

    fn write_gap(&mut self, out: &mut String) {
        if self.gap > 0 && self.begun {
            out.push_str(&format!(
                "<p class=\"gap\">{} rows are left out here</p>\n",
                self.gap
            ));
            self.gap = 0;
        }
    }

    fn write_row(
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
        let grade = row.grade();
        let level = ["", "note", "warning", "error"][usize::from(grade.min(3))];
        let class = if row.is_message || grade > 0 {
            level
        } else {
            "http"
        };
        let rules: BTreeSet<&str> = row.found.iter().map(|(rule, _)| rule.as_str()).collect();
        let rules: Vec<&str> = rules.into_iter().collect();
        let (direction, arrow) = match row.direction.as_str() {
            "c2s" => ("c2s", "→"),
            "s2c" => ("s2c", "←"),
            _ => ("", "·"),
        };
        out.push_str(&format!(
            "<details class=\"m {direction} {class}\" id=\"{anchor}\" data-s=\"{session}\""
        ));
        if grade > 0 {
            out.push_str(&format!(
                " data-l=\"{grade}\" data-r=\"{}\"",
                escape::text(&rules.join(" "))
            ));
        }
        if let Some(method) = &row.method {
            out.push_str(&format!(" data-m=\"{}\"", escape::text(method)));
        }
        if let Some(pair) = &pair {
            out.push_str(&format!(" data-q=\"{}\"", escape::text(&pair.anchor)));
        }
        let time = time.map_or_else(String::new, |time| format!("{time:.3}"));
        out.push_str(&format!(
            "><summary><a class=\"at\" href=\"#{anchor}\">{}</a><span class=\"t\">{time}</span><span class=\"msg\">{arrow} <span class=\"k\">{}</span>",
            row.line,
            escape::text(&row.kind)
        ));
        if let Some(method) = &row.method {
            out.push_str(&format!(" <b>{}</b>", escape::text(method)));
        }
        if let Some(id) = &row.id {
            out.push_str(&format!(" <span class=\"id\">{}</span>", escape::text(id)));
        }
        if let Some(took) = pair.as_ref().and_then(|pair| pair.took) {
            out.push_str(&format!(" <span class=\"took\">{}</span>", duration(took)));
        }
        if grade > 0 {
            let gravest = row.found.iter().find(|(_, level)| level + 1 == grade);
            let name = gravest.map_or("", |(rule, _)| rule);
            let more = match row.found.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            out.push_str(&format!(
                " <span class=\"lv {level}\">{level}</span> <span class=\"named\">{}{more}</span>",
                escape::text(name)
            ));
        }
        out.push_str("</span></summary><div class=\"body\">");
        if let Some(pair) = pair {
            out.push_str(&format!(
                "<p class=\"pair\">answers <a href=\"#{}\">line {}</a>{}</p>",
                escape::text(&pair.anchor),
                pair.line,
                pair.took
                    .map_or_else(String::new, |took| format!(" after {}", duration(took)))
            ));
        }
        if has_body {
            out.push_str(&row.body.replace(ANCHOR, &anchor));
        } else {
            out.push_str(&format!(
                "<p class=\"more\">{} bytes, which are not shown: the page holds enough already</p>",
                row.size
            ));
        }
        out.push_str("</div></details>\n");
    }

    /// The request that a response answers. A request is kept until its answer comes.
    fn pair(&mut self, row: &Row, anchor: &str, session: usize) -> Option<Pair> {
        let id = row.id.clone()?;
        match row.kind.as_str() {
            "request" => {
                if self.open.len() < MOST_OPEN {
                    let sent = (row.time, anchor.to_owned(), row.line);
                    self.open.insert((session, row.direction.clone(), id), sent);
                }
                None
            }
            "response" | "error" => {
                let asked_by = match row.direction.as_str() {
                    "c2s" => "s2c",
                    "s2c" => "c2s",
                    _ => return None,
                };
                let key = (session, asked_by.to_owned(), id);
                let (sent, anchor, line) = self.open.remove(&key)?;
                let took = row.time.zip(sent).map(|(answered, sent)| answered - sent);
                Some(Pair {
                    anchor,
                    line,
                    took: took.filter(|took| *took >= 0.0),
                })
            }
            _ => None,
        }
    }
}

/// A request and its answer.
struct Pair {
    anchor: String,
    line: u64,
    /// Seconds.
    took: Option<f64>,
}

/// The level and the sentence of a rule, for the summary.
pub(super) fn about(rule: &str) -> &'static str {
    rules::find(rule).map_or(
        crate::finding::BROKEN_RECORD_SUMMARY,
        mcp_assay::Rule::summary,
    )
}

/// A name that is the same in every report, and that no other source has.
fn slug(source: &str) -> String {
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
