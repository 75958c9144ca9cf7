//! Parses tokens into items. Stops at the first fault of a file, which names the found and the
//! expected text.

use super::ast::{
    Arm, ArmTag, Base, Error, Field, Item, ItemKind, Marks, Method, MethodKind, Name, Need, Struct,
    Union, Value,
};
use super::diagnostic::Diagnostic;
use super::lexer::{Token, TokenKind, lex};
use super::types::is_type_name;

/// Parses one file. `file` is the path to show in messages.
pub(crate) fn parse(file: &str, text: &str) -> Result<Vec<Item>, Diagnostic> {
    let mut tokens = lex(file, text)?;
    tokens.retain(|token| !matches!(token.kind, TokenKind::Comment(_)));
    let mut parser = Parser { tokens, at: 0 };
    let mut items = Vec::new();
    loop {
        let doc = parser.doc();
        if parser.peek().kind == TokenKind::End {
            if !doc.is_empty() {
                return Err(parser.unexpected("an item, after its documentation"));
            }
            return Ok(items);
        }
        let item = parser.item(doc)?;
        parser.end_of_line()?;
        items.push(item);
    }
}

/// A position in the tokens of a file.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    pub(super) fn advance(&mut self) {
        // The last token is `End`, and nothing moves past it.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    pub(super) fn next_is(&self, mark: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Mark(found) if found == mark)
    }

    pub(super) fn expect(&mut self, mark: &str) -> Result<(), Diagnostic> {
        if !self.next_is(mark) {
            return Err(self.unexpected(&format!("`{mark}`")));
        }
        self.advance();
        Ok(())
    }

    /// The fault for an unexpected next token.
    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = self.peek();
        Diagnostic::new(
            &found.place,
            format!("found {}, expected {expected}", found.kind),
        )
    }

    /// The next word or quoted text as a name.
    pub(super) fn take_name(&mut self) -> Name {
        let Token { kind, place } = self.peek().clone();
        self.advance();
        let text = match kind {
            TokenKind::Word(text) | TokenKind::Quoted(text) => text,
            other => other.to_string(),
        };
        Name { text, place }
    }

    /// Skips empty lines and joins documentation lines.
    fn doc(&mut self) -> String {
        let mut doc: Vec<String> = Vec::new();
        loop {
            match &self.peek().kind {
                TokenKind::Doc(line) => doc.push(line.trim().to_owned()),
                TokenKind::Newline => {}
                _ => return doc.join(" "),
            }
            self.advance();
        }
    }

    fn end_of_line(&mut self) -> Result<(), Diagnostic> {
        if self.peek().kind != TokenKind::Newline {
            return Err(self.unexpected("the end of the line"));
        }
        self.advance();
        Ok(())
    }

    fn item(&mut self, doc: String) -> Result<Item, Diagnostic> {
        let expected = "`revision`, `fact`, `request`, `notification`, `input`, `struct`, `union`, `enum`, `type` or `error`";
        let TokenKind::Word(keyword) = self.peek().kind.clone() else {
            return Err(self.unexpected(expected));
        };
        let (name, marks, kind) = match keyword.as_str() {
            "revision" => self.revision()?,
            "fact" => self.fact()?,
            "request" => self.method(MethodKind::Request)?,
            "notification" => self.method(MethodKind::Notification)?,
            "input" => self.method(MethodKind::Input)?,
            "struct" => self.structure()?,
            "union" => self.union()?,
            "enum" => self.enumeration()?,
            "type" => self.alias()?,
            "error" => self.error()?,
            _ => return Err(self.unexpected(expected)),
        };
        Ok(Item {
            name,
            doc,
            marks,
            kind,
        })
    }

    fn revision(&mut self) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let date = self.date()?;
        if date.text.len() != "2025-06-18".len() {
            return Err(Diagnostic::new(
                &date.place,
                format!("found `{}`, expected a full date", date.text),
            ));
        }
        Ok((date, Marks::default(), ItemKind::Revision))
    }

    fn fact(&mut self) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let is_fact = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        let name = self.word("a fact: lower-case words with hyphens", is_fact)?;
        Ok((name, self.marks()?, ItemKind::Fact))
    }

    fn method(&mut self, kind: MethodKind) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let name = self.word("a method such as `tools/call`", |_| true)?;
        let definition = self.type_name()?;
        let (from_client, from_server) = self.senders()?;
        let marks = self.marks()?;
        let mut method = Method {
            kind,
            definition,
            from_client,
            from_server,
            params: Vec::new(),
            results: Vec::new(),
            needs: Vec::new(),
        };
        self.block(|parser, doc| {
            let expected = "`params`, `result` or `needs`";
            let line = parser.word(expected, |word| {
                matches!(word, "params" | "result" | "needs")
            })?;
            match line.text.as_str() {
                "params" => method.params.push(parser.field_after(line, doc)?),
                "result" => method.results.push(parser.required_after(line, doc)?),
                _ => {
                    let (path, parts) = parser.capability()?;
                    method.needs.push(Need {
                        path,
                        parts,
                        marks: parser.marks()?,
                    });
                }
            }
            Ok(())
        })?;
        Ok((name, marks, ItemKind::Method(method)))
    }

    /// `server.tools`, `client.extensions."some/name"`.
    fn capability(&mut self) -> Result<(Name, Vec<String>), Diagnostic> {
        let start = self.peek().place.clone();
        let (mut path, mut parts) = (String::new(), Vec::new());
        loop {
            match &self.peek().kind {
                TokenKind::Word(word)
                    if path.is_empty() || (path.ends_with('"') && word.starts_with('.')) =>
                {
                    parts.extend(
                        word.trim_start_matches('.')
                            .trim_end_matches('.')
                            .split('.')
                            .map(str::to_owned),
                    );
                    path.push_str(word);
                }
                TokenKind::Quoted(text) if path.ends_with('.') => {
                    parts.push(text.clone());
                    path.extend(["\"", text, "\""]);
                }
                _ => break,
            }
            self.advance();
        }
        let complete =
            parts.len() > 1 && !parts.iter().any(String::is_empty) && !path.ends_with('.');
        if complete && matches!(parts[0].as_str(), "client" | "server") {
            return Ok((
                Name {
                    text: path,
                    place: start,
                },
                parts,
            ));
        }
        let found = if path.is_empty() {
            self.peek().kind.to_string()
        } else {
            format!("`{path}`")
        };
        let message = format!(
            "found {found}, expected a capability such as `server.tools` or `client.extensions.\"some/name\"`"
        );
        Err(Diagnostic::new(&start, message))
    }

    /// `client -> server`, `server -> client` or `client <-> server`: the senders.
    fn senders(&mut self) -> Result<(bool, bool), Diagnostic> {
        let party = |parser: &mut Self| {
            parser.word("`client` or `server`", |word| {
                matches!(word, "client" | "server")
            })
        };
        let left = party(self)?;
        let both = self.next_is("<->");
        if !both && !self.next_is("->") {
            return Err(self.unexpected("`->` or `<->`"));
        }
        self.advance();
        let right = party(self)?;
        if left.text == right.text {
            return Err(Diagnostic::new(
                &right.place,
                format!(
                    "found `{}` on both sides, expected the other party",
                    right.text
                ),
            ));
        }
        let client = left.text == "client";
        Ok((client || both, !client || both))
    }

    fn structure(&mut self) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let name = self.type_name()?;
        let marks = self.marks()?;
        let mut bases = Vec::new();
        if self.next_is(":") {
            self.advance();
            loop {
                let name = self.type_name()?;
                bases.push(Base {
                    name,
                    marks: self.marks()?,
                });
                if !self.next_is(",") {
                    break;
                }
                self.advance();
            }
        }
        let mut fields = Vec::new();
        self.block(|parser, doc| {
            let name = parser.key()?;
            fields.push(parser.field_after(name, doc)?);
            Ok(())
        })?;
        Ok((name, marks, ItemKind::Struct(Struct { bases, fields })))
    }

    fn union(&mut self) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let name = self.type_name()?;
        let tag = match &self.peek().kind {
            TokenKind::Word(word) if word == "by" => {
                self.advance();
                Some(self.key()?)
            }
            _ => None,
        };
        let marks = self.marks()?;
        let mut arms = Vec::new();
        self.block(|parser, _| {
            let place = parser.peek().place.clone();
            let tag = if tag.is_some() {
                parser.arm_tag()?
            } else {
                ArmTag::Untagged
            };
            let ty = parser.ty()?;
            arms.push(Arm {
                tag,
                place,
                ty,
                marks: parser.marks()?,
            });
            Ok(())
        })?;
        Ok((name, marks, ItemKind::Union(Union { tag, arms })))
    }

    fn arm_tag(&mut self) -> Result<ArmTag, Diagnostic> {
        if let TokenKind::Quoted(text) = self.peek().kind.clone() {
            self.advance();
            return Ok(ArmTag::Value(text));
        }
        let word = self.word(
            "the value of the tag, `absent` or `else`; a value that is not a plain word is quoted",
            is_plain_value,
        )?;
        Ok(match word.text.as_str() {
            "absent" => ArmTag::Absent,
            "else" => ArmTag::Else,
            _ => ArmTag::Value(word.text),
        })
    }

    fn enumeration(&mut self) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let name = self.type_name()?;
        let marks = self.marks()?;
        let mut values = Vec::new();
        self.block(|parser, _| {
            let name = if matches!(parser.peek().kind, TokenKind::Quoted(_)) {
                parser.take_name()
            } else {
                parser.word(
                    "a value; one that is not a plain word is quoted",
                    is_plain_value,
                )?
            };
            values.push(Value {
                name,
                marks: parser.marks()?,
            });
            Ok(())
        })?;
        Ok((name, marks, ItemKind::Enum(values)))
    }

    fn alias(&mut self) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let name = self.type_name()?;
        self.expect("=")?;
        let ty = self.ty()?;
        Ok((name, self.marks()?, ItemKind::Alias(ty)))
    }

    fn error(&mut self) -> Result<(Name, Marks, ItemKind), Diagnostic> {
        self.advance();
        let code = self.word("an error code such as `-32602`", |word| {
            word.parse::<i32>().is_ok()
        })?;
        let code = code
            .text
            .parse()
            .map_err(|_| Diagnostic::new(&code.place, "expected an error code"))?;
        let name = self.type_name()?;
        let marks = self.marks()?;
        let mut data = Vec::new();
        if self.next_is("{") {
            self.block(|parser, doc| {
                let line = parser.word("`data`", |word| word == "data")?;
                data.push(parser.required_after(line, doc)?);
                Ok(())
            })?;
        }
        Ok((name, marks, ItemKind::Error(Error { code, data })))
    }

    /// `?`, type and marks of a member whose name has been read.
    fn field_after(&mut self, name: Name, doc: String) -> Result<Field, Diagnostic> {
        let optional = self.next_is("?");
        if optional {
            self.advance();
        }
        let ty = self.ty()?;
        Ok(Field {
            name,
            doc,
            optional,
            ty,
            marks: self.marks()?,
        })
    }

    /// The same for `result` and `data`, which are never optional.
    fn required_after(&mut self, name: Name, doc: String) -> Result<Field, Diagnostic> {
        if self.next_is("?") {
            return Err(self.unexpected(&format!("a type: `{}` cannot be optional", name.text)));
        }
        self.field_after(name, doc)
    }

    /// `{`, entries separated by commas or newlines, `}`.
    fn block(
        &mut self,
        mut entry: impl FnMut(&mut Self, String) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.expect("{")?;
        loop {
            let doc = self.doc();
            if self.next_is("}") {
                if !doc.is_empty() {
                    return Err(self.unexpected("an entry, after its documentation"));
                }
                self.advance();
                return Ok(());
            }
            entry(self, doc)?;
            if self.next_is(",") {
                self.advance();
            } else if self.peek().kind != TokenKind::Newline && !self.next_is("}") {
                return Err(self.unexpected("`since`, `until`, `only`, the end of the line or `}`"));
            }
        }
    }

    fn key(&mut self) -> Result<Name, Diagnostic> {
        if matches!(self.peek().kind, TokenKind::Quoted(_)) {
            return Ok(self.take_name());
        }
        let is_key = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        self.word(
            "the name of a member; one that is not a plain word is quoted",
            is_key,
        )
    }

    fn type_name(&mut self) -> Result<Name, Diagnostic> {
        self.word("a name with a capital letter", is_type_name)
    }

    fn word(&mut self, expected: &str, fits: impl Fn(&str) -> bool) -> Result<Name, Diagnostic> {
        match &self.peek().kind {
            TokenKind::Word(word) if fits(word) => Ok(self.take_name()),
            _ => Err(self.unexpected(expected)),
        }
    }
}

fn is_plain_value(word: &str) -> bool {
    word.bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests;
