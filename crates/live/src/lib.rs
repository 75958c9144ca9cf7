//! Live checking of Model Context Protocol traffic, without I/O.
//!
//! [`guard`] decides what becomes of a message that was checked: forward, refuse, replace, drop or
//! mend it. [`lines`] does the same for a session on byte streams, [`http`] for a whole HTTP
//! exchange. [`deferred`] runs checks when the traffic pauses, [`record`] writes records of it,
//! [`metrics`] names what is counted.
//! Adapters carry the bytes: `mcp-assay-tower` for HTTP services, `mcp-assay-tokio` for byte
//! streams, the program for processes and proxies. Time is an argument.
//!
//! ```
//! use mcp_assay::{Frame, Policy, Session};
//! use mcp_assay_live::guard::{Action, Guard, Mode};
//!
//! let mut guard = Guard::new(Policy::default(), Mode::Enforce);
//! let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
//! let judged = guard.judge(&mut Session::new(), Frame::new(ping));
//! assert_eq!(judged.action, Action::Forward);
//! ```

pub mod deferred;
#[doc(hidden)]
pub mod fuzzing;
pub mod guard;
pub mod http;
mod ids;
pub mod lines;
pub mod metrics;
pub mod output_queue;
pub mod record;
pub mod redact;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
