//! Recognises regular expressions of the common kind without compiling them.
//!
//! It only ever says yes: characters, classes, groups, alternatives and repetitions that read the
//! same in ECMA 262 and in the engine. Look-around, references, Unicode classes and all doubtful
//! spellings are left to the compiler.

/// Longer patterns are left to the compiler, and so are deeper groups and larger repetitions.
const MAX_BYTES: usize = 256;
const MAX_GROUPS: u32 = 8;
const MAX_TIMES: u32 = 1000;

/// Whether a JSON string, quotes included, surely holds a regular expression.
pub(super) fn is_plain_pattern(raw: &[u8]) -> bool {
    let inner = raw
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    inner.is_some_and(|rest| rest.len() <= MAX_BYTES && Reader { rest }.pattern().is_some())
}

/// Reads the text of a JSON string. Its functions return `None` for everything that is doubtful.
struct Reader<'t> {
    rest: &'t [u8],
}

impl Reader<'_> {
    fn pattern(&mut self) -> Option<()> {
        let mut groups = 0;
        // Whether a repetition may follow.
        let mut is_atom = false;
        while !self.rest.is_empty() {
            is_atom = match self.next()? {
                b'^' | b'$' | b'|' => false,
                b'(' => {
                    groups += 1;
                    if groups > MAX_GROUPS || (self.skip(b'?') && !self.skip(b':')) {
                        return None;
                    }
                    false
                }
                b')' => {
                    groups = u32::checked_sub(groups, 1)?;
                    true
                }
                b'*' | b'+' | b'?' if is_atom => {
                    self.skip(b'?');
                    false
                }
                b'{' if is_atom => {
                    self.bounds()?;
                    self.skip(b'?');
                    false
                }
                b'[' => {
                    self.class()?;
                    true
                }
                b'\\' => {
                    let escaped = self.next()?;
                    if !b"dwsDWStnr.*+?()[]{}|^$/\\".contains(&escaped) {
                        return None;
                    }
                    true
                }
                b'*' | b'+' | b'?' | b'{' | b'}' | b']' => return None,
                _ => true,
            };
        }
        (groups == 0).then_some(())
    }

    /// The bounds of a repetition, after the opening brace.
    fn bounds(&mut self) -> Option<()> {
        let least = self.number()?;
        match self.next()? {
            b'}' => Some(()),
            b',' if self.skip(b'}') => Some(()),
            b',' => {
                let most = self.number()?;
                (least <= most && self.next()? == b'}').then_some(())
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(digits.count());
        self.rest = rest;
        let number = core::str::from_utf8(digits).ok()?.parse::<u32>().ok()?;
        (number <= MAX_TIMES).then_some(number)
    }

    /// A class of characters, after the opening bracket.
    fn class(&mut self) -> Option<()> {
        self.skip(b'^');
        let mut is_empty = true;
        // The character that a range may begin with.
        let mut first = None;
        loop {
            let byte = self.next()?;
            first = match byte {
                b']' if !is_empty => return Some(()),
                b'-' if self.rest.first() == Some(&b']') => None,
                b'-' => {
                    let last = self.next().filter(u8::is_ascii_alphanumeric)?;
                    if first? > last {
                        return None;
                    }
                    None
                }
                b'\\' => {
                    let escaped = self.next()?;
                    if !b"dwsDWStnr.*+?()[]{}|^$/\\-".contains(&escaped) {
                        return None;
                    }
                    None
                }
                _ if byte.is_ascii_alphanumeric() => Some(byte),
                _ if b" _.,:;@/!#%='\"<>+*?(){}|$".contains(&byte) => None,
                _ => return None,
            };
            is_empty = false;
        }
    }

    fn skip(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// The next byte of the text; of JSON's escapes only those that stand for a byte as it is.
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        if first != b'\\' {
            return Some(first);
        }
        let (&escaped, rest) = self.rest.split_first()?;
        self.rest = rest;
        matches!(escaped, b'\\' | b'"' | b'/').then_some(escaped)
    }
}
