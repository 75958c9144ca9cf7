//! The overhead of `wrap` on a pipe: the time of a round trip, and the throughput without waiting.

use std::env;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::bars::{Bar, Goal};
use crate::placement::Placement;
use crate::report::Report;
use crate::statistics::quantile;
use crate::way::Way;

const PROTOCOL: &str = "2025-11-25";

/// Measures a program that has the command `wrap`.
pub(crate) fn report(program: &Path, quick: bool) -> Result<Report> {
    let (rounds, trips, many) = if quick {
        (5, 1000, 100_000)
    } else {
        (15, 2000, 400_000)
    };
    let mut lines = vec![format!(
        "{:<34} {:>9} {:>9} {:>9} {:>14}",
        "300 B, round trip", "p10 µs", "p50 µs", "p99 µs", "pipelined /s"
    )];
    let (mut rows, mut bars) = (Vec::new(), Vec::new());
    for placement in Placement::ALL {
        let placed = placement.enter()?;
        let figures = measure(program, rounds, trips, many)?;
        drop(placed);
        let at = placement.name();
        for (way, figures) in Way::ALL.into_iter().zip(&figures) {
            let way = way.name("wrap");
            lines.push(format!(
                "{:<34} {:>9.2} {:>9.2} {:>9.2} {:>14.0}",
                format!("{at}: {way}"),
                figures.p10,
                figures.p50,
                figures.p99,
                figures.rate
            ));
            rows.push(json!({"placement": at, "way": way, "p10_us": figures.p10, "p50_us": figures.p50, "p99_us": figures.p99, "pipelined_per_s": figures.rate}));
        }
        let [direct, unchecked, shadow, _] = &figures[..] else {
            unreachable!("four ways are measured");
        };
        // If the scheduler may choose, the median reflects its choices.
        let (part, more) = match placement {
            Placement::OneCore => ("p50", shadow.p50 - direct.p50),
            Placement::AllCores => ("p10", shadow.p10 - direct.p10),
        };
        bars.push(Bar::new(
            format!("wrap, {at}, µs more than direct ({part})"),
            more,
            Goal::AtMost(10.0),
        ));
        bars.push(Bar::new(
            format!("wrap, {at}, µs more than without checks (p10)"),
            shadow.p10 - unchecked.p10,
            Goal::AtMost(1.0),
        ));
        bars.push(Bar::new(
            format!("wrap, {at}, pipelined messages a second"),
            shadow.rate,
            Goal::AtLeast(500_000.0),
        ));
    }
    Ok(Report { lines, rows, bars })
}

/// Each route, interleaved, because the machine swings between speeds.
fn measure(program: &Path, rounds: usize, trips: usize, many: usize) -> Result<Vec<Figures>> {
    let mut times = Way::ALL.map(|_| Vec::new());
    let mut rates = Way::ALL.map(|_| Vec::new());
    for _ in 0..rounds {
        for (at, way) in Way::ALL.into_iter().enumerate() {
            times[at].push(round_trips(way, program, trips)?);
        }
    }
    for _ in 0..3 {
        for (at, way) in Way::ALL.into_iter().enumerate() {
            rates[at].push(pipelined(way, program, many)?);
        }
    }
    let figures = times.iter().zip(&rates);
    Ok(figures
        .map(|(times, rates)| Figures::of(times, rates))
        .collect())
}

struct Figures {
    p10: f64,
    p50: f64,
    p99: f64,
    rate: f64,
}

impl Figures {
    /// Medians over the rounds; for rates the best, because nothing can make it too good.
    fn of(rounds: &[Vec<f64>], rates: &[f64]) -> Self {
        let over = |part: f64| {
            let of_round = rounds.iter().map(|times| quantile(times, part)).collect();
            crate::statistics::median(of_round)
        };
        Self {
            p10: over(0.1),
            p50: over(0.5),
            p99: over(0.99),
            rate: rates.iter().copied().fold(0.0, f64::max),
        }
    }
}

/// A client of the server.
struct Client {
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Client {
    fn start(way: Way, program: &Path) -> Result<Self> {
        let ours = env::current_exe().context("cannot find this program")?;
        let mut command = match way {
            Way::Direct => Command::new(&ours),
            _ => {
                let mut command = Command::new(program);
                command
                    .args(["wrap", "--no-config", "--quiet"])
                    .args(way.flags());
                command.arg("--").arg(&ours);
                command
            }
        };
        let mut process = command
            .arg("--serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", program.display()))?;
        let stdin = process.stdin.take().context("no pipe")?;
        let stdout = BufReader::with_capacity(1 << 16, process.stdout.take().context("no pipe")?);
        let mut client = Self {
            process,
            stdin,
            stdout,
            line: Vec::new(),
        };
        let initialize = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{PROTOCOL}","capabilities":{{}},"clientInfo":{{"name":"bench","version":"1"}}}}}}"#
        );
        client.ask(format!("{initialize}\n").as_bytes())?;
        client
            .stdin
            .write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")?;
        Ok(client)
    }

    /// Sends a line and waits for the next one.
    fn ask(&mut self, line: &[u8]) -> Result<()> {
        self.stdin.write_all(line)?;
        self.line.clear();
        let count = self.stdout.read_until(b'\n', &mut self.line)?;
        ensure!(
            count > 200 || self.line.starts_with(b"{\"jsonrpc\":\"2.0\",\"id\":0,"),
            "the answer is {}",
            String::from_utf8_lossy(&self.line)
        );
        Ok(())
    }

    fn end(self) -> Result<()> {
        let Self {
            mut process, stdin, ..
        } = self;
        drop(stdin);
        let status = process.wait()?;
        ensure!(status.success(), "it ended with {status}");
        Ok(())
    }
}

/// Microseconds of each round trip.
fn round_trips(way: Way, program: &Path, trips: usize) -> Result<Vec<f64>> {
    let mut client = Client::start(way, program)?;
    let mut times = Vec::with_capacity(trips);
    for number in 1..=trips + 100 {
        let call = call(number);
        let start = Instant::now();
        client.ask(&call)?;
        if number > 100 {
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    client.end()?;
    Ok(times)
}

/// Calls that are answered in a second, when many are under way at once.
fn pipelined(way: Way, program: &Path, many: usize) -> Result<f64> {
    let Client {
        mut process,
        mut stdin,
        mut stdout,
        ..
    } = Client::start(way, program)?;
    let calls: Vec<u8> = (1..=many).flat_map(call).collect();
    let start = Instant::now();
    let writer = thread::spawn(move || stdin.write_all(&calls));
    let (mut answers, mut buffer) = (0, vec![0; 1 << 16]);
    while answers < many {
        let count = stdout.read(&mut buffer)?;
        ensure!(count > 0, "only {answers} of {many} were answered");
        // Between two lines stands a newline.
        answers += buffer[..count].split(|byte| *byte == b'\n').count() - 1;
    }
    let taken = start.elapsed().as_secs_f64();
    let written = writer.join();
    ensure!(
        written.is_ok_and(|written| written.is_ok()),
        "not all was read"
    );
    process.wait()?;
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
    let rate = many as f64 / taken;
    Ok(rate)
}

/// A call of 300 bytes.
fn call(number: usize) -> Vec<u8> {
    let head = format!(
        r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"search_files","arguments":{{"path":"/srv/projects/site","limit":50,"recursive":true,"pattern":""#
    );
    let tail = "\"}}}\n";
    let filling = 300_usize.saturating_sub(head.len() + tail.len());
    let mut line = head.into_bytes();
    line.resize(line.len() + filling, b'x');
    line.extend_from_slice(tail.as_bytes());
    line
}

/// Runs the server: answers every request at once.
pub(crate) fn serve() -> Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let filling = "y".repeat(215);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            output.flush()?;
            return Ok(());
        }
        let id = line
            .strip_prefix(b"{\"jsonrpc\":\"2.0\",\"id\":")
            .map(|rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        if let Some(length) = id {
            let id = String::from_utf8_lossy(&line[22..22 + length]).into_owned();
            if id == "0" {
                writeln!(
                    output,
                    r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{PROTOCOL}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"bench","version":"1"}}}}}}"#
                )?;
            } else {
                writeln!(
                    output,
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{filling}"}}]}}}}"#
                )?;
            }
        }
        // A waiting client gets it at once; a crowd is served together.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}
