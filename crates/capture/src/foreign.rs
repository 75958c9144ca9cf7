//! Kinds of files that are known and not read: each is named, with the export that can be read.

use std::fmt;

use memchr::{memchr, memchr_iter, memmem};

use super::stamp::stamped;

/// A kind of file that is not read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Foreign {
    /// A file of this kind, with its article.
    pub described: &'static str,
    /// The source to check instead.
    pub advice: &'static str,
}

/// Text or bytes without a single message.
pub(crate) static NO_CAPTURE: Foreign = Foreign {
    described: "no capture: no line of it is a message, a record or a line of a known log",
    advice: "check a recording, or name its format with --input-format",
};

static BINARY: Foreign = Foreign {
    described: "a binary file, no capture",
    advice: "check a recording, a log or an export",
};

static PACKETS: Foreign = Foreign {
    described: "a packet capture (pcap), which is not read",
    advice: "export the HTTP exchanges as HAR, or record them with `mcp-assay gateway --record`",
};

static FLOWS: Foreign = Foreign {
    described: "a file of mitmproxy flows, which is not read",
    advice: "export it as HAR: `mitmdump -nr FLOWS --set hardump=FILE.har`",
};

static ZIP: Foreign = Foreign {
    described: "a ZIP archive, which is not read",
    advice: "unpack it, and check the HAR file or the logs in it",
};

static GZIP: Foreign = Foreign {
    described: "a gzip file without the ending .gz",
    advice: "rename it, and it is unpacked while it is read",
};

static CURSOR: Foreign = Foreign {
    described: "a Cursor log, which holds no messages",
    advice: "put `mcp-assay wrap --record FILE --` before the server's command",
};

static CLAUDE_CODE: Foreign = Foreign {
    described: "a Claude Code log (mcp-logs), which is no transcript of messages",
    advice: "put `mcp-assay wrap --record FILE --` before the server's command",
};

static MCP_REMOTE: Foreign = Foreign {
    described: "an mcp-remote log, which does not keep whole messages",
    advice: "record with `mcp-assay wrap --record FILE -- npx mcp-remote URL`",
};

/// The first bytes of some kinds.
static MAGIC: [(&[u8], &Foreign); 7] = [
    (b"\xd4\xc3\xb2\xa1", &PACKETS),
    (b"\xa1\xb2\xc3\xd4", &PACKETS),
    (b"\x4d\x3c\xb2\xa1", &PACKETS),
    (b"\xa1\xb2\x3c\x4d", &PACKETS),
    (b"\x0a\x0d\x0d\x0a", &PACKETS),
    (b"PK\x03\x04", &ZIP),
    (b"\x1f\x8b\x08", &GZIP),
];

/// Remarks of Cursor about servers.
const CURSOR_REMARKS: [&[u8]; 8] = [
    b"Handling CreateClient action",
    b"Handling ListOfferings action",
    b"Handling CallTool action",
    b"Connected to stdio server, fetching offerings",
    b"Connected to streamableHttp server, fetching offerings",
    b"Starting new stdio process with command",
    b"listOfferings: Found ",
    b"CreateClient completed, server stored",
];

/// Lines of mcp-remote, on standard error and in its debug log.
const REMOTE_REMARKS: [&str; 5] = [
    "[Local→Remote] ",
    "[Remote→Local] ",
    "Local → Remote message",
    "Remote → Local message",
    "Proxy established successfully between local STDIO and remote",
];

impl Foreign {
    /// The kind of a file that begins with these bytes.
    pub(crate) fn of_bytes(beginning: &[u8]) -> Option<&'static Self> {
        let mut known = MAGIC.iter();
        known
            .find(|(magic, _)| beginning.starts_with(magic))
            .map(|(_, kind)| *kind)
            .or_else(|| is_flow(beginning).then_some(&FLOWS))
            .or_else(|| is_binary(beginning).then_some(&BINARY))
    }

    /// The kind of a log that has this line.
    pub(crate) fn of_line(line: &[u8]) -> Option<&'static Self> {
        let has = |text: &[u8]| memmem::find(line, text).is_some();
        if stamped(line).is_some_and(|(_, rest)| rest.starts_with(b" ["))
            && CURSOR_REMARKS.into_iter().any(has)
        {
            return Some(&CURSOR);
        }
        if line.starts_with(b"[") && REMOTE_REMARKS.iter().any(|text| has(text.as_bytes())) {
            return Some(&MCP_REMOTE);
        }
        let line = line.trim_ascii_start();
        let is_entry = line.starts_with(b"{") && !has(b"\"jsonrpc\":");
        let has_all = || Self::of_keys(|key| has(format!("\"{key}\":").as_bytes()));
        if is_entry { has_all() } else { None }
    }

    /// The kind of a list or of lines of objects with these keys.
    pub(crate) fn of_keys(has: impl Fn(&str) -> bool) -> Option<&'static Self> {
        let is_entry = ["timestamp", "sessionId", "cwd"].into_iter().all(&has)
            && ["debug", "error"].into_iter().any(&has);
        is_entry.then_some(&CLAUDE_CODE)
    }

    /// The kind of a source without any message that begins with these bytes.
    pub(crate) fn without_message(beginning: &[u8]) -> &'static Self {
        match memchr(0, beginning) {
            Some(_) => &BINARY,
            None => &NO_CAPTURE,
        }
    }

    /// Whether nothing but the lack of messages is known of it.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        std::ptr::eq(self, &raw const NO_CAPTURE)
    }
}

/// Fits after "failed to read FILE: ".
impl fmt::Display for Foreign {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "it is {}: {}", self.described, self.advice)
    }
}

/// Whether bytes begin a flow of mitmproxy: a length, then a dictionary of named parts.
/// Whether a file begins as programs, images and databases do: with several zero bytes. A program
/// may hold messages as texts, which are no traffic.
fn is_binary(beginning: &[u8]) -> bool {
    const HEAD: usize = 64;
    const MAX_ZEROS: usize = 3;
    let head = beginning.get(..HEAD).unwrap_or(beginning);
    let is_message = matches!(head.trim_ascii_start().first(), Some(b'{' | b'['));
    !is_message && memchr_iter(0, head).count() > MAX_ZEROS
}

fn is_flow(beginning: &[u8]) -> bool {
    const PARTS: [&[u8]; 5] = [
        b"9:websocket;",
        b"8:response;",
        b"7:request;",
        b"7:version;",
        b"4:type;",
    ];
    let digits = beginning.iter().take_while(|byte| byte.is_ascii_digit());
    let Some((length, rest)) = beginning.split_at_checked(digits.count()) else {
        return false;
    };
    (1..=12).contains(&length.len())
        && rest
            .strip_prefix(b":")
            .is_some_and(|rest| PARTS.iter().any(|part| rest.starts_with(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_kinds_are_named_with_an_export_that_can_be_read() {
        for (bytes, name) in [
            (&b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00"[..], "packet capture"),
            (b"\x0a\x0d\x0d\x0a\x6c\x00\x00\x00", "packet capture"),
            (b"4242:9:websocket;0:~8:response;", "mitmproxy"),
            (b"PK\x03\x04\x14", "ZIP"),
            (b"\x1f\x8b\x08\x00", "gzip"),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0", "binary"),
        ] {
            let kind = Foreign::of_bytes(bytes).expect(name).to_string();
            assert!(kind.contains(name), "{kind}");
        }
        for (line, name) in [
            (
                "2026-03-04 09:59:48.527 [info] notes: Handling ListOfferings action",
                "Cursor",
            ),
            (
                "2026-03-04 09:59:48.527 [info] Starting new stdio process with command: npx x",
                "Cursor",
            ),
            ("[4711] [Local→Remote] tools/list", "mcp-remote"),
            (
                "[2026-03-04T09:59:48.527Z][4711] Local → Remote message",
                "mcp-remote",
            ),
            (
                r#"{"debug":"Starting connection","timestamp":"2026-03-04T09:59:48.527Z","sessionId":"a","cwd":"/"}"#,
                "Claude Code",
            ),
        ] {
            let kind = Foreign::of_line(line.as_bytes()).expect(name).to_string();
            assert!(kind.contains(name), "{kind}");
        }
        for line in [
            "",
            "{}",
            "12:30 noon",
            "2026-03-04 09:59:48.527 [info] Starting server notes",
            r#"{"jsonrpc":"2.0","error":{},"timestamp":1,"sessionId":1,"cwd":1}"#,
        ] {
            assert!(Foreign::of_line(line.as_bytes()).is_none(), "{line}");
            assert!(Foreign::of_bytes(line.as_bytes()).is_none(), "{line}");
        }
        assert!(Foreign::without_message(b"fn main() {}\n").is_unknown());
        assert!(!Foreign::without_message(b"\x7fELF\x02\x00\x00").is_unknown());
    }
}
