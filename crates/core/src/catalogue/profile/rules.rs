//! Rules with fixed names that a profile raises. No revision states them, so no page of the
//! specification explains them.

use crate::RevisionSet;
use crate::catalogue::{Layer, Level, Rule};

/// All of them, one for each name.
pub(crate) static ALL: [&Rule; 5] = [&METHOD, &METHOD_EMPTY, &CODES[2], &RESOURCE_URI, &REVISION];

/// The rules that every profile can raise, besides its own.
pub fn fixed_rules() -> impl Iterator<Item = &'static Rule> {
    ALL.into_iter()
}

/// A method that the profile renames, or adds with demands that a message does not meet.
pub static METHOD: Rule = rule(
    "profile/method",
    Layer::Schema,
    Level::Error,
    -32602,
    "The profile demands something else of this method.",
    "do as the profile says, or choose another profile",
);

/// A method that is empty, where the profile demands a name.
pub static METHOD_EMPTY: Rule = rule(
    "profile/method-empty",
    Layer::Jsonrpc,
    Level::Error,
    -32600,
    "The profile demands that a method has a name.",
    "name the method",
);

/// An error code that the profile does not allow, one for each level: note, warning, error.
pub static CODES: [Rule; 3] = [code(Level::Note), code(Level::Warning), code(Level::Error)];

/// A resource whose URI the profile does not allow.
pub static RESOURCE_URI: Rule = rule(
    "profile/resource-uri",
    Layer::Session,
    Level::Error,
    -32602,
    "The profile does not allow this URI of a resource.",
    "use a URI of the form that the profile asks for",
);

/// A session that speaks another revision than the profile expects.
pub static REVISION: Rule = rule(
    "profile/revision",
    Layer::Session,
    Level::Error,
    0,
    "The session speaks another revision than the profile expects.",
    "offer and accept the revision that the profile expects",
);

const fn code(level: Level) -> Rule {
    rule(
        "profile/error-code",
        Layer::Session,
        level,
        0,
        "The profile does not allow this error code.",
        "use a code that the profile allows",
    )
}

const fn rule(
    name: &'static str,
    layer: Layer,
    level: Level,
    code: i32,
    summary: &'static str,
    help: &'static str,
) -> Rule {
    Rule {
        name,
        layer,
        level,
        revisions: RevisionSet::NONE,
        spec: "profile",
        code,
        help,
        page: summary,
        ..Rule::DEFAULT
    }
}
