//! Servers that hang, die, or do not end; and what is left of them.

use std::time::Duration;

use mcp_assay_harness::{Error, Harness};
#[cfg(unix)]
use mcp_assay_testkit::shell::ShellServer;

#[cfg(unix)]
use crate::server::shell;
use crate::server::{SERVER, faulty};

#[test]
fn a_server_that_hangs_is_not_waited_for() {
    let mut server = faulty("hangs-on-prompts")
        .timeout(Duration::from_millis(300))
        .start()
        .unwrap();
    server.initialize().unwrap();
    let error = server.list_prompts().unwrap_err();
    assert_eq!(
        error.to_string(),
        "prompts/list was not answered within 300ms"
    );
    // It is still there.
    server.ping().unwrap();
}

#[cfg(unix)]
#[test]
fn everything_together_can_be_limited_too() {
    let mut server = shell("*ping*) ;;")
        .timeout(Duration::from_secs(3600))
        .total_timeout(Duration::from_millis(500))
        .start()
        .unwrap();
    server.initialize().unwrap();
    // If it were not, this would take an hour.
    assert_eq!(server.ping().unwrap_err().kind(), "no_answer");
}

#[cfg(unix)]
#[test]
fn a_server_that_dies_is_told_with_its_last_words() {
    let mut server = shell("*'\"ping\"'*) echo 'out of \u{1b}[31mcheese' >&2; exit 7 ;;")
        .start()
        .unwrap();
    server.initialize().unwrap();
    let error = server.ping().unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("ping was not answered: the server ended (exit status: 7)"),
        "{text}"
    );
    assert!(text.contains("on standard error:\n    out of "), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    // Whoever goes on is told again, at once.
    assert_eq!(server.ping().unwrap_err().kind(), "gone");
}

#[test]
fn a_server_that_never_stops_talking_is_cut_off() {
    let mut server = Harness::command(["yes"]).start().unwrap();
    let error = server.initialize().unwrap_err();
    assert_eq!(error.violations().len(), 1, "{error}");
    drop(server);
    let mut server = Harness::command(["yes"])
        .lenient()
        .timeout(Duration::from_secs(60))
        .start()
        .unwrap();
    let error = server.initialize().unwrap_err();
    assert!(error.to_string().contains("more than is kept"), "{error}");
    let error = server.expect_no_violations().unwrap_err().to_string();
    assert!(
        error.lines().count() < 200 && error.ends_with(" more"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_started_is_told() {
    let error = Harness::spawn(["/no/such/server"]).err().unwrap();
    assert!(
        error.to_string().contains("could not be started"),
        "{error}"
    );
    assert!(Harness::spawn(Vec::<String>::new()).is_err());
}

#[test]
fn a_server_that_ends_when_it_should_ends_cleanly() {
    let mut server = Harness::spawn([SERVER]).unwrap();
    server.initialize().unwrap();
    let farewell = server.close().unwrap();
    assert!(farewell.ended_by_itself);
    assert!(farewell.status.is_some_and(|status| status.success()));
    // What passed is still there, and nothing more passes.
    assert!(server.records().len() >= 3);
    let error = server.ping().unwrap_err();
    assert!(
        error.to_string().contains("the connection was closed"),
        "{error}"
    );
    server.close().unwrap();
}

#[test]
fn a_server_that_goes_on_is_killed_and_told_of() {
    let mut server = faulty("outlives-its-input")
        .timeout(Duration::from_millis(400))
        .start()
        .unwrap();
    server.initialize().unwrap();
    let error = server.close().unwrap_err();
    assert!(matches!(error, Error::StillRunning(_)), "{error}");
}

#[cfg(unix)]
#[test]
fn the_last_words_are_judged() {
    let script = ShellServer::new().end("echo goodbye");
    let mut server = Harness::command(script.command()).start().unwrap();
    server.initialize().unwrap();
    let error = server.close().unwrap_err();
    assert_eq!(
        error.violations()[0].rule.name,
        "framing/stdout-messages-only"
    );
    assert!(error.to_string().contains("sent: goodbye"), "{error}");
}

/// Whether a process is there, and no zombie.
#[cfg(target_os = "linux")]
fn is_running(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_that_a_server_started_outlives_the_harness() {
    let script = r#"*'"ping"'*) sleep 600 >/dev/null 2>&1 & printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"%s %s"}}\n' "$id" $$ $! ;;"#;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("held");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    for closes in [true, false] {
        // Both processes hold the pipe open: it ends when neither of them is left.
        let script = format!("*notifications/initialized*) exec 9>\"$HELD\" ;;\n{script}");
        let mut server = shell(&script)
            .environment("HELD", pipe.to_str().unwrap())
            .start()
            .unwrap();
        let reader = pipe.clone();
        let held = std::thread::spawn(move || std::fs::read(reader));
        server.initialize().unwrap();
        let Err(Error::Refused { error, .. }) = server.ping() else {
            panic!("the answer is an error");
        };
        let ids: Vec<&str> = error.message.split(' ').collect();
        assert!(ids.len() == 2 && ids.iter().all(|id| is_running(id)));
        if closes {
            server.close().unwrap();
        } else {
            drop(server);
        }
        held.join().unwrap().unwrap();
        // The server itself was waited for: it is no zombie.
        assert!(!std::path::Path::new(&format!("/proc/{}", ids[0])).exists());
    }
}

#[cfg(unix)]
#[test]
fn environment_and_folder_are_the_tests_choice() {
    let folder = std::env::temp_dir();
    let mut server = shell(
        r#"*'"ping"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"%s %s"}}\n' "$id" "$COLOUR" "$(pwd -P)" ;;"#,
    )
    .environment("COLOUR", "blue")
    .folder(&folder)
    .start()
    .unwrap();
    server.initialize().unwrap();
    let Err(Error::Refused { error, .. }) = server.ping() else {
        panic!("the answer is an error");
    };
    let folder = folder.canonicalize().unwrap();
    assert_eq!(error.message, format!("blue {}", folder.display()));
}
