//! Our verdicts against those of the official schemas.
//!
//! The official files are not part of this repository: `MCP_ASSAY_OFFICIAL` names the folder that
//! holds them, as `<revision>/schema.json` and `<revision>/examples/<Definition>/*.json`. Without
//! it these tests say so and pass.
//!
//! The methods of the tasks extension of 2026-07-28 are not in the official schema of that
//! revision, so they are not compared.

mod errata;
mod examples;
mod members;
mod official;
mod verdicts;
