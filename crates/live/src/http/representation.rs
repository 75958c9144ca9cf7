//! The form of a body: its media type, its charset and its codings.
//!
//! Receivers differ in what they take a label for: some honour any charset, some take every type
//! that contains `event-stream` for a stream. So `enforce` forwards bodies of one form only.

use super::coding::{Coding, codings};

/// The headers that are true of a coded body only.
pub const CODED_HEADERS: [&str; 6] = [
    "content-encoding",
    "content-length",
    "content-md5",
    "content-digest",
    "repr-digest",
    "etag",
];

/// The media type of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Media {
    /// `application/json`
    Json,
    /// `text/event-stream`
    Events,
    /// Anything else that a receiver could take for one of these.
    Doubtful,
    /// Anything else.
    Other,
    /// It has none.
    Absent,
}

/// The form of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Representation {
    /// Its media type.
    pub media: Media,
    /// Its codings, in the order in which they were applied.
    pub codings: Vec<Coding>,
}

/// The reason why a body cannot be read as every receiver would read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// Its charset is not UTF-8.
    Charset,
    /// A coding of it cannot be decoded.
    Coding,
    /// Its head names several types.
    SeveralTypes,
}

impl Unreadable {
    /// The reason, in words.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Charset => "the charset of the body is not UTF-8",
            Self::Coding => "the content coding of the body is not supported",
            Self::SeveralTypes => "the head names several content types",
        }
    }
}

impl Representation {
    /// The form that the values of `Content-Type` and `Content-Encoding` name.
    pub fn new<'h>(
        types: impl IntoIterator<Item = &'h [u8]>,
        encodings: impl IntoIterator<Item = &'h [u8]>,
    ) -> Result<Self, Unreadable> {
        let mut types = types.into_iter();
        let named = types.next();
        if types.next().is_some() {
            return Err(Unreadable::SeveralTypes);
        }
        if named.is_some_and(|named| !is_utf8(named)) {
            return Err(Unreadable::Charset);
        }
        Ok(Self {
            media: named.map_or(Media::Absent, media),
            codings: codings(encodings).ok_or(Unreadable::Coding)?,
        })
    }
}

fn media(value: &[u8]) -> Media {
    let value = value.to_ascii_lowercase();
    let essence = value.split(|byte| *byte == b';').next().unwrap_or_default();
    let has = |part: &[u8]| memchr::memmem::find(&value, part).is_some();
    match essence.trim_ascii() {
        b"application/json" => Media::Json,
        b"text/event-stream" => Media::Events,
        _ if has(b"json") || has(b"event-stream") => Media::Doubtful,
        _ => Media::Other,
    }
}

/// Whether every charset that a media type names is UTF-8.
fn is_utf8(value: &[u8]) -> bool {
    value.split(|byte| *byte == b';').skip(1).all(|parameter| {
        match parameter.iter().position(|byte| *byte == b'=') {
            Some(at) => {
                let name = parameter[..at].trim_ascii().to_ascii_lowercase();
                let text = parameter[at + 1..].trim_ascii();
                let text = text.strip_prefix(b"\"").unwrap_or(text);
                let text = text.strip_suffix(b"\"").unwrap_or(text);
                memchr::memmem::find(&name, b"charset").is_none()
                    || (name == b"charset"
                        && (text.eq_ignore_ascii_case(b"utf-8")
                            || text.eq_ignore_ascii_case(b"utf8")))
            }
            None => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(types: &[&'static str], encodings: &[&'static str]) -> Result<Media, Unreadable> {
        let bytes = |text: &&'static str| text.as_bytes();
        let form = Representation::new(types.iter().map(bytes), encodings.iter().map(bytes));
        form.map(|form| form.media)
    }

    #[test]
    fn one_type_one_charset_and_known_codings() {
        for (value, media) in [
            ("application/json", Media::Json),
            ("Application/JSON ; charset=UTF-8", Media::Json),
            ("application/json;charset=\"utf8\";q=1", Media::Json),
            ("text/event-stream", Media::Events),
            ("text/event-streamx", Media::Doubtful),
            ("text/html; x=application/json", Media::Doubtful),
            ("application/problem+json", Media::Doubtful),
            ("text/html; charset=utf-8", Media::Other),
            ("", Media::Other),
        ] {
            assert_eq!(form(&[value], &[]), Ok(media), "{value}");
        }
        assert_eq!(form(&[], &["identity"]), Ok(Media::Absent));
        for value in [
            "application/json; charset=utf-7",
            "application/json; CHARSET = \"utf-16\"",
            "application/json; charset=utf-8; charset=utf-7",
            "application/json; charset*=utf-8''utf-7",
            "application/json; x=\";charset=utf-7\"",
            "text/event-stream;charset=iso-8859-1",
            "application/json; charset=",
        ] {
            assert_eq!(form(&[value], &[]), Err(Unreadable::Charset), "{value}");
        }
        let json = "application/json";
        assert_eq!(form(&[json, json], &[]), Err(Unreadable::SeveralTypes));
        assert_eq!(form(&[json], &["compress"]), Err(Unreadable::Coding));
    }
}
