//! The gateway as a library: a guard as the checker, and records in memory.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

use mcp_assay::Policy;
use mcp_assay_gateway::{Gateway, Options, Upstream};
use mcp_assay_live::guard::{Guard, Mode};
use mcp_assay_testkit::http::client::Client;
use mcp_assay_testkit::http::server::Server;
use mcp_assay_testkit::http::sound::{INITIALIZE, INITIALIZE_RESULT};
use tokio::net::TcpListener;
use tokio::sync::Notify;

const NAMELESS: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}"#;

#[test]
fn a_guard_decides_and_every_part_is_recorded() {
    for mode in Mode::ALL {
        let server = Server::sound();
        let records = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&records);
        let upstream = Upstream::new("", &server.url()).unwrap();
        let gateway = Gateway::new(vec![upstream], Options::default())
            .unwrap()
            .checker(Box::new(Guard::new(Policy::default(), mode)))
            .recording(Box::new(move |record| {
                written.lock().unwrap().push(record.to_owned());
            }));
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let (here, address) = channel();
        let serving = thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            runtime.enable_all().build().unwrap().block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                here.send(listener.local_addr().unwrap()).unwrap();
                let serving = gateway.serve(listener, async || stopped.notified().await);
                serving.await.unwrap()
            })
        });
        let mut client = Client::new(address.recv().unwrap());
        assert_eq!(client.post("", INITIALIZE).text(), INITIALIZE_RESULT);
        let answer = client.post("", NAMELESS).text();
        let is_refused = mode == Mode::Enforce;
        let refusal = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"#;
        assert_eq!(answer.starts_with(refusal), is_refused, "{answer}");
        drop(client);
        stop.notify_one();
        let ended = serving.join().unwrap();
        assert_eq!((ended.unchecked, ended.evicted), (0, 0));
        let came = server
            .requests()
            .iter()
            .any(|request| request.text() == NAMELESS);
        assert_eq!(came, !is_refused, "{mode:?}");
        let records = records.lock().unwrap();
        assert!(records[0].contains(r#""method":"POST""#), "{records:?}");
        assert!(records.iter().any(|record| record.contains(r#"\"id\":7"#)));
        assert!(records.iter().all(|record| record.ends_with("}\n")));
    }
}
