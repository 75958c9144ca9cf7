//! Talks to a live Model Context Protocol server as a client would, well and badly, and says rule
//! by rule what it got right.
//!
//! It has a raw client of its own, because a library would mend what it sends and hide what it
//! gets. Everything that passes is put to the rules of `mcp-assay`; on top of that, steps provoke
//! what watching alone cannot show.
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
//! Nothing here is asynchronous: a step is a few messages one after the other, and pipes and
//! streams are read by threads.

mod arguments;
mod assemble;
mod client;
mod findings;
mod interrupt;
mod judge;
mod minimal;
mod options;
mod raw_client;
mod record;
mod reduce;
mod report;
mod requirement;
mod requirements;
mod run;
mod sdk;
mod serve;
mod server;
mod transcript;
mod transport;
mod unprovoked;
mod weigh;

pub use self::interrupt::Interrupt;
pub use self::judge::Broken;
pub use self::options::Options;
pub use self::raw_client::{Answer, Farewell, Link, Reply, RequestHandler, client_info};
pub use self::record::{Content, Pairs, Record};
pub use self::report::{Entry, Failure, Report, Status};
pub use self::requirement::Requirement;
pub use self::requirements::{find_rule, is_provoked, probed_rules, requirement, requirements};
pub use self::run::probe;
pub use self::sdk::{Sdk, UnknownSdk};
pub use self::serve::relay;
pub use self::transcript::{Connection, Seen};
pub use self::transport::{ClientUnderTest, Reach, Target, Unreachable};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
