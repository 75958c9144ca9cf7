//! The validator of mcp-assay as WebAssembly, behind a plain C interface.
//!
//! [`abi`] has the functions that a host calls; `packages/npm` wraps them for JavaScript. Texts
//! and bytes go through two buffers: the host writes to `input`, and reads from `output` what the
//! call has returned. The module calls two functions of the host, [`host`]. Nothing here decides
//! about a message.

mod abi;
mod host;
mod options;
mod session;
mod stream;
