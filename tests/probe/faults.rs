//! One fault at a time, and the rule that finds it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use mcp_assay::Revision;
use mcp_assay_probe::{Report, Status, Unreachable};

use crate::{at, failed, live, run, stdio};

/// A fault, the rule that finds it, and the revisions in which the server is probed; all if there
/// are none.
type Case = (&'static str, &'static str, &'static [&'static str]);

const STDIO: &[Case] = &[
    ("ignores-text", "jsonrpc/parse-error-reply", &[]),
    ("text-is-a-bad-request", "jsonrpc/parse-error-reply", &[]),
    ("dies-of-text", "probe/survives", &[]),
    ("accepts-any-envelope", "jsonrpc/invalid-request-reply", &[]),
    (
        "ignores-bad-envelopes",
        "jsonrpc/invalid-request-reply",
        &[],
    ),
    (
        "bad-envelope-is-internal",
        "jsonrpc/invalid-request-reply",
        &[],
    ),
    (
        "serves-unknown-methods",
        "jsonrpc/unknown-method-reply",
        &[],
    ),
    (
        "unknown-method-is-internal",
        "jsonrpc/unknown-method-reply",
        &[],
    ),
    (
        "missing-params-are-internal",
        "jsonrpc/invalid-params-reply",
        &[],
    ),
    ("refuses-batches", "jsonrpc/batch-accepted", &[]),
    (
        "outlives-its-input",
        "lifecycle/exit-on-stdin-eof",
        &["2025-06-18"],
    ),
    (
        "agrees-to-anything",
        "version/counter-offer",
        &["2025-06-18"],
    ),
    ("refuses-strange-versions", "version/counter-offer", &[]),
    ("wrong-echo", "version/echo-supported", &[]),
    (
        "refuses-initialize-bare",
        "version/initialize-refusal-names-versions",
        &[],
    ),
    ("undeclared-tools", "capability/declare-tools", &[]),
    ("undeclared-resources", "capability/declare-resources", &[]),
    ("undeclared-prompts", "capability/declare-prompts", &[]),
    (
        "undeclared-completions",
        "capability/declare-completions",
        &[],
    ),
    (
        "undeclared-prompts-empty",
        "capability/undeclared-method-reply",
        &[],
    ),
    (
        "undeclared-prompts-internal",
        "capability/undeclared-method-reply",
        &[],
    ),
    ("lies-about-tools", "capability/truthful", &[]),
    ("dies-of-cancellations", "probe/survives", &[]),
    ("sulks-after-cancellations", "cancel/invalid-ignored", &[]),
    (
        "dies-of-running-cancellations",
        "probe/survives",
        &["2025-06-18"],
    ),
    (
        "answers-cancelled-calls",
        "cancel/no-response-after",
        &["2025-06-18"],
    ),
    (
        "answers-cancelled-calls",
        "cancel/silence-after",
        &["2026-07-28"],
    ),
    (
        "asks-incapable-clients",
        "capability/roots",
        &["2025-06-18"],
    ),
    ("logs-at-any-level", "logging/threshold", &["2025-06-18"]),
    ("levels-missing", "capability/truthful", &["2025-06-18"]),
    (
        "subscriptions-missing",
        "capability/truthful",
        &["2025-06-18"],
    ),
    (
        "subscriptions-say-more",
        "response/empty-result",
        &["2025-06-18"],
    ),
    (
        "unsubscribed-and-updated",
        "resources/updated-only-if-subscribed",
        &["2025-06-18"],
    ),
    ("loses-changes", "tools/list-changed-sent", &["2025-06-18"]),
    ("loses-changes", "tools/list-changed-sent", &["2026-07-28"]),
    (
        "changes-of-all-kinds",
        "subscriptions/only-requested",
        &["2026-07-28"],
    ),
    ("changes-untagged", "subscriptions/id-tag", &["2026-07-28"]),
    (
        "changes-wrongly-tagged",
        "subscriptions/id-matches",
        &["2026-07-28"],
    ),
    (
        "cancelled-and-subscribed",
        "subscriptions/silent-after-close",
        &["2026-07-28"],
    ),
    ("changes-for-all", "subscriptions/id-tag", &["2026-07-28"]),
    (
        "unsupported-version-is-internal",
        "version/unsupported-error",
        &["2026-07-28"],
    ),
    ("any-version", "version/unsupported-error", &["2026-07-28"]),
    (
        "unsupported-version-supported",
        "version/unsupported-error-consistent",
        &["2026-07-28"],
    ),
    (
        "unsupported-version-without-data",
        "schema/missing-member",
        &["2026-07-28"],
    ),
    (
        "still-answers-pings",
        "jsonrpc/unknown-method-reply",
        &["2026-07-28"],
    ),
    ("supported-versions-are-text", "schema/wrong-type", &[]),
    (
        "drop server/discover /result/supportedVersions",
        "schema/missing-member",
        &[],
    ),
    (
        "incapable-client-planned",
        "capability/missing-required-error",
        &["2026-07-28"],
    ),
    (
        "asks-the-incapable",
        "mrtr/input-capability",
        &["2026-07-28"],
    ),
    ("plans-for-ever", "mrtr/request-completed", &["2026-07-28"]),
    (
        "plans-are-refused",
        "mrtr/request-completed",
        &["2026-07-28"],
    ),
    (
        "advice-is-refused",
        "mrtr/request-completed",
        &["2026-07-28"],
    ),
    (
        "hangs-on-cancels",
        "elicitation/decline-handled",
        &["2026-07-28"],
    ),
    (
        "set tools/list /result/nextCursor \"three\"",
        "pagination/own-cursor-served",
        &["2025-06-18"],
    ),
    (
        "set tools/list /result/nextCursor \"two\"",
        "pagination/advances",
        &["2025-06-18"],
    ),
    (
        "set server/discover /result/supportedVersions [\"2025-11-25\"]",
        "discover/lists-served-version",
        &[],
    ),
    (
        "set server/discover /result/supportedVersions []",
        "probe/speaks-revision",
        &["2026-07-28"],
    ),
    (
        "set tasks/get /result/taskId \"other\"",
        "tasks/asked-task",
        &["2025-11-25"],
    ),
    (
        "set tasks/get /result/taskId \"other\"",
        "ext-tasks/asked-task",
        &["2026-07-28"],
    ),
    (
        "set initialize /result/capabilities/tools true",
        "schema/wrong-type",
        &["2025-06-18"],
    ),
    (
        "acknowledges-late",
        "subscriptions/ack-first",
        &["2026-07-28"],
    ),
    (
        "dies-on subscriptions/listen",
        "probe/survives",
        &["2026-07-28"],
    ),
    ("dies-on resources/read", "probe/survives", &["2025-06-18"]),
    ("hangs-on tasks/update", "probe/answers", &["2026-07-28"]),
    ("hangs-on tasks/cancel", "probe/answers", &["2025-11-25"]),
    ("lacks tools/call", "capability/truthful", &["2025-06-18"]),
    ("lacks prompts/get", "capability/truthful", &["2025-06-18"]),
    (
        "lacks resources/read",
        "capability/truthful",
        &["2026-07-28"],
    ),
    (
        "lacks completion/complete",
        "capability/truthful",
        &["2025-06-18"],
    ),
    (
        "progress-token-of-another-type",
        "progress/token-known",
        &["2025-06-18"],
    ),
    (
        "asks-twice-under-one-id",
        "request/id-unique-in-session",
        &["2025-06-18"],
    ),
    ("task-ids-count", "tasks/id-unguessable", &["2025-11-25"]),
    (
        "tasks-start-completed",
        "tasks/starts-working",
        &["2025-11-25"],
    ),
    (
        "task-results-unrelated",
        "tasks/result-related-task",
        &["2025-11-25"],
    ),
    (
        "tasks-cancelled-twice",
        "tasks/cancel-final-reply",
        &["2025-11-25"],
    ),
    (
        "tasks-not-cancelled",
        "tasks/cancel-shows-cancelled",
        &["2025-11-25"],
    ),
    ("tasks-forgotten", "tasks/kept-for-ttl", &["2025-11-25"]),
    ("tasks-return", "tasks/terminal-final", &["2025-11-25"]),
    ("tasks-lose-ttl", "schema/missing-member", &["2025-11-25"]),
    ("tasks-run-plainly", "tasks/required-reply", &["2025-11-25"]),
    ("ext-task-for-all", "ext-tasks/declared", &["2026-07-28"]),
    ("ext-task-deaf", "ext-tasks/input-taken", &["2026-07-28"]),
    ("ext-task-late", "ext-tasks/durable", &["2026-07-28"]),
    (
        "ext-task-no-result",
        "ext-tasks/status-payload",
        &["2026-07-28"],
    ),
    (
        "ext-task-returns",
        "ext-tasks/terminal-final",
        &["2026-07-28"],
    ),
    (
        "ext-task-key-again",
        "ext-tasks/input-key-unique",
        &["2026-07-28"],
    ),
    (
        "ext-task-get-is-task",
        "ext-tasks/result-type",
        &["2026-07-28"],
    ),
    ("ext-task-says-more", "ext-tasks/empty-ack", &["2026-07-28"]),
    ("no-early-ping", "ping/any-phase", &[]),
    ("any-cursor", "pagination/invalid-cursor-reply", &[]),
    ("any-arguments", "tools/input-validated", &[]),
    ("unknown-tool-in-result", "tools/unknown-tool-reply", &[]),
    (
        "bad-arguments-are-errors",
        "tools/input-error-in-result",
        &[],
    ),
    (
        "unknown-resource-is-internal",
        "resources/not-found-legacy",
        &["2025-06-18"],
    ),
    (
        "unknown-resource-is-internal",
        "resources/not-found",
        &["2026-07-28"],
    ),
    (
        "unknown-resource-is-empty",
        "resources/not-found-not-empty",
        &["2026-07-28"],
    ),
    ("climbs-out", "resources/no-traversal", &["2026-07-28"]),
    ("arguments-optional", "prompts/missing-argument-reply", &[]),
    ("any-prompt", "prompts/unknown-prompt-reply", &[]),
    ("completes-anything", "completion/unknown-ref-reply", &[]),
    ("any-log-level", "logging/invalid-level-reply", &[]),
    ("task-unknown-is-internal", "tasks/unknown-id-reply", &[]),
    ("ext-task-undeclared", "ext-tasks/undeclared-reply", &[]),
    ("ext-task-unknown", "ext-tasks/unknown-id-reply", &[]),
    ("tools-differ", "tools/list-stable-across-connections", &[]),
    (
        "resources-differ",
        "resources/list-stable-across-connections",
        &[],
    ),
    (
        "prompts-differ",
        "prompts/list-stable-across-connections",
        &[],
    ),
    ("no-discovery", "discover/implemented", &[]),
    ("version-not-needed", "meta/missing-field-reply", &[]),
    ("remembers-clients", "lifecycle/stateless-requests", &[]),
    ("hangs-on-prompts", "probe/answers", &["2025-06-18"]),
    ("dies-of-prompts", "probe/survives", &["2025-06-18"]),
    ("dies-of-deep-messages", "probe/survives", &[]),
    ("dies-of-long-messages", "probe/survives", &[]),
    ("hides-tasks", "tasks/list-complete", &[]),
    ("does-not-wait-for-tasks", "tasks/result-blocks", &[]),
    (
        "incapable-client-in-result",
        "capability/missing-required-error",
        &[],
    ),
    (
        "missing-input-refused",
        "mrtr/missing-input-asked-again",
        &[],
    ),
    ("extra-input-refused", "mrtr/extra-input-ignored", &[]),
    ("any-action", "mrtr/input-validated", &[]),
    (
        "hangs-on-declines",
        "elicitation/decline-handled",
        &["2026-07-28"],
    ),
    (
        "failures-are-errors",
        "tools/execution-error-in-result",
        &[],
    ),
    ("ignores-prefix-items", "schema/dialect-2020-12", &[]),
    (
        "foreign-dialect-ignored",
        "schema/unknown-dialect-error",
        &["2025-11-25"],
    ),
    ("state-not-sealed", "mrtr/state-tampering-rejected", &[]),
    ("loses-hasty-requests", "probe/answers", &["2025-06-18"]),
    ("state-for-any-call", "mrtr/state-replay-guard", &[]),
    // What watching alone shows too.
    (
        "never-acknowledges",
        "subscriptions/ack-sent",
        &["2026-07-28"],
    ),
    (
        "grants-too-much",
        "subscriptions/ack-subset",
        &["2026-07-28"],
    ),
    (
        "wrong-subscription",
        "subscriptions/id-matches",
        &["2026-07-28"],
    ),
    (
        "no-server-version",
        "schema/missing-member",
        &["2025-06-18"],
    ),
    (
        "capabilities-are-a-list",
        "schema/wrong-type",
        &["2025-06-18"],
    ),
    ("schema-is-text", "schema/wrong-type", &["2025-06-18"]),
    (
        "tool-without-name",
        "schema/missing-member",
        &["2025-06-18"],
    ),
    ("same-tool-twice", "tools/name-unique", &["2025-06-18"]),
    ("old-jsonrpc", "jsonrpc/version-member", &["2025-06-18"]),
    (
        "result-and-error",
        "jsonrpc/result-xor-error",
        &["2025-06-18"],
    ),
    (
        "error-without-message",
        "jsonrpc/error-message-string",
        &["2025-06-18"],
    ),
    (
        "error-code-is-text",
        "jsonrpc/error-code-integer",
        &["2025-06-18"],
    ),
    ("no-result-type", "schema/missing-member", &["2026-07-28"]),
    ("no-ttl", "schema/missing-member", &["2026-07-28"]),
    (
        "structured-misfit",
        "tools/structured-matches-schema",
        &["2025-06-18"],
    ),
    (
        "structured-missing",
        "tools/structured-present",
        &["2025-06-18"],
    ),
    (
        "content-of-no-type",
        "schema/unknown-variant",
        &["2025-06-18"],
    ),
    ("text-is-a-number", "schema/wrong-type", &["2025-06-18"]),
    ("role-unknown", "schema/unknown-value", &["2025-06-18"]),
    ("messages-missing", "schema/missing-member", &["2025-06-18"]),
    ("uri-invalid", "resources/uri-valid", &["2025-06-18"]),
    (
        "template-invalid",
        "resources/template-valid",
        &["2025-06-18"],
    ),
    ("blob-not-base64", "content/base64", &["2025-06-18"]),
    ("contents-missing", "schema/missing-member", &["2025-06-18"]),
    (
        "too-many-completions",
        "schema/out-of-range",
        &["2025-06-18"],
    ),
    (
        "ping-result-is-text",
        "jsonrpc/result-object",
        &["2025-06-18"],
    ),
    ("id-is-text", "response/id-type-preserved", &["2025-06-18"]),
    (
        "progress-for-nobody",
        "progress/token-known",
        &["2025-06-18"],
    ),
    ("progress-falls", "progress/increases", &["2025-06-18"]),
    (
        "progress-after-answer",
        "progress/stops-after-completion",
        &["2025-06-18"],
    ),
    ("answers-twice", "response/exactly-one", &["2025-06-18"]),
    (
        "asks-too-early",
        "lifecycle/server-waits-for-initialized",
        &["2025-06-18"],
    ),
    ("logs-at-no-level", "schema/unknown-value", &["2025-06-18"]),
    ("unknown-notice", "schema/unknown-method", &["2025-06-18"]),
    (
        "lists-change-unannounced",
        "capability/tools-list-changed",
        &["2025-06-18"],
    ),
    (
        "talks-on-stdout",
        "framing/stdout-messages-only",
        &["2025-06-18"],
    ),
    ("not-utf8", "framing/utf8", &["2025-06-18"]),
    ("repeated-key", "json/unique-keys", &["2025-06-18"]),
    (
        "two-messages-a-line",
        "framing/newline-delimited",
        &["2025-06-18"],
    ),
    ("byte-order-mark", "json/no-bom", &["2025-06-18"]),
];

const HTTP: &[Case] = &[
    ("any-origin", "http/origin-validated", &["2025-11-25"]),
    ("bad-origin-is-400", "http/origin-403", &["2025-11-25"]),
    ("get-elsewhere", "http/single-endpoint", &["2025-06-18"]),
    ("get-streams", "http/get-delete-405", &["2026-07-28"]),
    (
        "session-not-needed",
        "http/session-missing-400",
        &["2025-06-18"],
    ),
    (
        "no-session-is-404",
        "http/session-missing-400",
        &["2025-06-18"],
    ),
    (
        "sessions-never-end",
        "http/session-ended-404",
        &["2025-06-18"],
    ),
    (
        "any-version-header",
        "http/version-header-bad-400",
        &["2025-06-18"],
    ),
    (
        "version-header-needed",
        "http/version-header-default",
        &["2025-06-18"],
    ),
    (
        "headers-ignored",
        "http/header-mismatch-reply",
        &["2026-07-28"],
    ),
    (
        "names-ignored",
        "http/header-mismatch-reply",
        &["2026-07-28"],
    ),
    (
        "absent-headers-accepted",
        "http/header-mismatch-reply",
        &["2026-07-28"],
    ),
    (
        "wrong-names-are-404",
        "http/header-mismatch-reply",
        &["2026-07-28"],
    ),
    (
        "params-ignored",
        "http/header-mismatch-reply",
        &["2026-07-28"],
    ),
    ("params-not-decoded", "http/base64-decoded", &["2026-07-28"]),
    (
        "unsupported-version-is-200",
        "http/unsupported-version-400",
        &["2026-07-28"],
    ),
    (
        "unsupported-version-is-internal",
        "version/unsupported-error",
        &["2026-07-28"],
    ),
    (
        "still-answers-pings",
        "jsonrpc/unknown-method-reply",
        &["2026-07-28"],
    ),
    (
        "changes-of-all-kinds",
        "subscriptions/only-requested",
        &["2026-07-28"],
    ),
    ("changes-untagged", "subscriptions/id-tag", &["2026-07-28"]),
    ("loses-changes", "tools/list-changed-sent", &["2026-07-28"]),
    (
        "changes-for-all",
        "subscriptions/change-only-on-listen",
        &["2026-07-28"],
    ),
    (
        "asks-incapable-clients",
        "capability/roots",
        &["2025-06-18"],
    ),
    (
        "resume-loses-answers",
        "http/sse-response-arrives",
        &["2025-11-25"],
    ),
    ("base64-not-decoded", "http/base64-decoded", &["2026-07-28"]),
    (
        "notifications-are-200",
        "http/notification-202",
        &["2025-06-18"],
    ),
    ("results-are-500", "http/result-status", &["2025-06-18"]),
    ("results-are-500", "http/result-status", &["2026-07-28"]),
    (
        "content-type-is-text",
        "http/response-content-type",
        &["2025-06-18"],
    ),
    (
        "unknown-method-is-200",
        "http/unknown-method-404",
        &["2026-07-28"],
    ),
    (
        "session-id-with-space",
        "http/session-id-ascii",
        &["2025-06-18"],
    ),
    (
        "serves-unknown-methods",
        "jsonrpc/unknown-method-reply",
        &["2025-06-18"],
    ),
    (
        "ignores-text",
        "http/notification-refused-4xx",
        &["2025-06-18"],
    ),
    ("lies-about-tools", "capability/truthful", &["2025-06-18"]),
    (
        "resume-replays-everything",
        "http/sse-replay-own-stream",
        &["2025-11-25"],
    ),
    (
        "resume-breaking-cancels",
        "cancel/http-disconnect-not-cancel",
        &["2025-11-25"],
    ),
    (
        "grants-too-much",
        "subscriptions/ack-subset",
        &["2026-07-28"],
    ),
    (
        "never-acknowledges",
        "subscriptions/ack-sent",
        &["2026-07-28"],
    ),
    ("headers-by-case", "http/header-name-case", &["2026-07-28"]),
    ("auth-nowhere", "auth/metadata-discoverable", &[]),
    (
        "auth-no-servers",
        "auth/metadata-authorization-servers",
        &[],
    ),
    ("auth-plain-endpoint", "auth/https-endpoints", &[]),
    ("auth-any-token", "auth/audience", &[]),
    ("sse-endpoint-gone", "http/sse-two-endpoints", &[]),
    ("sse-no-endpoint", "http/sse-two-endpoints", &[]),
];

/// Faults of a server over HTTP that has streams for messages which belong to no request.
const STREAMS: &[Case] = &[
    (
        "broadcasts",
        "http/sse-one-stream-per-message",
        &["2025-06-18"],
    ),
    (
        "answers-elsewhere",
        "http/get-no-responses",
        &["2025-06-18"],
    ),
    ("loses-changes", "tools/list-changed-sent", &["2025-06-18"]),
    ("tasks-return", "tasks/terminal-final", &["2025-11-25"]),
];

/// The rules that find a fault.
pub(crate) fn found() -> impl Iterator<Item = &'static str> {
    let found = STDIO.iter().chain(HTTP).chain(STREAMS);
    let found = found.map(|(_, rule, _)| *rule);
    found.chain([BIND])
}

const BIND: &str = "http/localhost-bind";

#[test]
fn a_server_that_other_machines_reach_is_found_where_there_are_any() {
    let server = live(&["--fault", "open-to-all"]);
    let report = run(at(&server), |options| options.only = vec![BIND.to_owned()]);
    let report = report.expect("a report");
    let entry = report.entries.iter().find(|entry| entry.id == BIND);
    let entry = entry.expect("it was selected");
    // A machine without a network has no other address to be reached at.
    let is_alone = entry.reason == "this machine has no other address";
    assert_eq!(entry.status == Status::Fail, !is_alone, "{entry:?}");
}

#[test]
fn over_stdio_each_fault_is_found_by_its_rule_alone() {
    check(STDIO, |fault, revisions| {
        let target = stdio(&["--fault", fault]);
        names(run(target, |options| options.revisions = revisions))
    });
}

#[test]
fn over_http_each_fault_is_found_by_its_rule_alone() {
    check(HTTP, |fault, revisions| {
        let server = live(&["--fault", fault]);
        names(run(at(&server), |options| {
            options.revisions = revisions;
        }))
    });
}

#[test]
fn with_streams_each_fault_is_found_by_its_rule_alone() {
    check(STREAMS, |fault, revisions| {
        let server = live(&["--stream", "--fault", fault]);
        names(run(at(&server), |options| {
            options.revisions = revisions;
        }))
    });
}

fn names(result: Result<Report, Unreachable>) -> Vec<(&'static str, String)> {
    match result {
        Ok(report) => failed(&report),
        Err(error) => vec![("unreachable", error.to_string())],
    }
}

fn check(
    cases: &[Case],
    probe: impl Fn(&str, Vec<Revision>) -> Vec<(&'static str, String)> + Sync,
) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let selected = std::env::var("FAULT").ok();
    let is_selected = |(fault, ..): &&Case| selected.as_deref().is_none_or(|one| one == *fault);
    let cases: Vec<&Case> = cases.iter().filter(is_selected).collect();
    // Most of the time is spent waiting.
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((fault, rule, revisions)) =
                    cases.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let revisions = revisions
                        .iter()
                        .map(|name| name.parse().expect("a revision"))
                        .collect();
                    let found = probe(fault, revisions);
                    if !matches!(&found[..], [(id, _)] if id == rule) {
                        let text = format!("{fault}: expected {rule}, found {found:#?}");
                        wrong.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
