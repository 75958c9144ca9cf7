//! The common beginning of messages, read in a few steps: the version of JSON-RPC, a short number
//! as id, the method, and the object that makes up the rest.
//!
//! Accepts nothing that the scanner would not accept: any other beginning is left to the scanner.

use super::blocks::Strings;
use super::key_hash::KeyHash;
use super::number;
use super::simd::Lanes;
use super::state::{Begun, byte_at};
use super::token::{Kind, Open, Token, token};

/// The part of the envelope at the beginning of a message that the scanner has seen. Later members
/// may repeat it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The number of tokens of the beginning that are known, without those in its last object; zero
    /// if the beginning is not the common one.
    pub tokens: u32,
    /// The positions of the values of the members.
    pub members: [u32; MEMBERS],
    /// The digits of the id, the first in the lowest byte; zero if the id was not seen.
    pub id: u64,
}

/// The number of members that may be seen, in the order of their places in [`Head`].
pub const MEMBERS: usize = 6;
const VERSION: usize = 0;
const ID: usize = 1;
const METHOD: usize = 2;
const PARAMS: usize = 3;
const RESULT: usize = 4;
const ERROR: usize = 5;

/// The place of a member that was not seen.
const UNSEEN: u32 = u32::MAX;

/// The beginning, as most libraries write it.
const START: &[u8; 17] = b"{\"jsonrpc\":\"2.0\",";

/// The position after the beginning.
const START_END: u32 = START.len() as u32;

/// The key that may follow.
const ID_KEY: &[u8; 5] = b"\"id\":";

/// The position of the id, if it follows.
const ID_START: u32 = START_END + ID_KEY.len() as u32;

/// The key that may follow the id.
const METHOD_KEY: &[u8; 10] = b"\"method\":\"";

impl Head {
    /// No member was seen.
    pub const UNSEEN: Self = Self {
        tokens: 0,
        members: [UNSEEN; MEMBERS],
        id: 0,
    };
}

impl Default for Head {
    fn default() -> Self {
        Self::UNSEEN
    }
}

/// Whether a message begins as most do.
#[inline(always)]
pub(super) fn is_common(bytes: &[u8]) -> bool {
    bytes.first_chunk::<17>() == Some(START)
}

impl Head {
    /// Writes the object, its version, and the members after it that are as common, if there is
    /// room for all of them.
    #[inline(always)]
    pub(super) fn begin<L: Lanes>(
        &mut self,
        bytes: &[u8],
        tokens: &mut [Token; 9],
        stack: &mut Vec<(Open, u64)>,
        lanes: L,
    ) -> Begun {
        let mut strings = Strings::new(lanes, bytes);
        let (mut seen, mut open) = (0, Open::OBJECT);
        *self = Self::UNSEEN;
        tokens[0] = token(Kind::Object, 0, bytes.len() as u32, false);
        tokens[1] = key(const { KeyHash::of(b"jsonrpc") }, 1, 10, &mut seen);
        tokens[2] = token(Kind::String, 11, 16, false);
        self.members[VERSION] = 2;
        let (mut pos, mut next) = (START_END, 3);
        if let Some(end) = id_end(bytes) {
            let hash = const { KeyHash::of(b"id") };
            tokens[3] = key(hash, START_END, ID_START - 1, &mut seen);
            tokens[4] = token(Kind::Number, ID_START, end, false);
            self.members[ID] = 4;
            self.id = digits(bytes, end);
            (pos, next) = (end + 1, 5);
        }
        let (mut body, mut is_all) = (None, false);
        if bytes.get(pos as usize..pos as usize + METHOD_KEY.len()) == Some(METHOD_KEY) {
            let (quote, before) = (pos + 9, strings);
            strings.pass(quote);
            let close = strings.next_special(bytes, quote);
            let after = match bytes.get(close as usize..close as usize + 2) {
                Some(&[b'"', after]) => after,
                _ => 0,
            };
            is_all = after == b'}' && close as usize + 2 == bytes.len();
            if is_all || after == b',' {
                tokens[next] = key(const { KeyHash::of(b"method") }, pos, pos + 8, &mut seen);
                tokens[next + 1] = token(Kind::String, quote, close + 1, false);
                self.members[METHOD] = next as u32 + 1;
                next += 2;
                pos = close + 2;
                body = Body::of_call(bytes, pos);
            } else {
                // Not a plain name.
                strings = before;
            }
        } else if self.id != 0 {
            body = Body::of_answer(bytes, pos);
        }
        if let Some(body) = body {
            tokens[next] = key(body.hash, pos, body.open - 1, &mut seen);
            tokens[next + 1] = token(Kind::Object, body.open, body.open, false);
            next += 2;
            stack.push((open, seen));
            (open.token, seen) = (next as u32 - 1, 0);
            if let Some(place) = self.members.get_mut(body.member) {
                *place = open.token;
            }
            pos = body.open + 1;
        }
        strings.pass(pos);
        tokens[0].inside = next as u32 - 1;
        self.tokens = next as u32;
        Begun {
            pos,
            tokens: next as u32,
            open,
            seen,
            window: strings.window,
            high: strings.high,
            is_all,
        }
    }
}

/// An object with members that makes up the rest of a message.
struct Body {
    member: usize,
    hash: KeyHash,
    /// The position of its bracket.
    open: u32,
}

impl Body {
    #[inline(always)]
    fn of_call(bytes: &[u8], pos: u32) -> Option<Self> {
        let body = Self {
            member: PARAMS,
            hash: const { KeyHash::of(b"params") },
            open: pos + 9,
        };
        let found = bytes.get(pos as usize..pos as usize + 11);
        (found == Some(b"\"params\":{\"")).then_some(body)
    }

    #[inline(always)]
    fn of_answer(bytes: &[u8], pos: u32) -> Option<Self> {
        let found = bytes.get(pos as usize..pos as usize + 11)?;
        if found == b"\"result\":{\"" {
            let hash = const { KeyHash::of(b"result") };
            let (member, open) = (RESULT, pos + 9);
            return Some(Self { member, hash, open });
        }
        if found.starts_with(b"\"error\":{\"") {
            let hash = const { KeyHash::of(b"error") };
            let (member, open) = (ERROR, pos + 8);
            return Some(Self { member, hash, open });
        }
        None
    }
}

#[inline(always)]
fn key(hash: KeyHash, start: u32, end: u32, seen: &mut u64) -> Token {
    *seen |= 1 << hash.index();
    Token {
        inside: hash.0,
        ..token(Kind::Key, start, end, false)
    }
}

/// The end of the id, if it comes next, is a short number, and another member follows.
#[inline(always)]
fn id_end(bytes: &[u8]) -> Option<u32> {
    let next = bytes.get(START_END as usize..ID_START as usize);
    if next != Some(ID_KEY.as_slice()) {
        return None;
    }
    number::short(bytes, ID_START).filter(|end| byte_at(bytes, *end) == b',')
}

/// The digits of an id that [`id_end`] has found, of which there are at most seven.
#[inline(always)]
fn digits(bytes: &[u8], end: u32) -> u64 {
    let digits = bytes
        .get(ID_START as usize..)
        .and_then(<[u8]>::first_chunk::<8>);
    let length = end - ID_START;
    digits.map_or(0, |digits| {
        u64::from_le_bytes(*digits) & !(!0 << ((8 * length) & 63))
    })
}

#[cfg(test)]
mod tests {
    use crate::{Fault, ScanLimits, Tape, scan};

    const MESSAGES: [&str; 12] = [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":12345678,"method":"ping","params":{"a":{"b":[1,"c"]}},"id":7}"#,
        r#"{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/\u0070rogress","params":{"progress":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":50,"total":100,"_meta":{}}}"#,
        r#"{"jsonrpc":"2.0","id":"1","method":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"é"}]},"jsonrpc":"1.0"}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no","data":null},"method":"x"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"ping","result":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","result":{"a":1}}"#,
    ];

    /// The result of a scan, with positions relative to `from`.
    fn scanned(bytes: &[u8], from: u32, tape: &mut Tape) -> Result<String, Fault> {
        scan(bytes, &ScanLimits::DEFAULT, tape).map_err(|fault| Fault {
            start: fault.start - from.min(fault.start),
            end: fault.end - from.min(fault.end),
            ..fault
        })?;
        let tokens = tape.tokens().iter().map(|token| {
            let (start, end) = (token.start - from, token.end - from);
            (start, end, token.kind, token.complex, token.inside)
        });
        let tokens: Vec<_> = tokens.collect();
        let (key_hashes, repeated) = (tape.key_hashes(), tape.repeated_keys());
        Ok(format!("{tokens:?} {key_hashes} {repeated:?}"))
    }

    /// Compares two scans: after a space the scanner reads the beginning as it reads the rest.
    fn agrees(bytes: &[u8], tapes: &mut [Tape; 2]) {
        let [common, other] = tapes;
        let spaced = [b" ", bytes].concat();
        let (found, expected) = (scanned(bytes, 0, common), scanned(&spaced, 1, other));
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(bytes));
    }

    #[test]
    fn nothing_is_read_in_another_way() {
        let mut tapes = [Tape::new(), Tape::new()];
        for message in MESSAGES {
            let message = message.as_bytes();
            for end in 0..=message.len() {
                agrees(&message[..end], &mut tapes);
            }
            for at in 0..message.len() {
                for byte in *b"\"\\,:{}[] 0a.-\n\x00\x7f\xff" {
                    let mut changed = message.to_vec();
                    changed[at] = byte;
                    agrees(&changed, &mut tapes);
                    changed[at] = message[at];
                    changed.insert(at, byte);
                    agrees(&changed, &mut tapes);
                }
                let mut changed = message.to_vec();
                changed.remove(at);
                agrees(&changed, &mut tapes);
            }
        }
    }

    #[test]
    fn most_messages_begin_as_expected() {
        let mut tape = Tape::new();
        let mut seen = |message: &str| {
            scan(message.as_bytes(), &ScanLimits::DEFAULT, &mut tape).expect("JSON");
            tape.head().tokens
        };
        assert_eq!(
            MESSAGES.map(&mut seen),
            [7, 3, 9, 3, 7, 3, 7, 5, 7, 7, 3, 3]
        );
    }
}
