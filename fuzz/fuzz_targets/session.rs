//! Two sessions that share a validator and a guard keep every promise, whatever they carry.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    mcp_assay_live::fuzzing::session_keeps_promises(bytes);
});
