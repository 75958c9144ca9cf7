//! The tower layer around a service.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use mcp_assay::Policy;
use mcp_assay_live::guard::{Judged, Mode};
use mcp_assay_testkit::http::sound;
use mcp_assay_tower::{AssayLayer, RequestBody};
use tower::{Layer as _, ServiceExt as _, service_fn};

use super::lenient::Received;
use super::table::Attack;
use super::{GOOD, Outcome, answer, provocation};
use crate::table::Sender;

pub(super) fn run(attack: &Attack, mode: Mode) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(exchange(attack, mode))
}

async fn exchange(attack: &Attack, mode: Mode) -> Outcome {
    let report = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&report);
    let layer = AssayLayer::new(Policy::default(), mode).reporter(
        move |_: Option<&str>, judged: &Judged<'_>| {
            seen.lock().unwrap().extend(judged.in_words());
        },
    );
    let requests = Mutex::new(Vec::new());
    let service = layer.layer(service_fn(
        |request: Request<RequestBody<Full<Bytes>>>| async {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let text = String::from_utf8_lossy(&body).into_owned();
            requests
                .lock()
                .unwrap()
                .push(received(&head.headers, &body));
            let mut response = Response::builder().header("mcp-session-id", "s");
            let body = match answer(&text) {
                _ if attack.sender == Sender::Server && text.contains("\"tools/list\"") => {
                    for (name, value) in attack.headers {
                        response = response.header(*name, *value);
                    }
                    attack.bytes.clone()
                }
                Some(body) => {
                    response = response.header("content-type", "application/json");
                    body.into_bytes()
                }
                None => {
                    response = response.status(202);
                    Vec::new()
                }
            };
            Ok::<_, Infallible>(response.body(Full::<Bytes>::from(body)).unwrap())
        },
    ));
    let json = [("content-type", "application/json")];
    let post = async |headers: &[(&str, &str)], message: &[u8]| {
        let mut request = Request::post("/mcp")
            .header("accept", "application/json, text/event-stream")
            .header("host", "localhost");
        if !message.starts_with(sound::INITIALIZE.as_bytes()) {
            request = request
                .header("mcp-session-id", "s")
                .header("mcp-protocol-version", "2025-06-18");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::<Bytes>::from(message.to_vec())).unwrap();
        let response = service.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        received(&head.headers, &body)
    };
    post(&json, sound::INITIALIZE.as_bytes()).await;
    post(&json, sound::INITIALIZED.as_bytes()).await;
    let kind = match attack.sender {
        Sender::Client => attack.headers,
        Sender::Server => &json,
    };
    let attacked = post(kind, provocation(attack)).await;
    let good = post(&json, GOOD.as_bytes()).await;
    let received = match attack.sender {
        Sender::Client => requests.lock().unwrap().drain(2..).collect(),
        Sender::Server => vec![attacked, good],
    };
    let report = report.lock().unwrap().clone();
    Outcome { received, report }
}

fn received(headers: &HeaderMap, body: &Bytes) -> Received {
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    Received {
        head: headers
            .iter()
            .map(|(name, value)| (name.to_string(), text(value)))
            .collect(),
        body: body.to_vec(),
    }
}
