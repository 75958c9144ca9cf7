//! URI templates, as in RFC 6570. Nothing is expanded.

use crate::syntax::{Kind, Node};

/// The reason why a text is no URI template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TemplateFault {
    /// A brace is opened and not closed.
    Unclosed,
    /// A brace is closed and was not opened.
    Unopened,
    /// The text between braces is no list of variables.
    Expression,
    /// A character outside of braces that must be percent-encoded.
    Literal,
}

impl TemplateFault {
    /// The fault in words: found and expected.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Unclosed => "not a URI template: `{` is not closed",
            Self::Unopened => "not a URI template: `}` closes nothing",
            Self::Expression => {
                "not a URI template: between braces stands something else than names of variables"
            }
            Self::Literal => "not a URI template: it has a character that must be percent-encoded",
        }
    }
}

/// The reason why a string is no URI template; `None` if it is one, or no string.
pub(crate) fn template_fault(node: Node<'_>) -> Option<TemplateFault> {
    if node.kind() != Kind::String {
        return None;
    }
    if let Some(plain) = node.plain() {
        return check(plain).err();
    }
    check(node.text()?.as_bytes()).err()
}

fn check(mut rest: &[u8]) -> Result<(), TemplateFault> {
    while let Some((byte, after)) = rest.split_first() {
        rest = match byte {
            b'{' => {
                let end = after
                    .iter()
                    .position(|byte| matches!(byte, b'{' | b'}'))
                    .filter(|end| after.get(*end) == Some(&b'}'))
                    .ok_or(TemplateFault::Unclosed)?;
                let (expression, after) = after.split_at(end);
                check_expression(expression)?;
                after.get(1..).unwrap_or_default()
            }
            b'}' => return Err(TemplateFault::Unopened),
            b'%' => encoded(after).ok_or(TemplateFault::Literal)?,
            // The grammar lacks the apostrophe by mistake (erratum 6937).
            0..=b' ' | 0x7f | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'|' => {
                return Err(TemplateFault::Literal);
            }
            _ => after,
        };
    }
    Ok(())
}

/// Checks an optional operator, and variables with commas between.
fn check_expression(expression: &[u8]) -> Result<(), TemplateFault> {
    let variables = match expression.split_first() {
        Some((operator, rest)) if b"+#./;?&=,!@|".contains(operator) => rest,
        _ => expression,
    };
    let well_formed = variables.split(|byte| *byte == b',').all(is_variable);
    well_formed.then_some(()).ok_or(TemplateFault::Expression)
}

/// A name with a prefix length or an asterisk.
fn is_variable(text: &[u8]) -> bool {
    let name = match text.split_last() {
        Some((b'*', name)) => name,
        _ => match text.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                let (name, length) = text.split_at(colon);
                let length = length.get(1..).unwrap_or_default();
                let is_length = (1..=4).contains(&length.len())
                    && length.first() != Some(&b'0')
                    && length.iter().all(u8::is_ascii_digit);
                if !is_length {
                    return false;
                }
                name
            }
            None => text,
        },
    };
    name.split(|byte| *byte == b'.').all(is_name_part)
}

fn is_name_part(mut part: &[u8]) -> bool {
    if part.is_empty() {
        return false;
    }
    while let Some((byte, after)) = part.split_first() {
        part = match byte {
            b'%' => match encoded(after) {
                Some(after) => after,
                None => return false,
            },
            b'_' => after,
            byte if byte.is_ascii_alphanumeric() => after,
            _ => return false,
        };
    }
    true
}

/// The rest of a text after two hexadecimal digits.
fn encoded(text: &[u8]) -> Option<&[u8]> {
    let (digits, after) = text.split_at_checked(2)?;
    digits.iter().all(u8::is_ascii_hexdigit).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_of_all_levels_are_read() {
        for template in [
            "",
            "file:///{path}",
            "file:///{+path}",
            "x://{host}/{?q,lang}{#frag}",
            "x://a{/segments*}{;k,v:3}{&rest}",
            "x://{user.name}/{a_b}/{%41}",
            "x://{list:9999}",
            "test://caf\u{e9}/{id}",
            "it's://{x}",
            "x://{=reserved}",
        ] {
            assert_eq!(check(template.as_bytes()), Ok(()), "{template}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for (template, fault) in [
            ("file:///{path", TemplateFault::Unclosed),
            ("x://{a{b}}", TemplateFault::Unclosed),
            ("x://a}", TemplateFault::Unopened),
            ("x://{}", TemplateFault::Expression),
            ("x://{?}", TemplateFault::Expression),
            ("x://{a,}", TemplateFault::Expression),
            ("x://{user-id}", TemplateFault::Expression),
            ("x://{a b}", TemplateFault::Expression),
            ("x://{a:0}", TemplateFault::Expression),
            ("x://{a:12345}", TemplateFault::Expression),
            ("x://{a:3*}", TemplateFault::Expression),
            ("x://{.a..b}", TemplateFault::Expression),
            ("x://a b/{c}", TemplateFault::Literal),
            ("x://%4/{c}", TemplateFault::Literal),
        ] {
            assert_eq!(check(template.as_bytes()), Err(fault), "{template}");
        }
    }
}
