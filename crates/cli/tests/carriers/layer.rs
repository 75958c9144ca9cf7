//! The tower layer around a service.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use mcp_assay::{Policy, RefusalStatus};
use mcp_assay_live::guard::{Judged, Mode};
use mcp_assay_tower::{AssayLayer, RequestBody};
use tower::{Layer as _, ServiceExt as _, service_fn};

use mcp_assay_testkit::http::sound::{INITIALIZED, PING, PONG};

use crate::counters::Numbers;
use crate::table::{Case, MAX_MESSAGE, Sender};
use crate::{Outcome, SESSION, initialize, logged, provocation, server_answer};

pub(crate) fn run(case: &Case, status: RefusalStatus) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(exchange(case, status))
}

async fn exchange(case: &Case, status: RefusalStatus) -> Outcome {
    let mut policy = Policy::default();
    policy.limits.bytes = MAX_MESSAGE;
    policy.refusal_status = status;
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&log);
    let mut layer = AssayLayer::new(policy, Mode::Enforce).reporter(
        move |_: Option<&str>, judged: &Judged<'_>| seen.lock().unwrap().extend(logged(judged)),
    );
    if case.rule.is_none() {
        layer = layer.definitions(Arc::new(mcp_assay_testkit::failing::Defect));
    }
    let requests = Mutex::new(Vec::new());
    let service = layer.layer(service_fn(
        |request: Request<RequestBody<Full<Bytes>>>| async {
            let body = request.into_body().collect().await.unwrap().to_bytes();
            let text = String::from_utf8(body.to_vec()).unwrap();
            let response = match server_answer(case, &text) {
                Some(body) => Response::builder()
                    .header("content-type", "application/json")
                    .header("mcp-session-id", SESSION)
                    .body(Full::<Bytes>::from(body)),
                None => Response::builder().status(202).body(Full::default()),
            };
            requests.lock().unwrap().push(text);
            Ok::<_, Infallible>(response.unwrap())
        },
    ));
    let post = async |session: bool, message: &str| {
        let mut request = Request::post("/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("host", "localhost");
        if session {
            request = request.header("mcp-session-id", SESSION);
            if case.revision > "2025-03-26" {
                request = request.header("mcp-protocol-version", case.revision);
            }
        }
        let request = request
            .body(Full::<Bytes>::from(message.to_owned()))
            .unwrap();
        let response = service.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    };
    post(false, &initialize(case.revision)).await;
    post(true, INITIALIZED).await;
    let (status, text) = post(true, provocation(case)).await;
    assert_eq!(post(true, PING).await.1, PONG, "the session goes on");
    let requests = requests.lock().unwrap();
    Outcome {
        reached: match case.sender {
            Sender::Client => requests.contains(&case.message),
            Sender::Server => text == case.message,
        },
        answer: (!text.is_empty()).then_some(text),
        status: Some(status),
        log: log.lock().unwrap().clone(),
        numbers: Numbers::new(),
    }
}
