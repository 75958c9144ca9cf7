//! Numbers for Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use mcp_assay::{Direction, Verdict};
use mcp_assay_live::metrics::{
    BLOCKED, CHECK_SECONDS, CHECKS_FAILED, CONNECTIONS, Counters, DROPPED, MESSAGES,
    REFUSED_CONNECTIONS, SESSIONS, UNCHECKED, UPSTREAM_FAILURES, UPSTREAM_SECONDS, VIOLATIONS,
};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry};

/// The media type of the text.
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Label = (&'static str, &'static str);

/// The counters and histograms of live checking, by the names of [`mcp_assay_live::metrics`].
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    messages: Family<[Label; 2], Counter>,
    violations: Family<[Label; 1], Counter>,
    blocked: Counter,
    unchecked: Counter,
    failed: Counter,
    dropped: Family<[Label; 1], Counter>,
    upstream: Histogram,
    upstream_failures: Family<[Label; 1], Counter>,
    refused_connections: Counter,
    check: Histogram,
    sessions: Gauge<i64, AtomicI64>,
    connections: Gauge<i64, AtomicI64>,
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
    /// The same, and the numbers that only a gateway has.
    #[must_use]
    pub fn of_gateway() -> Self {
        let mut metrics = Self::default();
        let registry = &mut metrics.registry;
        let help = "Time until the server began its answer";
        register(
            registry,
            UPSTREAM_SECONDS,
            help,
            Histogram::clone(&metrics.upstream),
        );
        let help = "Requests to the server without an answer, by cause";
        register(
            registry,
            UPSTREAM_FAILURES,
            help,
            Family::clone(&metrics.upstream_failures),
        );
        let help = "Connections of clients that were refused, because there were too many";
        register(
            registry,
            REFUSED_CONNECTIONS,
            help,
            Counter::clone(&metrics.refused_connections),
        );
        let help = "Sessions that are remembered";
        register(registry, SESSIONS, help, Gauge::clone(&metrics.sessions));
        let help = "Connections of clients";
        register(
            registry,
            CONNECTIONS,
            help,
            Gauge::clone(&metrics.connections),
        );
        metrics
    }

    /// The check of a message took this long.
    pub fn took(&self, time: Duration) {
        self.check.observe(time.as_secs_f64());
    }

    /// Messages passed unchecked.
    pub fn add_unchecked(&self, count: u64) {
        self.unchecked.inc_by(count);
    }

    /// Entries of an output, such as the recording, were not written.
    pub fn add_dropped(&self, output: &'static str, count: u64) {
        self.dropped
            .get_or_create(&[("output", output)])
            .inc_by(count);
    }

    /// The number of messages that passed unchecked.
    #[must_use]
    pub fn unchecked(&self) -> u64 {
        self.unchecked.get()
    }

    /// All of it in the text format of Prometheus.
    #[must_use]
    pub fn to_prometheus(&self) -> String {
        let open_metrics = self.to_open_metrics();
        let mut text = String::with_capacity(open_metrics.len());
        let mut suffix = "";
        for line in open_metrics.lines().filter(|line| *line != "# EOF") {
            // There, a counter has its suffix in the comments, too. Its help comes before its type.
            let mut words = line.splitn(4, ' ');
            match (words.next(), words.next(), words.next(), words.next()) {
                (Some("#"), Some(keyword @ ("HELP" | "TYPE")), Some(name), Some(rest)) => {
                    if keyword == "HELP" {
                        let is_counter = open_metrics.contains(&format!("# TYPE {name} counter\n"));
                        suffix = if is_counter { "_total" } else { "" };
                    }
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "# {keyword} {name}{suffix} {rest}");
                }
                _ => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        text
    }

    /// The server began its answer.
    pub(crate) fn answered(&self, took: Duration) {
        self.upstream.observe(took.as_secs_f64());
    }

    /// The server gave no answer, for this cause.
    pub(crate) fn upstream_failed(&self, cause: &'static str) {
        self.upstream_failures
            .get_or_create(&[("cause", cause)])
            .inc();
    }

    /// A connection was refused, because there are too many.
    pub(crate) fn connection_refused(&self) {
        self.refused_connections.inc();
    }

    /// The number of connections that were refused.
    pub(crate) fn refused_connections(&self) -> u64 {
        self.refused_connections.get()
    }

    /// Sets the number of tracked sessions.
    pub(crate) fn count_sessions(&self, count: usize) {
        self.sessions.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    /// A client has connected.
    pub(crate) fn connected(&self) {
        self.connections.inc();
    }

    /// A client has gone.
    pub(crate) fn disconnected(&self) {
        self.connections.dec();
    }

    /// The number of connections of clients.
    pub(crate) fn connections(&self) -> i64 {
        self.connections.get()
    }

    /// All of it in the text format of `OpenMetrics`.
    pub(crate) fn to_open_metrics(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Default for Metrics {
    /// The numbers of messages, which every carrier has.
    fn default() -> Self {
        let mut registry = Registry::default();
        let (messages, violations) = (Family::default(), Family::default());
        let (blocked, unchecked) = (Counter::default(), Counter::default());
        let (failed, check) = (Counter::default(), Histogram::new(CHECK));
        let help = "Messages by direction and verdict";
        register(&mut registry, MESSAGES, help, Family::clone(&messages));
        let help = "Violations by rule";
        register(&mut registry, VIOLATIONS, help, Family::clone(&violations));
        let help = "Messages that did not pass as they were";
        register(&mut registry, BLOCKED, help, Counter::clone(&blocked));
        let help = "Messages that passed unchecked";
        register(&mut registry, UNCHECKED, help, Counter::clone(&unchecked));
        let help = "Messages whose check failed: refused in enforce, forwarded in shadow";
        register(&mut registry, CHECKS_FAILED, help, Counter::clone(&failed));
        let dropped = Family::default();
        let help = "Entries that were not written, by output";
        register(&mut registry, DROPPED, help, Family::clone(&dropped));
        let help = "Time to check a message";
        register(&mut registry, CHECK_SECONDS, help, Histogram::clone(&check));
        Self {
            registry,
            messages,
            violations,
            blocked,
            unchecked,
            failed,
            dropped,
            upstream: Histogram::new(UPSTREAM),
            upstream_failures: Family::default(),
            refused_connections: Counter::default(),
            check,
            sessions: Gauge::default(),
            connections: Gauge::default(),
        }
    }
}

impl Counters for Metrics {
    fn message(&self, direction: Option<Direction>, verdict: Verdict) {
        let direction = direction.map_or("", Direction::name);
        let labels = [("direction", direction), ("verdict", verdict.name())];
        self.messages.get_or_create(&labels).inc();
    }

    fn violation(&self, rule: &'static str) {
        self.violations.get_or_create(&[("rule", rule)]).inc();
    }

    fn blocked(&self) {
        self.blocked.inc();
    }

    fn check_failed(&self) {
        self.failed.inc();
    }
}

/// Registers a number; the encoder adds the suffix of counters itself.
fn register(registry: &mut Registry, name: &str, help: &str, metric: impl Metric) {
    let name = name.strip_suffix("_total").unwrap_or(name);
    registry.register(name, help, metric);
}

#[cfg(test)]
mod tests {
    use mcp_assay_live::metrics::ALL;

    use super::*;

    #[test]
    fn both_texts_have_every_name() {
        let metrics = Metrics::of_gateway();
        metrics.message(Some(Direction::ClientToServer), Verdict::Pass);
        metrics.violation("json/no-bom");
        metrics.upstream_failed("dns");
        metrics.add_dropped("log", 2);
        metrics.took(Duration::from_micros(2));
        let (open, plain) = (metrics.to_open_metrics(), metrics.to_prometheus());
        for name in ALL {
            for text in [&open, &plain] {
                assert!(
                    text.lines().any(|line| line.starts_with(name)),
                    "{name}: {text}"
                );
            }
            assert_eq!(
                plain.matches(&format!("# TYPE {name} ")).count(),
                1,
                "{plain}"
            );
            assert_eq!(
                plain.matches(&format!("# HELP {name} ")).count(),
                1,
                "{plain}"
            );
        }
        assert!(open.ends_with("# EOF\n") && !plain.contains("EOF"));
        assert!(plain.contains("# TYPE mcp_assay_messages_total counter\n"));
        assert!(plain.contains("mcp_assay_messages_total{direction=\"c2s\",verdict=\"pass\"} 1\n"));
        assert!(plain.contains("# TYPE mcp_assay_check_seconds histogram\n"));
        assert!(
            !Metrics::default()
                .to_prometheus()
                .contains("mcp_assay_sessions")
        );
    }
}
