//! Attacks by the label of a body: its type, its charset, its codings.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::table::{Attack, BAD_CALL, BAD_RESULT, Over, gzip};
use crate::table::Sender;

type Headers = &'static [(&'static str, &'static str)];

const TYPE: (&str, &str) = ("content-type", "application/json");

pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = of_requests();
    attacks.extend(of_codings());
    attacks.extend(of_answers());
    attacks
}

fn body(name: &'static str, sender: Sender, headers: Headers, bytes: Vec<u8>) -> Attack {
    Attack {
        name,
        sender,
        over: Over::Http,
        headers,
        bytes,
        rule: None,
    }
}

fn of_requests() -> Vec<Attack> {
    let request =
        |name, headers, text: &str| body(name, Sender::Client, headers, text.as_bytes().to_vec());
    let part =
        format!("--b\r\nContent-Disposition: form-data; name=\"m\"\r\n\r\n{BAD_CALL}\r\n--b--\r\n");
    let lines = format!("{{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}}\n{BAD_CALL}\n");
    let form = "jsonrpc=2.0&id=5&method=tools%2Fcall&params%5Bname%5D=evil";
    vec![
        request("a plain text", &[("content-type", "text/plain")], BAD_CALL),
        request("a body without a type", &[], BAD_CALL),
        request(
            "a part of a form with several",
            &[("content-type", "multipart/form-data; boundary=b")],
            &part,
        ),
        request(
            "lines of messages",
            &[("content-type", "application/x-ndjson")],
            &lines,
        ),
        request(
            "lines of messages that are called one",
            &[("content-type", "application/json")],
            &lines,
        ),
        request(
            "a form with escapes",
            &[("content-type", "application/x-www-form-urlencoded")],
            form,
        ),
        request(
            "a form in capital letters with a parameter",
            &[("content-type", "Application/X-WWW-Form-Urlencoded;q=0.1")],
            form,
        ),
        request(
            "two types",
            &[TYPE, ("content-type", "application/x-www-form-urlencoded")],
            form,
        ),
        request(
            "two types in one header",
            &[(
                "content-type",
                "application/json, application/x-www-form-urlencoded",
            )],
            form,
        ),
        body(
            "a charset with an escape",
            Sender::Client,
            &[("content-type", "application/json; charset=\"utf-16le\"")],
            BAD_CALL.bytes().flat_map(|byte| [byte, 0]).collect(),
        ),
        body(
            "the second of two charsets",
            Sender::Client,
            &[(
                "content-type",
                "application/json;charset=utf-8;Charset=UTF-16LE",
            )],
            BAD_CALL.bytes().flat_map(|byte| [byte, 0]).collect(),
        ),
    ]
}

fn of_codings() -> Vec<Attack> {
    let coded = |name, headers, bytes| Attack {
        rule: Some("schema/wrong-type"),
        ..body(name, Sender::Client, headers, bytes)
    };
    let twice = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&gzip(BAD_CALL)).unwrap();
        encoder.finish().unwrap()
    };
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(BAD_CALL.as_bytes()).unwrap();
    let mut bare = DeflateEncoder::new(Vec::new(), Compression::default());
    bare.write_all(BAD_CALL.as_bytes()).unwrap();
    let members = [
        gzip(r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#),
        gzip(BAD_CALL),
    ];
    vec![
        coded(
            "two codings",
            &[TYPE, ("content-encoding", "gzip, gzip")],
            twice,
        ),
        coded(
            "a coding and none",
            &[TYPE, ("content-encoding", "identity, X-GZIP")],
            gzip(BAD_CALL),
        ),
        coded(
            "deflate with a head",
            &[TYPE, ("content-encoding", "deflate")],
            zlib.finish().unwrap(),
        ),
        coded(
            "deflate without a head",
            &[TYPE, ("content-encoding", "deflate")],
            bare.finish().unwrap(),
        ),
        coded(
            "zstd",
            &[TYPE, ("content-encoding", "zstd")],
            compress_to_vec(BAD_CALL.as_bytes(), CompressionLevel::Fastest),
        ),
        Attack {
            rule: None,
            ..coded(
                "a coding of two members",
                &[TYPE, ("content-encoding", "gzip")],
                members.concat(),
            )
        },
    ]
}

fn of_answers() -> Vec<Attack> {
    let answer =
        |name, headers, text: &str| body(name, Sender::Server, headers, text.as_bytes().to_vec());
    vec![
        answer(
            "an answer as a plain text",
            &[("content-type", "text/plain; charset=utf-8")],
            BAD_RESULT,
        ),
        answer(
            "an answer as something with JSON in its name",
            &[("content-type", "application/vnd.evil+json")],
            BAD_RESULT,
        ),
        answer(
            "an answer of two types",
            &[TYPE, ("content-type", "text/html")],
            BAD_RESULT,
        ),
        answer(
            "an answer with a parameter of its type",
            &[("content-type", "application/json;q=0;v=1")],
            BAD_RESULT,
        ),
    ]
}
