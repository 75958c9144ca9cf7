//! The scanner takes any bytes, and its tape hangs together.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| mcp_assay::fuzzing::scan_never_panics(bytes));
