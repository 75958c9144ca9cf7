//! Dialects: the differences between a peer and the protocol, and additional demands.
//!
//! A [`Profile`] is data: added and renamed methods, error codes, tolerated ids and params, forms
//! of resource URIs, levels, and rules of its own. `profile_files` reads its text. Without a profile
//! nothing here runs: the schedule reads it only if a policy has one, and the envelope only after a
//! fault.

mod codes;
mod custom;
mod data;
mod example;
mod fault;
mod intern;
mod method;
mod rules;
#[cfg(all(test, feature = "json-schema"))]
mod tests;

pub use self::codes::MAX_RANGES;
pub(crate) use self::custom::Custom;
pub use self::custom::{Applies, CustomRule};
pub(crate) use self::data::UriForm;
pub use self::data::{ExpectedRevision, Profile, Tolerance};
pub use self::example::Example;
#[cfg(feature = "profiles")]
pub(crate) use self::example::Expected;
pub use self::fault::ProfileFault;
pub(crate) use self::method::{Body, Own};
pub use self::method::{Content, OwnMethod};
pub(crate) use self::rules::ALL as RULES;
pub use self::rules::fixed_rules;
pub use self::rules::{CODES, METHOD, METHOD_EMPTY, RESOURCE_URI, REVISION};
