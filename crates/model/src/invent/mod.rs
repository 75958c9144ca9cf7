//! Messages that the model invents: valid ones of every form, and each with one fault.
//!
//! Tests and `schema verify` compare verdicts on them. They come from the tables alone and are the
//! same in every run, so a disagreement can be repeated. Nothing here checks anything, and nothing
//! here is fast.
//!
//! ```
//! use mcp_assay_model::Revision;
//! use mcp_assay_model::invent::Inventor;
//!
//! for message in Inventor::new(Revision::V2025_06_18, 1).take(100) {
//!     assert!(message.fault.is_none());
//!     assert!(message.bytes.starts_with(b"{"));
//! }
//! ```

mod build;
mod cases;
mod envelope;
mod fault;
mod inventor;
mod message;
mod random;
mod tables;
mod value;
mod walk;

pub use self::cases::Cases;
pub use self::fault::{Expected, Fault};
pub use self::inventor::Inventor;
pub use self::message::Invented;
