//! The functions that the host calls.
//!
//! A function that returns text returns its length; the text is in the buffer `output` until the
//! next call. A negative length is that of the text of an error. A session is a number from 0.
#![expect(unsafe_code, reason = "names of functions that the host calls")]

use std::cell::RefCell;
use std::io::Write;
use std::time::Duration;

use mcp_assay::{Direction, Party, Policy, rules};
use mcp_assay_report::Style;

use crate::host;
use crate::session::{About, Session};
use crate::stream::Stream;

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State::new());
}

struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    sessions: Slots<Session>,
    streams: Slots<Stream>,
}

/// Values that the host knows by numbers. The numbers of closed ones are given again.
struct Slots<T>(Vec<Option<T>>);

impl<T> Slots<T> {
    fn open(&mut self, value: T) -> Result<i32, String> {
        let free = self.0.iter().position(Option::is_none);
        let at = free.unwrap_or(self.0.len());
        let number = i32::try_from(at).map_err(|error| error.to_string())?;
        match self.0.get_mut(at) {
            Some(slot) => *slot = Some(value),
            None => self.0.push(Some(value)),
        }
        Ok(number)
    }

    fn find(&mut self, number: u32) -> Result<&mut T, String> {
        let found = self.0.get_mut(number as usize).and_then(Option::as_mut);
        found.ok_or_else(|| "it is closed".to_owned())
    }

    fn close(&mut self, number: u32) {
        if let Some(slot) = self.0.get_mut(number as usize) {
            *slot = None;
        }
    }
}

/// Bytes of each buffer that are kept from call to call.
const MAX_RETAINED: usize = 1 << 20;

impl State {
    fn new() -> Self {
        host::start();
        Self {
            input: Vec::new(),
            output: Vec::new(),
            sessions: Slots(Vec::new()),
            streams: Slots(Vec::new()),
        }
    }

    /// Runs a call that writes to `output`, and returns the length.
    fn run(&mut self, call: impl FnOnce(&mut Self) -> Result<(), String>) -> i32 {
        self.output.clear();
        self.output.shrink_to(MAX_RETAINED);
        let result = call(self);
        self.input.clear();
        self.input.shrink_to(MAX_RETAINED);
        match result {
            Ok(()) => length(&self.output),
            Err(text) => {
                self.output.clear();
                self.output.extend_from_slice(text.as_bytes());
                -length(&self.output)
            }
        }
    }

    fn session(&mut self, id: u32) -> Result<(&mut Session, &mut Vec<u8>, &[u8]), String> {
        let session = self.sessions.find(id)?;
        Ok((session, &mut self.output, &self.input))
    }

    /// Opens what the options in the input describe, and returns its number.
    fn open<T>(
        &mut self,
        slots: impl FnOnce(&mut Self) -> &mut Slots<T>,
        new: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> i32 {
        let mut number = 0;
        let length = self.run(|state| {
            let opened = new(&state.input)?;
            number = slots(state).open(opened)?;
            Ok(())
        });
        if length < 0 { length } else { number }
    }
}

fn with<T>(call: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(call)
}

fn run(call: impl FnOnce(&mut State) -> Result<(), String>) -> i32 {
    with(|state| state.run(call))
}

/// A length; the memory of a module has fewer than 2^31 bytes of text in one buffer.
fn length(bytes: &[u8]) -> i32 {
    i32::try_from(bytes.len()).unwrap_or(i32::MAX)
}

/// The buffer for the argument of the next call, with room for as many bytes.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    with(|state| {
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// The buffer with the text of the last call.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    with(|state| state.output.as_ptr())
}

/// Opens a session with the options in the input, a JSON object, and returns its number.
#[unsafe(no_mangle)]
extern "C" fn session_open() -> i32 {
    with(|state| state.open(|it| &mut it.sessions, Session::new))
}

/// Forgets a session.
#[unsafe(no_mangle)]
extern "C" fn session_close(id: u32) {
    with(|state| state.sessions.close(id));
}

/// Checks the message that is the first `bytes` of the input, and returns its row. The rest of the
/// input, if there is any, is the method that it answers. `direction` is 1 for messages of the
/// client, 2 for those of the server, 0 to infer it; `seconds` is the time, if it is not negative.
#[unsafe(no_mangle)]
extern "C" fn session_check(id: u32, bytes: usize, direction: u32, seconds: f64) -> i32 {
    run(|state| {
        let (session, output, input) = state.session(id)?;
        let (message, answers) = input
            .split_at_checked(bytes)
            .ok_or("the input is shorter")?;
        let answers = str::from_utf8(answers).map_err(|error| error.to_string())?;
        let about = About {
            direction: direction_of(direction),
            answers: Some(answers).filter(|it| !it.is_empty()),
            time: Duration::try_from_secs_f64(seconds).ok(),
        };
        session.check(message, about, output);
        Ok(())
    })
}

/// The decision about the last message of a session: forward (0), replace, refuse, split, drop or
/// divert (5).
#[unsafe(no_mangle)]
extern "C" fn session_action(id: u32) -> u32 {
    with(|state| {
        state
            .session(id)
            .map_or(0, |(session, ..)| session.action().into())
    })
}

/// The text that goes on in place of the last message, or back to its sender.
#[unsafe(no_mangle)]
extern "C" fn session_text(id: u32) -> i32 {
    run(|state| {
        let (session, output, _) = state.session(id)?;
        output.extend_from_slice(session.text());
        Ok(())
    })
}

/// The text that goes back while another goes on.
#[unsafe(no_mangle)]
extern "C" fn session_split_off(id: u32) -> i32 {
    run(|state| {
        let (session, output, _) = state.session(id)?;
        output.extend_from_slice(session.split_off());
        Ok(())
    })
}

/// Ends a session, by the client (1), the server (2) or nobody (0), and returns rows of what is
/// missing.
#[unsafe(no_mangle)]
extern "C" fn session_end(id: u32, by: u32) -> i32 {
    run(|state| {
        let (session, output, _) = state.session(id)?;
        let by = match by {
            1 => Some(Party::Client),
            2 => Some(Party::Server),
            _ => None,
        };
        session.end(by, output);
        Ok(())
    })
}

/// The revision in force; empty if it is not known yet.
#[unsafe(no_mangle)]
extern "C" fn session_revision(id: u32) -> i32 {
    run(|state| {
        let (session, output, _) = state.session(id)?;
        let name = session.revision().map_or("", mcp_assay::Revision::name);
        output.extend_from_slice(name.as_bytes());
        Ok(())
    })
}

/// Opens the two streams of a server with the options in the input, and returns their number.
#[unsafe(no_mangle)]
extern "C" fn stream_open() -> i32 {
    with(|state| state.open(|it| &mut it.streams, Stream::new))
}

/// Forgets streams.
#[unsafe(no_mangle)]
extern "C" fn stream_close(id: u32) {
    with(|state| state.streams.close(id));
}

/// The input came in a direction, at a time since the beginning; none means the end of the stream.
#[unsafe(no_mangle)]
extern "C" fn stream_feed(id: u32, direction: u32, seconds: f64) -> i32 {
    run(|state| {
        let time = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
        let direction = direction_of(direction).ok_or("the direction is missing")?;
        state.streams.find(id)?.feed(direction, time, &state.input);
        Ok(())
    })
}

/// Takes the bytes that go in a direction; only in `enforce` there are any.
#[unsafe(no_mangle)]
extern "C" fn stream_take(id: u32, direction: u32) -> i32 {
    run(|state| {
        let direction = direction_of(direction).ok_or("the direction is missing")?;
        state.output = state.streams.find(id)?.take(direction);
        Ok(())
    })
}

/// Takes the rows of messages with violations, one a line, each after the number of its decision.
#[unsafe(no_mangle)]
extern "C" fn stream_reports(id: u32) -> i32 {
    run(|state| {
        state.output = state.streams.find(id)?.take_reports();
        Ok(())
    })
}

/// The rules that traffic shows, as in `mcp-assay rules --format json`.
#[unsafe(no_mangle)]
extern "C" fn rules_json() -> i32 {
    run(|state| {
        let written = mcp_assay_report::rules_json(&Policy::default(), &[], &mut state.output);
        written.map_err(|error| error.to_string())
    })
}

/// The page of the rule that the input names.
#[unsafe(no_mangle)]
extern "C" fn explain() -> i32 {
    run(|state| {
        let name = String::from_utf8_lossy(&state.input);
        let Some(rule) = rules::find(&name) else {
            let names = rules::all().map(|rule| rule.name);
            return Err(mcp_assay::unknown_text("rule", &name, names));
        };
        let (policy, out) = (Policy::default(), &mut state.output);
        let written = mcp_assay_report::explain(rule, &policy, Style::PLAIN, out);
        written.map_err(|error| error.to_string())
    })
}

/// The input as a terminal may show it.
#[unsafe(no_mangle)]
extern "C" fn visible() -> i32 {
    run(|state| {
        let shown = mcp_assay_report::visible(&String::from_utf8_lossy(&state.input));
        let written = state.output.write_all(shown.as_bytes());
        written.map_err(|error| error.to_string())
    })
}

/// The version of this module.
#[unsafe(no_mangle)]
extern "C" fn version() -> i32 {
    run(|state| {
        state
            .output
            .extend_from_slice(env!("CARGO_PKG_VERSION").as_bytes());
        Ok(())
    })
}

/// The client sends (1), or the server (2).
fn direction_of(number: u32) -> Option<Direction> {
    match number {
        1 => Some(Direction::ClientToServer),
        2 => Some(Direction::ServerToClient),
        _ => None,
    }
}
