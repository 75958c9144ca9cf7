//! A pair of streams that is judged: what the program reads, what the peer gets.

use std::sync::{Arc, Mutex};

use mcp_assay::json_schema::SchemaDefinitions;
use mcp_assay::{CurrentDefinitions, Verdict};
use mcp_assay_live::guard::{Judged, Mode};
use mcp_assay_testkit::failing::Defect;
use mcp_assay_tokio::{AssayRead, AssayWrite, Options, assay_io};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
const NAMELESS: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}"#;
const BAD_PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":7}"#;

type Told = Arc<Mutex<Vec<&'static str>>>;

/// A program and its peer, and the first rule that each message violates.
struct Pair {
    read: BufReader<AssayRead<ReadHalf<DuplexStream>>>,
    write: AssayWrite,
    peer_read: BufReader<ReadHalf<DuplexStream>>,
    peer_write: WriteHalf<DuplexStream>,
    told: Told,
}

fn pair(options: Options) -> Pair {
    let told = Told::default();
    let rules = Arc::clone(&told);
    let options = options.reporter(move |_: Option<&str>, judged: &Judged<'_>| {
        if judged.checked.verdict() == Verdict::Block {
            let first = judged.checked.violations().first();
            let mut rules = rules.lock().unwrap();
            rules.extend(first.map(|violation| violation.rule.name));
        }
    });
    // Small, so that writing has to wait.
    let (ours, theirs) = tokio::io::duplex(64);
    let (read, write) = tokio::io::split(ours);
    let (read, write) = assay_io(read, write, options);
    let (peer_read, peer_write) = tokio::io::split(theirs);
    Pair {
        read: BufReader::new(read),
        write,
        peer_read: BufReader::new(peer_read),
        peer_write,
        told,
    }
}

/// Reads until no more comes, as a server does.
async fn rest(read: &mut (impl AsyncBufReadExt + Unpin)) -> String {
    let mut text = String::new();
    read.read_to_string(&mut text).await.unwrap();
    text
}

async fn line(read: &mut (impl AsyncBufReadExt + Unpin)) -> String {
    let mut line = String::new();
    read.read_line(&mut line).await.unwrap();
    line
}

#[tokio::test]
async fn shadow_passes_every_byte_and_tells() {
    let Pair {
        mut read,
        mut write,
        mut peer_read,
        mut peer_write,
        told,
    } = pair(Options::server());
    let sent = format!("{NAMELESS}\nnot JSON\r\n\n{PING}");
    let writing = async {
        for byte in sent.as_bytes() {
            peer_write.write_all(&[*byte]).await.unwrap();
        }
        peer_write.shutdown().await.unwrap();
    };
    let mut got = String::new();
    let ((), count) = tokio::join!(writing, read.read_to_string(&mut got));
    count.unwrap();
    assert_eq!(got, sent);
    let answer = format!("{BAD_PONG}\n");
    let writing = async {
        write.write_all(answer.as_bytes()).await.unwrap();
        write.shutdown().await.unwrap();
    };
    let mut got = String::new();
    let ((), count) = tokio::join!(writing, peer_read.read_to_string(&mut got));
    count.unwrap();
    assert_eq!(got, answer);
    let told = told.lock().unwrap();
    let expected = [
        "schema/missing-member",
        "framing/stdin-messages-only",
        "framing/final-newline",
        "jsonrpc/result-object",
    ];
    assert_eq!(*told, expected);
}

#[tokio::test]
async fn a_server_gets_only_what_is_valid_and_the_client_is_answered() {
    let Pair {
        mut read,
        write,
        mut peer_read,
        mut peer_write,
        told,
    } = pair(Options::server().mode(Mode::Enforce));
    let sending = async {
        let lines = format!("{NAMELESS}\n{PING}\n");
        peer_write.write_all(lines.as_bytes()).await.unwrap();
        peer_write.shutdown().await.unwrap();
    };
    // The program writes nothing: the answer goes out all the same.
    let ((), refusal, passed) = tokio::join!(sending, line(&mut peer_read), rest(&mut read));
    assert!(
        refusal.starts_with(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"#),
        "{refusal}"
    );
    assert_eq!(passed, format!("{PING}\n"));
    assert_eq!(*told.lock().unwrap(), ["schema/missing-member"]);
    drop((read, write));
    assert_eq!(line(&mut peer_read).await, "");
}

#[tokio::test]
async fn a_bad_answer_of_a_server_is_replaced() {
    let Pair {
        mut read,
        mut write,
        mut peer_read,
        mut peer_write,
        ..
    } = pair(Options::server().mode(Mode::Enforce));
    let ping = format!("{PING}\n");
    peer_write.write_all(ping.as_bytes()).await.unwrap();
    assert_eq!(line(&mut read).await, ping);
    let writing = async {
        // In pieces: nothing goes out before the line is whole.
        let (first, last) = BAD_PONG.split_at(10);
        write.write_all(first.as_bytes()).await.unwrap();
        write.write_all(last.as_bytes()).await.unwrap();
        write.write_all(b"\n").await.unwrap();
        write.flush().await.unwrap();
    };
    let ((), answer) = tokio::join!(writing, line(&mut peer_read));
    assert!(
        answer.starts_with(r#"{"jsonrpc":"2.0","id":1,"error":"#),
        "{answer}"
    );
}

#[tokio::test]
async fn a_client_that_asks_wrongly_is_answered_without_the_server() {
    let Pair {
        mut read,
        mut write,
        mut peer_read,
        mut peer_write,
        ..
    } = pair(Options::client().mode(Mode::Enforce));
    // The answer is there for a reader that waits already: the readers are polled first.
    let asking = async {
        let lines = format!("{NAMELESS}\n{PING}\n");
        write.write_all(lines.as_bytes()).await.unwrap();
        write.flush().await.unwrap();
    };
    let (refusal, passed, ()) = tokio::join!(line(&mut read), line(&mut peer_read), asking);
    assert!(
        refusal.starts_with(r#"{"jsonrpc":"2.0","id":2,"error":"#),
        "{refusal}"
    );
    assert_eq!(passed, format!("{PING}\n"));
    // Text is no message, and does not reach the client.
    let lines = format!("listening\n{PONG}\n");
    peer_write.write_all(lines.as_bytes()).await.unwrap();
    assert_eq!(line(&mut read).await, format!("{PONG}\n"));
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_the_next_passes() {
    let mut policy = mcp_assay::Policy::default();
    policy.limits.bytes = 1000;
    let Pair {
        mut read,
        mut peer_read,
        mut peer_write,
        told,
        write: _write,
    } = pair(Options::server().policy(policy).mode(Mode::Enforce));
    let sending = async {
        let lines = format!("{{\"id\":3,\"x\":\"{}\"}}\n{PING}\n", "x".repeat(100_000));
        peer_write.write_all(lines.as_bytes()).await.unwrap();
        peer_write.shutdown().await.unwrap();
    };
    let ((), refusal, passed) = tokio::join!(sending, line(&mut peer_read), rest(&mut read));
    assert!(refusal.contains("json/size-limit"), "{refusal}");
    assert_eq!(passed, format!("{PING}\n"));
    assert_eq!(*told.lock().unwrap(), ["json/size-limit"]);
}

/// A hundred and fifty warnings, then an error; an id that is no JSON; a batch that uses an id
/// twice.
#[tokio::test]
async fn nothing_talks_its_way_past() {
    let keys = r#""k":0,"#.repeat(150);
    let crowded =
        format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{{keys}"z":1}}}}"#);
    let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    let welcome = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    for (sent, begins, holds) in [
        (
            crowded,
            r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"#,
            "schema/missing-member",
        ),
        (
            r#"{"jsonrpc":"2.0","id":00,"method":"ping"}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#,
            "json/well-formed",
        ),
        (
            format!("[{ping},{ping}]"),
            r#"[{"jsonrpc":"2.0","id":7,"error":"#,
            "request/id-unique-in-session",
        ),
    ] {
        let Pair {
            mut read,
            mut write,
            mut peer_read,
            mut peer_write,
            ..
        } = pair(Options::server().mode(Mode::Enforce));
        let opening = async {
            let line = format!("{initialize}\n");
            peer_write.write_all(line.as_bytes()).await.unwrap();
        };
        tokio::join!(opening, line(&mut read));
        let answering = async {
            let line = format!("{welcome}\n");
            write.write_all(line.as_bytes()).await.unwrap();
            write.flush().await.unwrap();
        };
        tokio::join!(answering, line(&mut peer_read));
        let sending = async {
            let lines = format!("{initialized}\n{sent}\n");
            peer_write.write_all(lines.as_bytes()).await.unwrap();
            peer_write.shutdown().await.unwrap();
        };
        let ((), passed, refusal) = tokio::join!(sending, rest(&mut read), line(&mut peer_read));
        assert_eq!(passed.trim_end(), initialized);
        assert!(refusal.starts_with(begins), "{refusal}");
        assert!(refusal.contains(holds), "{refusal}");
    }
}

#[tokio::test]
async fn a_message_whose_check_fails_is_refused_by_enforce_alone() {
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"defect"}"#;
    for mode in Mode::ALL {
        let Pair {
            mut read,
            write,
            mut peer_read,
            mut peer_write,
            ..
        } = pair(Options::server().mode(mode).definitions(Arc::new(Defect)));
        let sending = async {
            let lines = format!("{call}\n{PING}\n");
            peer_write.write_all(lines.as_bytes()).await.unwrap();
            peer_write.shutdown().await.unwrap();
        };
        if mode == Mode::Shadow {
            let ((), passed) = tokio::join!(sending, rest(&mut read));
            assert_eq!(passed, format!("{call}\n{PING}\n"));
            continue;
        }
        let ((), passed, refused) = tokio::join!(sending, rest(&mut read), line(&mut peer_read));
        assert_eq!(passed, format!("{PING}\n"));
        let expected = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"#;
        assert!(refused.starts_with(expected), "{refused}");
        drop(write);
    }
}

/// A ping as a document describes it, with further keywords.
fn ping_document(keywords: &str) -> Arc<SchemaDefinitions> {
    let document = format!(
        r#"{{"$defs":{{"PingRequest":{{"properties":{{"method":{{"const":"ping"}}}}{keywords}}}}}}}"#
    );
    Arc::new(SchemaDefinitions::new(document.as_bytes()).unwrap())
}

#[tokio::test]
async fn definitions_from_outside_are_replaced_while_a_stream_flows() {
    let current = Arc::new(CurrentDefinitions::new(ping_document("")));
    let Pair {
        mut read,
        write: _write,
        mut peer_read,
        mut peer_write,
        ..
    } = pair(
        Options::server()
            .mode(Mode::Enforce)
            .definitions(Arc::clone(&current) as Arc<_>),
    );
    let first = format!("{PING}\n");
    let ((), passed) = tokio::join!(
        async { peer_write.write_all(first.as_bytes()).await.unwrap() },
        line(&mut read)
    );
    assert_eq!(passed.trim_end(), PING);
    current.replace(ping_document(r#","required":["params"]"#));
    let second = first.replace("\"id\":1", "\"id\":2");
    let sending = async {
        peer_write.write_all(second.as_bytes()).await.unwrap();
        peer_write.shutdown().await.unwrap();
    };
    let ((), passed, refused) = tokio::join!(sending, rest(&mut read), line(&mut peer_read));
    assert_eq!(passed, "");
    assert!(refused.contains("schema/override"), "{refused}");
}
