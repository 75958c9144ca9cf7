//! A live server or client, right and with one fault at a time: what is right comes out clean, and
//! each fault is found by its rule alone.

mod authorisation;
mod clients;
mod connect;
mod faults;
mod hostile;
mod patience;
mod table;
mod wrong_ids;

use std::time::Duration;

use mcp_assay::Revision;
use mcp_assay_probe::{Options, Report, Status, Target, Unreachable, probe};
use mcp_assay_testkit::live::Live;

const SERVER: &str = env!("CARGO_BIN_EXE_probe-server");

fn live(arguments: &[&str]) -> Live {
    Live::start(SERVER, arguments)
}

fn at(server: &Live) -> Target {
    Target::Url {
        url: server.url.clone(),
        headers: Vec::new(),
    }
}

fn stdio(arguments: &[&str]) -> Target {
    let words = [SERVER].into_iter().chain(arguments.iter().copied());
    Target::Command(words.map(str::to_owned).collect())
}

fn run(target: Target, change: impl FnOnce(&mut Options)) -> Result<Report, Unreachable> {
    let mut options = Options::new(target);
    options.step_timeout = Duration::from_secs(2);
    options.start_timeout = Duration::from_secs(8);
    change(&mut options);
    probe(&options, &mut |_| ())
}

/// The rules that failed, with what they say.
fn failed(report: &Report) -> Vec<(&'static str, String)> {
    report
        .failures()
        .map(|entry| (entry.id, entry.failures[0].message.clone()))
        .collect()
}

fn names(revisions: &[Revision]) -> Vec<&'static str> {
    let mut names: Vec<_> = revisions.iter().map(|revision| revision.name()).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_server_that_does_everything_right_comes_out_clean() {
    let report = run(stdio(&[]), |_| ()).expect("a report");
    assert_eq!(failed(&report), []);
    let all = Revision::ALL.map(Revision::name);
    assert_eq!(names(&report.revisions), all);
    // What is right has to be seen to be right: a report that says nothing is clean too.
    assert!(
        report.count(Status::Pass) > 100,
        "{}",
        report.count(Status::Pass)
    );
}

#[test]
fn the_same_over_http_as_bodies_and_as_streams() {
    for arguments in [
        &[][..],
        &["--stream"],
        &["--fault", "resume"],
        &["--fault", "resume-after-close"],
    ] {
        let server = live(arguments);
        let report = run(at(&server), |_| ()).expect("a report");
        assert_eq!(failed(&report), [], "{arguments:?}");
        assert_eq!(
            names(&report.revisions),
            Revision::ALL.map(Revision::name)[1..]
        );
    }
}

#[test]
fn a_quick_probe_is_one_connection_with_few_messages() {
    let report = run(stdio(&[]), |options| options.quick = true).expect("a report");
    assert_eq!(failed(&report), []);
    assert_eq!(report.connections, 1);
    assert!(report.messages < 30, "{}", report.messages);
}

#[cfg(unix)]
#[test]
fn who_wants_a_token_or_is_not_there_is_told_apart() {
    let server = live(&["--fault", "wants-a-token"]);
    let report = run(at(&server), |_| ()).expect("a report");
    assert_eq!(report.authorisation, Some(401));
    let gone = at(&server);
    drop(server);
    assert!(matches!(run(gone, |_| ()), Err(Unreachable::Connect(_))));
    let silent = Target::Command(vec!["cat".to_owned(), "/dev/null".to_owned()]);
    assert!(matches!(
        run(silent, |_| ()),
        Err(Unreachable::NoHandshake(_))
    ));
}

#[test]
fn a_tool_is_called_only_if_that_is_asked_for() {
    // The server dies if `erase` is called.
    let report = run(stdio(&[]), |options| options.call_tools = true).expect("a report");
    let ids: Vec<_> = failed(&report).into_iter().map(|(id, _)| id).collect();
    assert!(ids.contains(&"probe/survives"), "{ids:?}");
}

#[test]
fn who_says_where_tokens_are_is_clean_with_one_and_without() {
    let server = live(&["--auth"]);
    let without = run(at(&server), |_| ()).expect("a report");
    assert_eq!(without.authorisation, Some(401));
    assert_eq!(failed(&without), []);
    let target = Target::Url {
        url: server.url.clone(),
        headers: vec![("authorization".to_owned(), "Bearer good".to_owned())],
    };
    let with = run(target, |_| ()).expect("a report");
    assert_eq!(with.authorisation, None);
    assert_eq!(failed(&with), []);
    for report in [without, with] {
        for id in ["auth/metadata-discoverable", "auth/https-endpoints"] {
            let entry = report.entries.iter().find(|entry| entry.id == id);
            assert_eq!(entry.expect("a row").status, Status::Pass, "{id}");
        }
    }
}

#[test]
fn the_oldest_transport_is_found_and_walked() {
    let server = live(&["--sse"]);
    let report = run(at(&server), |_| ()).expect("a report");
    assert_eq!(failed(&report), []);
    assert_eq!(names(&report.revisions), ["2024-11-05"]);
    assert!(report.count(Status::Pass) > 50);
}

#[test]
fn a_dialect_that_nobody_knows_may_be_refused() {
    let report = run(stdio(&["--fault", "foreign-dialect-refused"]), |options| {
        options.revisions = vec![Revision::V2025_11_25];
    });
    assert_eq!(failed(&report.expect("a report")), []);
}
