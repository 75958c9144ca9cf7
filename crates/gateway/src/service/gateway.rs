//! The gateway as its users set it up.

use std::sync::Arc;

use mcp_assay_live::http::SessionCut;
use mcp_assay_live::record::RecordWriter;
use rustls::ClientConfig;
use tokio::net::TcpListener;

use super::access::Access;
use super::options::Options;
use super::serve::serve;
use super::state::State;
use crate::error::Error;
use crate::inspect::{Checker, Inspector, Metrics, Recording};
use crate::net::{Client, tls};
use crate::upstream::Upstream;

/// A reverse proxy that checks what it forwards.
///
/// Without a [`Checker`] and a [`Recording`] it only forwards.
pub struct Gateway {
    upstreams: Vec<Upstream>,
    options: Options,
    tls: Arc<ClientConfig>,
    checker: Option<Box<dyn Checker>>,
    recording: Option<Recording>,
    records: RecordWriter,
    metrics: Arc<Metrics>,
}

/// The numbers at the end that no checker knows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ended {
    /// Messages that were forwarded unchecked, because their coding is not known, checking fell
    /// behind, or there was no memory for them.
    pub unchecked: u64,
    /// Sessions that were dropped before their end, because there were too many.
    pub evicted: u64,
    /// Requests that a server did not answer: the cause, how many, and the first reason in words.
    pub failures: Vec<(&'static str, u64, String)>,
    /// Connections that were refused, because there were too many.
    pub refused_connections: u64,
    /// The number of sessions without an id, by the reason for which they began.
    pub unnamed_sessions: Vec<(SessionCut, u64)>,
}

impl Gateway {
    /// A gateway before these servers. Fails if certificates cannot be read.
    pub fn new(upstreams: Vec<Upstream>, options: Options) -> Result<Self, Error> {
        Ok(Self {
            tls: tls(options.certificates.as_deref())?,
            upstreams,
            options,
            checker: None,
            recording: None,
            records: RecordWriter::default(),
            metrics: Arc::new(Metrics::of_gateway()),
        })
    }

    /// Checks the traffic.
    #[must_use]
    pub fn checker(mut self, checker: Box<dyn Checker>) -> Self {
        self.checker = Some(checker);
        self
    }

    /// Records the traffic.
    #[must_use]
    pub fn recording(mut self, recording: Recording) -> Self {
        self.recording = Some(recording);
        self
    }

    /// Makes the records of the traffic; by default they have no credentials.
    #[must_use]
    pub fn record_writer(mut self, records: RecordWriter) -> Self {
        self.records = records;
        self
    }

    /// Counts in these numbers, which `/metrics` shows; by default in some of its own.
    #[must_use]
    pub fn metrics(mut self, metrics: Arc<Metrics>) -> Self {
        self.metrics = metrics;
        self
    }

    /// Serves until `stop` is done, or a session is over if [`Options::until`] says so; then until
    /// all exchanges are over, or the grace is, or `stop` is done once more. Needs a runtime of
    /// tokio with I/O and time.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl AsyncFnMut(),
    ) -> Result<Ended, Error> {
        let options = self.options;
        let address = listener.local_addr().map_err(Error::Listen)?;
        let metrics = self.metrics;
        let state = Arc::new(State::new(
            Access::new(address, &options.allowed_hosts, &options.allowed_origins),
            Client::new(
                self.upstreams.iter().map(|server| server.server().clone()),
                options.connect_timeout,
                options.response_timeout,
                self.tls,
            ),
            Inspector::new(
                self.checker,
                self.recording,
                self.records,
                Arc::clone(&metrics),
                options.memory_for_bodies() / 2,
            ),
            self.upstreams,
            metrics,
            &options,
        ));
        serve(listener, &state, &options, stop).await;
        let evicted = state.end_all_sessions();
        state.inspector.finish();
        Ok(Ended {
            unchecked: state.metrics.unchecked(),
            evicted,
            failures: state.failures(),
            refused_connections: state.metrics.refused_connections(),
            unnamed_sessions: state.cuts().iter().map(|(cut, it)| (*cut, *it)).collect(),
        })
    }
}
