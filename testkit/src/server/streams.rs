//! Streams that can be taken up again where they broke.

use std::io::{self, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::http::{Request, Response};
use crate::server::faults::Fault;
use crate::server::http::unguessable;

/// The events of all streams: which stream, which id, and what.
#[derive(Default)]
pub(crate) struct Streams {
    events: Vec<(u64, String, String)>,
    next: u64,
}

impl Streams {
    /// Carries a stream, new or taken up again; false if the answer is none.
    pub(crate) fn carry(
        &mut self,
        fault: Fault,
        connection: &TcpStream,
        request: &Request,
        response: &Response,
    ) -> io::Result<bool> {
        let resumed = request.header("last-event-id");
        if let (Some(id), "GET") = (resumed, request.method.as_str()) {
            self.replay(fault, connection, id)?;
            return Ok(true);
        }
        let streamed = response
            .headers
            .iter()
            .any(|(_, value)| value == "text/event-stream");
        if !streamed {
            return Ok(false);
        }
        self.begin(fault, connection, request, response)?;
        Ok(true)
    }

    /// An event without data, then the answer, which one tool takes its time for.
    fn begin(
        &mut self,
        fault: Fault,
        mut connection: &TcpStream,
        request: &Request,
        response: &Response,
    ) -> io::Result<()> {
        self.next += 1;
        let stream = self.next;
        head(connection, response)?;
        let primer = self.add(stream, String::new());
        write!(connection, "id: {primer}\ndata:\n\n")?;
        let text = String::from_utf8_lossy(&response.body).into_owned();
        // Only one revision lets servers close a stream that goes on.
        let closes = request.header("mcp-protocol-version") == Some("2025-11-25")
            && (fault.is("resume-after-close") || fault.is("resume-loses-answers"));
        if closes
            && request
                .body
                .windows(12)
                .any(|part| part == b"\"tools/call\"")
        {
            // The client is to come again.
            let _ = write!(connection, "retry: 10\n\n");
            let messages = text.lines().filter_map(|line| line.strip_prefix("data: "));
            for data in messages.filter(|_| !fault.is("resume-loses-answers")) {
                self.add(stream, data.to_owned());
            }
            return Ok(());
        }
        if request.body.windows(6).any(|part| part == b"\"wait\"") {
            thread::sleep(Duration::from_millis(300));
        }
        if fault.is("resume-breaking-cancels") && is_gone(connection) {
            return Ok(());
        }
        for data in text.lines().filter_map(|line| line.strip_prefix("data: ")) {
            let id = self.add(stream, data.to_owned());
            // Nobody may be there any more.
            let _ = write!(connection, "id: {id}\ndata: {data}\n\n");
        }
        Ok(())
    }

    fn add(&mut self, stream: u64, data: String) -> String {
        let id = unguessable(self.events.len() as u64);
        self.events.push((stream, id.clone(), data));
        id
    }

    fn replay(&self, fault: Fault, mut connection: &TcpStream, id: &str) -> io::Result<()> {
        let Some(at) = self.events.iter().position(|(_, known, _)| known == id) else {
            return write!(
                connection,
                "HTTP/1.1 400 Status\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
        };
        let stream = self.events[at].0;
        let own = |of: u64| of == stream || fault.is("resume-replays-everything");
        let mut response = Response::bare(200);
        response
            .headers
            .push(("content-type", "text/event-stream".to_owned()));
        head(connection, &response)?;
        for (of, id, data) in &self.events[at + 1..] {
            if own(*of) && !data.is_empty() {
                write!(connection, "id: {id}\ndata: {data}\n\n")?;
            }
        }
        Ok(())
    }
}

fn head(mut connection: &TcpStream, response: &Response) -> io::Result<()> {
    write!(connection, "HTTP/1.1 {} Status\r\n", response.status)?;
    for (name, value) in &response.headers {
        write!(connection, "{name}: {value}\r\n")?;
    }
    write!(connection, "connection: close\r\n\r\n")
}

/// Whether the other side has hung up.
fn is_gone(connection: &TcpStream) -> bool {
    let waits = connection.set_read_timeout(Some(Duration::from_millis(5)));
    waits.is_ok() && matches!(connection.peek(&mut [0]), Ok(0))
}
