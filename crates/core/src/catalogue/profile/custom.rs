//! Rules of a profile: a pointer into a message, a schema for the value there, and a message for a
//! violation.

use super::fault::ProfileFault;
use super::{intern, method};
use crate::catalogue::{Layer, Level, Rule};
use crate::compiled_schema::Schema;
use crate::{Direction, MessageKind, RevisionSet};

/// The longest text of a rule, in bytes.
const MAX_TEXT: usize = 1024;

/// A rule of a profile, to be added with [`Profile::add_rule`](super::Profile::add_rule).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CustomRule {
    /// `family/requirement`; differs from every rule of the protocol.
    pub name: String,
    /// The messages that it is about.
    pub applies: Applies,
    /// The value to check, as a JSON Pointer (RFC 6901) into the message. The rule is silent where
    /// the pointer leads nowhere.
    pub at: String,
    /// The JSON Schema (2020-12, as JSON text) that the value there has to meet.
    pub schema: String,
    /// The text of a violation.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
    /// The source of the requirement, with a date; may be empty.
    pub source: String,
    /// The severity of a violation.
    pub level: Level,
    /// The layer that selects it.
    pub layer: Layer,
}

impl CustomRule {
    /// A rule about every message, at the level of an error.
    #[must_use]
    pub fn new(name: &str, at: &str, schema: &str, message: &str) -> Self {
        Self {
            name: name.to_owned(),
            applies: Applies::default(),
            at: at.to_owned(),
            schema: schema.to_owned(),
            message: message.to_owned(),
            help: String::new(),
            source: String::new(),
            level: Level::Error,
            layer: Layer::Schema,
        }
    }
}

/// The messages that a rule checks; an empty field places no condition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Applies {
    /// Methods that are called or answered; empty for all.
    pub methods: Vec<String>,
    /// Kinds of message: requests, notifications, responses or errors; empty for all of these.
    pub kinds: Vec<MessageKind>,
    /// The direction; a message whose direction is not known is skipped.
    pub direction: Option<Direction>,
}

/// A rule of a profile, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Custom {
    pub(crate) rule: &'static Rule,
    pub(crate) applies: Applies,
    pub(super) pointer: String,
    /// The segments of the pointer.
    pub(crate) at: Vec<String>,
    pub(crate) schema: Schema,
}

impl Custom {
    pub(crate) fn new(custom: &CustomRule, profile: &str) -> Result<Self, ProfileFault> {
        check_name(&custom.name)?;
        for (what, text) in [
            ("message", &custom.message),
            ("help", &custom.help),
            ("source", &custom.source),
        ] {
            check_text(what, text)?;
        }
        if custom.message.is_empty() {
            return Err(ProfileFault::at("message", "the message is empty"));
        }
        // The name of a file may contain any character.
        let profile = profile.escape_debug();
        let source = if custom.source.is_empty() {
            format!("profile {profile}")
        } else {
            custom.source.clone()
        };
        let help = if custom.help.is_empty() {
            format!("do as the profile `{profile}` says")
        } else {
            custom.help.clone()
        };
        let schema = method::schema(&custom.schema)?;
        let rule = intern::rule(Rule {
            name: intern::text(&custom.name)?,
            layer: custom.layer,
            level: custom.level,
            revisions: RevisionSet::NONE,
            spec: intern::text(&source)?,
            code: -32602,
            help: intern::text(&help)?,
            page: intern::text(&custom.message)?,
            ..Rule::DEFAULT
        })?;
        Ok(Self {
            rule,
            applies: custom.applies.clone(),
            pointer: custom.at.clone(),
            at: segments(&custom.at)?,
            schema,
        })
    }

    /// Whether it is about messages of this kind, sent this way, that call or answer this method.
    pub(super) fn is_about(
        &self,
        kind: MessageKind,
        method: Option<&str>,
        direction: Direction,
    ) -> bool {
        self.applies.mean(kind, Some(direction), &[method])
    }
}

impl Applies {
    pub(crate) fn mean(
        &self,
        kind: MessageKind,
        direction: Option<Direction>,
        names: &[Option<&str>],
    ) -> bool {
        let is_meant = |method: &String| names.iter().flatten().any(|name| name == method);
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && (self.direction.is_none() || self.direction == direction)
            && (self.methods.is_empty() || self.methods.iter().any(is_meant))
    }
}

fn check_name(name: &str) -> Result<(), ProfileFault> {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_lowercase())
            && part
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    let well_formed = name.split_once('/').is_some_and(|(family, requirement)| {
        name.len() <= 64 && is_part(family) && is_part(requirement)
    });
    if !well_formed {
        return Err(ProfileFault::at(
            "name",
            "the name of a rule is `family/requirement`, in lower case, of letters, digits and dashes",
        ));
    }
    Ok(())
}

fn check_text(what: &'static str, text: &str) -> Result<(), ProfileFault> {
    if text.len() > MAX_TEXT {
        return Err(ProfileFault::at(
            what,
            format!("the {what} is longer than {MAX_TEXT} bytes"),
        ));
    }
    if text.chars().any(char::is_control) {
        return Err(ProfileFault::at(
            what,
            format!("the {what} has a line break or another control character"),
        ));
    }
    Ok(())
}

/// The segments of a JSON Pointer.
fn segments(pointer: &str) -> Result<Vec<String>, ProfileFault> {
    if pointer.is_empty() {
        return Ok(Vec::new());
    }
    let Some(rest) = pointer.strip_prefix('/') else {
        return Err(ProfileFault::at(
            "at",
            "a JSON Pointer is empty or begins with a slash",
        ));
    };
    rest.split('/')
        .map(|segment| {
            let escapes = segment.split('~').skip(1);
            if escapes
                .into_iter()
                .any(|escape| !escape.starts_with(['0', '1']))
            {
                return Err(ProfileFault::at(
                    "at",
                    "in a JSON Pointer `~` is written `~0` and `/` is written `~1`",
                ));
            }
            Ok(segment.replace("~1", "/").replace("~0", "~"))
        })
        .collect()
}
