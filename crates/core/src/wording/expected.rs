//! Shapes and kinds in words.

use crate::Revision;
use crate::model::{ENUMS, STRUCTS, Shape, ShapeId, UNIONS};
use crate::syntax::Kind;

/// A shape as the object of "expected".
#[must_use]
pub fn expected(shape: ShapeId, revision: Revision) -> String {
    let Some(shape) = shape.get() else {
        return "nothing".to_owned();
    };
    match *shape {
        Shape::Any => "any value".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Bool => "true or false".to_owned(),
        Shape::String(_) => "a string".to_owned(),
        Shape::Literal(text) => format!("`{text}`"),
        Shape::Int { min, max } => range(
            "an integer",
            (min != i64::MIN).then_some(min),
            (max != i64::MAX).then_some(max),
        ),
        Shape::Number { min, max } => range(
            "a number",
            min.is_finite().then_some(min),
            max.is_finite().then_some(max),
        ),
        Shape::Object => "an object".to_owned(),
        Shape::Array { item, .. } => format!("an array{}", of_items(item)),
        Shape::Map(item) => format!(
            "an object whose members are each {}",
            expected(item, revision)
        ),
        Shape::Struct(id) => format!("an object (`{}`)", STRUCTS[usize::from(id)].name),
        Shape::Enum(id) => {
            let values = ENUMS[usize::from(id)].values.iter();
            list(
                values
                    .filter(|(_, revisions)| revisions.contains(revision))
                    .map(|(value, _)| *value),
            )
        }
        Shape::Union(id) => {
            let union = &UNIONS[usize::from(id)];
            if union.tag.is_some() {
                return format!("an object (`{}`)", union.name);
            }
            let arms = union
                .arms
                .iter()
                .filter(|arm| arm.revisions.contains(revision));
            arms.map(|arm| expected(arm.shape, revision))
                .collect::<Vec<_>>()
                .join(" or ")
        }
    }
}

/// The items of an array, if one or two words describe them.
fn of_items(item: ShapeId) -> String {
    let items = match item.get() {
        Some(Shape::String(_)) => "strings",
        Some(Shape::Int { .. }) => "integers",
        Some(Shape::Number { .. }) => "numbers",
        Some(Shape::Bool) => "booleans",
        Some(Shape::Object | Shape::Map(_)) => "objects",
        Some(Shape::Struct(id)) => return format!(" of `{}`", STRUCTS[usize::from(*id)].name),
        Some(Shape::Union(id)) => return format!(" of `{}`", UNIONS[usize::from(*id)].name),
        Some(Shape::Enum(id)) => return format!(" of `{}`", ENUMS[usize::from(*id)].name),
        _ => return String::new(),
    };
    format!(" of {items}")
}

fn range<T: std::fmt::Display>(noun: &str, min: Option<T>, max: Option<T>) -> String {
    match (min, max) {
        (None, None) => noun.to_owned(),
        (Some(min), None) => format!("{noun} of at least {min}"),
        (None, Some(max)) => format!("{noun} of at most {max}"),
        (Some(min), Some(max)) => format!("{noun} from {min} to {max}"),
    }
}

/// Names in backticks: "`a`", "`a` or `b`", "one of `a`, `b`, `c`".
pub(super) fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [one, two] => format!("{one} or {two}"),
        many => format!("one of {}", many.join(", ")),
    }
}

/// The kind of a value, after "is".
#[must_use]
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::True => "true",
        Kind::False => "false",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
        Kind::Key => "a key",
    }
}
