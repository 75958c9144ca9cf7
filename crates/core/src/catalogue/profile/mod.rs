//! Dialects: how a peer may differ from the protocol, and what it demands beyond it.
//!
//! A [`Profile`] is data: methods with other names or of their own, error codes, ids and params that are tolerated, URIs that are not,
//! other levels, and rules of its own. Files are read elsewhere. Without a profile nothing here is asked: the schedule and the envelope
//! look at it only where a policy has one, or where something is wrong already.

mod codes;
mod custom;
mod data;
mod fault;
mod intern;
mod method;
mod rules;
#[cfg(all(test, feature = "json-schema"))]
mod tests;

pub use self::codes::MAX_RANGES;
pub(crate) use self::custom::Custom;
pub use self::custom::{Applies, CustomRule};
pub use self::data::Profile;
pub(crate) use self::data::UriForm;
pub use self::fault::ProfileFault;
pub(crate) use self::method::{Body, Own};
pub use self::method::{Content, OwnMethod};
pub(crate) use self::rules::ALL as RULES;
pub use self::rules::fixed_rules;
pub use self::rules::{CODES, METHOD, RESOURCE_URI, REVISION};
