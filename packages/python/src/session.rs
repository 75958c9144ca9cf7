//! Sessions whose messages Python hands over one by one, or many at once.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Party};
use mcp_assay_live::guard::{Guard, Mode};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyDict;

use crate::checked::Checked;
use crate::options::{Options, direction};

/// A session between a client and a server.
#[pyclass(frozen, module = "mcp_assay._native")]
pub(crate) struct Session {
    state: Mutex<State>,
    reserialised: bool,
}

struct State {
    /// Guards against a failing check; in `shadow` it only checks.
    guard: Guard,
    session: mcp_assay::Session,
    carrier: Carrier,
    messages: u64,
}

/// A message: its bytes, or its text.
#[derive(FromPyObject)]
pub(crate) enum Message {
    #[pyo3(transparent)]
    Text(PyBackedStr),
    #[pyo3(transparent)]
    Bytes(PyBackedBytes),
}

impl Message {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// The data of a message beside its bytes.
#[derive(Clone, Copy, Default)]
struct About<'a> {
    direction: Option<Direction>,
    answers: Option<&'a str>,
    time: Option<Duration>,
}

#[pymethods]
impl Session {
    #[new]
    fn new(options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let options = Options::read(options)?;
        Ok(Self {
            state: Mutex::new(State {
                guard: Guard::new(options.policy()?, Mode::Shadow),
                session: mcp_assay::Session::new(),
                carrier: options.carrier()?,
                messages: 0,
            }),
            reserialised: options.reserialised,
        })
    }

    /// Checks a message.
    #[pyo3(signature = (message, sender=None, answers=None, time=None))]
    fn check(
        &self,
        py: Python<'_>,
        message: Message,
        sender: Option<&str>,
        answers: Option<&str>,
        time: Option<f64>,
    ) -> PyResult<Checked> {
        let about = About {
            direction: direction(sender)?,
            answers,
            time: time.map(seconds).transpose()?,
        };
        py.detach(|| self.lock().check(message.bytes(), about, self.reserialised))
    }

    /// Checks messages in their order; the senders are as many as the messages, or none.
    fn check_many(
        &self,
        py: Python<'_>,
        messages: Vec<Message>,
        senders: Vec<Option<PyBackedStr>>,
    ) -> PyResult<Vec<Checked>> {
        if !senders.is_empty() && senders.len() != messages.len() {
            let text = "there are not as many directions as messages";
            return Err(PyValueError::new_err(text));
        }
        let mut directions = Vec::with_capacity(senders.len());
        for sender in &senders {
            directions.push(direction(sender.as_deref())?);
        }
        py.detach(|| {
            let mut state = self.lock();
            let check = |(index, message): (usize, &Message)| {
                let direction = directions.get(index).copied().flatten();
                let about = About {
                    direction,
                    ..About::default()
                };
                state.check(message.bytes(), about, self.reserialised)
            };
            messages.iter().enumerate().map(check).collect()
        })
    }

    /// Reports what is missing at the end of the session, which begins anew.
    #[pyo3(signature = (by=None))]
    fn end(&self, py: Python<'_>, by: Option<&str>) -> PyResult<Vec<Checked>> {
        let by = by.map(|name| {
            let unknown = || PyValueError::new_err("by is \"client\" or \"server\"");
            Party::named(name).ok_or_else(unknown)
        });
        let by = by.transpose()?;
        py.detach(|| {
            let mut state = self.lock();
            let mut session = std::mem::take(&mut state.session);
            state.messages = 0;
            if let Some(party) = by {
                session.close(party);
            }
            let endings = state.guard.validator().end(&session);
            let checked = endings
                .iter()
                .map(|it| Checked::ending(it, self.reserialised));
            Ok(checked.collect())
        })
    }

    /// The revision in force, once it is known.
    #[getter]
    fn revision(&self, py: Python<'_>) -> Option<&'static str> {
        py.detach(|| {
            self.lock()
                .session
                .revision()
                .map(mcp_assay::Revision::name)
        })
    }
}

impl Session {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn check(&mut self, bytes: &[u8], about: About<'_>, reserialised: bool) -> PyResult<Checked> {
        self.messages += 1;
        let mut frame = Frame::new(bytes).carrier(self.carrier).at(self.messages);
        (frame.direction, frame.answers, frame.time) = (about.direction, about.answers, about.time);
        let judged = self.guard.judge(&mut self.session, frame);
        if judged.failed {
            return Err(PyRuntimeError::new_err(
                "the check failed, please report this",
            ));
        }
        Ok(Checked::new(&judged, self.messages, reserialised))
    }
}

fn seconds(seconds: f64) -> PyResult<Duration> {
    let bad = |_| PyValueError::new_err("time is a number of seconds from 0");
    Duration::try_from_secs_f64(seconds).map_err(bad)
}
