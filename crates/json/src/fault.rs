//! Why bytes are not JSON.

/// The first place at which the bytes stop being JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What is wrong.
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
}

/// What is wrong with the bytes. Complete, so that whoever words faults is told by the compiler of a new one.
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
    /// Whether a limit was reached, rather than the grammar broken.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(self, Self::TooLarge | Self::TooDeep | Self::TooManyTokens)
    }
}
