//! The stream adapter in front of a server on a pair of streams.

use std::sync::{Arc, Mutex};

use mcp_assay_live::guard::{Judged, Mode};
use mcp_assay_testkit::http::sound;
use mcp_assay_tokio::{Options, assay_io};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use super::lenient::Received;
use super::table::Attack;
use super::{GOOD, GOOD_RESULT, Outcome, answer, provocation};
use crate::table::Sender;

pub(super) fn run(attack: &Attack, mode: Mode) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(session(attack, mode))
}

async fn session(attack: &Attack, mode: Mode) -> Outcome {
    let report = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&report);
    let options =
        Options::server()
            .mode(mode)
            .reporter(move |_: Option<&str>, judged: &Judged<'_>| {
                seen.lock().unwrap().extend(judged.in_words());
            });
    let (near, far) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(far);
    let (read, mut write) = assay_io(read, write, options);
    let server = async {
        let (mut read, mut got) = (BufReader::new(read), Vec::new());
        loop {
            let before = got.len();
            if read.read_until(b'\n', &mut got).await.unwrap() == 0 {
                return got;
            }
            let line = String::from_utf8_lossy(&got[before..]).into_owned();
            let mut sent = match attack.sender {
                Sender::Server if line.contains("\"tools/list\"") => attack.bytes.clone(),
                _ => answer(&line).unwrap_or_default().into_bytes(),
            };
            if !sent.is_empty() {
                sent.push(b'\n');
                write.write_all(&sent).await.unwrap();
                write.flush().await.unwrap();
            }
        }
    };
    let client = async {
        let (read, mut write) = tokio::io::split(near);
        let mut read = BufReader::new(read);
        let mut until = async |last: &str| {
            let mut bytes = Vec::new();
            while !bytes.ends_with(format!("{last}\n").as_bytes()) {
                let count = read.read_until(b'\n', &mut bytes).await.unwrap();
                assert!(count > 0, "{bytes:?}");
            }
            bytes
        };
        let open = format!("{}\n", sound::INITIALIZE);
        write.write_all(open.as_bytes()).await.unwrap();
        until(sound::INITIALIZE_RESULT).await;
        let opened = format!("{}\n", sound::INITIALIZED);
        let parts = [
            opened.as_bytes(),
            provocation(attack),
            b"\n",
            GOOD.as_bytes(),
            b"\n",
        ];
        write.write_all(&parts.concat()).await.unwrap();
        let got = until(GOOD_RESULT).await;
        write.shutdown().await.unwrap();
        got
    };
    let (to_server, to_client) = tokio::join!(server, client);
    let received = match attack.sender {
        Sender::Client => to_server,
        Sender::Server => to_client,
    };
    let report = report.lock().unwrap().clone();
    Outcome {
        received: vec![Received::line(received)],
        report,
    }
}
