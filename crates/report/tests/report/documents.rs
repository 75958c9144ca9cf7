//! The formats that are made of a whole run: for build servers, and for browsers.

use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Party, Session, Validator};
use mcp_assay_report::{Context, Format, Origin, Pieces, RecordFault, Style, Totals};

use crate::conversation::{conversation, policy, show};
use crate::random::for_random_bytes;

const SESSION: &[u8] = b"--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n\
    <-- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\n\
    --> {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\
    <-- Weather server ready\n\
    --> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n\
    <-- {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"<b>\xc3\xa9</b>\"},{\"name\":\"x\"}]}}\n\
    --> {\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"ping\"}\n\
    --> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n\
    <-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"a&b\"}]}}\n\
    --> {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\"}";

/// A run over two sources: the session, and one that is clean and ends too soon.
fn run(format: Format) -> String {
    let context = Context {
        flags: vec!["--strict".to_owned()],
        folder: "/repo/logs".into(),
        root: "/repo".into(),
        ..Context::default()
    };
    let reporter = format.reporter_in(Style::PLAIN, context);
    let mut out = Pieces::begin(&*reporter, Vec::new()).unwrap();
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let mut totals = Totals::default();
    let source = "a b.ndjson";
    for (line, (direction, bytes)) in (1..).zip(conversation(SESSION)) {
        let mut frame = Frame::new(bytes)
            .direction(direction)
            .carrier(Carrier::Stdio);
        frame.at = line;
        let checked = validator.check(&mut session, frame);
        totals.add(&checked);
        let origin = Origin {
            source,
            line,
            session: (line == 7).then_some("<i>"),
            time: Some(Duration::from_millis(250 * line)),
            bare: true,
        };
        out.message(&origin, &checked).unwrap();
    }
    // Another session opens as this one did, and its first request is its last.
    let mut session = Session::new();
    for index in [0, 1, 2, 9] {
        let (direction, bytes) = conversation(SESSION)[index];
        let frame = Frame::new(bytes).direction(direction);
        let mut frame = frame.carrier(Carrier::Stdio);
        frame.at = index as u64 + 1;
        validator.check(&mut session, frame);
    }
    session.close(Party::Server);
    for ending in validator.end(&session) {
        totals.add_ending(&ending);
        let origin = Origin {
            source,
            line: ending.at,
            session: Some("<i>"),
            ..Origin::default()
        };
        out.ending(&origin, &ending).unwrap();
    }
    assert_eq!(totals.missing, 1);
    let fault = RecordFault {
        source,
        line: 12,
        message: "`dir` is missing",
    };
    totals.add_record_fault();
    out.record_fault(&fault).unwrap();
    out.source(source, &totals, None).unwrap();
    out.source(
        "cut.ndjson.gz",
        &Totals::default(),
        Some("unexpected end of file"),
    )
    .unwrap();
    String::from_utf8(out.finish(&totals).unwrap()).unwrap()
}

fn snapshot(name: &str, shown: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, shown);
    });
}

#[test]
fn junit() {
    let shown = run(Format::Junit);
    assert_eq!(well_formed(&shown), Ok(()), "{shown}");
    snapshot("document_junit", &shown);
}

#[test]
fn github() {
    snapshot("document_github", &run(Format::Github));
}

#[test]
fn sarif() {
    let shown = run(Format::Sarif);
    check_sarif(&shown);
    let value: serde_json::Value = serde_json::from_str(&shown).unwrap();
    snapshot(
        "document_sarif",
        &serde_json::to_string_pretty(&value).unwrap(),
    );
}

#[test]
fn html() {
    let shown = run(Format::Html);
    assert_eq!(well_formed(timeline(&shown)), Ok(()));
    // The style and the script are files of their own.
    let (before, rest) = shown.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let (rest, _) = rest.split_once("<script>").unwrap();
    let shown = before
        .split("sha256-")
        .enumerate()
        .map(|(index, part)| match index {
            0 => part,
            _ => part.split_once('\'').unwrap().1,
        })
        .chain([rest])
        .collect::<Vec<_>>()
        .join("[]");
    snapshot(
        "document_html",
        &shown.replace("</dd>", "</dd>\n").replace("<div", "\n<div"),
    );
}

/// The script that a browser would run: the page's own, which the policy names by its hash, and
/// nothing else.
#[test]
fn a_page_allows_only_its_own_script_and_style() {
    use base64::Engine;
    use sha2::Digest;
    let shown = run(Format::Html);
    for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
        let (_, content) = shown.split_once(&format!("<{tag}>")).unwrap();
        let (content, _) = content.split_once(&format!("</{tag}>")).unwrap();
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(content));
        assert!(
            shown.contains(&format!("{directive} 'sha256-{hash}'")),
            "{tag}"
        );
    }
    assert!(shown.contains("default-src 'none'") && !shown.contains("unsafe"));
}

#[test]
fn hostile_input_leaves_every_document_sound() {
    let mut number = 0;
    for_random_bytes(|bytes| {
        // Eight documents each: some of the bytes are enough.
        number += 1;
        if number > 4 && number % 50 != 0 {
            return;
        }
        let hostile = ["</script><!-- \" onclick='x' ]]>&#0;".as_bytes(), bytes].concat();
        for bytes in [bytes, &hostile] {
            let messages = [
                (Direction::ClientToServer, bytes),
                (Direction::ServerToClient, bytes),
            ];
            let shown = |format| show(format, Style::PLAIN, policy("2025-06-18"), &messages);
            let junit = shown(Format::Junit);
            assert_eq!(well_formed(&junit), Ok(()), "{junit}");
            let html = shown(Format::Html);
            let timeline = timeline(&html);
            assert_eq!(well_formed(timeline), Ok(()), "{timeline}");
            assert_eq!(html.matches("<script").count(), 1);
            for line in shown(Format::Github).lines() {
                assert!(!line.contains(char::is_control), "{line}");
            }
            check_sarif(&shown(Format::Sarif));
        }
    });
}

#[test]
fn the_same_fault_is_one_result_and_few_annotations() {
    let text = b"--> {\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}".as_slice();
    let messages = vec![(Direction::ClientToServer, &text[4..]); 3000];
    let sarif = show(Format::Sarif, Style::PLAIN, policy("2025-06-18"), &messages);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["occurrenceCount"], 3000);
    let github = show(
        Format::Github,
        Style::PLAIN,
        policy("2025-06-18"),
        &messages,
    );
    assert_eq!(github.matches("::error ").count(), 1);
    assert!(github.contains("; 3000 times in this file"), "{github}");
    let junit = show(Format::Junit, Style::PLAIN, policy("2025-06-18"), &messages);
    assert!(
        junit.contains("tests=\"2\" skipped=\"0\" failures=\"1\"")
            && junit.contains("and 2980 more"),
        "{junit}"
    );
    assert!(junit.len() < 10_000);
}

#[test]
fn what_is_left_out_is_counted() {
    let texts: Vec<String> = (0..5100)
        .map(|number| {
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"no/such{number}\"}}")
        })
        .collect();
    let mut messages: Vec<_> = texts
        .iter()
        .map(|text| (Direction::ClientToServer, text.as_bytes()))
        .collect();
    // Found last, and a note: the gravest are kept.
    let note = br#"{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#;
    messages.push((Direction::ClientToServer, note));
    let mut policy = policy("2025-06-18");
    policy.selection.select("schema/unknown-method").unwrap();
    policy.selection.select("note").unwrap();
    let sarif = show(Format::Sarif, Style::PLAIN, policy.clone(), &messages);
    check_sarif(&sarif);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 5000);
    assert_eq!(run["properties"]["findingsLeftOut"], 101);
    let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(
        told.as_str()
            .unwrap()
            .starts_with("101 findings are left out"),
        "{told}"
    );
    let github = show(Format::Github, Style::PLAIN, policy.clone(), &messages);
    assert_eq!(github.matches("::error ").count(), 10);
    assert!(
        github.contains("title=5091 more of level error::schema/unknown-method (5091)"),
        "{github}"
    );
    let html = show(Format::Html, Style::PLAIN, policy, &messages);
    assert_eq!(html.matches("<details class=\"m c2s error\"").count(), 5000);
    assert!(html.contains("101 messages with findings are counted above, but left out below"));
    assert!(html.contains("<p class=\"gap\">101 rows are left out here</p>"));
    assert!(html.contains("<td class=\"n\">5100<td>"));
}

#[test]
fn requests_and_answers_are_paired() {
    let shown = run(Format::Html);
    assert!(shown.contains("answers <a href=\"#a-b.ndjson-"), "{shown}");
    assert!(shown.contains(":1\">line 1</a> after 250 ms"), "{shown}");
    assert!(
        shown.contains("--strict --select schema/missing-member"),
        "{shown}"
    );
}

/// The part between the header and the script: it is made of input.
pub(crate) fn timeline(page: &str) -> &str {
    let (_, rest) = page.split_once("<main>").unwrap();
    rest.split_once("</main>").unwrap().0
}

/// The requirements of SARIF 2.1.0, and the facts that readers rely on.
pub(crate) fn check_sarif(text: &str) {
    let value: serde_json::Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "mcp-assay");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let rules = driver["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() <= 5000);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(
            !uri.is_empty() && uri.bytes().all(|byte| byte.is_ascii_graphic()),
            "{uri}"
        );
        let region = &place["region"];
        assert!(region["startLine"].as_u64().unwrap() >= 1);
        if let Some(end) = region["endColumn"].as_u64() {
            let start = region["startColumn"].as_u64().unwrap();
            assert!(start >= 1 && (end >= start || region["endLine"] != region["startLine"]));
        }
        assert!(result["partialFingerprints"].as_object().unwrap().len() == 1);
        assert!(result["occurrenceCount"].as_u64().unwrap() >= 1);
    }
    for rule in rules {
        assert!(rule["shortDescription"]["text"].is_string() && rule["help"]["text"].is_string());
        assert!(rule["defaultConfiguration"]["level"].is_string());
        let tags: Vec<_> = rule["properties"]["tags"]
            .as_array()
            .into_iter()
            .flatten()
            .collect();
        let distinct: std::collections::BTreeSet<_> = tags.iter().map(|tag| tag.as_str()).collect();
        assert_eq!(tags.len(), distinct.len());
    }
}

/// Whether tags are balanced, attributes are quoted and known, and no character is left that should
/// have been escaped.
pub(crate) fn well_formed(text: &str) -> Result<(), String> {
    const ATTRIBUTES: [&str; 26] = [
        "name",
        "tests",
        "failures",
        "errors",
        "skipped",
        "classname",
        "file",
        "type",
        "message",
        "class",
        "id",
        "href",
        "rel",
        "data-s",
        "data-l",
        "data-r",
        "data-m",
        "data-q",
        "aria-hidden",
        "version",
        "encoding",
        "hidden",
        "value",
        "title",
        "for",
        "open",
    ];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['<', '>', '&']) {
        let at: String = rest[start..].chars().take(60).collect();
        rest = &rest[start..];
        if rest.starts_with('&') {
            let end = rest.find(';').ok_or("an entity without an end")?;
            if !["&amp", "&lt", "&gt", "&quot", "&#39", "&apos"].contains(&&rest[..end]) {
                return Err(format!("an unknown entity: {at}"));
            }
            rest = &rest[end..];
            continue;
        }
        let end = rest
            .find('>')
            .ok_or(format!("a tag without an end: {at}"))?;
        let tag = rest.get(1..end).ok_or(format!("a stray bracket: {at}"))?;
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("the wrong end: {at}"));
            }
            continue;
        }
        let tag = tag
            .strip_prefix('?')
            .and_then(|tag| tag.strip_suffix('?'))
            .map_or(tag, |_| "xml/");
        let (tag, empty) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if !empty {
            open.push(name);
        }
        while let Some((attribute, value)) = attributes.trim_start().split_once("=\"") {
            if !ATTRIBUTES.contains(&attribute) {
                return Err(format!("an attribute {attribute}: {at}"));
            }
            let (value, others) = value.split_once('"').ok_or(format!("no quote: {at}"))?;
            if value.contains(['<', '\'']) {
                return Err(format!("a raw value: {at}"));
            }
            attributes = others;
        }
        if !attributes.trim().is_empty() {
            return Err(format!("what is {attributes:?}: {at}"));
        }
    }
    let raw = text.chars().find(|c| {
        c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{fffe}' | '\u{ffff}')
    });
    match (raw, open.as_slice()) {
        (Some(raw), _) => Err(format!("the character {raw:?}")),
        (None, []) => Ok(()),
        (None, open) => Err(format!("without an end: {open:?}")),
    }
}
