//! Numbers for Prometheus.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use mcp_assay::{Checked, Direction, MessageKind, Verdict};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// The media type of the text.
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Label = (&'static str, &'static str);

/// The counters and histograms.
pub(crate) struct Metrics {
    registry: Registry,
    messages: Family<[Label; 2], Counter>,
    violations: Family<[Label; 1], Counter>,
    pub(crate) blocked: Counter,
    pub(crate) unchecked: Counter,
    pub(crate) failed: Counter,
    upstream: Histogram,
    check: Histogram,
    sessions: Gauge<i64, AtomicI64>,
    pub(crate) connections: Gauge<i64, AtomicI64>,
}

/// From 100 µs to a minute.
const UPSTREAM: [f64; 12] = [
    0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 60.0,
];

/// From 1 µs to a second.
const CHECK: [f64; 12] = [
    0.000_001, 0.000_003, 0.000_01, 0.000_03, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 1.0,
];

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("mcp_assay");
        let (messages, violations) = (Family::default(), Family::default());
        let (blocked, unchecked) = (Counter::default(), Counter::default());
        let failed = Counter::default();
        let (upstream, check) = (Histogram::new(UPSTREAM), Histogram::new(CHECK));
        let (sessions, connections) = (Gauge::default(), Gauge::default());
        registry.register(
            "messages",
            "Messages by direction and verdict",
            Family::clone(&messages),
        );
        registry.register(
            "violations",
            "Violations by rule",
            Family::clone(&violations),
        );
        registry.register(
            "blocked",
            "Messages that did not pass as they were",
            Counter::clone(&blocked),
        );
        registry.register(
            "unchecked",
            "Messages that passed unchecked",
            Counter::clone(&unchecked),
        );
        registry.register(
            "checks_failed",
            "Messages whose check failed: refused in enforce, forwarded in shadow",
            Counter::clone(&failed),
        );
        registry.register(
            "upstream_seconds",
            "Time until the server began its answer",
            Histogram::clone(&upstream),
        );
        registry.register(
            "check_seconds",
            "Time to check a message",
            Histogram::clone(&check),
        );
        registry.register(
            "sessions",
            "Sessions that are remembered",
            Gauge::clone(&sessions),
        );
        registry.register(
            "connections",
            "Connections of clients",
            Gauge::clone(&connections),
        );
        Self {
            registry,
            messages,
            violations,
            blocked,
            unchecked,
            failed,
            upstream,
            check,
            sessions,
            connections,
        }
    }

    /// A message, or a part of an HTTP exchange, was checked.
    pub(crate) fn checked(&self, checked: &Checked<'_>, took: Duration) {
        if checked.kind() != MessageKind::Empty {
            let direction = checked.direction().map_or("", Direction::name);
            let verdict = match checked.verdict() {
                Verdict::Pass => "pass",
                Verdict::Flag => "flag",
                Verdict::Block => "block",
            };
            let labels = [("direction", direction), ("verdict", verdict)];
            self.messages.get_or_create(&labels).inc();
            self.check.observe(took.as_secs_f64());
        }
        for violation in checked.violations() {
            self.violated(violation.rule.name);
        }
    }

    /// A rule was violated.
    pub(crate) fn violated(&self, rule: &'static str) {
        self.violations.get_or_create(&[("rule", rule)]).inc();
    }

    /// The server began its answer.
    pub(crate) fn answered(&self, took: Duration) {
        self.upstream.observe(took.as_secs_f64());
    }

    /// Sets the number of tracked sessions.
    pub(crate) fn count_sessions(&self, count: usize) {
        self.sessions.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    /// All of it as a text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
