//! Lines in, lines out.

use std::io::{self, BufRead as _, Write as _};
use std::process::exit;
use std::thread;
use std::time::Duration;

use crate::server::answers::{Cancelled, SLOW, Said, Server, is_in};
use crate::server::faults::Fault;
use crate::server::hostile;

pub(crate) fn serve(fault: Fault) {
    hostile::begin(fault);
    let mut server = Server::new(fault);
    let mut out = io::stdout();
    if fault.is("talks-on-stdout") {
        writeln!(out, "server is listening").unwrap();
    }
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
            break;
        }
        let line = line.trim_ascii();
        hostile::hear(fault, line);
        match server.hear(line) {
            Said::Death => exit(9),
            Said::Messages(messages) => {
                for message in messages {
                    write(fault, &message.to_string(), &mut out);
                }
            }
            Said::Later(messages, id) => {
                let cancelled = Cancelled::clone(&server.cancelled);
                thread::spawn(move || {
                    thread::sleep(SLOW);
                    if !is_in(&cancelled, &id) {
                        for message in messages {
                            write(fault, &message.to_string(), &mut io::stdout());
                        }
                    }
                });
            }
        }
        out.flush().unwrap();
    }
    if fault.is("outlives-its-input") {
        thread::sleep(Duration::from_secs(60));
    }
}

fn write(fault: Fault, message: &str, out: &mut impl io::Write) {
    let is_prompts = message.contains("\"prompts\":[{");
    if let Some(padding) = hostile::padding(fault) {
        let padded = message.replacen('{', &format!("{{\"padding\":\"{padding}\","), 1);
        writeln!(out, "{padded}").unwrap();
        return;
    }
    let bytes = match fault.0 {
        "not-utf8" if is_prompts => message.replace("greet", "gr\u{1}t").into_bytes(),
        "repeated-key" if is_prompts => message
            .replacen('{', "{\"jsonrpc\":\"2.0\",", 1)
            .into_bytes(),
        "headers-before-messages" => {
            format!("Content-Length: {}\r\n\r\n{message}", message.len()).into_bytes()
        }
        "two-messages-a-line" if is_prompts => {
            format!("{message}{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":1}}}}").into_bytes()
        }
        "message-over-lines" if is_prompts => message.replacen('{', "{\n ", 1).into_bytes(),
        "byte-order-mark" if is_prompts => format!("\u{feff}{message}").into_bytes(),
        "carriage-return" => format!("{message}\r").into_bytes(),
        _ => message.as_bytes().to_vec(),
    };
    let bytes: Vec<u8> = if fault.is("not-utf8") {
        bytes
            .into_iter()
            .map(|byte| if byte == 1 { 0xff } else { byte })
            .collect()
    } else {
        bytes
    };
    // At once: another thread may write, too.
    let line = [&bytes[..], b"\n"].concat();
    out.write_all(&line).unwrap();
}
