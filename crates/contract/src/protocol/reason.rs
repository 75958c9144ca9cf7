//! Reasons why an input is invalid, in one word that never changes.

use core::fmt;

use mcp_assay::rules::{Rule, inline, jsonrpc, resources, tools};
use mcp_assay::{Detail, Layer, Violation, profile};

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// The reason why an input is invalid. The names are stable; later versions may add some.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[doc = $doc])+ #[doc = concat!("\n\n`", $name, "`")] $variant,)+
        }

        impl Reason {
            /// All reasons.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name for programs.
            ///
            /// ```
            /// assert_eq!(mcp_assay_contract::protocol::Reason::NotMap.as_str(), "not_map");
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

reasons! {
    /// The text is not JSON, or not one JSON value alone.
    InvalidJson = "invalid_json",
    /// The text is larger, deeper or longer than the limits allow.
    LimitExceeded = "limit_exceeded",
    /// A key stands twice in the same object. A problem only where warnings are.
    DuplicateKey = "duplicate_key",
    /// A string has one half of a surrogate pair. A problem only where warnings are.
    LoneSurrogate = "lone_surrogate",
    /// An object was expected.
    NotMap = "not_map",
    /// A batch was expected, which is an array.
    NotList = "not_list",
    /// `jsonrpc` is missing or not `"2.0"`.
    InvalidJsonrpcVersion = "invalid_jsonrpc_version",
    /// The message has neither `method` nor `result` nor `error`.
    MissingMethod = "missing_method",
    /// `method` is not a string, or is empty where a profile demands a name.
    InvalidMethod = "invalid_method",
    /// The message is two things at once: a call and an answer, or a result and an error.
    AmbiguousMessage = "ambiguous_message",
    /// A request or an answer has no `id`.
    MissingId = "missing_id",
    /// `id` is neither a string nor an integer.
    InvalidId = "invalid_id",
    /// A notification has an `id`.
    UnexpectedId = "unexpected_id",
    /// `params` is not an object.
    InvalidParams = "invalid_params",
    /// `result` is not an object.
    InvalidResult = "invalid_result",
    /// `error` is not an object, or its `message` is missing or not a string.
    InvalidError = "invalid_error",
    /// The code of an error is missing, not an integer, or one that may not be sent.
    InvalidErrorCode = "invalid_error_code",
    /// The revision has no batches.
    BatchUnsupported = "batch_unsupported",
    /// The batch has no messages.
    EmptyBatch = "empty_batch",
    /// The batch has calls and answers.
    MixedBatch = "mixed_batch",
    /// The revision has no request of this name.
    UnknownMethod = "unknown_method",
    /// The revision has no notification of this name.
    UnknownNotification = "unknown_notification",
    /// The message is sent by the other party only.
    WrongDirection = "wrong_direction",
    /// Members that must be there are missing.
    MissingRequiredFields = "missing_required_fields",
    /// A value is of the wrong JSON type.
    TypeMismatch = "type_mismatch",
    /// A string is none of those allowed there.
    UnknownValue = "unknown_value",
    /// A number is out of range, or an array too long.
    OutOfRange = "out_of_range",
    /// A URI is not absolute, or not a URI.
    InvalidUri = "invalid_uri",
    /// The name of a tool is empty.
    InvalidToolName = "invalid_tool_name",
    /// The arguments of a tool are no object, or do not fit its `inputSchema`.
    InvalidArguments = "invalid_arguments",
    /// A JSON Schema cannot be used.
    InvalidSchema = "invalid_schema",
    /// The revision has no definition of this name.
    UnknownDefinition = "unknown_definition",
    /// Another rule is violated; the details name it.
    RuleViolated = "rule_violated",
}

impl Reason {
    /// The reason for a violation. For an unknown name the message shows whether it was meant as a
    /// notification.
    pub(super) fn of(violation: &Violation, notification: bool) -> Self {
        let unknown = if notification {
            Self::UnknownNotification
        } else {
            Self::UnknownMethod
        };
        let rule = violation.rule;
        match violation.detail {
            _ if *rule == inline::UNKNOWN_METHOD => unknown,
            // A name that the profile has replaced.
            Detail::Named { .. } if *rule == profile::METHOD => unknown,
            Detail::Text(_) if *rule == profile::METHOD => Self::WrongDirection,
            _ => Self::of_rule(rule),
        }
    }

    fn of_rule(rule: &Rule) -> Self {
        let mut listed = OF_RULES.iter();
        match listed.find(|(_, rules)| rules.contains(&rule)) {
            Some((reason, _)) => *reason,
            None if matches!(rule.layer, Layer::Framing | Layer::Json) => Self::InvalidJson,
            None => Self::RuleViolated,
        }
    }
}

/// The rules that have a reason of their own.
static OF_RULES: &[(Reason, &[&Rule])] = &[
    (
        Reason::LimitExceeded,
        &[
            &inline::SIZE_LIMIT,
            &inline::DEPTH_LIMIT,
            &inline::TOKEN_LIMIT,
            &inline::VIOLATION_LIMIT,
            &inline::OPEN_REQUESTS_LIMIT,
            &inline::MEMORY_LIMIT,
        ],
    ),
    (Reason::DuplicateKey, &[&inline::UNIQUE_KEYS]),
    (Reason::LoneSurrogate, &[&inline::PAIRED_SURROGATES]),
    (Reason::NotMap, &[&inline::TOP_LEVEL_OBJECT]),
    (Reason::InvalidJsonrpcVersion, &[&inline::VERSION_MEMBER]),
    (Reason::MissingMethod, &[&inline::KNOWN_KIND]),
    (
        Reason::InvalidMethod,
        &[&inline::METHOD_STRING, &profile::METHOD_EMPTY],
    ),
    (
        Reason::AmbiguousMessage,
        &[&inline::NOT_TWO_KINDS, &inline::RESULT_XOR_ERROR],
    ),
    (
        Reason::MissingId,
        &[
            &inline::REQUEST_HAS_ID,
            &inline::RESULT_HAS_ID,
            &inline::ERROR_ID_REQUIRED,
        ],
    ),
    (
        Reason::InvalidId,
        &[
            &inline::ID_TYPE,
            &inline::REQUEST_ID_NOT_NULL,
            &inline::ID_NOT_FRACTIONAL,
            &inline::ERROR_ID_NOT_NULL,
            &inline::INTEGER_PRECISION,
        ],
    ),
    (Reason::UnexpectedId, &[&inline::NOTIFICATION_NO_ID]),
    (Reason::InvalidParams, &[&inline::PARAMS_OBJECT]),
    (Reason::InvalidResult, &[&inline::RESULT_OBJECT]),
    (
        Reason::InvalidError,
        &[&inline::ERROR_OBJECT, &inline::ERROR_MESSAGE_STRING],
    ),
    (
        Reason::InvalidErrorCode,
        &[
            &inline::ERROR_CODE_INTEGER,
            &jsonrpc::ERROR_CODE_RESERVED,
            &jsonrpc::ERROR_CODE_MCP_RANGE,
            &jsonrpc::ERROR_CODE_LEGACY_RANGE,
            &jsonrpc::ERROR_CODE_RETIRED,
            &jsonrpc::ERROR_CODE_MEANING,
            &profile::CODES[2],
        ],
    ),
    (
        Reason::BatchUnsupported,
        &[&inline::NO_BATCH, &inline::BATCH_UNDEFINED],
    ),
    (Reason::EmptyBatch, &[&inline::BATCH_NOT_EMPTY]),
    (Reason::MixedBatch, &[&inline::BATCH_ONE_KIND]),
    (Reason::UnknownMethod, &[&inline::UNKNOWN_METHOD]),
    (
        Reason::WrongDirection,
        &[&inline::METHOD_DIRECTION, &inline::NOTIFICATION_DIRECTION],
    ),
    (Reason::MissingRequiredFields, &[&inline::MISSING_MEMBER]),
    (
        Reason::TypeMismatch,
        &[&inline::WRONG_TYPE, &inline::NO_NULL_OPTIONAL],
    ),
    (
        Reason::UnknownValue,
        &[&inline::UNKNOWN_VALUE, &inline::UNKNOWN_VARIANT],
    ),
    (Reason::OutOfRange, &[&inline::OUT_OF_RANGE]),
    (
        Reason::InvalidUri,
        &[&resources::URI_VALID, &profile::RESOURCE_URI],
    ),
    (Reason::InvalidArguments, &[&tools::ARGUMENTS_MATCH_SCHEMA]),
];

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use mcp_assay::rules;

    use super::*;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::ALL.len());
    }

    #[test]
    fn what_the_envelope_and_the_shape_raise_has_a_reason_of_its_own() {
        for rule in rules::all().filter(|rule| rule.is_inline()) {
            let unspecific = Reason::of_rule(rule) == Reason::RuleViolated;
            assert_eq!(unspecific, *rule == inline::OVERRIDE, "{}", rule.name);
        }
    }
}
