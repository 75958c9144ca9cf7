//! One question, one call: checks whether a message, part or document keeps the contract.
//!
//! [`protocol`] checks messages and their parts without a session, [`build`] builds messages and
//! checks them before they leave, [`canonical`] names failures in six words that all transports
//! share, [`envelope`] and [`tool_io`] are documents of our own. The validator of `mcp-assay-core`
//! decides everything; for a stream of messages use that.
//!
//! ```
//! use mcp_assay_contract::protocol::{format_validation_error, validate_request};
//!
//! let error = validate_request("bad", None).unwrap_err();
//! assert_eq!(format_validation_error(&error), "unknown_method: method=bad");
//! ```

pub mod build;
pub mod canonical;
mod definition;
pub mod envelope;
mod misfit;
#[cfg(feature = "json-schema")]
mod misfits;
pub mod protocol;
pub mod tool_io;

pub use self::definition::check_definition;
pub use self::misfit::Misfit;
