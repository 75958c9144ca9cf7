//! Every carrier counts the same things by the same names.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use mcp_assay::RefusalStatus;
use mcp_assay_live::metrics::{BLOCKED, MESSAGES, VIOLATIONS};
use metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit,
    with_local_recorder,
};

use crate::table::Case;
use crate::{gateway, layer, streams, table, wrap};

/// Numbers by name and labels, as the text format of Prometheus writes them.
pub(crate) type Numbers = BTreeMap<String, u64>;

/// Collects counters.
#[derive(Default)]
struct Collected(Mutex<BTreeMap<String, Arc<AtomicU64>>>);

impl Recorder for Collected {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        let labels: Vec<String> = key
            .labels()
            .map(|label| format!("{}=\"{}\"", label.key(), label.value()))
            .collect();
        let name = match labels.as_slice() {
            [] => key.name().to_owned(),
            labels => format!("{}{{{}}}", key.name(), labels.join(",")),
        };
        let mut counters = self.0.lock().unwrap();
        Counter::from_arc(Arc::clone(counters.entry(name).or_default()))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

/// The numbers of a run in this thread.
fn collected(run: impl FnOnce()) -> Numbers {
    let collected = Collected::default();
    with_local_recorder(&collected, run);
    let counters = collected.0.into_inner().unwrap();
    let numbers = counters
        .into_iter()
        .map(|(name, value)| (name, value.load(Ordering::Relaxed)));
    counted(numbers)
}

/// The numbers in a text for Prometheus.
pub(crate) fn written(text: &str) -> Numbers {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    counted(lines.filter_map(|line| {
        let (name, value) = line.rsplit_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    }))
}

/// Those that every carrier has. Some HTTP faults have no counterpart on a byte stream, and zeros
/// are not written by all.
fn counted(numbers: impl Iterator<Item = (String, u64)>) -> Numbers {
    let names = [MESSAGES, VIOLATIONS, BLOCKED];
    numbers
        .filter(|(name, value)| *value > 0 && names.iter().any(|known| name.starts_with(known)))
        .collect()
}

#[test]
fn every_carrier_counts_alike() {
    let protocol = RefusalStatus::Protocol;
    for case in table::cases() {
        let expected = wrap::run(&case, protocol).numbers;
        let blocked = expected.get(BLOCKED).copied();
        assert_eq!(blocked, Some(1), "{}: {expected:?}", case.name);
        let rule = format!("{VIOLATIONS}{{rule=\"{}\"}}", case.rule.unwrap());
        assert!(expected.contains_key(&rule), "{}: {expected:?}", case.name);
        for (carrier, numbers) in others(&case) {
            assert_eq!(numbers, expected, "{carrier}: {}", case.name);
        }
    }
}

fn others(case: &Case) -> [(&'static str, Numbers); 3] {
    let protocol = RefusalStatus::Protocol;
    [
        ("gateway", gateway::run(case, protocol).numbers),
        ("tower", collected(|| drop(layer::run(case, protocol)))),
        ("tokio", collected(|| drop(streams::run(case, protocol)))),
    ]
}
