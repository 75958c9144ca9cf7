//! Methods and notifications that a dialect has.

use super::fault::ProfileFault;
use crate::catalogue::Limits;
use crate::compiled_schema::{Schema, schema_of_profile};
use crate::model::{Method, MethodKind, method_named};
use crate::{Direction, Party};

/// A method of a dialect's own, to be added with
/// [`Profile::add_method`](super::Profile::add_method).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OwnMethod {
    /// Request or notification.
    pub kind: MethodKind,
    /// The only party that sends it; `None` if both do.
    pub sender: Option<Party>,
    /// The content of its params.
    pub params: Content,
    /// Whether it needs params.
    pub params_required: bool,
    /// The content of its result.
    pub result: Content,
}

impl OwnMethod {
    /// A request that either party sends, with any object as params and result.
    pub const REQUEST: Self = Self {
        kind: MethodKind::Request,
        sender: None,
        params: Content::Any,
        params_required: false,
        result: Content::Any,
    };

    /// A notification that either party sends, with any object as params.
    pub const NOTIFICATION: Self = Self {
        kind: MethodKind::Notification,
        ..Self::REQUEST
    };
}

/// The content of params or of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Any object.
    Any,
    /// The same as in this method of the protocol, in the revision in force.
    Like(String),
    /// Values that this JSON Schema (2020-12, as JSON text) accepts.
    Schema(String),
}

/// The meaning of a method name.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A method of the protocol.
    StandsFor(&'static Method),
    /// One of the dialect's own.
    Own(Box<Own>),
}

/// A method of a dialect's own, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    pub(crate) kind: MethodKind,
    pub(crate) sender: Option<Party>,
    pub(crate) params: Body,
    pub(crate) params_required: bool,
    pub(crate) result: Body,
}

/// The compiled content of params or of a result.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Any,
    Like(&'static Method),
    Schema(Schema),
}

impl Own {
    pub(super) fn new(method: &OwnMethod) -> Result<Self, ProfileFault> {
        Ok(Self {
            kind: method.kind,
            sender: method.sender,
            params: Body::new(&method.params)?,
            params_required: method.params_required,
            result: Body::new(&method.result)?,
        })
    }

    /// The direction, if it has only one.
    pub(crate) fn direction(&self) -> Option<Direction> {
        self.sender.map(|sender| match sender {
            Party::Client => Direction::ClientToServer,
            Party::Server => Direction::ServerToClient,
        })
    }
}

impl Body {
    fn new(content: &Content) -> Result<Self, ProfileFault> {
        match content {
            Content::Any => Ok(Self::Any),
            Content::Like(name) => known(name).map(Self::Like),
            Content::Schema(json) => schema(json).map(Self::Schema),
        }
    }
}

/// A method of the protocol, in any revision.
pub(super) fn known(name: &str) -> Result<&'static Method, ProfileFault> {
    method_named(name.as_bytes()).ok_or_else(|| {
        ProfileFault::new(format!(
            "no revision has a method `{}`",
            name.escape_debug()
        ))
    })
}

/// Compiles a schema; fails if any part of it cannot be enforced.
pub(super) fn schema(json: &str) -> Result<Schema, ProfileFault> {
    schema_of_profile(json, &Limits::DEFAULT.for_scan())
        .map_err(|fault| ProfileFault::at("schema", format!("the schema cannot be used: {fault}")))
}
