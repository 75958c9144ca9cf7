//! The parts of the benchmark: the corpus, and mcp-assay's side of the comparison.
//!
//! The baseline and the measuring are in the program, so that `assay-allocations` links neither.

pub mod corpus;
pub mod ours;
