//! A warm validator allocates nothing for a valid message, and an idle session holds little memory.

#![expect(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

use mcp_assay::{
    Carrier, Direction, Frame, Headers, Http, MessageKind, Part, Revision, Session, Validator,
    Verdict,
};
use mcp_assay_testkit::{Failures, message_validator, messages};

/// Passes everything on and counts.
struct Counting;

thread_local! {
    /// Of this thread alone: the one that runs the tests allocates, too.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// The bytes that are allocated; wraps if memory of another thread is freed.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

fn count(allocated: usize) {
    // A thread that is ending has no counter any more, and nobody asks for it.
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_add(allocated)));
}

fn release(freed: usize) {
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_sub(freed)));
}

// SAFETY: every call is passed on to the system allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        release(layout.size());
        // SAFETY: the pointer came from `alloc` or `realloc` above, that is from the system
        // allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        release(layout.size());
        count(size);
        // SAFETY: the pointer came from `alloc` or `realloc` above, that is from the system
        // allocator.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often a message is checked before it counts: buffers of the tape and of open requests have
/// grown by then.
const WARM_UP: usize = 3;

#[test]
fn a_valid_message_allocates_nothing() {
    assert!(
        allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0,
        "the allocator counts"
    );
    let mut failures = Failures::default();
    for revision in Revision::ALL {
        let mut validator = message_validator();
        let mut session = Session::new();
        let mut count = 0;
        for message in messages(revision, 2000) {
            let mut check = || {
                validator
                    .check(&mut session, Frame::of_invented(&message))
                    .verdict()
            };
            for _ in 0..WARM_UP {
                check();
            }
            let made = allocations(|| assert_eq!(check(), Verdict::Pass));
            let mut first = allocations(|| {
                assert!(
                    validator
                        .first_violation(&session, Frame::of_invented(&message))
                        .is_none()
                );
            });
            if message.kind == MessageKind::Batch {
                // Its messages are checked one after the other, in a copy of the session.
                first = 0;
            }
            count += 1;
            if made + first > 0 {
                let kind = format!("{revision} {} {}", message.kind.name(), message.method.name);
                failures.add(kind, || {
                    format!("{made} in check, {first} in first_violation: {message:?}")
                });
            }
        }
        assert!(count > 3000, "only {count} messages in {revision}");
    }
    failures.finish();
}

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Messages that a client and a server repeat, with ids that count up.
const ROUND: &[(Direction, &str)] = &[
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":ID1,"method":"tools/list"}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":ID1,"result":{"tools":[{"name":"count","description":"Counts \"words\".","inputSchema":{"type":"object","properties":{"text":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":0}},"required":["text"]},"outputSchema":{"type":"object","properties":{"words":{"type":"integer"}},"required":["words"]}}]}}"#,
    ),
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":ID2,"method":"tools/call","params":{"name":"count","arguments":{"text":"one \"two\" three","limit":9}}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"a","data":"counting"}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":ID2,"result":{"content":[{"type":"text","text":"{\"words\":3}"}],"structuredContent":{"words":3}}}"#,
    ),
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":ID3,"method":"resources/read","params":{"uri":"file:///a/b.txt"}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":ID3,"result":{"contents":[{"uri":"file:///a/b.txt","mimeType":"text/plain","text":"caf\u00e9\n"}]}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":ROUND,"method":"ping"}"#,
    ),
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":ROUND,"result":{}}"#,
    ),
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":ID4,"method":"prompts/get","params":{"name":"none"}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":ID4,"error":{"code":-32602,"message":"Unknown prompt"}}"#,
    ),
];

const HANDSHAKE: &[(Direction, &str)] = &[
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
    ),
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ),
];

#[test]
fn a_session_under_all_rules_allocates_nothing_once_it_is_warm() {
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let mut failures = Failures::default();
    for (direction, message) in HANDSHAKE {
        let frame = Frame::new(message.as_bytes()).direction(*direction);
        assert_eq!(
            validator.check(&mut session, frame).verdict(),
            Verdict::Pass
        );
    }
    for round in 0..30 {
        for (direction, message) in ROUND {
            let numbered = (1..=4).fold(
                message.replace("ROUND", &round.to_string()),
                |text, position| {
                    text.replace(
                        &format!("ID{position}"),
                        &(round * 4 + position).to_string(),
                    )
                },
            );
            let frame = Frame::new(numbered.as_bytes()).direction(*direction);
            let made = allocations(|| {
                let checked = validator.check(&mut session, frame);
                assert_eq!(checked.verdict(), Verdict::Pass, "{numbered}");
            });
            if round >= 10 && made > 0 {
                failures.add((*message).to_owned(), || format!("{made} in round {round}"));
            }
        }
    }
    failures.finish();
}

/// The bytes that a session holds for itself, with its own, after a handshake.
fn held_after_handshake(revision: Revision, over_http: bool) -> usize {
    let mut validator = Validator::default();
    let mut shake = |session: &mut Session| {
        let mut time = Duration::ZERO;
        for (exchange, (direction, message)) in
            [(1, HANDSHAKE[0]), (1, HANDSHAKE[1]), (2, HANDSHAKE[2])]
        {
            let text = message.replace("2025-11-25", revision.name());
            let (session_id, version) = ("5f0c1d5e-3a3b-4a79-9d52-2f2c3c1a7e10", revision.name());
            let request = [
                ("host", "localhost:3000"),
                ("accept", "application/json, text/event-stream"),
                ("content-type", "application/json"),
                ("mcp-session-id", session_id),
                ("mcp-protocol-version", version),
            ];
            let response = [
                ("content-type", "application/json"),
                ("mcp-session-id", session_id),
            ];
            let part = match direction {
                Direction::ClientToServer => Part::Request {
                    method: "POST",
                    path: "/mcp",
                    headers: Headers(if exchange == 1 {
                        &request[..3]
                    } else {
                        &request
                    }),
                },
                Direction::ServerToClient => Part::Response {
                    status: 200,
                    headers: Headers(&response),
                    streamed: false,
                },
            };
            let http = Http::new(Some(exchange), part);
            let frame = if over_http {
                Frame::over_http(text.as_bytes(), &http)
            } else {
                Frame::new(text.as_bytes()).carrier(Carrier::Stdio)
            };
            let checked = validator.check(session, frame.direction(direction).time(time));
            assert!(checked.violations().is_empty(), "{text}");
            time += Duration::from_millis(3);
        }
        if over_http {
            let part = Part::Response {
                status: 202,
                headers: Headers(&[]),
                streamed: false,
            };
            let http = Http::new(Some(2), part);
            let frame = Frame::without_message(&http).direction(Direction::ServerToClient);
            let checked = validator.check(session, frame.time(time));
            assert!(checked.violations().is_empty());
        }
        session.release_buffers();
    };
    // The buffers of the validator have grown when it counts.
    shake(&mut Session::new());
    let before = HELD.get();
    let mut session = Session::new();
    shake(&mut session);
    size_of::<Session>() + HELD.get().wrapping_sub(before)
}

#[test]
fn a_session_that_only_shook_hands_holds_at_most_a_kilobyte() {
    for revision in Revision::ALL {
        if revision.has(mcp_assay::model::Fact::Handshake) {
            let line = held_after_handshake(revision, false);
            // The id of the session, its endpoint and the agreed version come on top.
            let http = held_after_handshake(revision, true);
            println!("{revision}: {line} bytes on stdio, {http} over HTTP");
            assert!(line <= 1024 && http <= 1024, "{revision}: {line}, {http}");
        }
    }
}
