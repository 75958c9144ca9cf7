//! Values of a TOML document by their type, and faults with their places. For the files of this
//! project: profiles and the configuration of the program.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A fault and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    span: Range<usize>,
    text: String,
}

/// A value and its place.
pub type Value<'t> = &'t Spanned<DeValue<'t>>;

/// A name and its place.
pub struct Name<'t> {
    pub text: &'t str,
    span: Range<usize>,
}

impl Name<'_> {
    pub fn fault(&self, text: impl Into<String>) -> Fault {
        Fault::new(self.span.clone(), text)
    }
}

impl Fault {
    fn new(span: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            span,
            text: text.into(),
        }
    }

    /// The fault that the parser reports.
    pub fn of_syntax(error: &toml::de::Error, text: &str) -> Self {
        let message = error.message().replace('\n', "; ");
        Self::new(error.span().unwrap_or(text.len()..text.len()), message)
    }

    /// The fault as `line:column: text`; both count from 1, columns in characters.
    pub fn located(&self, text: &str) -> String {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        format!("{line}:{column}: {}", self.text)
    }
}

/// The members of a table in the order in which they are written.
pub fn members<'t>(table: &'t DeTable<'t>) -> Vec<(Name<'t>, Value<'t>)> {
    let mut members: Vec<_> = table
        .iter()
        .map(|(key, value)| {
            let name = Name {
                text: key.get_ref(),
                span: key.span(),
            };
            (name, value)
        })
        .collect();
    members.sort_by_key(|(name, _)| name.span.start);
    members
}

/// A fault at a value.
pub fn fault(value: Value<'_>, text: impl Into<String>) -> Fault {
    Fault::new(value.span(), text)
}

pub fn table<'t>(value: Value<'t>, what: &str) -> Result<&'t DeTable<'t>, Fault> {
    value
        .get_ref()
        .as_table()
        .ok_or_else(|| expected(value, what, "a table"))
}

/// The tables of a key that is written `[[name]]`.
pub fn tables<'t>(
    value: Value<'t>,
    name: &str,
) -> Result<Vec<(Value<'t>, &'t DeTable<'t>)>, Fault> {
    let (what, wanted) = (format!("`{name}`"), format!("written as `[[{name}]]`"));
    let items = value
        .get_ref()
        .as_array()
        .ok_or_else(|| expected(value, &what, &wanted))?;
    items
        .iter()
        .map(|item| {
            let table = item.get_ref().as_table();
            let table = table.ok_or_else(|| expected(item, &what, &wanted))?;
            Ok((item, table))
        })
        .collect()
}

pub fn boolean(value: Value<'_>, what: &str) -> Result<bool, Fault> {
    value
        .get_ref()
        .as_bool()
        .ok_or_else(|| expected(value, what, "`true` or `false`"))
}

/// Whether warnings fail, too: a boolean, or the word for the requirements that have to hold.
pub fn strictness(value: Value<'_>, what: &str) -> Result<bool, Fault> {
    match value.get_ref().as_str() {
        Some("must") => Ok(false),
        Some("should") => Ok(true),
        _ => value
            .get_ref()
            .as_bool()
            .ok_or_else(|| expected(value, what, "`true`, `false`, `\"must\"` or `\"should\"`")),
    }
}

pub fn text<'t>(value: Value<'t>, what: &str) -> Result<Name<'t>, Fault> {
    let text = value
        .get_ref()
        .as_str()
        .ok_or_else(|| expected(value, what, "a string"))?;
    Ok(Name {
        text,
        span: value.span(),
    })
}

/// A list of strings; one string is a list of itself.
pub fn texts<'t>(value: Value<'t>, what: &str) -> Result<Vec<Name<'t>>, Fault> {
    match value.get_ref().as_array() {
        None => Ok(vec![text(value, what).map_err(|_| {
            expected(value, what, "a string or a list of strings")
        })?]),
        Some(items) => items
            .iter()
            .map(|item| text(item, &format!("each item of {what}")))
            .collect(),
    }
}

pub fn count(value: Value<'_>, what: &str, max: u64) -> Result<usize, Fault> {
    value
        .get_ref()
        .as_integer()
        .and_then(|integer| u64::from_str_radix(integer.as_str(), integer.radix()).ok())
        .filter(|count| (1..=max).contains(count))
        .and_then(|count| usize::try_from(count).ok())
        .ok_or_else(|| expected(value, what, &format!("a whole number from 1 to {max}")))
}

/// Any integer of 64 bits.
pub fn integer(value: Value<'_>, what: &str) -> Result<i64, Fault> {
    value
        .get_ref()
        .as_integer()
        .and_then(|integer| i64::from_str_radix(integer.as_str(), integer.radix()).ok())
        .ok_or_else(|| expected(value, what, "a whole number"))
}

pub fn expected(value: Value<'_>, what: &str, wanted: &str) -> Fault {
    fault(value, format!("{what} must be {wanted}"))
}
