//! The page: rows in sections by source, the data of the filters, and the summary on top.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::escape;
use super::row::{Entry, Row};
use super::section::Section;
use super::summary;
use crate::Totals;
use crate::document::Gather;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Rows of messages that pass, and bytes of their details: browsers slow down on larger pages.
pub(super) const MAX_PASSING: usize = 10_000;
const MAX_PASSING_BYTES: usize = 12 << 20;
/// Rows of messages with violations, and bytes of their details.
pub(super) const MAX_FAULTY: usize = 5_000;
const MAX_FAULTY_BYTES: usize = 24 << 20;
/// Sessions and methods to choose from, sources that could not be read.
const MAX_CHOICES: usize = 500;

/// The content of the page so far.
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
    /// The fault, in the words of the rule.
    pub(super) summary: String,
    pub(super) count: u64,
    /// The first row that shows it.
    pub(super) first: Option<String>,
}

/// The number of shown and of all items.
#[derive(Default)]
struct Shown {
    rows: usize,
    bytes: usize,
    left_out: u64,
}

impl Gather for Page {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        match Entry::read(line)? {
            Entry::Row(row) => self.row(&row),
            Entry::Source { source, failure } => {
                self.close();
                if self.failures.len() < MAX_CHOICES {
                    self.failures
                        .extend(failure.map(|failure| (source, failure)));
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        self.close();
        let header = summary::header(&self, totals);
        self.write(&summary::title(totals), &header, out)
    }
}

impl Page {
    /// Writes the page; `header` is the HTML above the timeline.
    pub(super) fn write(&self, title: &str, header: &str, out: &mut dyn Write) -> io::Result<()> {
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
            escape::text(title),
        )?;
        out.write_all(header.as_bytes())?;
        out.write_all(b"<main>\n")?;
        out.write_all(self.timeline.as_bytes())?;
        write!(
            out,
            "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )
    }

    /// Messages that pass, and others, that are not shown.
    pub(super) fn left_out(&self) -> (u64, u64) {
        (self.passing.left_out, self.faulty.left_out)
    }

    /// Whether there is a row to jump to.
    pub(super) fn has_anchor(&self, anchor: &str) -> bool {
        self.anchors.contains(anchor)
    }

    pub(super) fn row(&mut self, row: &Row) {
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

    pub(super) fn close(&mut self) {
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
            (&mut self.passing, MAX_PASSING, MAX_PASSING_BYTES)
        } else {
            (&mut self.faulty, MAX_FAULTY, MAX_FAULTY_BYTES)
        };
        let has_body = shown.bytes + row.body.len() <= most_bytes;
        // A message that passes is worth a row without its bytes; a violation is not.
        let room = shown.rows < most_rows && (has_body || grade == 0) && !row.is_surplus;
        if room {
            shown.rows += 1;
            shown.bytes += if has_body { row.body.len() } else { 0 };
        } else {
            shown.left_out += 1;
            section.gap += 1;
        }
        let anchor = room.then(|| self.anchor(section, row.line));
        for (index, found) in row.found.iter().enumerate() {
            let broken = self.rules.entry(found.rule.clone()).or_insert(Broken {
                level: found.level,
                summary: found.summary.clone(),
                count: 0,
                first: None,
            });
            broken.level = broken.level.max(found.level);
            broken.count += 1;
            if broken.first.is_none() {
                let anchor = anchor.as_ref();
                broken.first = anchor.map(|anchor| format!("{anchor}.{}", index + 1));
            }
        }
        let Some(anchor) = anchor else { return };
        if let Some(method) = &row.method
            && (self.methods.len() < MAX_CHOICES || self.methods.contains_key(method))
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
        if number >= MAX_CHOICES {
            return MAX_CHOICES;
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
