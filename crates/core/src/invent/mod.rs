//! Messages that the model invents: valid ones of every form, and each with one fault.
//!
//! Tests and `schema verify` compare verdicts on them. They come from the tables alone and are the same in every run, so a
//! disagreement can be repeated. Nothing here checks anything, and nothing here is fast.
//!
//! ```
//! use mcp_assay::invent::Inventor;
//! use mcp_assay::{Revision, Session, Validator, Verdict};
//!
//! let mut validator = Validator::default();
//! for message in Inventor::new(Revision::V2025_06_18, 1).take(100) {
//!     let checked = validator.check(&mut Session::new(), message.frame());
//!     assert_eq!(checked.verdict(), Verdict::Pass);
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
