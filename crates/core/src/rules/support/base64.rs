//! Base64, RFC 4648 section 4.

use crate::syntax::Node;

/// The reason why a text is not base64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base64Fault {
    /// The alphabet for URLs and file names, section 5.
    UrlSafe,
    /// `=` is missing at the end.
    Unpadded,
    /// A character that neither alphabet has.
    Foreign,
}

impl Base64Fault {
    /// The fault in words.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::UrlSafe => "this is the alphabet for URLs, expected base64 with `+` and `/`",
            Self::Unpadded => "the padding of the base64 is missing",
            Self::Foreign => "this is not base64",
        }
    }
}

/// The fault of a string that must be base64, if it has one.
pub(crate) fn base64_fault(string: Node<'_>) -> Option<Base64Fault> {
    if let Some(plain) = string.plain() {
        return fault(plain);
    }
    let mut text = Vec::new();
    string.text_into(&mut text);
    fault(&text)
}

fn fault(text: &[u8]) -> Option<Base64Fault> {
    if base64_simd::STANDARD.check(text).is_ok() {
        return None;
    }
    explain(text)
}

/// The slow path. Like decoders, it accepts non-zero bits after the last byte.
#[cold]
fn explain(text: &[u8]) -> Option<Base64Fault> {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = text.get(..text.len() - padding).unwrap_or_default();
    let standard = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    if !digits.iter().all(standard) {
        let url_safe = digits
            .iter()
            .all(|byte| standard(byte) || matches!(byte, b'-' | b'_'));
        return Some(if url_safe {
            Base64Fault::UrlSafe
        } else {
            Base64Fault::Foreign
        });
    }
    match (digits.len() % 4, padding) {
        (0, 0) | (2, 2) | (3, 1) => None,
        (2 | 3, 0) => Some(Base64Fault::Unpadded),
        _ => Some(Base64Fault::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_and_alphabet_are_told_apart() {
        for good in ["", "aGk=", "aGkh", "YQ==", "+/+/", "aGl="] {
            assert_eq!(fault(good.as_bytes()), None, "{good}");
        }
        assert_eq!(fault(b"aGk"), Some(Base64Fault::Unpadded));
        assert_eq!(fault(b"-_-_"), Some(Base64Fault::UrlSafe));
        for bad in ["<<raw>>", "a", "aGk= ", "aG\nk=", "====", "a===", "aGkh="] {
            assert_eq!(fault(bad.as_bytes()), Some(Base64Fault::Foreign), "{bad:?}");
        }
    }
}
