//! A session takes any lines, and everything found has words.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| mcp_assay::fuzzing::check_never_panics(bytes));
