//! The overhead of `gateway` on HTTP: the time of a round trip, and the memory of waiting sessions.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::json;

use crate::bars::{Bar, Goal};
use crate::placement::Placement;
use crate::report::Report;
use crate::statistics::{median, quantile};
use crate::way::Way;

/// Sessions that wait.
const IDLE: usize = 10_000;

/// Files that a session takes here, on the side of both client and server, and some besides.
const FILES: u64 = 2;
const FURTHER: u64 = 200;

/// Measures a program that has the command `gateway`.
pub(crate) fn report(program: &Path, quick: bool) -> Result<Report> {
    let (rounds, trips) = if quick { (5, 1000) } else { (15, 2000) };
    let mut lines = vec![format!(
        "{:<34} {:>9} {:>9} {:>9}",
        "1 KB, POST", "p10 µs", "p50 µs", "p99 µs"
    )];
    let (mut rows, mut bars) = (Vec::new(), Vec::new());
    for placement in Placement::ALL {
        let _placed = placement.enter()?;
        let figures = measure(program, serve()?, rounds, trips)?;
        let at = placement.name();
        for (way, [p10, p50, p99]) in Way::ALL.into_iter().zip(&figures) {
            let way = way.name("gateway");
            let title = format!("{at}: {way}");
            lines.push(format!("{title:<34} {p10:>9.2} {p50:>9.2} {p99:>9.2}"));
            rows.push(
                json!({"placement": at, "way": way, "p10_us": p10, "p50_us": p50, "p99_us": p99}),
            );
        }
        let median_of = |way: usize| figures[way][1];
        bars.push(Bar::new(
            format!("gateway, {at}, µs more than direct (p50)"),
            median_of(2) - median_of(0),
            Goal::AtMost(30.0),
        ));
    }
    let (sessions, memory) = idle(program, serve()?)?;
    lines.push(format!("{sessions} idle sessions: {memory:.0} MB"));
    rows.push(json!({"idle_sessions": sessions, "rss_mb": memory}));
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
    let of_all = memory * IDLE as f64 / sessions as f64;
    bars.push(Bar::new(
        "gateway, MB for 10,000 idle sessions",
        of_all,
        Goal::AtMost(500.0),
    ));
    Ok(Report { lines, rows, bars })
}

/// The tenth, fiftieth and ninety-ninth percentile of the times of each route. Interleaved, because
/// the machine swings between speeds.
fn measure(
    program: &Path,
    server: SocketAddr,
    rounds: usize,
    trips: usize,
) -> Result<Vec<[f64; 3]>> {
    let mut times = Way::ALL.map(|_| Vec::new());
    for _ in 0..rounds {
        for (at, way) in Way::ALL.into_iter().enumerate() {
            times[at].push(round_trips(way, program, server, trips)?);
        }
    }
    let over = |rounds: &[Vec<f64>], part| {
        median(rounds.iter().map(|times| quantile(times, part)).collect())
    };
    let figures = times.iter();
    Ok(figures
        .map(|rounds| [0.1, 0.5, 0.99].map(|part| over(rounds, part)))
        .collect())
}

/// A running gateway.
struct Gateway {
    process: Child,
    address: SocketAddr,
}

impl Gateway {
    fn start(way: Way, program: &Path, server: SocketAddr) -> Result<Self> {
        let mut process = Command::new(program)
            .args([
                "gateway",
                "--no-config",
                "--quiet",
                "--listen",
                "127.0.0.1:0",
            ])
            .args(["--upstream", &format!("http://{server}/mcp")])
            .args(way.flags())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", program.display()))?;
        let mut line = String::new();
        BufReader::new(process.stderr.take().context("no pipe")?).read_line(&mut line)?;
        let address = line.trim_end().rsplit("http://").next().unwrap_or_default();
        let address = address.parse().with_context(|| format!("it said {line}"))?;
        Ok(Self { process, address })
    }

    /// Resident memory in MB.
    fn memory(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Ok(kilobytes.context("no resident size")?.parse::<f64>()? / 1000.0)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Microseconds of each round trip.
fn round_trips(way: Way, program: &Path, server: SocketAddr, trips: usize) -> Result<Vec<f64>> {
    let gateway = match way {
        Way::Direct => None,
        _ => Some(Gateway::start(way, program, server)?),
    };
    let address = gateway.as_ref().map_or(server, |gateway| gateway.address);
    let mut wire = connect(address)?;
    let mut times = Vec::with_capacity(trips);
    let filling = "x".repeat(850);
    for number in 1..=trips + 100 {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"search_files","arguments":{{"path":"/srv/projects/site","limit":50,"recursive":true,"pattern":"{filling}"}}}}}}"#
        );
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2025-06-18\r\nMcp-Session-Id: bench\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let start = Instant::now();
        wire.get_mut().write_all(request.as_bytes())?;
        let (head, _) = read_message(&mut wire)?.context("no answer")?;
        if number > 100 {
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        ensure!(head.starts_with("HTTP/1.1 200"), "the answer is {head}");
    }
    Ok(times)
}

/// The number of waiting sessions, and their memory in MB.
fn idle(program: &Path, server: SocketAddr) -> Result<(usize, f64)> {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most)?;
    let room = usize::try_from(most.saturating_sub(FURTHER) / FILES)?;
    let sessions = room.min(IDLE);
    let gateway = Gateway::start(Way::Shadow, program, server)?;
    let mut waiting = Vec::new();
    for number in 0..sessions {
        let mut wire = connect(gateway.address)?;
        let request = format!(
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\nMcp-Session-Id: {number}\r\n\r\n"
        );
        wire.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        wire.read_line(&mut line)?;
        ensure!(line.starts_with("HTTP/1.1 200"), "the answer is {line}");
        waiting.push(wire);
    }
    Ok((waiting.len(), gateway.memory()?))
}

fn connect(address: SocketAddr) -> Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    // Many may wait at the same time.
    Ok(BufReader::with_capacity(1 << 11, stream))
}

/// Runs the server: answers a POST at once, and never ends the answer to a GET.
fn serve() -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let streams = Arc::new(Mutex::new(Vec::new()));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let streams = Arc::clone(&streams);
            thread::spawn(move || answer(stream, &streams));
        }
    });
    Ok(address)
}

fn answer(stream: TcpStream, streams: &Mutex<Vec<TcpStream>>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut wire = BufReader::new(stream);
    let filling = "y".repeat(900);
    while let Some((head, body)) = read_message(&mut wire)? {
        if head.starts_with("GET") {
            wire.get_mut().write_all(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
            )?;
            if let Ok(mut streams) = streams.lock() {
                streams.push(wire.into_inner());
            }
            return Ok(());
        }
        let id = body
            .split("\"id\":")
            .nth(1)
            .and_then(|rest| rest.split(',').next());
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"type":"text","text":"{filling}"}}]}}}}"#,
            id.unwrap_or("0")
        );
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        wire.get_mut().write_all(answer.as_bytes())?;
    }
    Ok(())
}

/// Reads a head, and the body if it has a length; `None` if the connection is closed.
fn read_message(wire: &mut BufReader<TcpStream>) -> Result<Option<(String, String)>> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let begin = head.len();
        if wire.read_line(&mut head)? == 0 {
            return Ok(None);
        }
        let line = head[begin..].trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(text) = line.strip_prefix("content-length:") {
            length = text.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    wire.read_exact(&mut body)?;
    Ok(Some((head, String::from_utf8(body)?)))
}
