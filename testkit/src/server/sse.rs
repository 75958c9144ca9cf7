//! The transport of the oldest revision: a stream to listen to, and another place to post to.

use std::collections::HashMap;
use std::io::{self, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::http::read;
use crate::server::answers::{Said, Server};
use crate::server::faults::Fault;
use crate::server::http::unguessable;

/// Sessions by the path that is posted to.
type Sessions = Arc<Mutex<HashMap<String, (Server, TcpStream)>>>;

pub(crate) fn serve(fault: Fault) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    let sessions = Sessions::default();
    for connection in listener.incoming().flatten() {
        let sessions = Arc::clone(&sessions);
        thread::spawn(move || {
            // A client may go away at any time.
            let _ = handle(fault, connection, &sessions);
        });
    }
}

fn handle(fault: Fault, mut connection: TcpStream, sessions: &Sessions) -> io::Result<()> {
    let Some(request) = read(&mut BufReader::new(connection.try_clone()?))? else {
        return Ok(());
    };
    let mut sessions = sessions.lock().unwrap_or_else(PoisonError::into_inner);
    let mut answer = |status: u16| {
        write!(
            connection,
            "HTTP/1.1 {status} Status\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
    };
    if request.header("origin").is_some() {
        return answer(403);
    }
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/mcp") => {
            let path = format!("/messages?session={}", unguessable(0));
            write!(
                connection,
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
            )?;
            if !fault.is("sse-no-endpoint") {
                write!(connection, "event: endpoint\ndata: {path}\n\n")?;
            }
            sessions.insert(path, (Server::new(fault), connection));
            Ok(())
        }
        ("POST", path) if sessions.contains_key(path) && !fault.is("sse-endpoint-gone") => {
            let Some((server, stream)) = sessions.get_mut(path) else {
                return answer(404);
            };
            answer(202)?;
            match server.hear(&request.body) {
                Said::Death => std::process::exit(9),
                Said::Messages(messages) | Said::Later(messages, _) => {
                    for message in messages {
                        write!(stream, "event: message\ndata: {message}\n\n")?;
                    }
                }
            }
            Ok(())
        }
        (_, "/mcp") => answer(405),
        _ => answer(404),
    }
}
