//! One question, one call: is this message, part or document what the contract says?
//!
//! [`protocol`] checks messages and their parts without a session, [`build`] puts messages together and checks them before they
//! leave, [`canonical`] names what went wrong in six words that all transports share, [`envelope`] and [`tool_io`] are
//! documents of our own. Everything is decided by the validator of `mcp-assay-core`; whoever has a stream of messages uses
//! that.
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
