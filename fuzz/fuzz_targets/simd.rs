//! The lanes of this CPU see what the portable ones see.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| mcp_assay::fuzzing::lanes_agree(bytes));
