//! Talks to a live Model Context Protocol server as a client would, well and badly, and says rule by rule what it got right.
//!
//! It has a raw client of its own, because a library would mend what it sends and hide what it gets. Everything that passes is put
//! to the rules of `mcp-assay`; on top of that, steps provoke what watching alone cannot show.
//!
//! ```no_run
//! use mcp_assay_probe::{Options, Target, probe};
//!
//! let options = Options::new(Target::Command(vec!["./server".to_owned()]));
//! for entry in probe(&options, &mut |_| ())?.failures() {
//!     println!("{}: {}", entry.id, entry.failures[0].message);
//! }
//! # Ok::<(), mcp_assay_probe::Unreachable>(())
//! ```
//!
//! Nothing here is asynchronous: a step is a few messages one after the other, and pipes and streams are read by threads.

mod arguments;
mod auth;
mod client;
mod demands;
mod findings;
mod judge;
mod minimal;
mod options;
mod record;
mod reduce;
mod report;
mod rows;
mod run;
mod serve;
mod steps;
mod transcript;
mod transport;

pub use self::client::{Answer, Farewell, Link, Obliging, Reply, client_info};
pub use self::demands::demand;
pub use self::judge::Broken;
pub use self::options::Options;
pub use self::record::{Content, Pairs, Record};
pub use self::report::{Entry, Failure, Report, Status};
pub use self::rows::{OWN, ROWS, Row, UNPROVOKED, UNPROVOKED_IN_CLIENTS};
pub use self::run::probe;
pub use self::serve::relay;
pub use self::transcript::{Connection, Seen};
pub use self::transport::{ClientUnderTest, Reach, Target, Unreachable};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
