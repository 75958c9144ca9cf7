//! SARIF 2.1.0, as code scanning reads it.
//!
//! A repeated fault of a source (rule, method, pointer) is one result with a count. At most
//! [`MAX_RESULTS`] results are kept, the gravest first; a notification reports how many were left
//! out. A region is the line of the capture, with columns if the line itself is the message. Byte
//! offsets count from the beginning of the message, not of the file, so they are properties.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::{Level, Policy, Rule, rules};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::document::{Gather, Lines};
use crate::finding::{Finding, level};
use crate::groups::{Entry, Group as FindingGroup, Grouping, MAX_LINES};
use crate::human::summary;
use crate::ndjson::clause;
use crate::{Collector, Context, Totals, levels, page, site};

/// Results of a run; GitHub shows no more.
const MAX_RESULTS: usize = 5000;

pub(crate) const GROUPING: Grouping = Grouping::ByPlace {
    groups: MAX_RESULTS,
};

pub(crate) fn collector(context: Arc<Context>) -> Box<dyn Collector> {
    Box::new(Lines::new(Sarif::new(context)))
}

/// Writes the given findings; `trouble` lists the failures of the run, `about` describes it.
pub(crate) fn write<'t>(
    findings: impl Iterator<Item = Finding>,
    trouble: impl Iterator<Item = &'t str>,
    about: &Value,
    context: Arc<Context>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut sarif = Sarif::new(context);
    findings.for_each(|finding| sarif.add(FindingGroup::of(finding)));
    let trouble = trouble.map(|text| (Level::Error, text.to_owned()));
    sarif.notices.extend(trouble);
    sarif.write(about.clone(), out)
}

struct Sarif {
    context: Arc<Context>,
    /// The gravest first.
    levels: [Results; 3],
    /// The failures of the run, with their reasons, and what was not judged.
    notices: Vec<(Level, String)>,
}

/// The results of a level.
struct Results {
    level: Level,
    groups: Vec<Group>,
    known: HashMap<[String; 5], usize>,
    /// Findings beyond the limit.
    left_out: u64,
}

/// Findings that are the same fault.
struct Group {
    first: Finding,
    count: u64,
    lines: Vec<u64>,
}

impl Gather for Sarif {
    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        match Entry::read(line)? {
            Entry::Group(group) => self.add(group),
            Entry::LeftOut {
                level: number,
                count,
                ..
            } => {
                if let Some(results) = self.results(level(number)) {
                    results.left_out += count;
                }
            }
            Entry::Source(end) => {
                let source = end.source;
                let text = |failure| (Level::Error, format!("failed to read {source}: {failure}"));
                self.notices.extend(end.failure.map(text));
            }
        }
        Ok(())
    }

    fn finish(mut self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        let mut about = json!({
            "messages": totals.messages, "pass": totals.pass, "flag": totals.flag, "block": totals.block,
        });
        if let Some(sentence) = summary::not_judged(totals) {
            about["notJudged"] = totals.not_judged.into();
            self.notices.push((Level::Note, sentence));
        }
        if let Some(sentence) = totals.empty_sentence() {
            self.notices.push((Level::Warning, sentence));
        }
        let unnamed = totals.unnamed_sentence();
        let unnamed = unnamed.map(|sentence| (Level::Note, sentence));
        self.notices.extend(unnamed);
        self.write(about, out)
    }
}

impl Sarif {
    fn new(context: Arc<Context>) -> Self {
        Self {
            context,
            levels: [Level::Error, Level::Warning, Level::Note].map(|level| Results {
                level,
                groups: Vec::new(),
                known: HashMap::new(),
                left_out: 0,
            }),
            notices: Vec::new(),
        }
    }

    fn add(&mut self, group: FindingGroup) {
        if let Some(results) = self.results(group.level()) {
            results.add(group);
        }
    }

    fn results(&mut self, level: Level) -> Option<&mut Results> {
        self.levels.iter_mut().find(|known| known.level == level)
    }

    fn write(self, mut about: Value, out: &mut dyn Write) -> io::Result<()> {
        let mut left_out: u64 = self.levels.iter().map(|results| results.left_out).sum();
        let mut groups: Vec<Group> = Vec::new();
        for results in self.levels {
            let room = MAX_RESULTS - groups.len();
            left_out += results
                .groups
                .iter()
                .skip(room)
                .map(|group| group.count)
                .sum::<u64>();
            groups.extend(results.groups.into_iter().take(room));
        }
        // A rule is described once, by its first finding.
        let mut used: BTreeMap<&str, (usize, &Finding)> = BTreeMap::new();
        for group in &groups {
            let finding = &group.first;
            used.entry(&finding.rule).or_insert((0, finding));
        }
        (0..)
            .zip(used.values_mut())
            .for_each(|(index, (place, _))| *place = index);
        let described: Vec<_> = used.values().map(|(_, finding)| rule(finding)).collect();
        let driver = json!({
            "name": "mcp-assay",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": described,
        });
        let invocation = invocation(&self.notices, left_out);
        about["findingsLeftOut"] = left_out.into();
        out.write_all(b"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[\n{\"tool\":{\"driver\":")?;
        write_json(&driver, out)?;
        out.write_all(b"},\n\"columnKind\":\"unicodeCodePoints\",\"invocations\":[")?;
        write_json(&invocation, out)?;
        out.write_all(b"],\"properties\":")?;
        write_json(&about, out)?;
        out.write_all(b",\n\"results\":[")?;
        for (index, group) in groups.iter().enumerate() {
            out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            let place = used.get(group.first.rule.as_str()).map(|(place, _)| *place);
            write_json(&group.result(place.unwrap_or_default(), &self.context), out)?;
        }
        out.write_all(b"\n]}\n]}\n")
    }
}

impl Results {
    fn add(&mut self, group: FindingGroup) {
        let FindingGroup {
            findings,
            count,
            mut lines,
            ..
        } = group;
        let Some(first) = findings.into_iter().next() else {
            return;
        };
        let key = first.key();
        if let Some(&index) = self.known.get(&key) {
            let group = &mut self.groups[index];
            group.count += count;
            lines.truncate(MAX_LINES - group.lines.len());
            group.lines.append(&mut lines);
        } else if self.groups.len() < MAX_RESULTS {
            self.known.insert(key, self.groups.len());
            self.groups.push(Group {
                first,
                count,
                lines,
            });
        } else {
            self.left_out += count;
        }
    }
}

impl Group {
    fn result(&self, rule_index: usize, context: &Context) -> Value {
        let finding = &self.first;
        let path = if finding.line == 0 {
            String::new()
        } else {
            context.path(&finding.source)
        };
        let artifact = match absolute_uri(&path, cfg!(windows)) {
            Some(uri) => json!({"uri": uri}),
            None => json!({"uri": uri(&path), "uriBaseId": "%SRCROOT%"}),
        };
        let mut region = json!({"startLine": finding.line.max(1)});
        if let Some(columns) = finding.columns {
            region["startColumn"] = columns.start.into();
            region["endLine"] = columns.end_line.into();
            region["endColumn"] = columns.end.into();
        }
        let method = finding.method.as_deref().unwrap_or_default();
        let mut location = json!({});
        if finding.line > 0 {
            location["physicalLocation"] = json!({"artifactLocation": artifact, "region": region});
        }
        if !method.is_empty() || !finding.pointer.is_empty() {
            let name = format!("{method}{}", finding.pointer);
            location["logicalLocations"] = json!([{"fullyQualifiedName": name, "kind": "value"}]);
        }
        let mut more = json!({
            "message": finding.what, "place": finding.place, "pointer": finding.pointer, "help": finding.help,
            "clause": finding.clause, "lines": self.lines,
        });
        if let Some((start, end)) = finding.span {
            more["span"] = json!({"start": start, "end": end});
        }
        if let Some(schema) = &finding.schema {
            more["schema"] = json!(schema);
        }
        let mut parts = vec![&*finding.rule, &*path, method, &*finding.pointer];
        if !finding.detail.is_empty() {
            parts.push(&finding.detail);
        }
        let fingerprint = fingerprint(&parts);
        json!({
            "ruleId": finding.rule,
            "ruleIndex": rule_index,
            "level": finding.level().name(),
            "message": {"text": format!("{} ({}). Help: {}", finding.message, finding.what, finding.help)},
            "locations": [location],
            "occurrenceCount": self.count,
            "partialFingerprints": {"ruleSourceMethodPointer/v1": fingerprint},
            "properties": more,
        })
    }
}

/// Whether everything could be checked, and the omissions.
fn invocation(notices: &[(Level, String)], left_out: u64) -> Value {
    let mut notes: Vec<Value> = notices
        .iter()
        .map(|(level, text)| json!({"level": level.name(), "message": {"text": text}}))
        .collect();
    let is_successful = notices.iter().all(|(level, _)| *level != Level::Error);
    if left_out > 0 {
        let text =
            format!("{left_out} findings are left out: at most {MAX_RESULTS} results are written");
        notes.push(json!({"level": "warning", "message": {"text": text}}));
    }
    json!({"executionSuccessful": is_successful, "toolExecutionNotifications": notes})
}

/// The rule of a finding as a descriptor. Those of profiles, and broken records, have no page.
fn rule(finding: &Finding) -> Value {
    let name = finding.rule.as_str();
    let Some(rule) = rules::find(name) else {
        return json!({
            "id": name,
            "shortDescription": {"text": finding.summary},
            "help": {"text": finding.help},
            "defaultConfiguration": {"level": finding.level().name()},
        });
    };
    let mut tags = vec!["mcp", rule.layer.name(), rule.family()];
    // Many families are a layer too, and tags are unique.
    tags.dedup();
    let mut described = json!({
        "id": name,
        "shortDescription": {"text": rule.summary()},
        "fullDescription": {"text": format!("{} {}", rule.summary(), page::why(rule))},
        "help": {
            "text": format!("{}. Clause: {}.", rule.help, clause(rule, None)),
            "markdown": format!("{}\n\n**Fix:** {}\n\n**Clause:** {}\n\n`mcp-assay explain {name}` shows examples.", page::why(rule), rule.help, linked_clause(rule)),
        },
        "defaultConfiguration": {"level": levels::gravest(rule, &Policy::default()).name()},
        "properties": {"tags": tags, "revisions": rule.revisions.to_string()},
    });
    described["helpUri"] = site::rule_page(rule).into();
    described
}

/// The clause in Markdown, as a link if it has an address.
fn linked_clause(rule: &Rule) -> String {
    let clause = clause(rule, None);
    match clause_address(rule, &clause) {
        Some(address) => format!("[{clause}]({address})"),
        None => clause,
    }
}

/// The URL of the clause; not all of them are pages of the specification.
pub(crate) fn clause_address(rule: &Rule, clause: &str) -> Option<String> {
    const FOLDERS: [&str; 6] = [
        "basic",
        "server",
        "client",
        "architecture",
        "schema",
        "changelog",
    ];
    let folder = rule.spec.split(['/', '#']).next()?;
    let (page, heading) = clause.split_once('#').unwrap_or((clause, ""));
    let page = page.strip_suffix("/index").unwrap_or(page);
    FOLDERS.contains(&folder).then(|| match heading {
        "" => format!("https://modelcontextprotocol.io/specification/{page}"),
        _ => format!("https://modelcontextprotocol.io/specification/{page}#{heading}"),
    })
}

/// FNV-1a over the parts, each with its end.
pub(crate) fn fingerprint(parts: &[&str]) -> String {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// All characters except those that RFC 3986 allows in a path that may begin with a segment without
/// colon.
const NOT_IN_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b'@');

/// A path as part of a URI.
fn uri(path: &str) -> String {
    utf8_percent_encode(path, NOT_IN_PATH).to_string()
}

/// The URI of an absolute path. On some systems a path begins with the letter of a drive.
fn absolute_uri(path: &str, has_drives: bool) -> Option<String> {
    if path.starts_with('/') {
        return Some(format!("file://{}", uri(path)));
    }
    let (drive, below) = path.split_once(':').filter(|_| has_drives)?;
    (drive.len() == 1).then(|| format!("file:///{drive}:{}", uri(below)))
}

fn write_json(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a b/c%#?é.ndjson"), "a%20b/c%25%23%3F%C3%A9.ndjson");
        let absolute = |path| absolute_uri(path, true);
        assert_eq!(absolute("/a b").as_deref(), Some("file:///a%20b"));
        assert_eq!(absolute("C:/a b").as_deref(), Some("file:///C:/a%20b"));
        assert_eq!(absolute("a/b"), None);
        assert_eq!(absolute_uri("C:/a", false), None);
    }

    #[test]
    fn clauses_of_the_specification_have_an_address() {
        let rule = rules::find("schema/missing-member").unwrap();
        assert_eq!(
            clause_address(rule, "2025-06-18/basic/index#schema").as_deref(),
            Some("https://modelcontextprotocol.io/specification/2025-06-18/basic#schema")
        );
        for rule in rules::all() {
            let address = clause_address(rule, &clause(rule, None));
            let plain = |text: &str| !text.contains(|c: char| c.is_whitespace() || c.is_control());
            assert!(
                address.is_none_or(|address| plain(&address)),
                "{}",
                rule.name
            );
        }
    }

    #[test]
    fn fingerprints_tell_parts_apart() {
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
        assert_eq!(fingerprint(&["a"]), fingerprint(&["a"]));
    }
}
