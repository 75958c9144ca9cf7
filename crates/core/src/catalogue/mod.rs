//! Rules as data, and the policy that selects and weighs them. The checks of rules are in `rules/`.

pub mod inline;
mod on;
mod policy;
pub mod profile;
mod relations;
mod rule;
mod selection;
mod violation;

pub(crate) use self::on::{On, OnHttp};
pub use self::policy::{Layer, LayerSet, Level, Limits, Policy, RefusalStatus, Verdict};
pub(crate) use self::relations::{Capability, Once, Reveals, State, Use};
pub(crate) use self::rule::rule;
pub use self::rule::{Parties, Rule};
pub(crate) use self::selection::{Act, KIND_PREFIX, METHOD_PREFIX, MessageScope};
pub use self::selection::{LevelOverride, Selection};
pub(crate) use self::violation::{Collect, SchemaNote};
pub use self::violation::{Detail, First, Owner, Place, SchemaRef, Sink, Violation};
