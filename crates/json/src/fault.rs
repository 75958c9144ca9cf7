//! Faults: the reasons why bytes are not JSON.

/// The first place at which the bytes stop being JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The offending bytes, `start` first.
    pub start: u32,
    /// One past the offending bytes.
    pub end: u32,
}

impl Fault {
    #[cold]
    pub(super) fn new(kind: FaultKind, start: usize, end: usize) -> Self {
        Self {
            kind,
            start: start as u32,
            end: end as u32,
        }
    }

    /// Widens the span so that it begins and ends between characters. Bytes that are not UTF-8 stay
    /// as they are.
    #[cold]
    pub(super) fn of_whole_characters(self, bytes: &[u8]) -> Self {
        let Self { kind, start, end } = self;
        if kind == FaultKind::NotUtf8 {
            return self;
        }
        let (first, _) = character_around(bytes, start);
        let (before, past) = character_around(bytes, end);
        Self {
            kind,
            start: first,
            end: if end > start { past } else { before },
        }
    }
}

/// The bounds of the character around a position; the position itself, twice, if it is between two
/// characters or in bytes that are not UTF-8.
fn character_around(bytes: &[u8], position: u32) -> (u32, u32) {
    let at = position as usize;
    let is_continuation = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let between = (position, position);
    if !is_continuation(at) {
        return between;
    }
    let Some(first) = (at.saturating_sub(3)..at).rfind(|at| !is_continuation(*at)) else {
        return between;
    };
    let length = match bytes.get(first) {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return between,
    };
    let past = first + length;
    let is_whole = bytes
        .get(first..past)
        .is_some_and(|character| core::str::from_utf8(character).is_ok());
    if is_whole && past > at {
        (first as u32, past as u32)
    } else {
        between
    }
}

/// The kinds of faults. Exhaustive, so that the compiler reports a kind without a wording.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// Nothing, or only white space.
    Empty,
    /// A byte-order mark before the text.
    ByteOrderMark,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// More bytes than [`ScanLimits`](crate::ScanLimits) allow.
    TooLarge,
    /// Nested deeper than [`ScanLimits`](crate::ScanLimits) allow.
    TooDeep,
    /// More tokens than [`ScanLimits`](crate::ScanLimits) allow.
    TooManyTokens,
    /// A second JSON value after the first.
    SecondValue,
    /// Bytes after the value that do not begin another one.
    TrailingBytes,
    /// The text ends inside a string.
    UnterminatedString,
    /// The text ends before the value does.
    UnexpectedEnd,
    /// A byte that begins no value.
    ExpectedValue,
    /// A key must follow `{` or `,`.
    ExpectedKey,
    /// A colon must follow a key.
    ExpectedColon,
    /// `,` or `}` must follow a member.
    ExpectedCommaOrBrace,
    /// `,` or `]` must follow an item.
    ExpectedCommaOrBracket,
    /// A comma before `}` or `]`.
    TrailingComma,
    /// `NaN` or `Infinity`.
    NotFinite,
    /// A word that is not JSON: `True`, `None`, `undefined`.
    UnknownWord,
    /// A string or key in single quotes.
    SingleQuote,
    /// `//` or `/*`.
    Comment,
    /// A control character in a string that had to be escaped.
    ControlCharacter,
    /// A backslash before a character that cannot be escaped.
    UnknownEscape,
    /// `\u` without four hexadecimal digits.
    BadUnicodeEscape,
    /// A number that begins with a superfluous zero.
    LeadingZero,
    /// A number that begins with `+`.
    PlusSign,
    /// A minus sign, point or exponent without digits.
    MissingDigits,
}

impl FaultKind {
    /// Whether a limit was reached and the grammar was not broken.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(self, Self::TooLarge | Self::TooDeep | Self::TooManyTokens)
    }
}
