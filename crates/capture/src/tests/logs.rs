//! Sources of lines that other programs write.

use super::*;

#[test]
fn a_claude_log_of_several_servers() {
    let text = r#"2025-07-12T05:51:44.500Z [info] [notes] Initializing server... { metadata: undefined }
2025-07-12T05:51:44.600Z [info] [notes] Message from client: {"method":"initialize","jsonrpc":"2.0","id":0} { metadata: undefined }
Traceback (most recent call last):
{"jsonrpc":"2.0","note":"a line of standard error"}
2025-07-12T05:51:45.000Z [info] [files] Message from client: {"method":"initialize","jsonrpc":"2.0","id":0}
2025-07-12T05:51:45.250Z [info] [notes] Message from server: {"jsonrpc":"2.0","id":0,"result":{"text":" { metadata: x }"}} {
  metadata: { a: 1 }
}
2025-07-12T05:51:46.000Z [error] [files] Unexpected token 'S', "Server rea"... is not valid JSON { metadata: undefined }
2025-07-12T05:51:47.000Z [info] [notes] Server transport closed
2025-07-12T06:00:00.000Z [info] [notes] Initializing server...
2025-07-12T06:00:00.000Z [info] [notes] Server started and connected successfully
2025-07-12T06:00:01.000Z [info] [notes] Message from client: {"jsonrpc":"2.0","id":0,"method":"initialize"}
2025-07-12T06:00:02.000Z [info] [notes] Message from server: {"jsonrpc":"2.0","id":0,"result":{"te... [812 chars truncated]
2025-07-12T06:00:03.000Z [info] [notes] Message from server: nothing
2025-07-12T06:00:03.000Z [info] [notes] Message from server: {} and more
"#;
    let (lines, times, reading) = read("claude", text);
    assert_eq!(
        lines,
        [
            r#"2 c2s (notes) lossy: message {"method":"initialize","jsonrpc":"2.0","id":0}"#,
            r#"5 c2s (files) lossy: message {"method":"initialize","jsonrpc":"2.0","id":0}"#,
            r#"6 s2c (notes) lossy: message {"jsonrpc":"2.0","id":0,"result":{"text":" { metadata: x }"}}"#,
            "9 s2c (files): LOST the server wrote a line that is not JSON, and the log does not \
             keep it",
            r#"13 c2s (notes#2) lossy: message {"jsonrpc":"2.0","id":0,"method":"initialize"}"#,
            "14 s2c (notes#2): LOST the logger cut the message off, so it cannot be judged",
            "15 s2c (notes#2): LOST no JSON stands where the message should be",
            "16 s2c (notes#2): LOST other text stands behind the message",
        ]
    );
    let between = times[2].unwrap() - times[0].unwrap();
    assert!((between - 0.65).abs() < 1e-6, "{between}");
    assert_eq!(
        reading.sentence().unwrap(),
        "read as a Claude Desktop log: messages are re-serialised there, so framing and JSON text \
         are not judged (not in it: raw bytes, http headers)"
    );
}

#[test]
fn a_claude_log_of_one_server() {
    check(
        "claude",
        "2024-12-01T00:00:00.000Z [my notes] [info] Message from client: {\"id\":1}\r\n\
         2024-12-01T00:00:00.000Z [info] Message from server: {\"id\":1}\n",
        &[
            "1 c2s (my notes) lossy: message {\"id\":1}",
            "2 s2c lossy: message {\"id\":1}",
        ],
    );
}

#[test]
fn a_vscode_log() {
    let text = r#"2026-07-24 02:03:14.031 [info] Starting server notes
2026-07-24 02:03:14.031 [info] Connection state: Starting
2026-07-24 02:03:14.031 [info] Starting server from LocalProcess extension host
2026-07-24 02:03:14.089 [trace] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"initialize"}
2026-07-24 02:03:14.100 [warning] [server stderr] {"jsonrpc":"2.0"}
2026-07-24 02:03:14.120 [warning] Failed to parse message: "Notes \"2.0\" ready\r\n"
2026-07-24 02:03:14.120 [warning] Failed to parse message: "\n"
2026-07-24 02:03:14.121 [warning] Failed to parse message: "cut
2026-07-24 02:03:14.151 [debug] [server -> editor] {"jsonrpc":"2.0","id":1,"result":{}}
2026-07-24 02:03:15.000 [info] Stopping server notes
2026-07-24 02:03:16.000 [info] Starting server notes
2026-07-24 02:03:16.089 [trace] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"initialize"}
2026-07-24 02:03:16.089 [trace] [server -> editor] {"jsonrpc":
"#;
    check(
        "vscode",
        text,
        &[
            r#"4 c2s (notes) lossy: message {"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            r#"6 s2c (notes): line Notes "2.0" ready"#,
            "8 s2c (notes): LOST the server wrote a line that is not JSON, and the log does not \
             keep all of it",
            r#"9 s2c (notes) lossy: message {"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"12 c2s (notes#2) lossy: message {"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            "13 s2c (notes#2): LOST the logger cut the message off, so it cannot be judged",
        ],
    );
    check(
        "vscode",
        "2025-03-23 16:38:00.970 [info] [Client Says] {\"id\":4}\n2025-03-23 16:38:00.989 [info] [Server Says] {\"id\":4}\n",
        &[
            "1 c2s lossy: message {\"id\":4}",
            "2 s2c lossy: message {\"id\":4}",
        ],
    );
}

#[test]
fn a_trace_of_stdio() {
    let text = r#"{"seq":0,"direction":"client-to-server","transport":"stdio","kind":"lifecycle","event":"transport-open"}
{"seq":1,"direction":"client-to-server","transport":"stdio","kind":"message","payload":{"jsonrpc":"2.0","id":1,"method":"initialize"},"ts":"2026-01-01T00:00:01Z"}
{"seq":2,"direction":"server-to-client","transport":"stdio","kind":"message","payload":[{"id":1}]}

{"seq":3,"direction":"up","transport":"stdio","kind":"message","payload":{}}
{"seq":4,"direction":"server-to-client","transport":"stdio","kind":"telepathy"}
{"seq":5,"direction":"server-to-client","transport":"stdio","kind":"message"}
{"seq":6,"direction":
{"seq":7,"direction":"client-to-server","transport":"stdio","kind":"lifecycle","event":"transport-open"}
{"seq":8,"direction":"client-to-server","transport":"stdio","kind":"message","payload":{"method":"initialize"}}
"#;
    let (lines, times, _) = read("trace", text);
    assert_eq!(
        lines,
        [
            r#"2 c2s lossy: message {"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            r#"3 s2c lossy: message [{"id":1}]"#,
            "5 ?: LOST `direction` is not one of a trace",
            "6 ?: LOST `kind` is none that is known",
            "7 ?: LOST `payload` is missing",
            "8 ?: LOST it stops being JSON at byte 21",
            r#"10 c2s (#2) lossy: message {"method":"initialize"}"#,
        ]
    );
    assert!(times[0].is_some());
}

/// A stream may go on while an answer without a body is under way.
#[test]
fn a_message_behind_a_head_without_a_body_is_no_part_of_it() {
    let text = r#"{"seq":0,"direction":"client-to-server","transport":"streamable-http","kind":"http","method":"POST","headers":{"content-type":"application/json"}}
{"seq":1,"direction":"client-to-server","transport":"streamable-http","kind":"message","payload":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"seq":2,"direction":"server-to-client","transport":"streamable-http","kind":"http","status":202,"headers":{}}
{"seq":3,"direction":"server-to-client","transport":"streamable-http","kind":"message","payload":{"jsonrpc":"2.0","id":1,"result":{}}}
{"seq":4,"direction":"server-to-client","transport":"streamable-http","kind":"http","status":204,"headers":{"content-type":"application/json"}}
{"seq":5,"direction":"server-to-client","transport":"streamable-http","kind":"message","payload":{"jsonrpc":"2.0","id":2,"result":{}}}
{"seq":6,"direction":"server-to-client","transport":"streamable-http","kind":"http","status":401,"headers":{"content-type":"text/plain"}}
{"seq":7,"direction":"server-to-client","transport":"streamable-http","kind":"message","payload":{"jsonrpc":"2.0","id":3,"result":{}}}
"#;
    check(
        "trace",
        text,
        &[
            r#"2 c2s n=1 lossy: request POST - [content-type=application/json] {"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "3 s2c n=1 lossy: response 202 - [] -",
            r#"4 s2c n=1 lossy: event - - - {"jsonrpc":"2.0","id":1,"result":{}}"#,
            "5 s2c lossy: response 204 - [content-type=application/json] -",
            r#"6 s2c lossy: event - - - {"jsonrpc":"2.0","id":2,"result":{}}"#,
            "7 s2c lossy: response 401 - [content-type=text/plain] -",
            r#"8 s2c lossy: event - - - {"jsonrpc":"2.0","id":3,"result":{}}"#,
        ],
    );
}

#[test]
fn a_trace_of_http() {
    let text = r#"{"seq":0,"direction":"client-to-server","transport":"streamable-http","kind":"http","method":"POST","headers":{"accept":"a"}}
{"seq":1,"direction":"client-to-server","transport":"streamable-http","kind":"message","payload":{"id":1,"method":"x"}}
{"seq":2,"direction":"server-to-client","transport":"streamable-http","kind":"http","status":200,"headers":{"content-type":"application/json"}}
{"seq":3,"direction":"server-to-client","transport":"streamable-http","kind":"message","payload":{"id":1}}
{"seq":4,"direction":"client-to-server","transport":"streamable-http","kind":"http","method":"GET"}
{"seq":5,"direction":"server-to-client","transport":"streamable-http","kind":"http","status":200,"headers":{"content-type":"text/event-stream"}}
{"seq":6,"direction":"server-to-client","transport":"streamable-http","kind":"message","payload":{"method":"y"}}
{"seq":7,"direction":"client-to-server","transport":"streamable-http","kind":"http","method":"POST"}
{"seq":8,"direction":"client-to-server","transport":"streamable-http","kind":"http","method":"POST"}
{"seq":9,"direction":"server-to-client","transport":"streamable-http","kind":"http","status":202}
{"seq":10,"direction":"server-to-client","transport":"streamable-http","kind":"http","status":"x"}
"#;
    check(
        "trace",
        text,
        &[
            r#"2 c2s n=1 lossy: request POST - [accept=a] {"id":1,"method":"x"}"#,
            r#"4 s2c n=1 lossy: response 200 - [content-type=application/json] {"id":1}"#,
            "5 c2s n=2 lossy: request GET - [] -",
            "6 s2c n=2 lossy: response 200 - [content-type=text/event-stream] streamed -",
            r#"7 s2c n=2 lossy: event - - - {"method":"y"}"#,
            "8 c2s n=3 lossy: request POST - [] -",
            "9 c2s n=4 lossy: request POST - [] -",
            // Which of the two is answered, a trace does not say.
            "10 s2c lossy: response 202 - [] -",
            "11 ?: LOST `status` is not a status code",
        ],
    );
}

#[test]
fn names_of_servers_may_hold_brackets() {
    check(
        "claude",
        "2026-02-03T08:00:00.000Z [notes [dev] v2] [info] Message from client: {\"id\":1}\n\
         2026-02-03T08:00:00.000Z [info] [a [b] c] Message from server: {\"id\":1,\"x\":\"] [info] y\"}\n\
         2026-02-03T08:00:00.000Z [info] [a]b [x]] Message from client: {\"id\":[\"] \"]}\n\
         2026-02-03T08:00:00.000Z [info] [odd] name] Server transport closed\n",
        &[
            "1 c2s (notes [dev] v2) lossy: message {\"id\":1}",
            "2 s2c (a [b] c) lossy: message {\"id\":1,\"x\":\"] [info] y\"}",
            "3 c2s (a]b [x]) lossy: message {\"id\":[\"] \"]}",
        ],
    );
    check(
        "vscode",
        "2026-07-24 02:03:14.031 [info] Starting server notes [dev]\n\
         2026-07-24 02:03:14.089 [trace] [editor -> server] {\"id\":1}\n",
        &["2 c2s (notes [dev]) lossy: message {\"id\":1}"],
    );
}

#[test]
fn a_supergateway_log_of_http() {
    let text = "[supergateway] Starting...\n\
        [supergateway] Listening on port 8000\n\
        [supergateway] StreamableHttp → Child: {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}\n\
        [supergateway] Child stderr: Garden {\"ready\":true}\n\
        [supergateway] Child non-JSON: Garden 1.4\n\
        [supergateway] Child → StreamableHttp: {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n\
        gateway-1  | [supergateway] StreamableHttp → Child: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\
        [supergateway] Child → StreamableHttp: {\"jsonrpc\":\"2.0\",\"id\":1,\"resu\n\
        [supergateway] StreamableHttp connection closed (session 7f)\n\
        [supergateway] StreamableHttp → Child: {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}\n\
        [supergateway] StreamableHttp → Child: {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"x\":2}\n\
        [supergateway] Child → StreamableHttp: {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n\
        [supergateway] StreamableHttp → Child: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    check(
        "supergateway",
        text,
        &[
            r#"3 c2s lossy: message {"jsonrpc":"2.0","id":0,"method":"initialize"}"#,
            "5 s2c: line Garden 1.4",
            r#"6 s2c lossy: message {"jsonrpc":"2.0","id":0,"result":{}}"#,
            r#"7 c2s lossy: message {"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            "8 s2c: LOST the logger cut the message off, so it cannot be judged",
            r#"10 c2s (#2) lossy: message {"jsonrpc":"2.0","id":0,"method":"initialize"}"#,
            // From here on nobody knows which of the two is answered.
            r#"11 c2s (overlapping connections) lossy gap: message {"jsonrpc":"2.0","id":0,"method":"initialize","x":2}"#,
            "12 s2c (overlapping connections) lossy gap: nothing",
            r#"13 c2s (overlapping connections) lossy gap: message {"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        ],
    );
}

/// Without sessions the program opens one for each message, and writes the message twice.
#[test]
fn a_supergateway_log_without_sessions() {
    let text = "[supergateway] StreamableHttp → Child: {\"id\":5,\"method\":\"tools/list\"}\n\
        [supergateway] Non-initialize message detected, auto-initializing first\n\
        [supergateway] StreamableHttp → Child (auto-initialize): {\"id\":\"init_1\",\"method\":\"initialize\"}\n\
        [supergateway] Child → StreamableHttp: {\"id\":\"init_1\",\"result\":{}}\n\
        [supergateway] Initialize response received\n\
        [supergateway] StreamableHttp → Child (initialized): {\"method\":\"notifications/initialized\"}\n\
        [supergateway] StreamableHttp → Child (original): {\"id\":5,\"method\":\"tools/list\"}\n\
        [supergateway] Child → StreamableHttp: {\"id\":5,\"result\":{}}\n";
    check(
        "supergateway",
        text,
        &[
            r#"3 c2s lossy: message {"id":"init_1","method":"initialize"}"#,
            r#"4 s2c lossy: message {"id":"init_1","result":{}}"#,
            r#"6 c2s lossy: message {"method":"notifications/initialized"}"#,
            r#"7 c2s lossy: message {"id":5,"method":"tools/list"}"#,
            r#"8 s2c lossy: message {"id":5,"result":{}}"#,
        ],
    );
}

#[test]
fn a_supergateway_log_of_named_connections() {
    let text = "[supergateway] SSE → Child (session aa-1): {\"id\":1,\"method\":\"initialize\"}\n\
        [supergateway] SSE → Child (session bb-2): {\"id\":1,\"method\":\"initialize\"}\n\
        [supergateway] Child → SSE (session aa-1): {\n  jsonrpc: '2.0',\n  id: 1\n}\n\
        [supergateway] Child → WebSocket (client cc-3): {\"id\":2,\"method\":\"ping\"}\n\
        [supergateway] WebSocket → Child (client cc-3): {\"id\":2,\"result\":{}}\n";
    let (lines, ..) = read("supergateway", text);
    let [aa, bb, cc] = ["aa-1", "bb-2", "cc-3"].map(|id| sessions::label(id.as_bytes()));
    assert_eq!(
        lines,
        [
            format!(r#"1 c2s ({aa}) lossy: message {{"id":1,"method":"initialize"}}"#),
            format!(r#"2 c2s ({bb}) lossy: message {{"id":1,"method":"initialize"}}"#),
            // The dump of an object is no JSON.
            format!("3 s2c ({aa}) gap: nothing"),
            format!(r#"7 s2c ({cc}) lossy: message {{"id":2,"method":"ping"}}"#),
            format!(r#"8 c2s ({cc}) lossy: message {{"id":2,"result":{{}}}}"#),
        ]
    );
    // Its JSON log has the same words, and objects as they are.
    check(
        "supergateway",
        "{\"time\":\"2026-05-06T07:00:00.000Z\",\"level\":\"info\",\"msg\":\"Stdio → Streamable HTTP:\",\"data\":{\"id\":1,\"method\":\"initialize\"}}\n\
         {\"time\":\"2026-05-06T07:00:00.100Z\",\"level\":\"info\",\"msg\":\"Response:\",\"data\":{\"id\":1,\"result\":{}}}\n\
         {\"time\":\"2026-05-06T07:00:00.200Z\",\"level\":\"info\",\"msg\":\"Streamable HTTP → Stdio:\",\"data\":{\"method\":\"x\"}}\n\
         {\"time\":\"2026-05-06T07:00:00.200Z\",\"level\":\"error\",\"msg\":\"Child → StreamableHttp: {\\\"id\\\":2,\\\"result\\\":{}}\"}\n",
        &[
            r#"1 c2s lossy: message {"id":1,"method":"initialize"}"#,
            r#"2 s2c lossy: message {"id":1,"result":{}}"#,
            r#"3 ? lossy: message {"method":"x"}"#,
            r#"4 s2c lossy: message {"id":2,"result":{}}"#,
        ],
    );
}

#[test]
fn a_recording_of_another_program() {
    let text = r#"{"event":"start","pid":4}
{"timestamp":"2026-05-06T07:00:00.500Z","direction":"client->server","message":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"timestamp":1777777777777,"direction":"Server -> Client","message":{"id":1,"result":{}}}
{"direction":"client->server","note":"nothing was sent"}
{"direction":"client->server","message":"connected"}
{"direction":"client->server","message":
{"direction":"sideways","message":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"direction":"outgoing","message":{"jsonrpc":"2.0","id":3,"method":"ping"}}
"#;
    let (lines, times, _) = read("jsonl", text);
    assert_eq!(
        lines,
        [
            r#"2 c2s lossy: message {"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            r#"3 s2c lossy: message {"id":1,"result":{}}"#,
            "6 ?: LOST it stops being JSON at byte 40",
            // A side of the recorder is no party, and a message is one whoever sent it.
            r#"7 ? lossy: message {"jsonrpc":"2.0","id":2,"method":"ping"}"#,
            r#"8 ? lossy: message {"jsonrpc":"2.0","id":3,"method":"ping"}"#,
        ]
    );
    assert!(times[0].is_some());
    assert_eq!(times[1], Some(1_777_777_777.777));
    let session = sessions::label(b"s-1");
    let text = r#"{"from":"client","sessionId":"s-1","payload":"{\"jsonrpc\":\"2.0\",\"id\":1}\n"}
{"sender":"server","payload":"[{\"id\" :1}]"}
"#;
    check(
        "jsonl",
        text,
        &[
            &format!(r#"1 c2s ({session}): message {{"jsonrpc":"2.0","id":1}}"#),
            r#"2 s2c: message [{"id" :1}]"#,
        ],
    );
    // Records of a capture stay what they are, and so do messages with such members.
    for line in [
        r#"{"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\"}"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x","from":"client","data":{"jsonrpc":"2.0"}}"#,
    ] {
        let detected = detect::detect(line.as_bytes(), true, &Limits::DEFAULT);
        let capture = Format::capture();
        assert!(
            matches!(detected, Some(Detected::Format(format)) if format == capture),
            "{line}: {detected:?}"
        );
    }
    // Others are no recording: one sentence says so, instead of an error for each line.
    for line in [
        r#"{"from":"client","text":"jsonrpc"}"#,
        r#"{"from":"nobody","payload":{"jsonrpc":"2.0"}}"#,
    ] {
        let detected = detect::detect(line.as_bytes(), true, &Limits::DEFAULT);
        assert!(
            matches!(detected, Some(Detected::Foreign(_))),
            "{line}: {detected:?}"
        );
    }
}
