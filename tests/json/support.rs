//! The one place that calls the scanner.

use mcp_assay::Limits;
use mcp_assay::syntax::{Fault, FaultKind, Tape, scan};

/// Scans under the default limits.
pub(crate) fn fault_of(bytes: &[u8]) -> Option<Fault> {
    fault_within(bytes, &Limits::DEFAULT)
}

/// Scans under other limits.
pub(crate) fn fault_within(bytes: &[u8], limits: &Limits) -> Option<Fault> {
    scan(bytes, &limits.for_scan(), &mut Tape::new()).err()
}

/// Fails unless the bytes are JSON.
pub(crate) fn accepts(bytes: &[u8]) {
    if let Some(fault) = fault_of(bytes) {
        panic!("{} must be accepted, but: {fault:?}", show(bytes));
    }
}

/// Fails unless the bytes are refused for this reason at this place.
pub(crate) fn refuses(bytes: &[u8], kind: FaultKind, start: usize, end: usize) {
    match fault_of(bytes) {
        None => panic!(
            "{} must be refused with {kind:?} at {start}..{end}, but was accepted",
            show(bytes)
        ),
        Some(fault) => {
            let found = (fault.kind, fault.start as usize, fault.end as usize);
            assert_eq!(found, (kind, start, end), "for {}", show(bytes));
        }
    }
}

/// A text for a message of a test, short and printable.
pub(crate) fn show(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(300)];
    format!("`{}` ({} bytes)", shown.escape_ascii(), bytes.len())
}
