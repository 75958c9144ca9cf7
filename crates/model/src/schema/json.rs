//! A JSON value to write, and its writer. Reading JSON is the task of [`mcp_assay_json`].

use core::fmt::{self, Write as _};

use mcp_assay_json::write_text;

/// A value to write. Members keep their order.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Json {
    False,
    Text(String),
    Int(i64),
    Float(f64),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self::Array(texts.into_iter().map(Self::text).collect())
    }

    pub(super) fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(
            members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    /// Adds a member, or replaces the one of this name. Does nothing to other values.
    pub(super) fn set(&mut self, name: &str, value: Self) {
        let Self::Object(members) = self else { return };
        match members.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => members.push((name.to_owned(), value)),
        }
    }

    /// Calls `visit` with the target of every `$ref` in it.
    pub(super) fn references<'j>(&'j self, visit: &mut impl FnMut(&'j str)) {
        match self {
            Self::Array(items) => items.iter().for_each(|item| item.references(visit)),
            Self::Object(members) => {
                for (name, value) in members {
                    match value {
                        Self::Text(target) if name == "$ref" => visit(target),
                        _ => value.references(visit),
                    }
                }
            }
            _ => {}
        }
    }

    fn write(&self, out: &mut String, indent: usize) {
        // Writing to a string cannot fail.
        let _ = match self {
            Self::False => out.write_str("false"),
            Self::Text(text) => {
                write_text(text, out);
                Ok(())
            }
            Self::Int(number) => write!(out, "{number}"),
            Self::Float(number) => write!(out, "{number}"),
            Self::Array(items)
                if items
                    .iter()
                    .all(|item| !matches!(item, Self::Array(_) | Self::Object(_))) =>
            {
                write_in_line(items, out)
            }
            Self::Array(items) => {
                let rows = items.iter().map(|item| (None, item));
                write_rows(rows, ('[', ']'), out, indent)
            }
            Self::Object(members) => {
                let rows = members
                    .iter()
                    .map(|(name, value)| (Some(name.as_str()), value));
                write_rows(rows, ('{', '}'), out, indent)
            }
        };
    }
}

/// Indented by two spaces; arrays of plain values stay on one line.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&mut out, 0);
        f.write_str(&out)
    }
}

fn write_in_line(items: &[Json], out: &mut String) -> fmt::Result {
    out.write_char('[')?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        item.write(out, 0);
    }
    out.write_char(']')
}

fn write_rows<'j>(
    rows: impl ExactSizeIterator<Item = (Option<&'j str>, &'j Json)>,
    (open, close): (char, char),
    out: &mut String,
    indent: usize,
) -> fmt::Result {
    if rows.len() == 0 {
        return write!(out, "{open}{close}");
    }
    out.write_char(open)?;
    for (index, (name, value)) in rows.enumerate() {
        write!(
            out,
            "{}\n{:2$}",
            if index > 0 { "," } else { "" },
            "",
            indent + 2
        )?;
        if let Some(name) = name {
            write_text(name, out);
            out.write_str(": ")?;
        }
        value.write(out, indent + 2);
    }
    write!(out, "\n{:1$}{close}", "", indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_and_escapes() {
        let value = Json::object([
            ("a\"\\\n\u{1}ä", Json::texts(["x", "y"])),
            (
                "b",
                Json::Array(vec![Json::object([("c", Json::Int(-1))]), Json::Float(0.5)]),
            ),
            ("d", Json::Object(Vec::new())),
            ("e", Json::Array(Vec::new())),
            ("f", Json::False),
        ]);
        let expected = r#"{
  "a\"\\\n\u0001ä": ["x", "y"],
  "b": [
    {
      "c": -1
    },
    0.5
  ],
  "d": {},
  "e": [],
  "f": false
}"#;
        assert_eq!(value.to_string(), expected);
    }

    #[test]
    fn setting_replaces() {
        let mut value = Json::object([("a", Json::Int(1))]);
        value.set("a", Json::Int(2));
        value.set("b", Json::Int(3));
        assert_eq!(
            value,
            Json::object([("a", Json::Int(2)), ("b", Json::Int(3))])
        );
    }
}
