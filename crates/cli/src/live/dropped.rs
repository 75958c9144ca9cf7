//! Counts entries of our outputs that were not written.

use std::sync::Arc;

use mcp_assay_gateway::Metrics;
use mcp_assay_live::output_queue::OnDropped;

/// Counts the entries of an output that are dropped.
pub(crate) fn dropped(metrics: &Arc<Metrics>, output: &'static str) -> OnDropped {
    let metrics = Arc::clone(metrics);
    Box::new(move |count| metrics.add_dropped(output, count))
}
