//! Parses types and marks.

use super::ast::{Format, Marks, Name, Type, TypeKind};
use super::diagnostic::{Diagnostic, Place};
use super::lexer::TokenKind;
use super::parser::Parser;

impl Parser {
    /// A type; alternatives are separated by `|`.
    pub(super) fn ty(&mut self) -> Result<Type, Diagnostic> {
        let first = self.single_type()?;
        if !self.next_is("|") {
            return Ok(first);
        }
        let place = first.place.clone();
        let mut alternatives = vec![first];
        while self.next_is("|") {
            if alternatives
                .iter()
                .any(|one| matches!(one.kind, TypeKind::Map(_)))
            {
                return Err(self.unexpected("the end of the type, since a map before `|` is ambiguous: name one of them with `type`"));
            }
            self.advance();
            alternatives.push(self.single_type()?);
        }
        Ok(Type {
            kind: TypeKind::Either(alternatives),
            place,
        })
    }

    /// `since X`, `until X`, `only X`, or nothing.
    pub(super) fn marks(&mut self) -> Result<Marks, Diagnostic> {
        let mut marks = Marks::default();
        loop {
            let TokenKind::Word(word) = &self.peek().kind else {
                return Ok(marks);
            };
            let (since, until) = match word.as_str() {
                "since" => (true, false),
                "until" => (false, true),
                "only" => (true, true),
                _ => return Ok(marks),
            };
            if (since && marks.since.is_some()) || (until && marks.until.is_some()) {
                return Err(self.unexpected(
                    "the end of the marks, since that end of the range is given already",
                ));
            }
            if since && marks.until.is_some() {
                return Err(self.unexpected("the end of the marks: `since` comes before `until`"));
            }
            self.advance();
            let date = self.date()?;
            if since {
                marks.since = Some(date.clone());
            }
            if until {
                marks.until = Some(date);
            }
        }
    }

    /// `2025-06-18` or `2025-06`.
    pub(super) fn date(&mut self) -> Result<Name, Diagnostic> {
        match &self.peek().kind {
            TokenKind::Word(word) if is_date(word) => Ok(self.take_name()),
            _ => Err(self.unexpected("a revision such as `2025-06-18` or `2025-06`")),
        }
    }

    fn single_type(&mut self) -> Result<Type, Diagnostic> {
        let place = self.peek().place.clone();
        let kind = match self.peek().kind.clone() {
            TokenKind::Quoted(text) => {
                self.advance();
                TypeKind::Literal(text)
            }
            TokenKind::Mark("[") => {
                self.advance();
                let item = self.ty()?;
                self.expect("]")?;
                TypeKind::Array(Box::new(item), self.array_bound()?)
            }
            TokenKind::Word(word) => {
                if !is_type_name(&word) && !PRIMITIVES.contains(&word.as_str()) {
                    return Err(self.unexpected("a type: `string`, `int`, `num`, `bool`, `null`, `any`, `object`, `map T`, `[T]`, a quoted text or a name with a capital letter"));
                }
                self.advance();
                self.named_type(&word)?
            }
            _ => return Err(self.unexpected("a type")),
        };
        Ok(Type { kind, place })
    }

    fn named_type(&mut self, word: &str) -> Result<TypeKind, Diagnostic> {
        Ok(match word {
            "any" => TypeKind::Any,
            "null" => TypeKind::Null,
            "bool" => TypeKind::Bool,
            "object" => TypeKind::Object,
            "map" => TypeKind::Map(Box::new(self.single_type()?)),
            "string" => TypeKind::String(self.format()?),
            "int" => {
                let (min, max, _) = self.bounds("an integer", str::parse::<i64>)?;
                TypeKind::Int(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX))
            }
            "num" => {
                let parse = |text: &str| {
                    text.parse::<f64>()
                        .ok()
                        .filter(|number| number.is_finite())
                        .ok_or(())
                };
                let (min, max, _) = self.bounds("a number", parse)?;
                TypeKind::Number(
                    min.unwrap_or(f64::NEG_INFINITY),
                    max.unwrap_or(f64::INFINITY),
                )
            }
            name => TypeKind::Name(name.to_owned()),
        })
    }

    fn format(&mut self) -> Result<Format, Diagnostic> {
        if !self.next_is("(") {
            return Ok(Format::Plain);
        }
        self.advance();
        let format = match &self.peek().kind {
            TokenKind::Word(word) if word == "uri" => Format::Uri,
            TokenKind::Word(word) if word == "uri-template" => Format::UriTemplate,
            TokenKind::Word(word) if word == "byte" => Format::Byte,
            _ => return Err(self.unexpected("a format: `uri`, `uri-template` or `byte`")),
        };
        self.advance();
        self.expect(")")?;
        Ok(format)
    }

    fn array_bound(&mut self) -> Result<u32, Diagnostic> {
        let (min, max, place) = self.bounds("a whole number", str::parse::<u32>)?;
        if min.is_some() {
            return Err(Diagnostic::new(
                &place,
                "found a lower bound, expected an upper one alone: `[T](..100)`",
            ));
        }
        Ok(max.unwrap_or(u32::MAX))
    }

    /// `(a..b)` with either end left out, or nothing.
    fn bounds<T: PartialOrd, E>(
        &mut self,
        what: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<(Option<T>, Option<T>, Place), Diagnostic> {
        let place = self.peek().place.clone();
        if !self.next_is("(") {
            return Ok((None, None, place));
        }
        self.advance();
        let place = self.peek().place.clone();
        let expected = format!("a range such as `0..1`, each end {what}");
        let TokenKind::Word(word) = self.peek().kind.clone() else {
            return Err(self.unexpected(&expected));
        };
        let Some((low, high)) = word.split_once("..") else {
            return Err(self.unexpected(&expected));
        };
        let end = |text: &str| {
            if text.is_empty() {
                Ok(None)
            } else {
                parse(text).map(Some)
            }
        };
        let (Ok(low), Ok(high)) = (end(low), end(high)) else {
            return Err(self.unexpected(&expected));
        };
        if low.is_none() && high.is_none() {
            return Err(self.unexpected("a range with at least one end"));
        }
        if let (Some(low), Some(high)) = (&low, &high)
            && low > high
        {
            return Err(self.unexpected("a range whose first end is not above its last"));
        }
        self.advance();
        self.expect(")")?;
        Ok((low, high, place))
    }
}

const PRIMITIVES: [&str; 8] = [
    "any", "null", "bool", "object", "map", "string", "int", "num",
];

/// Whether a word can name a type: a capital letter, then letters and digits.
pub(super) fn is_type_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric())
}

fn is_date(word: &str) -> bool {
    let digits =
        |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    match word.split('-').collect::<Vec<_>>()[..] {
        [year, month] => digits(year, 4) && digits(month, 2),
        [year, month, day] => digits(year, 4) && digits(month, 2) && digits(day, 2),
        _ => false,
    }
}
