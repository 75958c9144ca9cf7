//! Random bytes: nothing reaches the terminal raw, and the formats for programs are JSON.

use crate::conversation::{policy, show};
use mcp_assay::Direction::{ClientToServer, ServerToClient};
use mcp_assay_report::{Format, Style};

/// A small generator (xorshift), so that every run sees the same bytes.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

const MESSAGES: [&str; 4] = [
    r#"{"jsonrpc":"2.0","id":"\u001b[2J","method":"\u0007\u009b","params":{"\u202e":null}}"#,
    r#"{"jsonrpc":"2.0","id":{"a":["\ud800"]},"result":{"content":[{"type":"\u001b"}]}}"#,
    r#"{"jsonrpc":"2.0","id":"é漢\ud800","error":{"code":"\u0000","message":7}}"#,
    "[{\"jsonrpc\":\"2.0\",\r\n\"id\":{\n},\"method\":\"\u{202e}tools/call\u{feff}\",\"params\":{\"name\":\"\u{85}\"}}]",
];

/// A message with some of its bytes replaced by ones that hurt, or bytes without any sense.
fn bytes(random: &mut Random) -> Vec<u8> {
    let hurtful = [
        0x1b, 0x9b, 0x07, 0x0d, 0x0a, 0x00, 0x7f, 0xff, 0xc2, 0x85, 0xe2, 0x80, 0xae, b'"', b'{',
        b'\\',
    ];
    if random.below(4) == 0 {
        return (0..random.below(300))
            .map(|_| random.next() as u8)
            .collect();
    }
    let mut bytes = MESSAGES[random.below(MESSAGES.len())].as_bytes().to_vec();
    for _ in 0..random.below(4) {
        let place = random.below(bytes.len());
        match random.below(3) {
            0 => bytes[place] = hurtful[random.below(hurtful.len())],
            1 => bytes.insert(place, hurtful[random.below(hurtful.len())]),
            _ => bytes.extend_from_within(place..),
        }
    }
    bytes
}

pub(crate) fn for_random_bytes(mut check: impl FnMut(&[u8])) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for message in MESSAGES {
        check(message.as_bytes());
    }
    for _ in 0..5000 {
        check(&bytes(&mut random));
    }
}

#[test]
fn no_control_character_reaches_the_terminal() {
    let mut found = 0;
    for_random_bytes(|bytes| {
        let messages = [(ClientToServer, bytes), (ServerToClient, bytes)];
        let shown = show(Format::Human, Style::PLAIN, policy("2025-06-18"), &messages);
        let raw = shown.chars().find(|&character| {
            character.is_control() && character != '\n' || is_reordering(character)
        });
        assert_eq!(raw, None, "{bytes:?} is shown as {shown:?}");
        found += usize::from(shown.contains("error["));
    });
    assert!(found > 4000, "only {found} of the messages were at fault");
}

fn is_reordering(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
    )
}

#[test]
fn with_colour_every_escape_is_a_colour() {
    for_random_bytes(|bytes| {
        let style = Style {
            colour: true,
            ..Style::PLAIN
        };
        let shown = show(
            Format::Human,
            style,
            policy("2025-06-18"),
            &[(ServerToClient, bytes)],
        );
        for after in shown.split('\x1b').skip(1) {
            let colour = after
                .strip_prefix('[')
                .and_then(|rest| rest.split_once('m'))
                .map(|(digits, _)| digits);
            let is_colour = colour.is_some_and(|digits| {
                digits
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b';')
            });
            assert!(is_colour, "{bytes:?} is shown as {shown:?}");
        }
    });
}

#[test]
fn programs_read_json_and_a_line_a_message() {
    for_random_bytes(|bytes| {
        let messages = [(ClientToServer, bytes), (ServerToClient, bytes)];
        let lines = show(
            Format::Ndjson,
            Style::PLAIN,
            policy("2025-06-18"),
            &messages,
        );
        assert_eq!(lines.lines().count(), 3, "{bytes:?} is written as {lines}");
        for line in lines.lines() {
            serde_json::from_str::<&serde_json::value::RawValue>(line)
                .unwrap_or_else(|error| panic!("{error}: {line}"));
        }
        let document = show(Format::Json, Style::PLAIN, policy("2025-06-18"), &messages);
        serde_json::from_str::<&serde_json::value::RawValue>(&document)
            .unwrap_or_else(|error| panic!("{error}: {document}"));
    });
}
