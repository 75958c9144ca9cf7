//! Absolute URIs of any scheme, as in RFC 3986. Nothing is resolved, decoded or normalised.

use crate::syntax::{Kind, Node};

/// The parts of an absolute URI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Uri<'a> {
    pub(crate) scheme: &'a [u8],
    /// The text between `//` and the path, if there is a `//`.
    pub(crate) authority: Option<&'a [u8]>,
    pub(crate) path: &'a [u8],
    pub(crate) query: Option<&'a [u8]>,
    pub(crate) fragment: Option<&'a [u8]>,
}

/// The reason why a text is no absolute URI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UriFault {
    /// It does not begin with a scheme and a colon.
    Scheme,
    /// It has a character that must be percent-encoded.
    Character,
    /// A `%` is not followed by two hexadecimal digits.
    Percent,
    /// Host or port are malformed.
    Authority,
}

impl UriFault {
    /// The fault in words, to follow a name: found and expected.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Scheme => "not an absolute URI: it has no scheme",
            Self::Character => "not a URI: it has a character that must be percent-encoded",
            Self::Percent => "not a URI: `%` is not followed by two hexadecimal digits",
            Self::Authority => "not a URI: its host or port is malformed",
        }
    }
}

impl<'a> Uri<'a> {
    /// Reads an absolute URI; a fragment is allowed.
    pub(crate) fn parse(text: &'a [u8]) -> Result<Self, UriFault> {
        let colon = text.iter().position(|byte| *byte == b':');
        let (scheme, rest) = colon
            .and_then(|colon| Some((text.get(..colon)?, text.get(colon + 1..)?)))
            .filter(|(scheme, _)| is_scheme(scheme))
            .ok_or(UriFault::Scheme)?;
        let (rest, fragment) = cut(rest, b'#');
        let (rest, query) = cut(rest, b'?');
        let (authority, path) = match rest.strip_prefix(b"//") {
            Some(rest) => {
                let end = rest
                    .iter()
                    .position(|byte| *byte == b'/')
                    .unwrap_or(rest.len());
                let (authority, path) = rest.split_at(end);
                check_authority(authority)?;
                (Some(authority), path)
            }
            None => (None, rest),
        };
        for part in [Some(path), query, fragment].into_iter().flatten() {
            check_characters(part, b":@/?")?;
        }
        Ok(Self {
            scheme,
            authority,
            path,
            query,
            fragment,
        })
    }

    /// Whether the scheme is this one, given in lower case.
    pub(crate) fn has_scheme(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme.as_bytes())
    }

    /// The host without user and port; empty if there is none.
    pub(crate) fn host(&self) -> &'a [u8] {
        let authority = self.authority.unwrap_or_default();
        let after_user = authority
            .iter()
            .rposition(|byte| *byte == b'@')
            .map_or(0, |at| at + 1);
        let host = authority.get(after_user..).unwrap_or_default();
        split_port(host).map_or(host, |(host, _)| host)
    }

    /// The user information: the text before `@`.
    pub(crate) fn user(&self) -> Option<&'a [u8]> {
        let authority = self.authority?;
        let at = authority.iter().rposition(|byte| *byte == b'@')?;
        authority.get(..at)
    }

    /// The segments of the path.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.path.split(|byte| *byte == b'/')
    }
}

/// The reason why a string is no absolute URI; `None` if it is one, or no string.
pub(crate) fn uri_fault(node: Node<'_>) -> Option<UriFault> {
    if node.kind() != Kind::String {
        return None;
    }
    if let Some(plain) = node.plain() {
        if is_usual(plain) {
            return None;
        }
        return Uri::parse(plain).err();
    }
    let text = node.text()?;
    Uri::parse(text.as_bytes()).err()
}

/// Whether a segment of a path is `..`, also percent-encoded.
pub(crate) fn is_parent_segment(mut segment: &[u8]) -> bool {
    for _ in 0..2 {
        let rest = segment
            .strip_prefix(b".")
            .or_else(|| segment.strip_prefix(b"%2e"))
            .or_else(|| segment.strip_prefix(b"%2E"));
        match rest {
            Some(rest) => segment = rest,
            None => return false,
        }
    }
    segment.is_empty()
}

/// Whether a text has the most common form of a URI: a scheme, a host of letters or none, and a
/// path without encoded bytes.
fn is_usual(text: &[u8]) -> bool {
    const SCHEME: u8 = 1;
    const HOST: u8 = 2;
    const PATH: u8 = 4;
    const CLASSES: [u8; 256] = {
        let mut classes = [0; 256];
        let mut byte = 0;
        while byte < 128 {
            let letter = byte as u8;
            if letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'.') {
                classes[byte] = SCHEME | HOST | PATH;
            } else if letter == b'+' {
                classes[byte] = SCHEME | PATH;
            } else if is_plain(letter) || matches!(letter, b':' | b'@' | b'/') {
                classes[byte] = PATH;
            }
            byte += 1;
        }
        classes
    };
    let all_but = |text: &[u8], class: u8| {
        let is_other = |byte: &u8| CLASSES[usize::from(*byte)] & class == 0;
        text.iter().position(is_other).unwrap_or(text.len())
    };
    let Some((scheme, b":", rest)) = text
        .split_at_checked(all_but(text, SCHEME))
        .and_then(|(scheme, rest)| Some((scheme, rest.get(..1)?, rest.get(1..)?)))
    else {
        return false;
    };
    let path = match rest.strip_prefix(b"//") {
        Some(rest) => rest.get(all_but(rest, HOST)..).unwrap_or_default(),
        None => rest,
    };
    let is_path = path.first().is_none_or(|first| *first == b'/') || !rest.starts_with(b"//");
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && is_path
        && all_but(path, PATH) == path.len()
}

fn is_scheme(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic)
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
}

/// The text before a separator and, if there is one, the text after it.
fn cut(text: &[u8], separator: u8) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == separator) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    }
}

fn check_authority(authority: &[u8]) -> Result<(), UriFault> {
    let host = match authority.iter().rposition(|byte| *byte == b'@') {
        Some(at) => {
            check_characters(authority.get(..at).unwrap_or_default(), b":")?;
            authority.get(at + 1..).unwrap_or_default()
        }
        None => authority,
    };
    let (host, port) = split_port(host).ok_or(UriFault::Authority)?;
    if !port.iter().all(u8::is_ascii_digit) {
        return Err(UriFault::Authority);
    }
    match host.strip_prefix(b"[") {
        Some(literal) => {
            let literal = literal.strip_suffix(b"]").ok_or(UriFault::Authority)?;
            let well_formed =
                !literal.is_empty() && literal.iter().all(|byte| is_plain(*byte) || *byte == b':');
            if well_formed {
                Ok(())
            } else {
                Err(UriFault::Authority)
            }
        }
        None => check_characters(host, b""),
    }
}

/// Host and port; `None` if a bracket is not closed.
fn split_port(host: &[u8]) -> Option<(&[u8], &[u8])> {
    let from = if host.first() == Some(&b'[') {
        host.iter().position(|byte| *byte == b']')? + 1
    } else {
        host.iter()
            .position(|byte| *byte == b':')
            .unwrap_or(host.len())
    };
    let (host, rest) = host.split_at_checked(from)?;
    match rest.split_first() {
        None => Some((host, &[])),
        Some((b':', port)) => Some((host, port)),
        Some(_) => None,
    }
}

/// Whether a text has only characters that need no encoding, some further ones, and percent-encoded
/// bytes.
fn check_characters(text: &[u8], further: &[u8]) -> Result<(), UriFault> {
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if is_plain(*byte) || further.contains(byte) {
            continue;
        }
        if *byte != b'%' {
            return Err(UriFault::Character);
        }
        match rest.split_at_checked(2) {
            Some((digits, after)) if digits.iter().all(u8::is_ascii_hexdigit) => rest = after,
            _ => return Err(UriFault::Percent),
        }
    }
    Ok(())
}

/// `unreserved` and `sub-delims`.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b'!'
                | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_uris_of_any_scheme_are_read() {
        for uri in [
            "file:///home/me/notes%20of%20May.txt",
            "file:///C:/Users/me",
            "https://user:secret@example.com:8080/a/b;c=1?q=1&r=/?#frag/?",
            "https://[2001:db8::7]:443/x",
            "http://[v1.fe]/",
            "urn:isbn:0451450523",
            "mailto:me@example.com",
            "postgres://db/customers/schema",
            "git+ssh://host/path",
            "a:",
            "screen://localhost/display1",
            "demo://resource/static/document/features.md",
            "x://:80",
        ] {
            assert!(Uri::parse(uri.as_bytes()).is_ok(), "{uri}");
        }
        assert!(is_usual(b"file:///C:/Users/me") && is_usual(b"demo://resource/a.md"));
        assert!(is_usual(b"urn:isbn:0451450523") && !is_usual(b"x://:80"));
    }

    #[test]
    fn anything_else_is_not() {
        for (text, fault) in [
            ("", UriFault::Scheme),
            ("not a uri", UriFault::Scheme),
            ("/home/me", UriFault::Scheme),
            ("notes.txt", UriFault::Scheme),
            ("://x", UriFault::Scheme),
            ("1a://x", UriFault::Scheme),
            ("a_b://x", UriFault::Scheme),
            ("./a:b", UriFault::Scheme),
            ("file:///my notes", UriFault::Character),
            ("C:\\Users\\me", UriFault::Character),
            ("file:///{path}", UriFault::Character),
            ("file:///caf\u{e9}", UriFault::Character),
            ("x://a/#b#c", UriFault::Character),
            ("x://a/[b]", UriFault::Character),
            ("x://a/%", UriFault::Percent),
            ("x://a/%4", UriFault::Percent),
            ("x://a/%zz", UriFault::Percent),
            ("x://host:port/", UriFault::Authority),
            ("x://[::1/", UriFault::Authority),
            ("x://[]/", UriFault::Authority),
            ("x://[::1]a/", UriFault::Authority),
        ] {
            assert!(!is_usual(text.as_bytes()), "{text}");
            assert_eq!(Uri::parse(text.as_bytes()), Err(fault), "{text}");
        }
    }

    #[test]
    fn parts_are_told_apart() {
        let text = b"HTTP://me:pw@example.com:8080/a/../b?q#f";
        let uri = Uri::parse(text).expect("a URI");
        assert!(uri.has_scheme("http"));
        assert_eq!(uri.host(), b"example.com");
        assert_eq!(uri.user(), Some(b"me:pw".as_slice()));
        assert_eq!(
            (uri.query, uri.fragment),
            (Some(b"q".as_slice()), Some(b"f".as_slice()))
        );
        assert!(uri.segments().any(is_parent_segment));
        let literal = Uri::parse(b"http://[::1]:80/").expect("a URI");
        assert_eq!(literal.host(), b"[::1]");
    }

    #[test]
    fn a_parent_segment_may_be_encoded() {
        for segment in ["..", "%2e%2E", ".%2e", "%2E."] {
            assert!(is_parent_segment(segment.as_bytes()), "{segment}");
        }
        for segment in ["", ".", "...", "..a", "a..", "%2e", "%2f.."] {
            assert!(!is_parent_segment(segment.as_bytes()), "{segment}");
        }
    }
}
