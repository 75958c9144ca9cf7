//! Reasons why an input is invalid, in one word that never changes.

use core::fmt;

use mcp_assay::rules::Rule;
use mcp_assay::{Detail, Layer, Violation};

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
    /// `method` is not a string.
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
    /// The arguments of a tool do not fit its `inputSchema`.
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
        match (violation.rule.name, violation.detail) {
            // An unknown name, or one that the profile has replaced.
            ("schema/unknown-method", _) | ("profile/method", Detail::Named { .. }) => unknown,
            ("profile/method", Detail::Text(_)) => Self::WrongDirection,
            _ => Self::of_rule(violation.rule),
        }
    }

    fn of_rule(rule: &Rule) -> Self {
        match rule.name {
            "json/size-limit"
            | "json/depth-limit"
            | "json/token-limit"
            | "json/violation-limit"
            | "session/open-requests-limit"
            | "session/memory-limit" => Self::LimitExceeded,
            "json/unique-keys" => Self::DuplicateKey,
            "json/paired-surrogates" => Self::LoneSurrogate,
            "json/top-level-object" => Self::NotMap,
            "jsonrpc/version-member" => Self::InvalidJsonrpcVersion,
            "jsonrpc/known-kind" => Self::MissingMethod,
            "jsonrpc/method-string" => Self::InvalidMethod,
            "jsonrpc/not-two-kinds" | "jsonrpc/result-xor-error" => Self::AmbiguousMessage,
            "jsonrpc/request-has-id" | "jsonrpc/result-has-id" | "jsonrpc/error-id-required" => {
                Self::MissingId
            }
            "jsonrpc/id-type"
            | "jsonrpc/request-id-not-null"
            | "jsonrpc/id-not-fractional"
            | "jsonrpc/error-id-not-null"
            | "json/integer-precision" => Self::InvalidId,
            "jsonrpc/notification-no-id" => Self::UnexpectedId,
            "jsonrpc/params-object" => Self::InvalidParams,
            "jsonrpc/result-object" => Self::InvalidResult,
            "jsonrpc/error-object" | "jsonrpc/error-message-string" => Self::InvalidError,
            "jsonrpc/error-code-integer"
            | "jsonrpc/error-code-reserved"
            | "jsonrpc/error-code-mcp-range"
            | "jsonrpc/error-code-legacy-range"
            | "jsonrpc/error-code-retired"
            | "jsonrpc/error-code-meaning"
            | "profile/error-code" => Self::InvalidErrorCode,
            "jsonrpc/no-batch" | "jsonrpc/batch-undefined" => Self::BatchUnsupported,
            "jsonrpc/batch-not-empty" => Self::EmptyBatch,
            "jsonrpc/batch-one-kind" => Self::MixedBatch,
            "schema/unknown-method" => Self::UnknownMethod,
            "request/method-direction" | "request/notification-direction" => Self::WrongDirection,
            "schema/missing-member" => Self::MissingRequiredFields,
            "schema/wrong-type" | "schema/no-null-optional" => Self::TypeMismatch,
            "schema/unknown-value" | "schema/unknown-variant" => Self::UnknownValue,
            "schema/out-of-range" => Self::OutOfRange,
            "resources/uri-valid" | "profile/resource-uri" => Self::InvalidUri,
            "tools/arguments-match-schema" => Self::InvalidArguments,
            _ if matches!(rule.layer, Layer::Framing | Layer::Json) => Self::InvalidJson,
            _ => Self::RuleViolated,
        }
    }
}

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
            assert_eq!(unspecific, rule.name == "schema/override", "{}", rule.name);
        }
    }
}
