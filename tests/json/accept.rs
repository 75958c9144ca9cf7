//! Texts that are JSON.

use mcp_assay::Limits;
use mcp_assay::syntax::{Kind, Tape, scan};

use crate::support::accepts;

/// Every text here is JSON (RFC 8259).
pub(crate) const TEXTS: &[&str] = &[
    // Words.
    "null",
    "true",
    "false",
    " null",
    "null ",
    "\tnull",
    "null\n",
    "\r\ntrue\r\n",
    " \t\n\r false \r\n\t ",
    // Whole numbers.
    "0",
    "-0",
    "1",
    "-1",
    "9",
    "10",
    "42",
    "-42",
    "100",
    "1234567890",
    "-1234567890",
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "123456789012345678901234567890",
    // Fractions.
    "0.0",
    "-0.0",
    "0.1",
    "-0.1",
    "1.0",
    "1.5",
    "-1.5",
    "0.000000000000000000001",
    "3.141592653589793238462643",
    "10.01",
    "0.10",
    "1.00000",
    // Exponents.
    "0e0",
    "0E0",
    "-0e0",
    "1e0",
    "1e1",
    "1E1",
    "1e+1",
    "1E+1",
    "1e-1",
    "1E-1",
    "1e01",
    "1e00",
    "1e-00",
    "1.5e3",
    "1.5E+3",
    "-1.5e-3",
    "0.0e0",
    "1e308",
    "1e-308",
    "1e-400",
    "-0.0e-0",
    "123e65",
    "0e+1",
    "20e1",
    // Strings.
    r#""""#,
    r#"" ""#,
    r#""a""#,
    r#""abc""#,
    r#""null""#,
    r#""0""#,
    r#""'""#,
    r#""/""#,
    r#"",""#,
    r#"":""#,
    r#""{}""#,
    r#""[]""#,
    r#""// no comment""#,
    r#""/* nor this */""#,
    r##""#""##,
    "\"\u{7f}\"",
    "\"\u{80}\"",
    "\"\u{a0}\"",
    "\"\u{feff}\"",
    "\"\u{2028}\u{2029}\"",
    "\"é\"",
    "\"ß∂\"",
    "\"日本語\"",
    "\"🦀\"",
    "\"\u{7ff}\u{800}\"",
    "\"\u{fffd}\u{fffe}\u{ffff}\"",
    "\"\u{d7ff}\u{e000}\"",
    "\"\u{10000}\u{10ffff}\"",
    "\"e\u{301}\"",
    "\"\u{1f468}\u{200d}\u{1f469}\"",
    // Escapes.
    r#""\"""#,
    r#""\\""#,
    r#""\/""#,
    r#""\b""#,
    r#""\f""#,
    r#""\n""#,
    r#""\r""#,
    r#""\t""#,
    r#""\"\\\/\b\f\n\r\t""#,
    r#""\\\"""#,
    r#""\\\\""#,
    r#""\\\\\"""#,
    r#""a\\b""#,
    r#""\\n""#,
    r#""\\u0041""#,
    r#""\u0041""#,
    r#""\u0000""#,
    r#""\u001f""#,
    r#""\u0022""#,
    r#""\u005c""#,
    r#""\u005C""#,
    r#""\u00e9""#,
    r#""\u00E9""#,
    r#""\uabcd""#,
    r#""\uABCD""#,
    r#""\uAbCd""#,
    r#""\ufeff""#,
    r#""\uffff""#,
    r#""\ud7ff""#,
    r#""\ue000""#,
    r#""\ud83e\udd80""#,
    r#""\uD83E\uDD80""#,
    r#""\ud800\udc00""#,
    r#""\udbff\udfff""#,
    r#""\ud83e\udd80\ud83e\udd80""#,
    r#""a\ud83e\udd80b""#,
    r#""\\\ud83e\udd80""#,
    r#""\u0041\u0042\u0043""#,
    // Half pairs are JSON; the tape remembers them.
    r#""\ud800""#,
    r#""\udc00""#,
    r#""\udc00\ud800""#,
    r#""\ud800\ud800""#,
    r#""\ud800x""#,
    r#""\ud800\n""#,
    r#""\ud800\u0041""#,
    r#""\ud800\\udc00""#,
    // Arrays.
    "[]",
    "[ ]",
    " [ ] ",
    "[\n]",
    "[1]",
    "[ 1 ]",
    "[1,2]",
    "[1 , 2]",
    "[1\n,\n2]",
    "[[]]",
    "[[],[]]",
    "[[[[]]]]",
    "[null,true,false,0,\"\",[],{}]",
    "[1,[2,[3,[4]]]]",
    "[{}]",
    "[{},{}]",
    "[\"\",\"\"]",
    "[-0,-1]",
    "[0e0]",
    "[1e5,2.5]",
    "[\"a\",\"a\"]",
    "[[1],[2],[3]]",
    // Objects.
    "{}",
    "{ }",
    " { } ",
    "{\n}",
    r#"{"":0}"#,
    r#"{"a":1}"#,
    r#"{ "a" : 1 }"#,
    r#"{"a":1,"b":2}"#,
    "{\"a\"\n:\n1\n,\n\"b\"\n:\n2}",
    r#"{"a":{}}"#,
    r#"{"a":{"b":{"c":{}}}}"#,
    r#"{"a":[]}"#,
    r#"{"a":[{"b":[{}]}]}"#,
    r#"{"a":null}"#,
    r#"{"a":true,"b":false}"#,
    r#"{"a":"b"}"#,
    r#"{"a\"b":1}"#,
    r#"{"\u0061":1}"#,
    r#"{"\\":1}"#,
    "{\"é\":1}",
    "{\"🦀\":1}",
    r#"{"a b":1}"#,
    r#"{"null":null}"#,
    r#"{"__proto__":{}}"#,
    // Repeated keys are JSON; the tape remembers them.
    r#"{"a":1,"a":2}"#,
    r#"{"a":1,"a":1,"a":1}"#,
    r#"{"a":1,"\u0061":2}"#,
    // What messages look like.
    r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":"x","result":{"content":[{"type":"text","text":"a\nb"}],"isError":false}}"#,
    r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no","data":[1.5e-3,{"a":[null]}]}}"#,
];

#[test]
fn json_is_accepted() {
    for text in TEXTS {
        accepts(text.as_bytes());
    }
}

#[test]
fn white_space_around_every_token_is_accepted() {
    for space in ["", " ", "\t", "\n", "\r", " \t\r\n "] {
        let tokens = [
            "{", "\"a\"", ":", "[", "1", ",", "true", ",", "{", "}", ",", "\"\"", "]", ",",
            "\"b\"", ":", "null", "}",
        ];
        let text = tokens
            .iter()
            .fold(space.to_owned(), |text, token| text + token + space);
        accepts(text.as_bytes());
    }
}

#[test]
fn every_ascii_character_but_controls_stands_for_itself() {
    for byte in 0x20..0x80_u8 {
        if !matches!(byte, b'"' | b'\\') {
            accepts(&[b'"', byte, b'"']);
        }
    }
}

#[test]
fn the_ends_of_every_utf8_length_are_accepted() {
    for scalar in [
        0x20, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x10_ffff,
    ] {
        let character = char::from_u32(scalar).expect("a scalar value");
        accepts(format!("\"{character}\"").as_bytes());
        accepts(format!("{{\"{character}\":\"{character}\"}}").as_bytes());
    }
}

#[test]
fn the_tape_has_every_token_in_order() {
    use Kind::{Array, False, Key, Null, Number, Object, String, True};
    check_tokens("1", &[(Number, "1")]);
    check_tokens(" [ ] ", &[(Array, "[ ]")]);
    check_tokens(
        r#" {"a" : [1, "x\n", null], "b":{}, "c": true,"d":false} "#,
        &[
            (
                Object,
                r#"{"a" : [1, "x\n", null], "b":{}, "c": true,"d":false}"#,
            ),
            (Key, r#""a""#),
            (Array, r#"[1, "x\n", null]"#),
            (Number, "1"),
            (String, r#""x\n""#),
            (Null, "null"),
            (Key, r#""b""#),
            (Object, "{}"),
            (Key, r#""c""#),
            (True, "true"),
            (Key, r#""d""#),
            (False, "false"),
        ],
    );
}

fn check_tokens(text: &str, expected: &[(Kind, &str)]) {
    let mut tape = Tape::new();
    scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
    let found: Vec<_> = tape
        .tokens()
        .iter()
        .map(|token| (token.kind, &text[token.start as usize..token.end as usize]))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn strings_are_decoded() {
    for (text, decoded) in [
        (r#""""#, ""),
        (r#""plain""#, "plain"),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\u0041\u00e9\u65e5""#, "Aé日"),
        (r#""\ud83e\udd80""#, "🦀"),
        (r#""a\\u0041""#, "a\\u0041"),
        (r#""\ud83e!""#, "\u{fffd}!"),
        (r#""\udd80\ud83e""#, "\u{fffd}\u{fffd}"),
        (r#""\ud83e\ud83e\udd80""#, "\u{fffd}🦀"),
        ("\"é🦀\\n\"", "é🦀\n"),
    ] {
        let mut tape = Tape::new();
        scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
        let root = tape.root(text.as_bytes()).expect("a value");
        assert_eq!(root.text().as_deref(), Some(decoded), "for {text}");
        assert!(root.is_text(decoded), "for {text}");
        assert!(!root.is_text("something else"), "for {text}");
    }
}

#[test]
fn half_surrogate_pairs_are_remembered() {
    for (text, place) in [
        (r#""\ud83e\udd80""#, None),
        (r#""\\ud800""#, None),
        (r#""\ud800""#, Some((1, 7))),
        (r#""\udc00""#, Some((1, 7))),
        (r#""x\uDBFF""#, Some((2, 8))),
        (r#""\udc00\ud800""#, Some((1, 7))),
        (r#""\ud800\ud800\udc00""#, Some((1, 7))),
        (r#""\ud800\udc00\udc00""#, Some((13, 19))),
        (r#""\ud800\n\udc00""#, Some((1, 7))),
        (r#""\\\ud800""#, Some((3, 9))),
        (r#""\\ud800\udc00""#, Some((8, 14))),
        (r#"["\ud83e\udd80","\udd80"]"#, Some((17, 23))),
        (r#"{"\ud800":1}"#, Some((2, 8))),
        (r#"["\ud800","\udc00"]"#, Some((2, 8))),
    ] {
        let mut tape = Tape::new();
        scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
        assert_eq!(tape.lone_surrogate(), place, "for {text}");
    }
}

#[test]
fn repeated_keys_are_remembered() {
    for (text, repeated) in [
        (r#"{"a":1,"b":2}"#, vec![]),
        (r#"{"a":1,"a":2}"#, vec![8]),
        (r#"{"a":1,"\u0061":2}"#, vec![8]),
        (r#"{"a":{"a":1}}"#, vec![]),
        (r#"[{"a":1},{"a":1}]"#, vec![]),
        (r#"{"a":1,"a":2,"a":3}"#, vec![8, 14]),
        (r#"{"":1,"":2}"#, vec![7]),
        (r#"{"x":{"k":1,"k":2},"y":1,"x":0}"#, vec![13, 26]),
    ] {
        assert_eq!(repeats(text), repeated, "for {text}");
    }
}

#[test]
fn repeated_keys_are_found_among_many() {
    let keys: Vec<_> = (0..2000)
        .map(|index| format!("\"key{index}\":{index}"))
        .collect();
    let mut text = format!("{{{},", keys.join(","));
    let place = text.len() + 1;
    text.push_str("\"key1234\":0}");
    assert_eq!(repeats(&text), [place]);
}

#[test]
fn many_repeated_keys_are_found_however_they_are_spelt() {
    // More than are compared one by one; each key plain, then with one escape, then with others.
    for count in [3, 7, 8, 9, 30] {
        let mut text = String::from("{\"other\":0");
        let mut expected = vec![];
        for (round, first) in ["k", "\\u006b", "\\u006B"].into_iter().enumerate() {
            for index in 0..count {
                text.push(',');
                if round > 0 {
                    expected.push(text.len() + 1);
                }
                text.push_str(&["\"", first, &"x".repeat(index), "\":0"].concat());
            }
        }
        text.push('}');
        assert_eq!(repeats(&text), expected, "for {text}");
    }
}

/// The place where the names of repeated keys begin.
fn repeats(text: &str) -> Vec<usize> {
    let mut tape = Tape::new();
    scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("JSON");
    tape.repeated_keys()
        .iter()
        .map(|key| tape.tokens()[*key as usize].start as usize + 1)
        .collect()
}
