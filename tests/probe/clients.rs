//! A live client, right and with one fault at a time.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mcp_assay::{Party, Revision};
use mcp_assay_probe::{
    ClientUnderTest, Options, Reach, Report, Status, Target, Unreachable, is_provoked, probe,
    requirements,
};

use crate::{failed, names};

const CLIENT: &str = env!("CARGO_BIN_EXE_probe-client");

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

fn serve(http: bool, arguments: &[&str], revisions: &[&str]) -> Result<Report, Unreachable> {
    probe(&options(http, arguments, revisions), &mut |_| ())
}

pub(crate) fn options(http: bool, arguments: &[&str], revisions: &[&str]) -> Options {
    let (place, reach) = if http {
        ("{url}", Reach::Http)
    } else {
        ("{server}", Reach::Stdio(words(&[CLIENT, "relay"])))
    };
    let mut command = words(&[CLIENT]);
    command.extend(words(arguments));
    command.push(place.to_owned());
    let mut options = Options::new(Target::Client(ClientUnderTest { command, reach }));
    options.step_timeout = Duration::from_secs(4);
    options.deadline = Instant::now() + Duration::from_secs(240);
    options.revisions = revisions
        .iter()
        .map(|name| name.parse().expect("a revision"))
        .collect();
    options
}

#[test]
fn a_client_that_does_everything_right_comes_out_clean() {
    let mut shown = BTreeSet::new();
    for (http, arguments) in [
        (false, &[][..]),
        (false, &["--bare"]),
        (true, &[]),
        (true, &["--legacy", "--bare"]),
        (false, &["--legacy", "--tasks"]),
    ] {
        let report = serve(http, arguments, &[]).expect("a report");
        assert_eq!(failed(&report), [], "{http} {arguments:?}");
        let mut spoken = Revision::ALL.map(Revision::name).to_vec();
        // Over HTTP the oldest has a transport of its own.
        spoken.drain(..usize::from(http));
        if arguments.contains(&"--legacy") {
            spoken.pop();
        }
        assert_eq!(names(&report.revisions), spoken, "{http} {arguments:?}");
        // What is right has to be seen to be right.
        let passed = report.count(Status::Pass);
        assert!(passed > 100, "{passed}: {http} {arguments:?}");
        let passed = report.entries.iter();
        let passed = passed.filter(|entry| entry.status == Status::Pass);
        shown.extend(passed.map(|entry| entry.id));
    }
    let all = requirements().iter().map(|requirement| requirement.id);
    let missed: Vec<_> = all
        .filter(|id| is_provoked(id, Party::Client) && !id.starts_with("auth/"))
        .filter(|id| !shown.contains(id))
        .collect();
    // It says nothing to what it cannot read, and does not declare what is deprecated.
    assert_eq!(missed, ["jsonrpc/parse-error-reply", "sampling/max-tokens"]);
}

#[cfg(unix)]
#[test]
fn a_client_that_never_connects_is_told_from_one_that_cannot_be_started() {
    let target = |command: &[&str]| {
        let mut options = Options::new(Target::Client(ClientUnderTest {
            command: words(command),
            reach: Reach::Http,
        }));
        options.step_timeout = Duration::from_millis(500);
        probe(&options, &mut |_| ())
    };
    assert!(matches!(
        target(&["cat", "/dev/null"]),
        Err(Unreachable::NoConnection(_))
    ));
    assert!(matches!(
        target(&["/no/such/client"]),
        Err(Unreachable::Start(_))
    ));
}

/// The rules that find a fault.
pub(crate) fn found() -> impl Iterator<Item = &'static str> {
    let cases = STDIO.iter().chain(HTTP);
    cases.flat_map(|(_, _, rules, _)| rules.iter().copied())
}

/// A fault, more arguments, the rules that find it, and the revisions in which the client is
/// served.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

const NEW: &[&str] = &["2026-07-28"];
const OLD: &[&str] = &["2025-11-25"];

#[rustfmt::skip]
const STDIO: &[Case] = &[
    ("no-client-version", &[], &["schema/missing-member"], OLD),
    ("no-initialized", &[], &["lifecycle/initialized-sent"], OLD),
    ("hurried", &["--legacy"], &["lifecycle/initialize-first"], OLD),
    ("any-version", &[], &["version/disconnect-on-unsupported"], OLD),
    ("goes-on-regardless", &["--legacy"], &["lifecycle/no-operation-after-failed-initialize"], OLD),
    ("same-id", &["--legacy"], &["request/id-unique-in-session"], OLD),
    ("null-id", &[], &["jsonrpc/request-id-not-null"], OLD),
    ("old-jsonrpc", &[], &["jsonrpc/version-member"], OLD),
    ("params-are-a-list", &[], &["jsonrpc/params-object"], OLD),
    ("two-messages-a-line", &[], &["framing/newline-delimited"], OLD),
    ("not-utf8", &[], &["framing/utf8"], OLD),
    ("invents-cursors", &[], &["pagination/cursor-opaque"], OLD),
    ("stops-at-empty-pages", &[], &["pagination/no-assumed-page-size"], OLD),
    ("ping-unanswered", &[], &["ping/answered"], OLD),
    ("ping-result-is-text", &[], &["jsonrpc/result-object"], OLD),
    ("answers-id-as-text", &[], &["response/id-type-preserved"], OLD),
    ("answers-twice", &[], &["response/exactly-one"], OLD),
    ("unknown-method-is-internal", &[], &["jsonrpc/unknown-method-reply"], OLD),
    ("serves-unknown-methods", &[], &["jsonrpc/unknown-method-reply"], OLD),
    ("takes-any-envelope", &[], &["jsonrpc/invalid-request-reply"], OLD),
    ("bad-params-are-internal", &[], &["jsonrpc/invalid-params-reply"], OLD),
    ("empty-roots-undeclared", &["--bare"], &["roots/unsupported-reply"], OLD),
    ("samples-undeclared", &["--bare"], &["capability/declare-client-features"], OLD),
    ("undeclared-is-internal", &["--bare"], &["capability/undeclared-method-reply"], OLD),
    ("declines-undeclared", &["--bare"], &["capability/undeclared-method-reply"], OLD),
    ("samples-with-tools", &[], &["sampling/undeclared-tools-error"], OLD),
    ("declines-urls", &[], &["elicitation/undeclared-mode-reply"], OLD),
    ("fetches-urls", &[], &["elicitation/no-prefetch"], OLD),
    ("ignores-defaults", &[], &["elicitation/defaults-prefilled"], OLD),
    ("action-unknown", &[], &["schema/unknown-value"], OLD),
    ("content-misfit", &[], &["elicitation/accept-matches-schema"], OLD),
    ("role-unknown", &[], &["schema/unknown-value"], OLD),
    ("root-without-uri", &[], &["schema/missing-member"], OLD),
    ("early-ping-refused", &[], &["ping/any-phase"], OLD),
    ("batches-ignored", &[], &["jsonrpc/batch-accepted"], &["2025-03-26"]),
    ("dies-of-text", &[], &["probe/survives"], OLD),
    ("dies-of-strays", &[], &["probe/survives"], OLD),
    ("dies-of-cancellations", &[], &["cancel/invalid-ignored"], OLD),
    ("text-is-a-bad-request", &[], &["jsonrpc/parse-error-reply"], OLD),
    ("kills-the-server", &[], &["lifecycle/stdio-shutdown-order"], OLD),
    ("arguments-misfit", &[], &["tools/arguments-match-schema"], OLD),
    ("prompt-argument-is-a-number", &[], &["schema/wrong-type"], OLD),
    ("level-unknown", &[], &["schema/unknown-value"], OLD),
    ("cancels-what-never-was", &[], &["cancel/own-request"], OLD),
    ("unknown-notice", &[], &["schema/unknown-method"], OLD),
    ("calls-unknown-methods", &[], &["schema/unknown-method"], OLD),
    ("roots-change-undeclared", &[], &["capability/roots-list-changed"], OLD),
    ("dies-of-text", &[], &["probe/survives"], NEW),
    ("no-client-capabilities", &[], &["schema/missing-member"], NEW),
    ("stops-at-empty-cursors", &[], &["pagination/empty-cursor-is-cursor"], NEW),
    ("wants-result-types", &[], &["response/absent-result-type-is-complete"], NEW),
    ("repeats-versions", &[], &["version/retry-with-supported"], NEW),
    ("falls-back-on-modern-errors", &[], &["version/no-fallback-on-modern-error"], NEW),
    ("falls-back-by-code", &[], &["version/fallback-not-code-keyed"], &["2025-11-25", "2026-07-28"]),
    ("fetches-refs", &[], &["schema/no-network-ref"], NEW),
    ("hangs-on-schemas", &[], &["schema/bounded-validation"], NEW),
    ("dies-of-dialects", &[], &["schema/unknown-dialect-error"], NEW),
    ("gives-up-silently", &[], &["cancel/stdio-needs-notification"], NEW),
    ("does-not-resubscribe", &[], &["subscriptions/resubscribe"], NEW),
    ("changes-state", &[], &["mrtr/state-echoed"], NEW),
    ("loses-state", &[], &["mrtr/state-echoed"], NEW),
    ("answers-nothing", &[], &["mrtr/retry-answers-all"], NEW),
    // Whoever lets it be seen also uses what is deprecated.
    ("answers-too-long", &[], &["sampling/deprecated", "sampling/max-tokens"], NEW),
    ("pings-modern", &[], &["schema/unknown-method"], NEW),
    ("refuses-as-internal", &[], &["sampling/rejection-code"], OLD),
    ("refuses-with-nothing", &[], &["sampling/rejection-code"], OLD),
    ("unknown-task-is-internal", &["--tasks"], &["tasks/unknown-id-reply"], OLD),
    ("lists-no-tasks", &["--tasks"], &["tasks/list-complete"], OLD),
    ("hurries-tasks", &["--tasks"], &["tasks/result-blocks"], OLD),
    ("loses-keywords", &[], &["schema/keywords-preserved"], OLD),
    ("loses-keywords", &[], &["schema/keywords-preserved"], NEW),
    ("knows-old-dialects-only", &[], &["schema/dialect-2020-12"], NEW),
    ("calls-unresolved", &[], &["schema/unresolved-ref-rejected"], NEW),
    ("keeps-by-method", &[], &["caching/key-exact"], NEW),
    ("keeps-retries", &[], &["caching/no-mrtr-results"], NEW),
];

#[rustfmt::skip]
const HTTP: &[Case] = &[
    ("no-session-id", &[], &["http/session-id-sent"], OLD),
    ("no-version-header", &[], &["http/version-header-sent"], OLD),
    ("accepts-json-only", &[], &["http/accept-both"], OLD),
    ("session-not-deleted", &[], &["http/session-delete"], OLD),
    ("resumes-by-post", &[], &["http/sse-resume-by-get"], OLD),
    ("hurries", &[], &["http/sse-retry-respected"], OLD),
    ("clings-to-sessions", &[], &["http/session-404-restart"], OLD),
    ("no-streams", &["--bare"], &["http/client-reads-both"], NEW),
    ("dies-of-text", &[], &["probe/survives"], OLD),
    ("ping-unanswered", &[], &["ping/answered"], OLD),
    ("no-mcp-method", &[], &["http/mcp-method"], NEW),
    ("no-mcp-name", &[], &["http/mcp-name"], NEW),
    ("calls-broken-tools", &[], &["tools/x-mcp-header-invalid-dropped"], NEW),
    ("mirrors-nothing", &[], &["http/mcp-param"], NEW),
    ("mirrors-something-else", &[], &["http/mcp-param-matches-body"], NEW),
    ("mirrors-unencoded", &[], &["http/base64-when-needed"], NEW),
    ("stops-at-empty-cursors", &[], &["pagination/empty-cursor-is-cursor"], NEW),
    ("shares-private-answers", &[], &["caching/private-not-shared"], NEW),
    ("keeps-by-method", &[], &["caching/key-exact"], NEW),
    ("refuses-as-internal", &[], &["sampling/rejection-code"], OLD),
    ("lists-no-tasks", &["--tasks"], &["tasks/list-complete"], OLD),
];

#[test]
fn the_message_that_ends_a_client_is_named_although_the_client_ends_later() {
    for (http, revisions) in [(false, OLD), (false, NEW), (true, OLD)] {
        let report = serve(http, &["--fault", "dies-late-of-words"], revisions);
        let report = report.expect("a report");
        let found: Vec<_> = report.failures().collect();
        let [entry] = &found[..] else {
            panic!("one rule is expected: {:#?}", failed(&report));
        };
        let said: Vec<_> = entry.failures.iter().map(|one| &one.message[..]).collect();
        assert_eq!(entry.id, "probe/survives");
        assert_eq!(
            said,
            ["the client ended after text that is not JSON"],
            "{http}"
        );
    }
}

#[test]
fn over_stdio_each_fault_of_a_client_is_found_by_its_rule_alone() {
    check(STDIO, false);
}

#[test]
fn over_http_each_fault_of_a_client_is_found_by_its_rule_alone() {
    check(HTTP, true);
}

fn check(cases: &[Case], http: bool) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    // Most of the time is spent waiting.
    thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                while let Some((fault, more, rules, revisions)) =
                    cases.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let arguments = [&["--fault", fault][..], more].concat();
                    let found = match serve(http, &arguments, revisions) {
                        Ok(report) => failed(&report),
                        Err(error) => vec![("unreachable", error.to_string())],
                    };
                    let ids: Vec<_> = found.iter().map(|(id, _)| *id).collect();
                    if ids != *rules {
                        let text = format!("{fault}: expected {rules:?}, found {found:#?}");
                        wrong.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
