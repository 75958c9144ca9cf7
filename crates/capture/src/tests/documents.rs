//! Sources that are one text.

use super::*;

#[test]
fn an_inspector_export_of_messages() {
    let text = r#"[
  {"id": "1", "timestamp": "2026-01-01T00:00:00.000Z", "direction": "request", "origin": "client",
   "message": {"jsonrpc": "2.0", "id": 1, "method": "initialize"},
   "response": {"jsonrpc": "2.0", "id": 1,
     "result": {"a b": 1}}, "duration": 1500},
  {"id": "2", "timestamp": "2026-01-01T00:00:01.000Z", "direction": "request", "origin": "server",
   "message": {"id": 1, "method": "ping"}, "response": {"id": 1}, "duration": 5},
  {"id": "0", "timestamp": 1767225602000, "direction": "notification", "message": {"method": "n"}},
  {"id": "3", "timestamp": "2026-01-01T00:00:09.000Z", "direction": "request", "origin": "client",
   "message": {"method": "initialize"}},
  {"id": "4", "direction": "request", "origin": "moon", "message": {}},
  {"id": "5", "direction": "request", "message": "text"},
  {"id": "6"}, 7
]"#;
    let (lines, _, reading) = read("inspector", text);
    assert_eq!(
        lines,
        [
            "11 ?: LOST `origin` is neither \"client\" nor \"server\"",
            "12 ?: LOST `message` is not an object",
            "13 ?: LOST it is no entry of an export: it has neither `message` nor `url`",
            "13 ?: LOST it is no entry of an export: it has neither `message` nor `url`",
            r#"3 c2s lossy: message {"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            r#"7 s2c lossy: message {"id":1,"method":"ping"}"#,
            r#"7 c2s lossy: message {"id":1}"#,
            r#"4 s2c lossy: message {"jsonrpc":"2.0","id":1,"result":{"a b":1}}"#,
            r#"8 ? lossy: message {"method":"n"}"#,
            r#"10 c2s (#2) lossy: message {"method":"initialize"}"#,
        ]
    );
    assert_eq!(reading.fidelity, Fidelity::Reserialised);
}

#[test]
fn an_inspector_export_of_requests() {
    let text = r#"[{"id":"1","timestamp":"2026-01-01T00:00:00.000Z","method":"POST","url":"http://h:1/mcp?k=v",
  "requestHeaders":{"Accept":"a","content-type":"application/json"},"requestBody":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
  "responseStatus":200,"responseStatusText":"OK","responseHeaders":{"content-type":"application/json"},"responseBody":"{}","duration":3,"category":"transport"},
 {"id":"2","timestamp":"2026-01-01T00:00:01.000Z","method":"GET","url":"http://h:1/.well-known/x","requestHeaders":{},"responseStatus":404,"category":"auth"},
 {"id":"3","timestamp":"2026-01-01T00:00:02.000Z","method":"POST","url":"http://h:1/mcp","requestHeaders":{},"requestBody":"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
  "responseStatus":200,"responseHeaders":{"content-type":"text/event-stream"}},
 {"id":"4","method":"POST","url":"http://h:1/mcp","requestHeaders":{},"responseStatus":"no"}]"#;
    let (lines, _, reading) = read("inspector", text);
    assert_eq!(
        lines,
        [
            "7 ?: LOST `responseStatus` is not a status code",
            r#"1 c2s (h:1/mcp) n=1: request POST /mcp?k=v [Accept=a&content-type=application/json] {"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            "1 s2c (h:1/mcp) n=1: response 200 OK [content-type=application/json] {}",
            r#"5 c2s (h:1/mcp) n=2: request POST /mcp [] {"jsonrpc":"2.0","id":2,"method":"ping"}"#,
            "5 s2c (h:1/mcp) n=2 gap: response 200 - [content-type=text/event-stream] streamed -",
        ]
    );
    assert_eq!(reading.missing().collect::<Vec<_>>(), ["bodies"]);
    assert_eq!(reading.fidelity, Fidelity::Exact);
}

/// An entry of an archive; `start` and `time` in milliseconds.
fn entry(start: u32, time: u32, request: &str, response: &str) -> String {
    format!(
        r#"{{"startedDateTime":"2026-01-01T00:00:{:02}.{:03}Z","time":{time},"request":{request},"response":{response}}}"#,
        start / 1000,
        start % 1000
    )
}

fn post(url: &str, session: &str, body: &str) -> String {
    let body = body.replace('"', "\\\"");
    format!(
        r#"{{"method":"POST","url":"{url}","headers":[{{"name":":method","value":"POST"}},{{"name":"Mcp-Session-Id","value":"{session}"}}],"postData":{{"mimeType":"application/json","text":"{body}"}}}}"#
    )
}

fn get(url: &str) -> String {
    format!(r#"{{"method":"GET","url":"{url}","headers":[]}}"#)
}

fn answer(media_type: &str, content: &str) -> String {
    format!(
        r#"{{"status":200,"statusText":"","headers":[{{"name":"content-type","value":"{media_type}"}}],"content":{{"size":9,"mimeType":"{media_type}"{content}}}}}"#
    )
}

fn archive(entries: &[String]) -> String {
    format!(
        r#"{{"log":{{"version":"1.2","entries":[
{}]}}}}"#,
        entries.join(",\n")
    )
}

#[test]
fn an_archive_of_two_sessions() {
    let json = answer("application/json", r#","text":"{}""#);
    // {"id":2} and an event, in base64.
    let packed = answer(
        "application/json",
        r#","text":"eyJpZCI6Mn0=","encoding":"base64""#,
    );
    let stream = answer(
        "text/event-stream",
        r#","text":"event: message\ndata: {\"a\":1}\n\nid: 9\ndata: {\"b\":2}\n\n""#,
    );
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let text = archive(&[
        entry(0, 500, &post("https://h/mcp", "secret-a", ping), &json),
        entry(100, 100, &post("https://h/mcp", "secret-b", ping), &packed),
        entry(300, 9000, &post("https://h/mcp", "secret-a", "{}"), &stream),
        entry(
            400,
            10,
            &get("https://h/style.css"),
            &answer("text/css", r#","text":"a{}""#),
        ),
        entry(
            450,
            10,
            r#"{"method":"OPTIONS","url":"https://h/mcp","headers":[]}"#,
            &json,
        ),
        entry(
            600,
            0,
            &get("https://h/mcp"),
            r#"{"status":0,"headers":[],"content":{}}"#,
        ),
    ]);
    let header = "[Mcp-Session-Id=secret-";
    let (lines, times, reading) = read("har", &text);
    assert_eq!(
        lines,
        [
            format!("2 c2s (h/mcp session 1) n=1: request POST /mcp {header}a] {ping}"),
            format!("3 c2s (h/mcp session 2) n=2: request POST /mcp {header}b] {ping}"),
            r#"3 s2c (h/mcp session 2) n=2: response 200  [content-type=application/json] {"id":2}"#.to_owned(),
            format!("4 c2s (h/mcp session 1) n=3: request POST /mcp {header}a] {{}}"),
            "4 s2c (h/mcp session 1) n=3: response 200  [content-type=text/event-stream] streamed \
             -".to_owned(),
            r#"4 s2c (h/mcp session 1) n=3: event message - - {"a":1}"#.to_owned(),
            r#"4 s2c (h/mcp session 1) n=3: event - 9 - {"b":2}"#.to_owned(),
            "4 s2c (h/mcp session 1) n=3: end".to_owned(),
            "2 s2c (h/mcp session 1) n=1: response 200  [content-type=application/json] \
             {}".to_owned(),
            "7 c2s (h/mcp) n=4: request GET /mcp [] -".to_owned(),
        ]
    );
    assert!(times.iter().all(Option::is_some));
    assert_eq!(reading.sentence().unwrap(), "read as a HAR file");
}

#[test]
fn a_long_stream_is_sorted_in_by_its_ids() {
    let events = [
        "event: endpoint\\ndata: /messages?s=1\\n\\n",
        "data: {\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{}}\\n\\n",
        "data: {\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":\\\"note\\\"}\\n\\n",
        "data: {\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":5,\\\"method\\\":\\\"ping\\\"}\\n\\n",
        "data: {\\\"jsonrpc\\\":\\\"2.0\\\",\\\"method\\\":\\\"late\\\"}\\n\\ndata: cut",
    ];
    let stream = answer(
        "text/event-stream",
        &format!(r#","text":"{}""#, events.concat()),
    );
    let accepted = r#"{"status":202,"headers":[],"content":{"size":0}}"#;
    let to = "http://h/messages?s=1";
    let plain = |body: &str| post(to, "", body).replace("Mcp-Session-Id", "X");
    let text = archive(&[
        entry(0, 9000, &get("http://h/sse"), &stream),
        entry(
            1000,
            5,
            &plain(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            accepted,
        ),
        entry(
            2000,
            5,
            &plain(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#),
            accepted,
        ),
    ]);
    let (lines, _, reading) = read("har", &text);
    let short: Vec<_> = lines
        .iter()
        .map(|line| line.replace(" (h/sse session 1)", "").replace(" [X=]", ""))
        .collect();
    assert_eq!(
        short,
        [
            "2 c2s n=1: request GET /sse [] -",
            "2 s2c n=1: response 200  [content-type=text/event-stream] streamed -",
            "2 s2c n=1: event endpoint - - /messages?s=1",
            r#"3 c2s n=2: request POST /messages?s=1 {"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            "3 s2c n=2: response 202 - [] -",
            r#"2 s2c n=1: event - - - {"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"2 s2c n=1: event - - - {"jsonrpc":"2.0","method":"note"}"#,
            r#"2 s2c n=1: event - - - {"jsonrpc":"2.0","id":5,"method":"ping"}"#,
            r#"4 c2s n=3: request POST /messages?s=1 {"jsonrpc":"2.0","id":5,"result":{}}"#,
            "4 s2c n=3: response 202 - [] -",
            r#"2 s2c n=1: event - - - {"jsonrpc":"2.0","method":"late"}"#,
            "2 s2c: LOST the recording of a stream ends within an event",
        ]
    );
    assert_eq!(reading.missing().collect::<Vec<_>>(), ["order"]);
}

/// Each exporter has its own way to leave a body out: no `text`, `null`, an empty one, a size of
/// -1, a file beside the archive.
#[test]
fn bodies_that_were_not_recorded_are_gaps() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let to = "https://h/mcp";
    let unposted = r#"{"method":"POST","url":"https://h/mcp","headers":[],"bodySize":-1}"#;
    let json = |content: &str| answer("application/json", content);
    let stream = |content: &str| answer("text/event-stream", content);
    let zero = r#"{"status":200,"headers":[{"name":"content-type","value":"application/json"}],"content":{"size":0,"text":null}}"#;
    let bare = r#"{"status":200,"headers":[{"name":"content-length","value":"0"},{"name":"content-type","value":"application/json"}],"content":{"size":0}}"#;
    let accepted = r#"{"status":202,"headers":[],"content":{"size":0}}"#;
    let half = r#","text":"data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n""#;
    let whole = r#","text":"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n""#;
    let cut = r#"{"status":200,"headers":[{"name":"content-type","value":"application/json"}],"content":{"size":99,"text":"{\"jsonrpc\":\"2.0\",\"id\":"}}"#;
    let cases: [(String, String, &[&str]); 12] = [
        (
            post(to, "s", call),
            cut.to_owned(),
            &["POST", "gap: response 200"],
        ),
        (
            post(to, "s", call),
            json(""),
            &["POST", "gap: response 200"],
        ),
        (
            post(to, "s", call),
            json(r#","text":"""#),
            &["POST", "gap: response 200"],
        ),
        (
            post(to, "s", call),
            json(r#","_file":"a.json""#),
            &["POST", "gap: response 200"],
        ),
        (
            post(to, "s", call),
            zero.to_owned(),
            &["POST", "gap: response 200"],
        ),
        (
            post(to, "s", call),
            bare.to_owned(),
            &["POST", "n=2: response 200"],
        ),
        (
            post(to, "s", note),
            accepted.to_owned(),
            &["POST", "n=2: response 202"],
        ),
        (
            post(to, "s", call),
            stream(""),
            &["POST", "gap: response 200"],
        ),
        (
            post(to, "s", call),
            stream(half),
            &["POST", "gap: response 200", "event"],
        ),
        (
            post(to, "s", call),
            stream(whole),
            &["POST", "n=2: response 200", "event", "end"],
        ),
        (
            unposted.to_owned(),
            json(r#","text":"{}""#),
            &["gap: nothing", "s2c (h/mcp): message {}"],
        ),
        (get(to), stream(""), &["GET", "gap: response 200"]),
    ];
    for (request, response, expected) in cases {
        let ping = post(to, "", r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#);
        let text = archive(&[
            entry(0, 1, &ping, &json(r#","text":"{}""#)),
            entry(100, 1, &request, &response),
        ]);
        let (lines, _, reading) = read("har", &text);
        let found = &lines[2..];
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (line, expected) in found.iter().zip(expected) {
            assert!(line.contains(expected), "{line} has no {expected}");
        }
        let is_gap = found.iter().any(|line| line.contains("gap"));
        assert_eq!(reading.is_missing(Missing::Bodies), is_gap, "{found:#?}");
    }
}

#[test]
fn an_archive_without_any_body_says_so() {
    let request = r#"{"method":"POST","url":"https://h/mcp","headers":[]}"#;
    let text = archive(&[entry(0, 1, request, &answer("application/json", ""))]);
    check(
        "har",
        &text,
        &[
            "1 ?: LOST no body was recorded, so no message can be checked: export it with its content",
        ],
    );
}

#[test]
fn a_packed_body_is_unpacked_or_named() {
    // {"id":1}, as gzip writes it.
    let gzip = r#","text":"H4sIAAAAAAAC/6tWykxRsjKsBQDF+F1ECAAAAA==","encoding":"base64""#;
    let packed = |coding: &str, content: &str| {
        answer("application/json", content).replace(
            "\"headers\":[",
            &format!(r#""headers":[{{"name":"content-encoding","value":"{coding}"}},"#),
        )
    };
    let request = post(
        "http://h/mcp",
        "a",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
    );
    let text = archive(&[
        entry(0, 1, &request, &packed("gzip", gzip)),
        entry(
            100,
            1,
            &request,
            &packed("compress", r#","text":"ixKAAw==","encoding":"base64""#),
        ),
        entry(200, 1, &request, &packed("br", r#","text":"{\"id\":1}""#)),
        // {"id":1}, as Brotli writes it.
        entry(
            300,
            1,
            &request,
            &packed("br", r#","text":"iwOAeyJpZCI6MX0D","encoding":"base64""#),
        ),
    ]);
    let (lines, ..) = read("har", &text);
    let bodies: Vec<_> = lines
        .iter()
        .filter(|line| !line.contains("request"))
        .collect();
    assert_eq!(bodies.len(), 5, "{lines:#?}");
    assert!(
        bodies[0].ends_with(
            "LOST a body is still compressed (compress), which is not unpacked here: record it decoded"
        ),
        "{}",
        bodies[0]
    );
    assert!(bodies[1].ends_with(r#"{"id":1}"#), "{}", bodies[1]);
    assert!(bodies[2].contains("gap: response 200"), "{}", bodies[2]);
    assert!(bodies[3].ends_with(r#"{"id":1}"#), "{}", bodies[3]);
    assert!(bodies[4].ends_with(r#"{"id":1}"#), "{}", bodies[4]);
}

#[test]
fn the_entries_of_one_line_are_numbered() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let answer = answer("application/json", r#","text":"{}""#);
    let entries: Vec<_> = (0..3)
        .map(|number| entry(number * 100, 1, &post("http://h/mcp", "a", ping), &answer))
        .collect();
    let (lines, ..) = read("har", &archive(&entries).replace('\n', ""));
    let places: Vec<_> = lines.iter().map(|line| &line[..2]).collect();
    assert_eq!(places, ["#1", "#1", "#2", "#2", "#3", "#3"]);
    let export = r#"[{"id":"1","origin":"client","direction":"request","message":{"id":1}},{"id":"2","origin":"client","direction":"request","message":{"id":2}}]"#;
    let (lines, ..) = read("inspector", export);
    assert!(lines[1].starts_with("#2 c2s"), "{lines:?}");
}

#[test]
fn broken_archives() {
    check(
        "har",
        "{\"log\":{\n\"entries\":[}}",
        &["2 ?: LOST the file cannot be read from byte 20 on"],
    );
    check(
        "har",
        "{\"log\":{\"entries\":{}}}",
        &["1 ?: LOST it is no HAR file: `log.entries` is missing"],
    );
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let request = post("http://h/mcp", "a", ping);
    let text = archive(&[
        "7".to_owned(),
        r#"{"request":{"method":"GET"}}"#.to_owned(),
        r#"{"request":{"postData":{"text":"jsonrpc"}}}"#.to_owned(),
        entry(0, 1, &request, r#"{"status":"ok"}"#),
        entry(
            0,
            1,
            &request,
            &answer("application/json", r#","text":"{}","encoding":"rot13""#),
        ),
        entry(
            0,
            1,
            &request,
            &answer("text/event-stream", r#","text":"***","encoding":"base64""#),
        ),
        entry(0, 1, &request, &answer("text/event-stream", "")),
    ]);
    let (lines, _, reading) = read("har", &text);
    let lost: Vec<_> = lines.iter().filter(|line| line.contains("LOST")).collect();
    assert_eq!(
        lost,
        [
            "4 ?: LOST `request.url` is missing",
            "5 ?: LOST `response.status` is not a status code",
            "6 ?: LOST the encoding of a body is not known",
            "7 ?: LOST what should be base64 is not",
        ]
    );
    assert_eq!(reading.missing().collect::<Vec<_>>(), ["bodies"]);
}
