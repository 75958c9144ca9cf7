//! The remedy for a violation.

use super::expected::expected;
use super::{Wording, allowed_values, arm_names, syntax, tame};
use crate::catalogue::{Detail, Owner, Rule, Violation, inline};
use crate::model::{Fact, METHODS, Shape, ShapeId};
use crate::similar::nearest;
use crate::syntax::{Kind, Node};

impl Wording<'_> {
    /// The remedy; the help of the rule if nothing more specific is known.
    #[must_use]
    pub fn help(self, violation: &Violation) -> String {
        let help = self
            .particular(violation)
            .unwrap_or_else(|| violation.rule.help.to_owned());
        match violation.nearest_of {
            Some(union) => format!(
                "{help} (no branch of `{}` fits; this is the nearest)",
                union.name
            ),
            None => help,
        }
    }

    fn particular(self, violation: &Violation) -> Option<String> {
        if let Detail::Syntax(kind) = violation.detail {
            return syntax::help(kind, self.bytes, violation.span).map(str::to_owned);
        }
        let node = self.tape.node(self.bytes, violation.token?);
        match violation.detail {
            Detail::Missing { member, owner } => missing(node, member, owner, violation.rule),
            Detail::Type {
                expected: shape,
                found,
            } => Some(self.retype(node, shape, found)),
            Detail::Value { expected: shape } => {
                let values = allowed_values(shape, self.revision());
                suggest(node, values.iter().copied()).or_else(|| match values.as_slice() {
                    [only] => Some(format!("write `{only}`")),
                    _ => None,
                })
            }
            Detail::Tag { union } => suggest(node, arm_names(union, self.revision())),
            Detail::Method { elsewhere: None } => {
                let known = METHODS
                    .iter()
                    .filter(|method| method.forms[self.revision().index()].is_some());
                let suggestion = suggest(node, known.map(|method| method.name));
                suggestion.or_else(|| {
                    Some(
                        "use a method of the specification, or agree on an extension first"
                            .to_owned(),
                    )
                })
            }
            Detail::Plain if *violation.rule == inline::KNOWN_KIND => ["method", "result", "error"]
                .into_iter()
                .find_map(|member| misspelt(node, member, Owner::Message)),
            Detail::EnvelopeType {
                found: Kind::Null, ..
            } if *violation.rule == inline::ERROR_ID_NOT_NULL
                && !self.revision().has(Fact::ErrorWithoutId) =>
            {
                Some(format!(
                    "repeat the id of the request; {} has no error without an id",
                    self.revision()
                ))
            }
            _ => None,
        }
    }

    /// The remedy for a value of the wrong type.
    fn retype(self, node: Node<'_>, shape: ShapeId, found: Kind) -> String {
        let text = if found == Kind::String {
            node.text()
        } else {
            None
        };
        let text = text.as_deref().map(str::trim_start).unwrap_or_default();
        match shape.get() {
            Some(Shape::Int { .. } | Shape::Number { .. }) if text.parse::<f64>().is_ok() => {
                "remove the quotes".to_owned()
            }
            Some(Shape::Bool) if ["true", "false"].contains(&text) => {
                "remove the quotes".to_owned()
            }
            Some(Shape::String(_)) if matches!(found, Kind::Number | Kind::True | Kind::False) => {
                "put it in double quotes".to_owned()
            }
            Some(Shape::Object | Shape::Map(_) | Shape::Struct(_) | Shape::Union(_))
                if text.starts_with('{') =>
            {
                "send the object itself, not a string that holds its text".to_owned()
            }
            Some(Shape::Array { .. }) if text.starts_with('[') => {
                "send the array itself, not a string that holds its text".to_owned()
            }
            _ => format!("send {}", expected(shape, self.revision())),
        }
    }
}

fn missing(object: Node<'_>, member: &str, owner: Owner, rule: &Rule) -> Option<String> {
    misspelt(object, member, owner).or_else(|| {
        // Rules of the envelope have a better help for their members.
        let general = *rule == inline::MISSING_MEMBER;
        general.then(|| format!("add `{member}`"))
    })
}

/// Names an unknown key of the object that resembles the missing member.
fn misspelt(object: Node<'_>, member: &str, owner: Owner) -> Option<String> {
    let known = |name: &str| match owner {
        Owner::Struct(item) => item.fields.iter().any(|field| field.name == name),
        Owner::Union(_) => false,
        Owner::Message => ["jsonrpc", "id", "method", "params", "result", "error"].contains(&name),
        Owner::Error => ["code", "message", "data"].contains(&name),
    };
    // A hostile object may have millions of keys: only the first few are compared.
    let keys = object.members().take(256).filter_map(|(key, _)| key.text());
    let unknown: Vec<_> = keys.filter(|key| key.len() <= 64 && !known(key)).collect();
    let found = nearest(member, unknown.iter().map(|key| &**key))?;
    Some(format!(
        "did you mean `{member}` instead of `{}`?",
        tame(found)
    ))
}

fn suggest<'n>(node: Node<'_>, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let text = node.text().filter(|text| text.len() <= 64)?;
    nearest(&text, names).map(|name| format!("did you mean `{name}`?"))
}
