//! Texts that are not JSON, with the reason and the place.

use mcp_assay::syntax::FaultKind::{self, *};

use crate::support::refuses;

/// A text, why it is refused, and the offending bytes.
pub(crate) type Case = (&'static [u8], FaultKind, usize, usize);

/// Faults that stay the same wherever the text stands.
#[rustfmt::skip]
pub(crate) const LOCAL: &[Case] = &[
    // Words.
    (b"True", UnknownWord, 0, 4), (b"False", UnknownWord, 0, 5), (b"None", UnknownWord, 0, 4), (b"NULL", UnknownWord, 0, 4),
    (b"undefined", UnknownWord, 0, 9), (b"nul", UnknownWord, 0, 3), (b"tru", UnknownWord, 0, 3), (b"fals", UnknownWord, 0, 4),
    (b"n", UnknownWord, 0, 1), (b"t", UnknownWord, 0, 1), (b"f", UnknownWord, 0, 1), (b"abc", UnknownWord, 0, 3),
    (b"[nope]", UnknownWord, 1, 5), (b"{\"a\":yes}", UnknownWord, 5, 8), (b"[x_y1,2]", UnknownWord, 1, 5),
    (b"[TRUE,1]", UnknownWord, 1, 5), (b"_", UnknownWord, 0, 1), (b"inf", UnknownWord, 0, 3), (b"nan", UnknownWord, 0, 3),
    (b"[nulll]", ExpectedCommaOrBracket, 5, 6), (b"[truefalse]", ExpectedCommaOrBracket, 5, 6),
    (b"{\"a\":true1}", ExpectedCommaOrBrace, 9, 10),
    // Not finite.
    (b"NaN", NotFinite, 0, 3), (b"Infinity", NotFinite, 0, 8), (b"-Infinity", NotFinite, 0, 9), (b"[NaN]", NotFinite, 1, 4),
    (b"{\"a\":Infinity}", NotFinite, 5, 13), (b"[1,-Infinity]", NotFinite, 3, 12), (b"[NaN,1]", NotFinite, 1, 4),
    // Numbers.
    (b"01", LeadingZero, 0, 2), (b"-01", LeadingZero, 0, 3), (b"00", LeadingZero, 0, 2), (b"-00", LeadingZero, 0, 3),
    (b"[007]", LeadingZero, 1, 4), (b"01.5", LeadingZero, 0, 2), (b"{\"a\":012}", LeadingZero, 5, 8), (b"00e1", LeadingZero, 0, 2),
    (b"+1", PlusSign, 0, 1), (b"[+1]", PlusSign, 1, 2), (b"+", PlusSign, 0, 1), (b"++1", PlusSign, 0, 1), (b"+Infinity", PlusSign, 0, 1),
    (b".5", MissingDigits, 0, 1), (b"[.5]", MissingDigits, 1, 2), (b"-.5", MissingDigits, 0, 2), (b"[1.]", MissingDigits, 1, 4),
    (b"[-]", MissingDigits, 1, 3), (b"[1.,2]", MissingDigits, 1, 4), (b"[1e]", MissingDigits, 1, 4), (b"[1e+]", MissingDigits, 1, 5),
    (b"[1E-]", MissingDigits, 1, 5), (b"[1.e1]", MissingDigits, 1, 4), (b"[1.5e]", MissingDigits, 1, 6), (b"--1", MissingDigits, 0, 2),
    (b"-NaN", MissingDigits, 0, 2), (b"[-a]", MissingDigits, 1, 3), (b"[1e1.5]", ExpectedCommaOrBracket, 4, 5), (b"[- 1]", MissingDigits, 1, 3),
    (b"[1ee1]", MissingDigits, 1, 4), (b"[1e++1]", MissingDigits, 1, 5), (b"[0x10]", ExpectedCommaOrBracket, 2, 3),
    (b"[1_000]", ExpectedCommaOrBracket, 2, 3), (b"[1.2.3]", ExpectedCommaOrBracket, 4, 5), (b"[1a]", ExpectedCommaOrBracket, 2, 3),
    (b"[0b1]", ExpectedCommaOrBracket, 2, 3), (b"[1L]", ExpectedCommaOrBracket, 2, 3), (b"[1-1]", ExpectedCommaOrBracket, 2, 3),
    // Values.
    (b",", ExpectedValue, 0, 1), (b":", ExpectedValue, 0, 1),
    (b"[,1]", ExpectedValue, 1, 2), (b"[1,,2]", ExpectedValue, 3, 4), (b"[:1]", ExpectedValue, 1, 2), (b"{\"a\":}", ExpectedValue, 5, 6),
    (b"{\"a\":,\"b\":1}", ExpectedValue, 5, 6), (b"{\"a\"::1}", ExpectedValue, 5, 6), (b"[}", ExpectedValue, 1, 2), (b"[*]", ExpectedValue, 1, 2),
    (b"#", ExpectedValue, 0, 1), (b"[\\n]", ExpectedValue, 1, 2), (b"[`a`]", ExpectedValue, 1, 2), (b"&", ExpectedValue, 0, 1),
    (b"=1", ExpectedValue, 0, 1), (b"(1)", ExpectedValue, 0, 1), (b"<a>", ExpectedValue, 0, 1), (b"[/]", ExpectedValue, 1, 2),
    (b"\x00", ExpectedValue, 0, 1), (b"[\x00]", ExpectedValue, 1, 2), (b"\x0b1", ExpectedValue, 0, 1), (b"\x0c1", ExpectedValue, 0, 1),
    (b"\x1f1", ExpectedValue, 0, 1), (b"\x7f", ExpectedValue, 0, 1), (b"[\x08]", ExpectedValue, 1, 2),
    ("\u{a0}1".as_bytes(), ExpectedValue, 0, 2), ("[\u{2028}]".as_bytes(), ExpectedValue, 1, 4), ("[\u{1f980}]".as_bytes(), ExpectedValue, 1, 5),
    ("é".as_bytes(), ExpectedValue, 0, 2), ("[\u{feff}]".as_bytes(), ExpectedValue, 1, 4), ("“a”".as_bytes(), ExpectedValue, 0, 3),
    // Quotes and comments.
    (b"'a'", SingleQuote, 0, 1), (b"['a']", SingleQuote, 1, 2), (b"{'a':1}", SingleQuote, 1, 2), (b"{\"a\":'b'}", SingleQuote, 5, 6),
    (b"{\"a\":1,'b':2}", SingleQuote, 7, 8),
    (b"// a\n1", Comment, 0, 2), (b"/* a */ 1", Comment, 0, 2), (b"[1 // a\n]", Comment, 3, 5), (b"[1, /* a */ 2]", Comment, 4, 6),
    (b"{ // a\n}", Comment, 2, 4), (b"{\"a\" /* b */ : 1}", Comment, 5, 7), (b"{\"a\": /* b */ 1}", Comment, 6, 8), (b"{\"a\":1, // b\n}", Comment, 8, 10),
    // Arrays.
    (b"[1,]", TrailingComma, 2, 3), (b"[1, ]", TrailingComma, 2, 3), (b"[1\n,\n]", TrailingComma, 3, 4), (b"[[],]", TrailingComma, 3, 4),
    (b"[1,[2,],3]", TrailingComma, 5, 6), (b"[1,}", TrailingComma, 2, 3),
    (b"[1 2]", ExpectedCommaOrBracket, 3, 4), (b"[1:2]", ExpectedCommaOrBracket, 2, 3), (b"[1}", ExpectedCommaOrBracket, 2, 3),
    (b"[\"a\" \"b\"]", ExpectedCommaOrBracket, 5, 6), (b"[[] []]", ExpectedCommaOrBracket, 4, 5), (b"[{}{}]", ExpectedCommaOrBracket, 3, 4),
    (b"[1;2]", ExpectedCommaOrBracket, 2, 3), (b"[\"a\":1]", ExpectedCommaOrBracket, 4, 5), (b"[1\x00]", ExpectedCommaOrBracket, 2, 3),
    (b"[true\x0c]", ExpectedCommaOrBracket, 5, 6), ("[1\u{a0}]".as_bytes(), ExpectedCommaOrBracket, 2, 4),
    // Objects.
    (b"{\"a\":1,}", TrailingComma, 6, 7), (b"{\"a\":1 , }", TrailingComma, 7, 8), (b"{\"a\":{\"b\":1,}}", TrailingComma, 11, 12),
    (b"{,}", ExpectedKey, 1, 2), (b"{1:2}", ExpectedKey, 1, 2), (b"{a:1}", ExpectedKey, 1, 2), (b"{null:1}", ExpectedKey, 1, 2), (b"{[]:1}", ExpectedKey, 1, 2),
    (b"{{}:1}", ExpectedKey, 1, 2), (b"{:1}", ExpectedKey, 1, 2), (b"{\"a\":1,,\"b\":2}", ExpectedKey, 7, 8), (b"{\"a\":1,2}", ExpectedKey, 7, 8),
    (b"{]", ExpectedKey, 1, 2), (b"{\x00}", ExpectedKey, 1, 2), (b"{\"a\":1, b:2}", ExpectedKey, 8, 9),
    (b"{\"a\" 1}", ExpectedColon, 5, 6), (b"{\"a\"}", ExpectedColon, 4, 5), (b"{\"a\",\"b\"}", ExpectedColon, 4, 5), (b"{\"a\"=1}", ExpectedColon, 4, 5),
    (b"{\"a\"\x00:1}", ExpectedColon, 4, 5), (b"{\"a\"\"b\"}", ExpectedColon, 4, 5), (b"{\"a\":1,\"b\"}", ExpectedColon, 10, 11),
    (b"{\"a\":1 \"b\":2}", ExpectedCommaOrBrace, 7, 8), (b"{\"a\":1]", ExpectedCommaOrBrace, 6, 7), (b"{\"a\":1:2}", ExpectedCommaOrBrace, 6, 7),
    (b"{\"a\":1;\"b\":2}", ExpectedCommaOrBrace, 6, 7), (b"{\"a\":\"b\"c}", ExpectedCommaOrBrace, 8, 9), (b"{\"a\":{}{}}", ExpectedCommaOrBrace, 7, 8),
];

/// Faults inside one string, which can be moved by lengthening it at its front.
#[rustfmt::skip]
pub(crate) const IN_STRING: &[Case] = &[
    // Control characters.
    (b"\"\x00\"", ControlCharacter, 1, 2), (b"\"\x01\"", ControlCharacter, 1, 2), (b"\"\t\"", ControlCharacter, 1, 2), (b"\"\n\"", ControlCharacter, 1, 2),
    (b"\"\r\"", ControlCharacter, 1, 2), (b"\"\x1f\"", ControlCharacter, 1, 2), (b"\"a\nb\"", ControlCharacter, 2, 3), (b"\"\\n\n\"", ControlCharacter, 3, 4),
    (b"\"\\\\\x08\"", ControlCharacter, 3, 4), (b"\"\\u0041\x00\"", ControlCharacter, 7, 8), (b"\"a\x1b[0m\"", ControlCharacter, 2, 3),
    // Escapes.
    (b"\"\\x41\"", UnknownEscape, 1, 3), (b"\"\\a\"", UnknownEscape, 1, 3), (b"\"\\'\"", UnknownEscape, 1, 3), (b"\"\\0\"", UnknownEscape, 1, 3),
    (b"\"\\ \"", UnknownEscape, 1, 3), (b"\"\\v\"", UnknownEscape, 1, 3), (b"\"\\e\"", UnknownEscape, 1, 3), (b"\"\\U0041\"", UnknownEscape, 1, 3),
    (b"\"\\N\"", UnknownEscape, 1, 3), (b"\"\\\\\\x\"", UnknownEscape, 3, 5), (b"\"\\n\\q\"", UnknownEscape, 3, 5), (b"\"\\u0041\\z\"", UnknownEscape, 7, 9),
    (b"\"\\-\"", UnknownEscape, 1, 3), (b"\"\\.\\n\"", UnknownEscape, 1, 3), (b"\"\\1234\"", UnknownEscape, 1, 3),
    (b"\"\\u\"", BadUnicodeEscape, 1, 3), (b"\"\\u1\"", BadUnicodeEscape, 1, 4), (b"\"\\u12\"", BadUnicodeEscape, 1, 5), (b"\"\\u123\"", BadUnicodeEscape, 1, 6),
    (b"\"\\u123g\"", BadUnicodeEscape, 1, 6), (b"\"\\ug123\"", BadUnicodeEscape, 1, 3), (b"\"\\u 123\"", BadUnicodeEscape, 1, 3), (b"\"\\u+123\"", BadUnicodeEscape, 1, 3),
    (b"\"\\u-123\"", BadUnicodeEscape, 1, 3), (b"\"\\u0x12\"", BadUnicodeEscape, 1, 4), (b"\"\\u{41}\"", BadUnicodeEscape, 1, 3), (b"\"\\\\\\u12\"", BadUnicodeEscape, 3, 7),
    (b"\"\\ud800\\u12\"", BadUnicodeEscape, 7, 11), (b"\"\\u0041\\u004\"", BadUnicodeEscape, 7, 12), (b"\"\\u00\\n1\"", BadUnicodeEscape, 1, 5),
    // Not UTF-8.
    (b"\"\x80\"", NotUtf8, 1, 2), (b"\"\xbf\"", NotUtf8, 1, 2), (b"\"\xc0\x80\"", NotUtf8, 1, 2), (b"\"\xc1\xbf\"", NotUtf8, 1, 2), (b"\"\xc2\"", NotUtf8, 1, 2),
    (b"\"\xc3\x28\"", NotUtf8, 1, 2), (b"\"\xe0\x80\x80\"", NotUtf8, 1, 2), (b"\"\xe0\x9f\xbf\"", NotUtf8, 1, 2), (b"\"\xe2\x82\"", NotUtf8, 1, 3),
    (b"\"\xe2\x28\xa1\"", NotUtf8, 1, 2), (b"\"\xed\xa0\x80\"", NotUtf8, 1, 2), (b"\"\xed\xbf\xbf\"", NotUtf8, 1, 2), (b"\"\xed\xa0\xbd\xed\xb8\x80\"", NotUtf8, 1, 2),
    (b"\"\xf0\x80\x80\x80\"", NotUtf8, 1, 2), (b"\"\xf0\x8f\xbf\xbf\"", NotUtf8, 1, 2), (b"\"\xf0\x9f\xa6\"", NotUtf8, 1, 4), (b"\"\xf4\x90\x80\x80\"", NotUtf8, 1, 2),
    (b"\"\xf5\x80\x80\x80\"", NotUtf8, 1, 2), (b"\"\xf8\x88\x80\x80\x80\"", NotUtf8, 1, 2), (b"\"\xfe\"", NotUtf8, 1, 2), (b"\"\xff\"", NotUtf8, 1, 2),
    (b"\"\xc3\xa9\xc3\"", NotUtf8, 3, 4), (b"\"a\xffb\"", NotUtf8, 2, 3), (b"\"\\n\xff\"", NotUtf8, 3, 4), (b"\"\xff\\n\"", NotUtf8, 1, 2),
];

/// Faults at the end of the text, or that concern the text as a whole.
#[rustfmt::skip]
const WHOLE: &[Case] = &[
    // Nothing.
    (b"", Empty, 0, 0), (b" ", Empty, 0, 1), (b"\n", Empty, 0, 1), (b" \t\r\n ", Empty, 0, 5),
    // The text ends.
    (b"[", UnexpectedEnd, 1, 1), (b"{", UnexpectedEnd, 1, 1), (b"[1", UnexpectedEnd, 2, 2), (b"[1,", UnexpectedEnd, 3, 3), (b"[1, ", UnexpectedEnd, 4, 4),
    (b"{\"a\"", UnexpectedEnd, 4, 4), (b"{\"a\":", UnexpectedEnd, 5, 5), (b"{\"a\":1", UnexpectedEnd, 6, 6), (b"{\"a\":1,", UnexpectedEnd, 7, 7),
    (b"[[]", UnexpectedEnd, 3, 3), (b"{\"a\":{}", UnexpectedEnd, 7, 7), (b"[{", UnexpectedEnd, 2, 2), (b"-", UnexpectedEnd, 1, 1), (b"1.", UnexpectedEnd, 2, 2),
    (b"1e", UnexpectedEnd, 2, 2), (b"1e+", UnexpectedEnd, 3, 3), (b"[-", UnexpectedEnd, 2, 2), (b"[1 ", UnexpectedEnd, 3, 3), (b"[[[[", UnexpectedEnd, 4, 4),
    (b"{ ", UnexpectedEnd, 2, 2), (b"[\n", UnexpectedEnd, 2, 2),
    (b"\"", UnterminatedString, 0, 1), (b"\"a", UnterminatedString, 0, 2), (b"\"\\\"", UnterminatedString, 0, 3), (b"\"\\", UnterminatedString, 0, 2),
    (b"\"a\\", UnterminatedString, 0, 3), (b"[\"a", UnterminatedString, 1, 3), (b"{\"a", UnterminatedString, 1, 3), (b"{\"a\":\"b", UnterminatedString, 5, 7),
    (b"\"\\\\\\\"", UnterminatedString, 0, 5), (b"\"\\n", UnterminatedString, 0, 3), (b"[\"x\\", UnterminatedString, 1, 4),
    ("\"é".as_bytes(), UnterminatedString, 0, 3), (b"{\"a\":\"b\\\\\\", UnterminatedString, 5, 10),
    (b"\"\\u", BadUnicodeEscape, 1, 3), (b"\"\\u12", BadUnicodeEscape, 1, 5),
    // Nothing was opened.
    (b"]", ExpectedValue, 0, 1), (b"}", ExpectedValue, 0, 1),
    // The text goes on.
    (b"{}{}", SecondValue, 2, 4), (b"{} {}", SecondValue, 3, 5), (b"{}\n{}", SecondValue, 3, 5), (b"[][]", SecondValue, 2, 4), (b"[1]{", SecondValue, 3, 4),
    (b"1 [", SecondValue, 2, 3), (b"\"a\" {}", SecondValue, 4, 6), (b"null[]", SecondValue, 4, 6),
    (b"[]]", TrailingBytes, 2, 3), (b"{}}", TrailingBytes, 2, 3), (b"{}x", TrailingBytes, 2, 3), (b"1 2", TrailingBytes, 2, 3), (b"1,", TrailingBytes, 1, 2),
    (b"1x", TrailingBytes, 1, 2), (b"truex", TrailingBytes, 4, 5), (b"nulll", TrailingBytes, 4, 5), (b"{};", TrailingBytes, 2, 3), (b"{}\x00", TrailingBytes, 2, 3),
    (b"1\x00", TrailingBytes, 1, 2), (b"\"a\"b", TrailingBytes, 3, 4), (b"0x1", TrailingBytes, 1, 3), (b"1.2.3", TrailingBytes, 3, 5), (b"{} // a", TrailingBytes, 3, 7),
    (b"1e1e1", TrailingBytes, 3, 5), (b"-1-1", TrailingBytes, 2, 4), (b"{}:", TrailingBytes, 2, 3), (b"[]\"", TrailingBytes, 2, 3), ("{}\u{feff}".as_bytes(), TrailingBytes, 2, 5),
    // Byte-order marks and other encodings.
    (b"\xef\xbb\xbf", ByteOrderMark, 0, 3), (b"\xef\xbb\xbf{}", ByteOrderMark, 0, 3), (b"\xef\xbb\xbf\xef\xbb\xbf{}", ByteOrderMark, 0, 3),
    (b"\xef\xbb{}", NotUtf8, 0, 2), (b"\xff\xfe{\x00}\x00", NotUtf8, 0, 1), (b"\xfe\xff\x00{\x00}", NotUtf8, 0, 1), (b"{\x00}\x00", ExpectedKey, 1, 2),
    (b"\x00{\x00}", ExpectedValue, 0, 1),
    // Not UTF-8 outside of strings.
    (b"[\xff]", NotUtf8, 1, 2), (b"\xff", NotUtf8, 0, 1), (b"{\xc3:1}", NotUtf8, 1, 2), (b"1\x80", NotUtf8, 1, 2), (b"[1\xe9]", NotUtf8, 2, 3),
    (b"{\"a\"\xa0:1}", NotUtf8, 4, 5), (b"{\"\xff\":1}", NotUtf8, 2, 3),
    // Of two faults the first counts.
    (b"[1,] \xff", TrailingComma, 2, 3), (b"[\"\xff\",]", NotUtf8, 2, 3), (b"{\"a\":01,\"b\":\"\\x\"}", LeadingZero, 5, 7), (b"[\"\\x\",\"\n\"]", UnknownEscape, 2, 4),
    (b"[\"\n\\x\"]", ControlCharacter, 2, 3), (b"[\"\\x\n\"]", UnknownEscape, 2, 4), (b"\"\\u12\n\"", BadUnicodeEscape, 1, 5),
];

#[test]
fn what_is_not_json_is_refused_where_it_breaks() {
    for &(text, kind, start, end) in LOCAL.iter().chain(IN_STRING).chain(WHOLE) {
        refuses(text, kind, start, end);
    }
}

#[test]
fn every_control_character_is_refused_in_strings_and_keys() {
    for byte in 0..0x20 {
        refuses(&[b'"', byte, b'"'], ControlCharacter, 1, 2);
        refuses(
            &[b'{', b'"', byte, b'"', b':', b'1', b'}'],
            ControlCharacter,
            2,
            3,
        );
    }
}

#[test]
fn only_eight_letters_and_u_can_be_escaped() {
    for byte in 0x20..0x7f_u8 {
        if !b"\"\\/bfnrtu".contains(&byte) {
            refuses(&[b'"', b'\\', byte, b'"'], UnknownEscape, 1, 3);
        }
    }
}

#[test]
fn only_four_characters_are_white_space() {
    for byte in (0..0x20).filter(|byte| !b" \t\n\r".contains(byte)) {
        refuses(&[byte, b'1'], ExpectedValue, 0, 1);
        refuses(&[b'1', byte], TrailingBytes, 1, 2);
    }
}
