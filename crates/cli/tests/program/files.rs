//! `check`: files, folders, packed files, order, memory.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::support::{BAD_CALL, PING, PONG, assay, folder, run_in};
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

#[test]
fn folders_are_walked_by_name() {
    let ping = PING.as_bytes();
    let folder = folder(&[
        ("logs/b.jsonl", ping),
        ("logs/a.ndjson", ping),
        ("logs/sub/c.log", ping),
        ("logs/d.json.gz", &gzip(PING)),
        ("logs/e.log.zst", &zstandard(PING)),
        ("logs/notes.txt", b"no traffic"),
        ("logs/.hidden.json", b"no traffic"),
        ("logs/.git/x.json", b"no traffic"),
        ("empty/readme.md", b""),
    ]);
    let outcome = run_in(&folder, &["check", "--format", "ndjson", "logs"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    let lines = outcome.lines();
    let sources: Vec<_> = lines[..lines.len() - 1]
        .iter()
        .map(|line| line["source"].as_str().unwrap())
        .collect();
    assert_eq!(
        sources,
        [
            "logs/a.ndjson",
            "logs/b.jsonl",
            "logs/d.json.gz",
            "logs/e.log.zst",
            "logs/sub/c.log"
        ]
    );
    let outcome = run_in(&folder, &["check", "empty"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("empty"), "{}", outcome.stderr);
}

#[test]
fn packed_files_are_read_as_they_are() {
    let text = format!("{PING}\n{BAD_CALL}\n");
    let twice = [gzip(PING), gzip("\n"), gzip(BAD_CALL)].concat();
    let folder = folder(&[
        ("a.gz", &gzip(&text)),
        ("b.zst", &zstandard(&text)),
        ("c.gz", &twice),
    ]);
    for name in ["a.gz", "b.zst", "c.gz"] {
        let outcome = run_in(&folder, &["check", "--format", "ndjson", name]);
        assert_eq!(
            outcome.rules(),
            [vec![], vec!["schema/missing-member".to_owned()]],
            "{name}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_checked() {
    let mut torn = gzip(&PING.repeat(1000));
    torn.truncate(torn.len() / 2);
    let folder = folder(&[
        ("a.ndjson", BAD_CALL.as_bytes()),
        ("torn.gz", &torn),
        ("z.zst", b"no zstandard"),
    ]);
    for jobs in ["1", "4"] {
        let arguments = [
            "check",
            "--format",
            "ndjson",
            "--jobs",
            jobs,
            "missing.ndjson",
            "torn.gz",
            "z.zst",
            "a.ndjson",
        ];
        let outcome = run_in(&folder, &arguments);
        assert_eq!(outcome.code, 2);
        for name in ["missing.ndjson", "torn.gz", "z.zst"] {
            assert!(
                outcome.stderr.contains(&format!("failed to read {name}")),
                "{}",
                outcome.stderr
            );
        }
        assert_eq!(
            outcome.summary()["violations"]["schema/missing-member"],
            1,
            "{}",
            outcome.stdout
        );
    }
}

#[test]
fn the_order_is_that_of_the_arguments() {
    // The first files take longest, and all have more output than fits between worker and writer.
    let count = 12;
    let files: Vec<(String, Vec<u8>)> = (0..count)
        .map(|index| {
            (
                format!("{index:02}.ndjson"),
                format!("{BAD_CALL}\n")
                    .repeat(4000 / (index + 1))
                    .into_bytes(),
            )
        })
        .collect();
    let borrowed: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    let folder = folder(&borrowed);
    let report = |jobs: &str| {
        let mut arguments = vec!["check", "--format", "ndjson", "--jobs", jobs];
        arguments.extend(files.iter().map(|(name, _)| name.as_str()));
        run_in(&folder, &arguments).stdout
    };
    let one = report("1");
    assert_eq!(
        one.lines().count(),
        (0..count).map(|index| 4000 / (index + 1)).sum::<usize>() + 1
    );
    assert!(one == report("4"), "several jobs report as one does");
}

#[test]
fn a_reader_that_leaves_ends_the_output_and_not_the_verdict() {
    let folder = folder(&[
        (
            "a.ndjson",
            format!("{BAD_CALL}\n").repeat(20_000).as_bytes(),
        ),
        (
            "b.ndjson",
            format!("{BAD_CALL}\n").repeat(20_000).as_bytes(),
        ),
    ]);
    for (arguments, code) in [
        (&["check", "a.ndjson"][..], 1),
        (&["check", "a.ndjson", "b.ndjson"], 1),
        (&["rules"], 0),
        (&["demo"], 0),
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("mcp-assay"))
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Closed unread: the first write that reaches the pipe fails.
        drop(child.stdout.take());
        let mut complaints = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut complaints)
            .unwrap();
        assert_eq!(
            child.wait().unwrap().code(),
            Some(code),
            "{arguments:?}: {complaints}"
        );
        assert_eq!(complaints, "", "{arguments:?}");
    }
}

#[test]
fn a_live_stream_is_answered_line_by_line() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("mcp-assay"))
        .args(["check", "--format", "ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    for (message, method) in [(PING, "request"), (PONG, "response")] {
        writeln!(input, "{message}").unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut output, &mut line).unwrap();
        assert!(line.contains(method), "{line}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The peak of a child's resident memory, while it still runs.
#[cfg(target_os = "linux")]
fn peak_kilobytes(child: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{child}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .expect("a peak");
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
fn peak_after(arguments: &[&str], block: &[u8], times: usize, last: &[u8]) -> (u64, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("mcp-assay"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for _ in 0..times {
        input.write_all(block).unwrap();
    }
    input.write_all(last).unwrap();
    // The rest in the pipe is less than one of its buffers.
    let peak = peak_kilobytes(child.id());
    drop(input);
    let output = child.wait_with_output().unwrap();
    (peak, String::from_utf8(output.stdout).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_flat() {
    const MEGABYTE: usize = 1 << 20;
    let check: &[&str] = &["check", "--quiet", "--format", "ndjson"];
    let line = format!(
        "{}\n{PING}\n{PONG}\n",
        serde_json::json!({"dir": "c2s", "session": "s", "raw": BAD_CALL})
    );
    let block = line.repeat(MEGABYTE / line.len());
    let (peak, report) = peak_after(check, block.as_bytes(), 200, b"");
    assert!(peak < 40 << 10, "{peak} kB for 200 MB of lines");
    assert!(report.contains("\"messages\":"), "{report}");

    // One line of 200 MB under a limit of 1 MB is read to its end and not kept.
    let limited: &[&str] = &[
        "check",
        "--quiet",
        "--format",
        "ndjson",
        "--max-message-bytes",
        "1048576",
    ];
    let (peak, report) = peak_after(
        limited,
        &vec![b'['; MEGABYTE],
        200,
        format!("\n{PING}\n").as_bytes(),
    );
    assert!(peak < 40 << 10, "{peak} kB for one line of 200 MB");
    assert!(
        report.contains(
            r#""messages":2,"pass":1,"flag":0,"block":1,"violations":{"json/size-limit":1}"#
        ),
        "{report}"
    );
}

#[test]
fn standard_input_stands_among_files() {
    let folder = folder(&[("a.ndjson", PING.as_bytes())]);
    let output = assay(&["check", "--format", "ndjson", "a.ndjson", "-"])
        .current_dir(folder.path())
        .write_stdin(PONG)
        .output()
        .unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    let sources: Vec<_> = report
        .lines()
        .take(2)
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(
        sources,
        [r#"{"source":"a.ndjson""#, r#"{"source":"<stdin>""#]
    );
}
