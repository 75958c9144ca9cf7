//! Rules of the family `schema`: structure, driven by the model.

use super::rule::{Parties, Rule, rule};
use crate::RevisionSet;

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[&MISSING_MEMBER, &NO_NULL_OPTIONAL, &OUT_OF_RANGE, &OVERRIDE, &UNKNOWN_METHOD, &UNKNOWN_VALUE, &UNKNOWN_VARIANT, &WRONG_TYPE];

rule! {
    /// A required member is missing.
    ///
    /// Typed receivers refuse the whole message; others fail later, where the member is used.
    MISSING_MEMBER = {
        name: "schema/missing-member",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#schema",
        code: -32602,
        covers: ["schema/request-params", "schema/notification-params", "schema/result", "schema/error-data", "schema/dispatch-on-result-type", "response/result-type-present", "meta/protocol-version", "meta/client-capabilities"],
        help: "add the member",
    }
}

rule! {
    /// A value is of the wrong type.
    ///
    /// Typed receivers refuse the whole message; others misread the value.
    WRONG_TYPE = {
        name: "schema/wrong-type",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#schema",
        code: -32602,
        covers: ["schema/request-params", "schema/notification-params", "schema/result", "schema/error-data", "meta/object"],
        help: "send a value of the type that the schema gives",
    }
}

rule! {
    /// An optional member is null instead of absent.
    ///
    /// The schema has no null there: many serialisers write it for unset fields, and typed receivers refuse it.
    NO_NULL_OPTIONAL = {
        name: "schema/no-null-optional",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#schema",
        code: -32602,
        covers: [],
        help: "leave the member out",
    }
}

rule! {
    /// A string is none of the values allowed here.
    ///
    /// Receivers that switch on it find no branch.
    UNKNOWN_VALUE = {
        name: "schema/unknown-value",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#schema",
        code: -32602,
        covers: ["schema/request-params", "schema/notification-params", "schema/result"],
        help: "use one of the values that the revision knows",
    }
}

rule! {
    /// A number or the length of an array is outside its bounds.
    ///
    /// Receivers that rely on the bounds compute nonsense or refuse the message.
    OUT_OF_RANGE = {
        name: "schema/out-of-range",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#schema",
        code: -32602,
        covers: ["schema/request-params", "schema/notification-params", "schema/result"],
        help: "stay within the bounds",
    }
}

rule! {
    /// A value names a kind that does not exist here.
    ///
    /// The member that tells kinds apart has a value that the revision in force does not know, so no receiver can read the rest.
    UNKNOWN_VARIANT = {
        name: "schema/unknown-variant",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#schema",
        code: -32602,
        covers: ["schema/request-params", "schema/notification-params", "schema/result"],
        help: "use one of the kinds that the revision knows",
    }
}

rule! {
    /// The method does not exist in the revision in force.
    ///
    /// The receiver answers with method not found, or ignores the notification.
    UNKNOWN_METHOD = {
        name: "schema/unknown-method",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic/lifecycle#operation",
        code: -32601,
        covers: ["request/method-in-revision", "request/notification-in-revision", "request/removed-initialize", "request/removed-initialized", "request/removed-ping", "request/removed-set-level", "request/removed-subscribe", "request/removed-roots-list-changed", "request/removed-elicitation-complete"],
        help: "use a method of the revision in force, or negotiate the revision that has it",
    }
}

rule! {
    /// The message does not fit the schema that replaces the built-in model.
    ///
    /// Raised only where a schema of your own is in force.
    OVERRIDE = {
        name: "schema/override",
        layer: Schema,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#schema",
        code: -32602,
        covers: [],
        help: "make the message fit the schema given with --schema",
    }
}
