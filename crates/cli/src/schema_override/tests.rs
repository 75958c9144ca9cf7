//! Loading from files and from a server on this machine, and the comparison.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use mcp_assay::Revision;
use mcp_assay::json_schema::{SchemaDefinitions, SchemaError};

use super::errata::Side;
use super::fetch::{Client, follow};
use super::load::{Document, Error, OnFailure, Reading, describe, load_with};
use super::refresh::Refresher;
use super::verify::{compare, guess};

const DOCUMENT: &str =
    r#"{"$defs": {"PingRequest": {"properties": {"method": {"const": "ping"}}}}}"#;

/// A server that answers each request with the output of `answer` for its path.
fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> SocketAddr {
    serve_requests(move |request, stream| {
        answer(request.split(' ').nth(1).unwrap_or_default(), stream);
    })
}

/// A server that answers each request with the output of `answer` for its head.
fn serve_requests(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener
        .local_addr()
        .expect("a bound socket has an address");
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(mut stream), answer) = (stream, Arc::clone(&answer)) else {
                return;
            };
            thread::spawn(move || {
                let mut request = [0; 4096];
                let read = stream.read(&mut request).unwrap_or(0);
                let request = String::from_utf8_lossy(&request[..read]).into_owned();
                answer(&request, &mut stream);
            });
        }
    });
    address
}

/// The client may have hung up: some tests do so.
fn write(stream: &mut TcpStream, text: &str) {
    let _ = stream.write_all(text.as_bytes());
}

fn ok(stream: &mut TcpStream, body: &str) {
    write(
        stream,
        &format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
    );
}

fn redirect(stream: &mut TcpStream, location: &str) {
    write(
        stream,
        &format!(
            "HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        ),
    );
}

/// A client to which the given addresses are private and all others public.
fn client(private: &[SocketAddr]) -> Client {
    let private = private.to_vec();
    let is_private = Arc::new(move |address| private.contains(&address));
    Client {
        time: Duration::from_secs(5),
        most_bytes: 4096,
        is_private,
    }
}

fn load_from(
    address: SocketAddr,
    path: &str,
    client: &Client,
) -> Result<Arc<SchemaDefinitions>, Error> {
    load_with(&format!("http://{address}{path}"), client)
}

#[test]
fn a_document_comes_from_a_server_also_by_way_of_others() {
    let last = serve(|_, stream| ok(stream, DOCUMENT));
    let first = serve(move |path, stream| match path {
        "/elsewhere" => redirect(stream, &format!("http://{last}/schema.json")),
        "/a/relative" => redirect(stream, "../here?x=1#y"),
        "/here?x=1" => ok(stream, DOCUMENT),
        _ => redirect(stream, "/elsewhere"),
    });
    for path in [
        "/here?x=1",
        "/elsewhere",
        "/a/relative",
        "/twice",
        "/here?x=1#fragment",
    ] {
        let found =
            load_from(first, path, &client(&[])).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(found.knows("ping"), "{path}");
    }
}

#[test]
fn a_private_address_is_for_the_user_to_give_and_not_for_a_server() {
    let private = serve(|path, stream| {
        if path == "/loop" {
            redirect(stream, "/");
        } else {
            ok(stream, DOCUMENT);
        }
    });
    let public = serve(move |path, stream| match path {
        "/direct" => redirect(stream, &format!("http://{private}/")),
        "/by-name" => redirect(stream, &format!("http://localhost:{}/", private.port())),
        _ => redirect(stream, "/direct"),
    });
    // A name may have more than one address: the port identifies the private one.
    let guard = Client {
        is_private: Arc::new(move |address| address.port() == private.port()),
        ..client(&[])
    };
    assert!(load_from(private, "/", &guard).is_ok());
    for path in ["/direct", "/by-name", "/two-steps"] {
        let error = load_from(public, path, &guard).expect_err(path);
        assert!(
            matches!(error, Error::PrivateRedirect { .. }),
            "{path}: {error}"
        );
    }
    // Even to itself: the name might mean another machine by then.
    assert!(matches!(
        load_from(private, "/loop", &guard),
        Err(Error::PrivateRedirect { .. })
    ));
}

#[test]
fn this_machine_is_private_unless_told_otherwise() {
    let last = serve(|_, stream| ok(stream, DOCUMENT));
    let first = serve(move |_, stream| redirect(stream, &format!("http://{last}/")));
    let error = load_from(first, "/", &Client::default()).expect_err("a redirect to this machine");
    assert_eq!(
        error.to_string(),
        "fetch the schema: the server redirected to `127.0.0.1`, which is in a private network; give that address itself if you mean it"
    );
    assert!(load_from(last, "/", &Client::default()).is_ok());
}

#[test]
fn redirects_end() {
    let around = serve(|_, stream| redirect(stream, "/again"));
    assert!(matches!(
        load_from(around, "/", &client(&[])),
        Err(Error::TooManyRedirects)
    ));
    // An empty location is the same place again.
    let itself = serve(|_, stream| redirect(stream, ""));
    let error = load_from(itself, "/", &client(&[])).expect_err("a circle");
    assert!(matches!(error, Error::TooManyRedirects), "{error}");
    for location in ["file:///etc/passwd", "ftp://127.0.0.1/", "http://[::bad"] {
        let astray = serve(move |_, stream| redirect(stream, location));
        let error = load_from(astray, "/", &client(&[])).expect_err(location);
        assert!(matches!(error, Error::Address), "{location}: {error}");
    }
}

#[test]
fn what_a_server_sends_is_bounded() {
    let claims = serve(|_, stream| {
        write(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n{",
        );
    });
    assert!(matches!(
        load_from(claims, "/", &client(&[])),
        Err(Error::TooLarge)
    ));
    let chunks = serve(|_, stream| {
        write(
            stream,
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        );
        for _ in 0..100 {
            write(stream, &format!("400\r\n{}\r\n", " ".repeat(0x400)));
        }
    });
    assert!(matches!(
        load_from(chunks, "/", &client(&[])),
        Err(Error::TooLarge)
    ));
    let endless = serve(|_, stream| {
        write(stream, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
        write(stream, &" ".repeat(100_000));
    });
    assert!(matches!(
        load_from(endless, "/", &client(&[])),
        Err(Error::TooLarge)
    ));
    let exact = serve(|_, stream| {
        ok(
            stream,
            &format!("{DOCUMENT}{}", " ".repeat(4096 - DOCUMENT.len())),
        );
    });
    assert!(load_from(exact, "/", &client(&[])).is_ok());
}

#[test]
fn a_slow_server_is_left_in_time() {
    let drip = |stream: &mut TcpStream, head: &str| {
        write(stream, head);
        for _ in 0..100 {
            write(stream, " ");
            thread::sleep(Duration::from_millis(50));
        }
    };
    let slow_body =
        serve(move |_, stream| drip(stream, "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n"));
    let slow_head = serve(move |_, stream| drip(stream, "HTTP/1.1 200 OK\r\nx-slow:"));
    let slow_steps = serve(move |_, stream| {
        thread::sleep(Duration::from_millis(150));
        redirect(stream, "/again");
    });
    let hasty = Client {
        time: Duration::from_millis(400),
        ..client(&[])
    };
    for address in [slow_body, slow_head, slow_steps] {
        let start = Instant::now();
        let error = load_from(address, "/", &hasty).expect_err("too slow");
        assert!(matches!(error, Error::TimedOut), "{error}");
        assert!(
            start.elapsed() < Duration::from_secs(3),
            "{:?}",
            start.elapsed()
        );
    }
}

#[test]
fn a_bad_answer_is_told_apart() {
    let server = serve(|path, stream| match path {
        "/missing" => write(
            stream,
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        ),
        "/broken" => ok(stream, "{\"$defs\": "),
        "/page" => ok(stream, "<html>"),
        "/other" => ok(stream, r#"{"title": "not what was asked for"}"#),
        "/wrong" => ok(stream, r#"{"$defs": {"PingRequest": {"type": 7}}}"#),
        "/short" => write(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{}",
        ),
        _ => write(stream, "HELO\r\n"),
    });
    let fail = |path| load_from(server, path, &client(&[])).expect_err(path);
    assert!(matches!(fail("/missing"), Error::Status(404)));
    assert!(matches!(
        fail("/broken"),
        Error::Schema(SchemaError::NotJson { line: 1, .. })
    ));
    assert!(matches!(
        fail("/page"),
        Error::Schema(SchemaError::NotJson { line: 1, column: 1 })
    ));
    assert!(matches!(
        fail("/other"),
        Error::Schema(SchemaError::NoDefinitions)
    ));
    assert!(matches!(
        fail("/wrong"),
        Error::Schema(SchemaError::NotASchema { .. })
    ));
    assert!(matches!(fail("/short"), Error::Network(_)));
    assert!(matches!(fail("/nonsense"), Error::Network(_)));
    let gone = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a free port");
    assert!(matches!(
        load_from(gone, "/", &client(&[])),
        Err(Error::Network(_))
    ));
    assert!(matches!(
        load_with("http://", &client(&[])),
        Err(Error::Address)
    ));
}

#[test]
fn https_is_spoken_with_those_who_speak_it() {
    let plain = serve(|_, stream| ok(stream, DOCUMENT));
    let error = load_with(&format!("https://{plain}/"), &client(&[])).expect_err("not https");
    assert!(matches!(error, Error::Network(_)), "{error}");
    let downgrade = follow_from("https://example.com/a", "http://example.com/b");
    assert!(matches!(downgrade, Err(Error::InsecureRedirect)));
    let kept = follow_from("https://example.com/a/b", "../c#d").expect("a redirect");
    assert_eq!(kept, "https://example.com/c");
}

fn follow_from(from: &str, location: &str) -> Result<String, Error> {
    let from = fluent_uri::Uri::parse(from.to_owned()).expect("a URI");
    follow(&from, location).map(fluent_uri::Uri::into_string)
}

#[test]
fn a_file_is_read_within_the_same_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a name in UTF-8")
            .to_owned()
    };
    std::fs::write(path("good.json"), DOCUMENT).expect("writable");
    std::fs::write(path("large.json"), vec![b' '; (8 << 20) + 1]).expect("writable");
    assert!(load_with(&path("good.json"), &client(&[])).is_ok());
    assert!(matches!(
        load_with(&path("large.json"), &client(&[])),
        Err(Error::TooLarge)
    ));
    assert!(matches!(
        load_with(&path("none.json"), &client(&[])),
        Err(Error::File(_))
    ));
    let fallen_back = Document::open(&path("none.json"), OnFailure::FallBack).expect("reported");
    assert_eq!(fallen_back.current().generation(), 0, "the built-in model");
    let refusal = Document::open(&path("none.json"), OnFailure::Refuse);
    let refusal = refusal.err().expect("refused").to_string();
    assert!(
        refusal.contains("none.json: failed to read the schema: "),
        "{refusal}"
    );
}

#[cfg(unix)]
#[test]
fn a_file_may_be_named_by_a_url() {
    use super::load::Place;

    let place = |source: &str| Place::of(source);
    for source in [
        "file:///tmp/a%20b/schema.json",
        "FILE:///tmp/a%20b/schema.json",
        "file://localhost/tmp/a%20b/schema.json",
        "file:/tmp/a%20b/schema.json",
        "file:///tmp/a%20b/schema.json#/$defs",
    ] {
        let expected = Place::File("/tmp/a b/schema.json".into());
        assert_eq!(place(source).expect("a file"), expected, "{source}");
    }
    for source in [
        "file://elsewhere/tmp/schema.json",
        "file:schema.json",
        "file://",
        "file:///tmp/%00",
    ] {
        assert!(matches!(place(source), Err(Error::FileUrl)), "{source}");
    }
    for source in ["ftp://example.com/schema.json", "data://x"] {
        assert!(matches!(place(source), Err(Error::Address)), "{source}");
    }
    for source in ["schema.json", "a:b.json", "./file.json", "C:\\schema.json"] {
        let expected = Place::File(source.into());
        assert_eq!(place(source).expect("a path"), expected, "{source}");
    }
}

/// Demands `params` of a ping.
const DEMANDING: &str = r#"{"$defs": {"PingRequest": {"properties": {"method": {"const": "ping"}}, "required": ["params"]}}}"#;
/// A `$ref` that only the compiler follows.
const NOT_COMPILABLE: &str = r##"{"$defs": {"PingRequest": {"properties": {"method": {"const": "ping"}, "id": {"$ref": "#nowhere"}}}}}"##;

/// The rules that a ping violates under the definitions of a document.
fn ping_rules(document: &Document) -> Vec<&'static str> {
    let mut validator = mcp_assay::Validator::default();
    validator.replace_definitions(document.current() as Arc<_>);
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let checked = validator.check(&mut mcp_assay::Session::new(), &ping[..]);
    let rules = checked.violations().iter().map(|found| found.rule.name);
    rules.collect()
}

#[test]
fn a_server_is_asked_only_for_changes() {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    let address = serve_requests(move |request, stream| {
        let request = request.to_ascii_lowercase();
        let is_same = request.contains("if-none-match: \"v2\"");
        seen.lock().unwrap().push(request.clone());
        let (version, body) = if seen.lock().unwrap().len() < 2 {
            ("v1", DOCUMENT)
        } else {
            ("v2", DEMANDING)
        };
        if is_same {
            write(
                stream,
                "HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n",
            );
            return;
        }
        let date = "Mon, 16 Nov 2026 08:00:00 GMT";
        let head = format!(
            "HTTP/1.1 200 OK\r\netag: \"{version}\"\r\nlast-modified: {date}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        write(stream, &head);
    });
    let source = format!("http://{address}/schema.json");
    let mut document =
        Document::open_with(&source, OnFailure::Refuse, client(&[])).expect("served");
    assert_eq!(ping_rules(&document), [""; 0]);
    assert_eq!(document.refresh().expect("served"), Reading::Replaced);
    assert_eq!(ping_rules(&document), ["schema/override"]);
    assert_eq!(document.refresh().expect("served"), Reading::Unchanged);
    assert_eq!(ping_rules(&document), ["schema/override"]);
    let requests = requests.lock().unwrap();
    assert!(!requests[0].contains("if-"), "{}", requests[0]);
    assert!(
        requests[1].contains("if-none-match: \"v1\""),
        "{}",
        requests[1]
    );
    assert!(
        requests[1].contains("if-modified-since: mon, 16 nov 2026 08:00:00 gmt"),
        "{}",
        requests[1]
    );
}

#[test]
fn a_document_that_cannot_be_used_leaves_the_old_one_in_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("schema.json");
    let source = path.to_str().expect("a name in UTF-8");
    let put = |text: &str| std::fs::write(&path, text).expect("writable");
    put(DEMANDING);
    let mut document = Document::open(source, OnFailure::Refuse).expect("readable");
    let generation = document.current().generation();
    for broken in ["{", "[]", NOT_COMPILABLE] {
        put(broken);
        assert!(document.refresh().is_err(), "{broken}");
        assert_eq!(document.current().generation(), generation, "{broken}");
        assert_eq!(ping_rules(&document), ["schema/override"], "{broken}");
    }
    std::fs::remove_file(&path).expect("it is there");
    assert!(document.refresh().is_err());
    assert_eq!(ping_rules(&document), ["schema/override"]);
    put(DEMANDING);
    assert_eq!(document.refresh().expect("readable"), Reading::Unchanged);
    put(DOCUMENT);
    assert_eq!(document.refresh().expect("readable"), Reading::Replaced);
    assert_eq!(ping_rules(&document), [""; 0]);
}

#[test]
fn a_document_that_cannot_be_compiled_is_no_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("schema.json");
    std::fs::write(&path, NOT_COMPILABLE).expect("writable");
    let refused = Document::open(path.to_str().expect("UTF-8"), OnFailure::Refuse);
    let refusal = refused.err().expect("refused").to_string();
    assert!(refusal.contains("failed to use the schema"), "{refusal}");
}

#[test]
fn the_refresher_reads_when_asked_and_at_intervals() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("schema.json");
    let source = path.to_str().expect("a name in UTF-8");
    std::fs::write(&path, DOCUMENT).expect("writable");
    for every in [None, Some(Duration::from_millis(1))] {
        std::fs::write(&path, DOCUMENT).expect("writable");
        let document = Document::open(source, OnFailure::Refuse).expect("readable");
        let (said, heard) = mpsc::channel();
        let refresher = Refresher::start_with(document, every, move |text| {
            let _ = said.send(text);
        });
        let refresher = refresher.expect("a thread");
        let next = || {
            if every.is_none() {
                refresher.wake();
            }
            heard.recv().expect("it says so")
        };
        std::fs::write(path.with_extension("new"), DEMANDING).expect("writable");
        std::fs::rename(path.with_extension("new"), &path).expect("renamed");
        assert!(next().ends_with("the new definitions are in force"));
        std::fs::write(&path, "{").expect("writable");
        let failure = next();
        assert!(
            failure.ends_with("; the definitions before it stay in force"),
            "{failure}"
        );
    }
}

#[test]
fn credentials_are_not_shown() {
    let shown = describe("https://user:secret@example.com/a@b", &Error::TimedOut).to_string();
    assert_eq!(
        shown,
        "https://example.com/a@b: failed to fetch the schema: the server took too long"
    );
}

/// Our own export of a revision, as a document.
fn exported(revision: Revision, edit: impl FnOnce(&mut serde_json::Value)) -> SchemaDefinitions {
    let mut document =
        serde_json::from_str(&mcp_assay::schema::export(revision)).expect("the export is JSON");
    edit(&mut document);
    SchemaDefinitions::new(document.to_string().as_bytes()).expect("the export is a document")
}

#[test]
fn the_revision_of_a_document_is_guessed() {
    for revision in Revision::ALL {
        assert_eq!(guess(&exported(revision, |_| ())), Some(revision));
    }
    assert_eq!(
        guess(&SchemaDefinitions::new(DOCUMENT.as_bytes()).expect("a document")),
        None
    );
}

#[test]
fn a_change_of_the_document_is_found_at_its_place() {
    let revision = Revision::V2025_06_18;
    let key = |document: &serde_json::Value| {
        if document.get("$defs").is_some() {
            "$defs"
        } else {
            "definitions"
        }
    };
    let stricter = exported(revision, |document| {
        let key = key(document);
        document[key]["CallToolRequest"]["properties"]["params"] =
            serde_json::json!({"required": ["name", "wish"]});
    });
    let found = compare(&stricter, revision, 0);
    assert!(found.compared > 1000, "{}", found.compared);
    let kinds: Vec<_> = found.disagreements.keys().collect();
    assert!(
        kinds.iter().any(|kind| kind.definition == "CallToolRequest"
            && kind.pointer == "/params"
            && kind.side == Side::Looser),
        "{kinds:?}"
    );
    assert!(
        kinds
            .iter()
            .all(|kind| kind.definition == "CallToolRequest"),
        "{kinds:?}"
    );
}

/// `MCP_ASSAY_OFFICIAL` names the folder of the official schemas, which are not part of this
/// repository.
#[test]
fn the_model_agrees_with_the_official_schemas() {
    let Some(folder) = std::env::var_os("MCP_ASSAY_OFFICIAL").filter(|folder| !folder.is_empty())
    else {
        // Written past the test harness, which hides the output of tests that pass.
        let why = "skipped: MCP_ASSAY_OFFICIAL does not name the folder of the official schemas";
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{why}\n"));
        return;
    };
    for revision in Revision::ALL {
        let path = std::path::Path::new(&folder)
            .join(revision.name())
            .join("schema.json");
        let document = std::fs::read(&path).expect("the official schema can be read");
        let definitions =
            SchemaDefinitions::new(&document).expect("the official schema can be used");
        assert_eq!(guess(&definitions), Some(revision));
        let found = compare(&definitions, revision, 1000);
        let kinds: Vec<_> = found
            .disagreements
            .iter()
            .map(|(kind, example)| (kind, &example.message))
            .collect();
        assert!(
            kinds.is_empty(),
            "{revision}: {} kinds of disagreement, such as {:#?}",
            kinds.len(),
            &kinds[..kinds.len().min(8)]
        );
        assert!(found.compared > 10_000, "{revision}: {}", found.compared);
    }
}
