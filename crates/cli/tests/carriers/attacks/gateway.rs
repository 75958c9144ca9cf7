//! `gateway` in front of a server.

use std::fmt::Write as _;

use mcp_assay_live::guard::Mode;
use mcp_assay_testkit::http::server::{Server, Then};
use mcp_assay_testkit::http::sound;

use super::lenient::Received;
use super::table::Attack;
use super::{GOOD, Outcome, answer, provocation};
use crate::process::Gateway;
use crate::table::Sender;

pub(super) fn run(attack: &Attack, mode: Mode) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.ndjson");
    let shown = report.to_string_lossy();
    let (sender, headers, bytes) = (attack.sender, written(attack.headers), attack.bytes.clone());
    let of_attack = headers.clone();
    let server = Server::new(move |request, wire| {
        let text = request.text();
        let sent = match answer(&text) {
            _ if sender == Sender::Server && text.contains("\"tools/list\"") => {
                sound::answer("200 OK", &of_attack, &bytes)
            }
            Some(body) => sound::answer("200 OK", sound::JSON, body.as_bytes()),
            None => sound::answer("202 Accepted", "", b""),
        };
        wire.write_all(&sent).unwrap();
        Then::Keep
    });
    let flags = ["--no-config", "--mode", mode.name(), "--report", &shown];
    let gateway = Gateway::new(&server.url(), &flags);
    let mut client = gateway.client();
    client.post("", sound::INITIALIZE);
    let version = "MCP-Protocol-Version: 2025-06-18\r\n";
    client.post(version, sound::INITIALIZED);
    let kind = match attack.sender {
        Sender::Client => headers,
        Sender::Server => sound::JSON.to_owned(),
    };
    let head = format!("{kind}Accept: application/json, text/event-stream\r\n{version}");
    client.send("POST", "/mcp", &head, provocation(attack));
    let answers = [client.answer(), gateway.client().post(version, GOOD)];
    let requests = server.requests();
    gateway.end();
    let received = match attack.sender {
        Sender::Client => {
            let requests = requests.into_iter().skip(2);
            requests
                .map(|request| received(request.headers, request.body))
                .collect()
        }
        Sender::Server => {
            let answers = answers.into_iter();
            answers
                .map(|answer| received(answer.headers, answer.body))
                .collect()
        }
    };
    Outcome {
        received,
        report: std::fs::read_to_string(&report).unwrap(),
    }
}

fn received(headers: Vec<(String, String)>, body: Vec<u8>) -> Received {
    let headers = headers.into_iter();
    Received {
        head: headers
            .map(|(name, value)| (name.to_ascii_lowercase(), value))
            .collect(),
        body,
    }
}

fn written(headers: &[(&str, &str)]) -> String {
    headers
        .iter()
        .fold(String::new(), |mut out, (name, value)| {
            write!(out, "{name}: {value}\r\n").unwrap();
            out
        })
}
