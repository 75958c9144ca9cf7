//! The dialects of JSON Schema.

use jsonschema::{Draft, ValidationError};
use serde_json::Value;

/// A dialect that a schema is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// draft-04
    Draft4,
    /// draft-06
    Draft6,
    /// draft-07
    Draft7,
    /// 2019-09
    Draft201909,
    /// 2020-12
    Draft202012,
}

impl Dialect {
    /// The dialect that a `$schema` names, with or without the last `#`.
    #[must_use]
    pub fn named(uri: &str) -> Option<Self> {
        match Draft::from_schema_uri(uri) {
            Draft::Draft4 => Some(Self::Draft4),
            Draft::Draft6 => Some(Self::Draft6),
            Draft::Draft7 => Some(Self::Draft7),
            Draft::Draft201909 => Some(Self::Draft201909),
            Draft::Draft202012 => Some(Self::Draft202012),
            _ => None,
        }
    }

    /// The name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }

    pub(super) fn draft(self) -> Draft {
        match self {
            Self::Draft4 => Draft::Draft4,
            Self::Draft6 => Draft::Draft6,
            Self::Draft7 => Draft::Draft7,
            Self::Draft201909 => Draft::Draft201909,
            Self::Draft202012 => Draft::Draft202012,
        }
    }

    /// Whether a `$ref` stands alone: the keywords beside it are not read.
    pub(super) fn reference_is_alone(self) -> bool {
        matches!(self, Self::Draft4 | Self::Draft6 | Self::Draft7)
    }

    /// Whether the meta-schema accepts a schema.
    pub(super) fn validate(self, schema: &Value) -> Result<(), ValidationError<'_>> {
        match self {
            Self::Draft4 => jsonschema::draft4::meta::validate(schema),
            Self::Draft6 => jsonschema::draft6::meta::validate(schema),
            Self::Draft7 => jsonschema::draft7::meta::validate(schema),
            Self::Draft201909 => jsonschema::draft201909::meta::validate(schema),
            Self::Draft202012 => jsonschema::draft202012::meta::validate(schema),
        }
    }
}
