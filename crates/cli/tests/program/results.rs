//! Results of `check` and `probe`: messages that were not judged, empty inputs, findings only, one
//! line a finding, and the exit code after the reader of the output has gone away.

use std::io::Read as _;
use std::process::Stdio;

use serde_json::json;

use crate::support::{BAD_CALL, LIST, PING, PONG, TOOLS, folder, run, run_in};

/// A response without its request.
const LONE: &str = r#"{"jsonrpc":"2.0","id":9,"result":{"tools":7}}"#;

const FORMATS: [&str; 8] = [
    "human", "concise", "json", "ndjson", "junit", "sarif", "github", "html",
];

#[test]
fn a_response_without_its_request_is_not_judged_in_every_format() {
    for format in FORMATS {
        let shown = run(&["check", "--format", format], &format!("{PING}\n{LONE}\n"));
        assert_eq!(shown.code, 0, "{format}: {}", shown.stdout);
        assert!(shown.stdout.contains("--answers METHOD"), "{format}");
        assert!(!shown.stdout.contains("all clean"), "{format}");
        let answers = ["check", "--format", format, "--answers", "tools/list"];
        let judged = run(&answers, LONE);
        assert_eq!(judged.code, 1, "{format}: {}", judged.stdout);
        assert!(!judged.stdout.contains("--answers METHOD"), "{format}");
    }
    let human = run(&["check"], &format!("{PING}\n{LONE}\n"));
    assert!(
        human
            .stdout
            .starts_with("2 messages: 1 clean, 1 not judged\n"),
        "{}",
        human.stdout
    );
}

#[test]
fn lines_and_the_summary_count_what_was_not_judged() {
    let error = r#"{"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"no"}}"#;
    let cases: [(&str, &[&str], u64, u64); 6] = [
        (LONE, &[], 0, 1),
        // An error has the same shape for every request.
        (error, &[], 1, 0),
        // Nobody asked for more than was checked.
        (LONE, &["--layers", "json,jsonrpc"], 1, 0),
        (LONE, &["--select", "jsonrpc"], 1, 0),
        // A batch is judged if all of its results are.
        (
            r#"[{"jsonrpc":"2.0","id":9,"result":{}}]"#,
            &["--revision", "2025-03-26"],
            0,
            1,
        ),
        (
            r#"[{"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"no"}}]"#,
            &["--revision", "2025-03-26"],
            1,
            0,
        ),
    ];
    for (message, flags, pass, not_judged) in cases {
        let arguments = [&["check", "--format", "ndjson"], flags].concat();
        let shown = run(&arguments, message);
        let (line, summary) = (&shown.lines()[0], shown.summary());
        assert_eq!(line["verdict"], "pass", "{message} {flags:?}: {line}");
        assert_eq!(line["not_judged"].is_string(), not_judged > 0, "{line}");
        assert_eq!(summary["pass"], pass, "{message} {flags:?}: {summary}");
        let counted = summary.get("not_judged").cloned().unwrap_or(json!(0));
        assert_eq!(counted, not_judged, "{message} {flags:?}: {summary}");
    }
    let known = run(
        &["check", "--format", "ndjson"],
        &format!("{LIST}\n{TOOLS}"),
    );
    assert_eq!(known.summary()["pass"], 2);
}

#[test]
fn an_input_without_messages_is_a_warning() {
    let files: [(&str, &[u8]); 3] = [
        ("empty.ndjson", b""),
        ("blank.ndjson", b"\n\n"),
        ("good.ndjson", PING.as_bytes()),
    ];
    let folder = folder(&files);
    for format in FORMATS {
        for jobs in ["1", "2"] {
            let arguments = ["check", ".", "--format", format, "--jobs", jobs];
            let shown = run_in(&folder, &arguments);
            assert_eq!(shown.code, 0, "{format}: {}", shown.stderr);
            for name in ["empty.ndjson", "blank.ndjson"] {
                let warning = format!("warning: ./{name} has no messages\n");
                assert!(
                    shown.stderr.contains(&warning),
                    "{format}: {}",
                    shown.stderr
                );
            }
            assert!(!shown.stderr.contains("good.ndjson"), "{}", shown.stderr);
        }
    }
    let summary = run_in(&folder, &["check", ".", "--format", "ndjson"]).summary();
    assert_eq!(summary["empty_sources"], 2);
    let nothing = run(&["check"], "");
    assert_eq!(nothing.stdout, "no messages\n");
    assert_eq!(
        nothing.stderr,
        "mcp-assay: warning: <stdin> has no messages\n"
    );
}

#[test]
fn only_findings_leaves_passes_out_and_counts_them() {
    let input = format!("{PING}\n{PONG}\n{BAD_CALL}\n{LONE}\n");
    let shown = run(&["check", "--format", "ndjson", "--only-findings"], &input);
    let lines: Vec<_> = shown
        .lines()
        .iter()
        .map(|line| line["line"].clone())
        .collect();
    // A message that was not judged did not pass.
    assert_eq!(lines, [json!(3), json!(4), json!(null)]);
    let summary = shown.summary();
    assert_eq!(
        (&summary["messages"], &summary["pass"]),
        (&json!(4), &json!(2))
    );
    let shown = run(&["check", "--format", "json", "--only-findings"], &input);
    let document: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(document["messages"].as_array().unwrap().len(), 2);
    assert_eq!(document["summary"]["pass"], 2);
}

#[test]
fn concise_is_one_line_a_finding_and_one_of_totals() {
    let bad = r#"{"jsonrpc":"2.0","id":"é","method":7}"#;
    let pretty = "{\n \"jsonrpc\": \"2.0\",\n \"id\": 3,\n \"method\": \"tools/call\",\n \"params\": []\n}\n";
    let record = format!(r#"{{"dir":"c2s","raw":{}}}"#, json!(BAD_CALL));
    let lines = format!("{PING}\n{bad}\n{record}\n{{\"dir\":\"c2s\",\"raw\":1}}\n");
    let folder = folder(&[
        ("a b.ndjson", lines.as_bytes()),
        ("p.json", pretty.as_bytes()),
    ]);
    let shown = run_in(
        &folder,
        &["check", "--format", "concise", "a b.ndjson", "p.json"],
    );
    assert_eq!(shown.code, 1);
    let expected = "\
a b.ndjson:2:36: error[jsonrpc/method-string] `method` is a number, expected a string
a b.ndjson:3:1: error[schema/missing-member] `params` is missing from the message
a b.ndjson:4:1: error[capture/readable-record] the record cannot be read: `raw` is not a string
p.json:5:12: error[jsonrpc/params-object] `params` is an array, expected an object
4 messages: 1 clean, 3 with errors; 1 record cannot be read; 3 violations
";
    assert_eq!(shown.stdout, expected);
    let clean = run(&["check", "--format", "concise"], PING);
    assert_eq!(clean.stdout, "1 message: clean\n");
}

/// Runs with a reader that closes its end after the first byte.
fn after_the_reader_left(arguments: &[&str], folder: &tempfile::TempDir) -> Option<i32> {
    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = process.stdout.take().unwrap();
    // The first byte comes once the buffer is full: there is more than a pipe holds.
    let _first = stdout.read(&mut [0]).unwrap();
    drop(stdout);
    process.wait().unwrap().code()
}

#[test]
fn the_exit_code_survives_a_broken_pipe() {
    let (bad, good) = (format!("{BAD_CALL}\n"), format!("{PING}\n{PONG}\n"));
    let (bad, good) = (bad.repeat(20_000), good.repeat(20_000));
    let folder = folder(&[
        ("bad/a.ndjson", bad.as_bytes()),
        ("bad/b.ndjson", bad.as_bytes()),
        ("good/a.ndjson", good.as_bytes()),
        ("good/b.ndjson", good.as_bytes()),
        ("known.json", b"[]"),
    ]);
    for format in ["human", "concise", "ndjson", "json", "html"] {
        for jobs in ["1", "2"] {
            let run = |input: &str, more: &[&str]| {
                let given = [
                    "check",
                    input,
                    "--format",
                    format,
                    "--jobs",
                    jobs,
                    "--no-config",
                ];
                after_the_reader_left(&[&given, more].concat(), &folder)
            };
            assert_eq!(run("bad", &[]), Some(1), "{format} {jobs}");
            assert_eq!(run("bad/a.ndjson", &[]), Some(1), "{format} {jobs}");
            assert_eq!(run("bad", &["--exit-zero"]), Some(0), "{format} {jobs}");
        }
    }
    for jobs in ["1", "2"] {
        let given = [
            "check", "good", "--format", "ndjson", "--jobs", jobs, "--ignore", "session",
        ];
        assert_eq!(after_the_reader_left(&given, &folder), Some(0));
    }
}
