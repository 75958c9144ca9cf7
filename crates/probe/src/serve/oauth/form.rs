//! Parameters in queries and forms.

use std::fmt::Write as _;

use crate::record::Pairs;

/// The parameters of a query or a form.
pub(super) fn parameters(text: &str) -> Pairs {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// A value as it stands in a query.
pub(super) fn encode(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Whether a text is a URI with a scheme.
pub(in crate::serve) fn is_absolute(uri: &str) -> bool {
    uri.split_once("://").is_some_and(|(scheme, rest)| {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        !scheme.is_empty() && !rest.is_empty() && scheme.bytes().all(is_word)
    })
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        rest = more;
        let hex = |at: usize| {
            more.get(at)
                .and_then(|digit| char::from(*digit).to_digit(16))
        };
        match (first, hex(0), hex(1)) {
            (b'+', ..) => bytes.push(b' '),
            (b'%', Some(high), Some(low)) => {
                // Two hexadecimal digits are a byte.
                bytes.push(u8::try_from(high * 16 + low).unwrap_or_default());
                rest = &more[2..];
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let uri = "http://127.0.0.1:1/a b?c=d&e=\u{e9}%";
        let pairs = parameters(&format!("resource={}&x=1+2&flag", encode(uri)));
        assert_eq!(pairs[0], ("resource".to_owned(), uri.to_owned()));
        assert_eq!(pairs[1].1, "1 2");
        assert_eq!(pairs[2], ("flag".to_owned(), String::new()));
    }

    #[test]
    fn broken_escapes_stay_as_they_are() {
        for text in ["%", "%4", "%zz", "100%"] {
            assert_eq!(parameters(text)[0].0, text);
        }
    }
}
