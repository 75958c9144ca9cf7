//! Parameters in queries and forms.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::record::Pairs;

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

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
    utf8_percent_encode(value, RESERVED).to_string()
}

/// Whether a text is a URI with a scheme.
pub(crate) fn is_absolute(uri: &str) -> bool {
    uri.split_once("://").is_some_and(|(scheme, rest)| {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        !scheme.is_empty() && !rest.is_empty() && scheme.bytes().all(is_word)
    })
}

/// A value as it is meant, from a query or a form.
pub(super) fn decode(text: &str) -> String {
    let text = text.replace('+', " ");
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
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
