//! The stream adapter in front of a server on a pair of streams.

use std::sync::{Arc, Mutex};

use mcp_assay::{Policy, RefusalStatus};
use mcp_assay_live::guard::{Judged, Mode};
use mcp_assay_tokio::{Options, assay_io};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use mcp_assay_testkit::http::sound::{INITIALIZED, PING, PONG};

use crate::counters::Numbers;
use crate::table::{Case, MAX_MESSAGE, Sender};
use crate::{Outcome, initialize, logged, provocation, server_answer, welcome};

pub(crate) fn run(case: &Case, _: RefusalStatus) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(session(case))
}

async fn session(case: &Case) -> Outcome {
    let mut policy = Policy::default();
    policy.limits.bytes = MAX_MESSAGE;
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&log);
    let mut options = Options::server()
        .policy(policy)
        .mode(Mode::Enforce)
        .reporter(move |_: Option<&str>, judged: &Judged<'_>| {
            seen.lock().unwrap().extend(logged(judged));
        });
    if case.rule.is_none() {
        options = options.definitions(Arc::new(mcp_assay_testkit::failing::Defect));
    }
    let (near, far) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(far);
    let (read, mut write) = assay_io(read, write, options);
    let server = async {
        let (mut lines, mut got) = (BufReader::new(read).lines(), Vec::new());
        while let Some(line) = lines.next_line().await.unwrap() {
            if let Some(answer) = server_answer(case, &line) {
                write
                    .write_all(format!("{answer}\n").as_bytes())
                    .await
                    .unwrap();
                write.flush().await.unwrap();
            }
            got.push(line);
        }
        got
    };
    let client = async {
        let (read, mut write) = tokio::io::split(near);
        let mut read = BufReader::new(read).lines();
        let mut say = async |line: &str| {
            write
                .write_all(format!("{line}\n").as_bytes())
                .await
                .unwrap();
        };
        say(&initialize(case.revision)).await;
        let line = read.next_line().await.unwrap();
        assert_eq!(line, Some(welcome(case.revision)));
        for line in [INITIALIZED, provocation(case), PING] {
            say(line).await;
        }
        // The server answers in order: everything before this is done.
        let mut lines: Vec<String> = Vec::new();
        while let Some(line) = read.next_line().await.unwrap().filter(|line| line != PONG) {
            lines.push(line);
        }
        write.shutdown().await.unwrap();
        lines
    };
    let (got, mut lines) = tokio::join!(server, client);
    assert!(lines.len() <= 1, "{lines:?}");
    Outcome {
        reached: match case.sender {
            Sender::Client => got.contains(&case.message),
            Sender::Server => lines.contains(&case.message),
        },
        answer: lines.pop(),
        status: None,
        log: log.lock().unwrap().clone(),
        numbers: Numbers::new(),
    }
}
