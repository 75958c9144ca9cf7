//! Values of a message that are mirrored into headers.

use crate::frame::Headers;
use crate::session::Session;
use crate::session::message::{Message, Transfer};
use crate::syntax::{Kind, Node};

use super::posted_request;

/// The relation of a header to the value that it mirrors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It has the value, or that is not certain.
    Same,
    /// It has another value.
    Differs,
    /// It has the value in another spelling.
    Misspelled,
    /// It has the plain value, which only the base64 form can carry.
    Uncoded,
    /// It is in the base64 form, but malformed.
    Malformed,
    /// There is no value.
    Omitted,
}

/// The value that a header mirrors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// The name or URI in a request.
    Name,
    /// The id of a task.
    Task,
    /// An argument of a tool.
    Argument,
}

/// The name or URI that a request mirrors into `Mcp-Name`, if it is a string.
pub(crate) fn mirrored_name<'a>(request: &Message<'a>) -> Option<Node<'a>> {
    let member = match request.method()? {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    string(request, member)
}

/// The id of a task that a request mirrors into `Mcp-Name`, if it is a string.
pub(crate) fn mirrored_task<'a>(request: &Message<'a>) -> Option<Node<'a>> {
    match request.method()? {
        "tasks/get" | "tasks/update" | "tasks/cancel" => string(request, "taskId"),
        _ => None,
    }
}

fn string<'a>(request: &Message<'a>, member: &str) -> Option<Node<'a>> {
    request
        .param(member)
        .filter(|value| value.kind() == Kind::String)
}

/// Visits each header of a posted request that mirrors a value, with its relation to the value.
pub(crate) fn each_mirror(
    transfer: &Transfer<'_>,
    session: &Session,
    mut each: impl FnMut(Slot, u16, Verdict),
) {
    let Some((headers, message)) = posted_request(transfer) else {
        return;
    };
    let task = mirrored_task(message);
    let name = task.or_else(|| mirrored_name(message));
    let slot = if task.is_some() {
        Slot::Task
    } else {
        Slot::Name
    };
    for (position, value) in headers.all("mcp-name") {
        each(slot, position, compare(value, name));
    }
    for (position, header, value) in arguments(headers) {
        each(
            Slot::Argument,
            position,
            argument(header, value, message, session),
        );
    }
}

/// The headers `Mcp-Param-`: position, the rest of the name, value.
fn arguments(headers: Headers<'_>) -> impl Iterator<Item = (u16, &str, &str)> {
    headers.iter().filter_map(|(position, name, value)| {
        let (prefix, rest) = name.split_at_checked("mcp-param-".len())?;
        prefix
            .eq_ignore_ascii_case("mcp-param-")
            .then_some((position, rest, value))
    })
}

fn argument(header: &str, value: &str, message: &Message<'_>, session: &Session) -> Verdict {
    let tool = match message.method() {
        Some("tools/call") => message.param("name").and_then(Node::text),
        _ => None,
    };
    let mirrored = tool
        .and_then(|tool| session.state.http_heads.mirrored(&tool))
        .into_iter()
        .flatten()
        .find(|mirrored| mirrored.header.eq_ignore_ascii_case(header));
    // A header that the tool does not declare is only checked for its form.
    let Some(mirrored) = mirrored else {
        return compare(value, None);
    };
    match mirrored.argument(message.param("arguments")) {
        Some(argument) => compare(value, Some(argument)),
        None => Verdict::Omitted,
    }
}

fn compare(header: &str, value: Option<Node<'_>>) -> Verdict {
    let mirror = Mirror::read(header);
    let kind = value.map(Node::kind);
    if let (Some(value), Some(Kind::String)) = (value, kind) {
        return compare_text(header, &mirror, &value.text().unwrap_or_default());
    }
    let text = match &mirror {
        Mirror::Unsafe => return Verdict::Uncoded,
        Mirror::Malformed => return Verdict::Malformed,
        Mirror::Plain(text) => text,
        Mirror::Encoded(text) => text.as_str(),
    };
    match (value, kind) {
        (Some(number), Some(Kind::Number)) => compare_number(text, number),
        (_, Some(Kind::True)) => compare_word(text, "true", "1"),
        (_, Some(Kind::False)) => compare_word(text, "false", "0"),
        _ => Verdict::Same,
    }
}

fn compare_text(header: &str, mirror: &Mirror<'_>, text: &str) -> Verdict {
    let looks_encoded = header.starts_with("=?base64?") && header.ends_with("?=");
    match mirror {
        Mirror::Unsafe => Verdict::Uncoded,
        _ if header == text && looks_encoded => Verdict::Uncoded,
        _ if header == text => Verdict::Same,
        Mirror::Malformed => Verdict::Malformed,
        Mirror::Encoded(decoded) if decoded == text => Verdict::Same,
        // The transfer removed the space around the header.
        Mirror::Plain(plain) if text.trim() == *plain => Verdict::Uncoded,
        Mirror::Plain(_) | Mirror::Encoded(_) => Verdict::Differs,
    }
}

/// Compares integers by value: `1.0` in the message is `1` in the header.
fn compare_number(text: &str, number: Node<'_>) -> Verdict {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_decimal = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    let is_same = match (text.parse::<i64>(), number.as_i64()) {
        (Ok(header), Some(value)) => header == value,
        _ => text
            .parse::<f64>()
            .is_ok_and(|header| header.total_cmp(&number.as_f64()).is_eq()),
    };
    match (is_same, is_decimal || !number.is_integer()) {
        (true, true) => Verdict::Same,
        (true, false) => Verdict::Misspelled,
        (false, _) => Verdict::Differs,
    }
}

fn compare_word(text: &str, word: &str, digit: &str) -> Verdict {
    if text == word {
        Verdict::Same
    } else if text == digit || text.eq_ignore_ascii_case(word) {
        Verdict::Misspelled
    } else {
        Verdict::Differs
    }
}

/// A value that is mirrored into a header.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Mirror<'a> {
    /// The plain value.
    Plain(&'a str),
    /// In the base64 form.
    Encoded(String),
    /// A plain value that a header cannot carry.
    Unsafe,
    /// A malformed base64 form.
    Malformed,
}

impl<'a> Mirror<'a> {
    /// Reads the value of a header.
    fn read(value: &'a str) -> Self {
        let inner = value
            .strip_prefix("=?base64?")
            .and_then(|rest| rest.strip_suffix("?="));
        if let Some(inner) = inner {
            let decoded = base64_simd::STANDARD.decode_to_vec(inner.as_bytes()).ok();
            let text = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
            return text.map_or(Self::Malformed, Self::Encoded);
        }
        let looks_encoded = value
            .get(..9)
            .is_some_and(|head| head.eq_ignore_ascii_case("=?base64?"))
            || (value.starts_with("=?base64") && value.ends_with("?="));
        if looks_encoded {
            return Self::Malformed;
        }
        let plain = value
            .bytes()
            .all(|byte| matches!(byte, 0x20..=0x7e | b'\t'));
        if plain && value.trim() == value {
            Self::Plain(value)
        } else {
            Self::Unsafe
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Limits;
    use crate::syntax::{Tape, scan};

    #[test]
    fn mirrored_values_are_plain_or_in_base64() {
        assert_eq!(Mirror::read("search"), Mirror::Plain("search"));
        assert_eq!(
            Mirror::read("=?base64?Zm9v?="),
            Mirror::Encoded("foo".to_owned())
        );
        for malformed in [
            "=?BASE64?Zm9v?=",
            "=?base64?Zm9?=",
            "=?base64?/w==?=",
            "=?base64?Zm9v",
        ] {
            assert_eq!(Mirror::read(malformed), Mirror::Malformed, "{malformed}");
        }
        for unsafe_value in ["Grüße", " x", "a\u{1}"] {
            assert_eq!(Mirror::read(unsafe_value), Mirror::Unsafe, "{unsafe_value}");
        }
    }

    #[test]
    fn headers_are_compared_with_what_they_repeat() {
        use Verdict::{Differs, Malformed, Misspelled, Same, Uncoded};
        for (json, header, expected) in [
            (r#""eu""#, "eu", Same),
            (r#""eu""#, "us", Differs),
            (r#""eu""#, "=?base64?ZXU=?=", Same),
            (r#""eu""#, "=?base64?dXM=?=", Differs),
            (r#""eu""#, "=?BASE64?ZXU=?=", Malformed),
            (r#"" eu""#, "eu", Uncoded),
            (r#""=?base64?ZXU=?=""#, "=?base64?ZXU=?=", Uncoded),
            (r#""=?base64?ZXU?=""#, "=?base64?ZXU?=", Uncoded),
            (r#""=?BASE64?ZXU=?=""#, "=?BASE64?ZXU=?=", Same),
            ("42", "42", Same),
            ("42.0", "42", Same),
            ("42", "+42", Misspelled),
            ("42", "42.0", Misspelled),
            ("42", "042", Misspelled),
            ("-7", "-7", Same),
            ("42", "43", Differs),
            ("42", "many", Differs),
            ("1.5", "1.5", Same),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
                Same,
            ),
            ("true", "true", Same),
            ("true", "True", Misspelled),
            ("false", "0", Misspelled),
            ("true", "false", Differs),
            ("[]", "anything", Same),
        ] {
            let mut tape = Tape::new();
            scan(json.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
            let value = tape.root(json.as_bytes());
            assert_eq!(compare(header, value), expected, "{json} {header}");
        }
        assert_eq!(compare("Gr\u{fc}n", None), Uncoded);
    }
}
