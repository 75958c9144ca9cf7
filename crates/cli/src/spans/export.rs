//! The destination of spans: OTLP over HTTP, by the environment's settings.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;

/// The variables that name the destination.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// How long an export may take. The exporter has a limit of its own for the setting in the
/// environment.
const PATIENCE: Duration = Duration::from_secs(10);

/// The number of bytes of an answer that are read.
const MAX_ANSWER: u64 = 1 << 20;

/// The exporter of spans, in a thread of its own, and its results; `None` if no destination is set.
pub(super) fn provider() -> anyhow::Result<Option<(SdkTracerProvider, Failures)>> {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let disabled = std::env::var("OTEL_SDK_DISABLED");
    if !ENDPOINTS.iter().any(is_set) || disabled.is_ok_and(|value| value == "true") {
        return Ok(None);
    }
    let failures = Failures::default();
    let client = Client::new(failures.clone());
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(client)
        .build()
        .context("spans cannot be exported")?;
    let mut resource = Resource::builder();
    if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name("mcp-assay");
    }
    let provider = SdkTracerProvider::builder()
        .with_resource(resource.build())
        .with_batch_exporter(exporter)
        .build();
    Ok(Some((provider, failures)))
}

/// The exports that failed.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures(Arc<Mutex<(u64, Option<String>)>>);

impl Failures {
    pub(super) fn in_words(&self) -> Option<String> {
        let (count, first) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = mcp_assay_report::visible(first.as_deref()?);
        let what = crate::output::counted(*count, "export");
        Some(format!("{what} of spans failed: {first}"))
    }

    fn note(&self, why: String) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failures.0 += 1;
        failures.1.get_or_insert(why);
    }
}

/// The HTTP client that the program has anyway. It blocks, which the thread of the exporter may.
struct Client {
    agent: ureq::Agent,
    failures: Failures,
}

impl Client {
    fn new(failures: Failures) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .build();
        Self {
            agent: config.into(),
            failures,
        }
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ureq::Error> {
        let (parts, body) = request.into_parts();
        let response = self.agent.run(Request::from_parts(parts, body.as_ref()))?;
        let (parts, mut body) = response.into_parts();
        let body = body.with_config().limit(MAX_ANSWER).read_to_vec()?;
        Ok(Response::from_parts(parts, body.into()))
    }
}

impl HttpClient for Client {
    fn send_bytes<'s, 'f>(
        &'s self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        let sent = self.send(request);
        match &sent {
            Ok(response) if !response.status().is_success() => {
                let status = response.status();
                self.failures
                    .note(format!("the collector answered with status {status}"));
            }
            Ok(_) => {}
            Err(error) => self.failures.note(error.to_string()),
        }
        Box::pin(std::future::ready(sent.map_err(Into::into)))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").finish_non_exhaustive()
    }
}
