//! The command: puts the parts together, and shows the findings at the end.

use std::sync::Arc;

use anyhow::{Context, bail};
use mcp_assay_report::Context as Run;
use tokio::net::TcpListener;

use super::Upstream;
use super::access::Access;
use super::client::client;
use super::idle_spin::{IdleSpin, stay_awake};
use super::inspect::Inspector;
use super::metrics::Metrics;
use super::serve::serve;
use super::service::{Bounds, Gateway};
use crate::args::{GatewayArgs, LiveArgs};
use crate::config::{ConfigFile, GatewayTable, Settings};
use crate::exit::Exit;
use crate::live::{Judge, Recorder, ReportFile, Summary};
use crate::output;

const LISTEN: &str = "127.0.0.1:8808";

/// Serves until a signal comes.
pub(crate) fn run(args: &GatewayArgs) -> anyhow::Result<Exit> {
    let file = ConfigFile::find(&args.live.selection)?;
    let table = file
        .as_ref()
        .map(ConfigFile::gateway)
        .cloned()
        .unwrap_or_default();
    let upstreams = upstreams(args, &table)?;
    let inspector_parts = Parts::new(args, &upstreams)?;
    allow_many_files();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("failed to start")?;
    let address = args
        .listen
        .as_deref()
        .or(table.listen.as_deref())
        .unwrap_or(LISTEN);
    runtime.block_on(async {
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("failed to listen on {address}"))?;
        let local = listener.local_addr().context("failed to listen")?;
        let access = Access::new(local, &args.allow_host, &args.allow_origin);
        let client = client(
            &upstreams,
            args.connect_timeout.into(),
            args.response_timeout.into(),
            args.upstream_ca.as_deref(),
        )?;
        let metrics = Arc::new(Metrics::new());
        let Parts {
            judge,
            recorder,
            bounds,
        } = inspector_parts;
        let idle_spin = IdleSpin::new();
        let inspector = Inspector::new(
            judge,
            recorder,
            args.live.mode,
            Arc::clone(&metrics),
            Arc::clone(&idle_spin),
        );
        for upstream in &upstreams {
            output::say(&format!("{} stands behind http://{local}", upstream.url()));
        }
        let gateway = Gateway::new(
            upstreams, access, client, inspector, metrics, idle_spin, &bounds,
        )?;
        let gateway = Arc::new(gateway);
        tokio::spawn(stay_awake(Arc::clone(&gateway)));
        serve(listener, Arc::clone(&gateway), args.grace.into())
            .await
            .context("failed to serve")?;
        let evicted = gateway.end_all_sessions();
        let mut summary = gateway.inspector.finish();
        if evicted > 0 {
            let limit = args.max_sessions;
            summary.notices.push(format!(
                "{evicted} sessions were forgotten before their end: more than {limit} at the same time (--max-sessions)"
            ));
        }
        summary.show(args.live.mode, args.quiet);
        Ok(exit(&summary))
    })
}

/// Each session has two connections: takes as many files as the system lets us.
#[cfg(unix)]
fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let limit = Rlimit {
        current: maximum,
        maximum,
    };
    // If it cannot be raised, it stays as it is.
    let _ = setrlimit(Resource::Nofile, limit);
}

#[cfg(not(unix))]
fn allow_many_files() {}

/// The parts that must be there before the first connection.
struct Parts {
    judge: Option<Judge>,
    recorder: Option<Recorder>,
    bounds: Bounds,
}

impl Parts {
    fn new(args: &GatewayArgs, upstreams: &[Upstream]) -> anyhow::Result<Self> {
        let live = &args.live;
        let settings = Settings::of_live(live)?;
        let recorder = match &live.record {
            Some(path) => Some(Recorder::create(path)?),
            None => None,
        };
        let report = match &live.report {
            Some(path) => Some(ReportFile::create(path, live.report_format, again(live))?),
            None => None,
        };
        let message = settings.policy.limits.bytes;
        let bounds = Bounds {
            message,
            body: args.max_body.map_or(message, |bytes| bytes as usize),
            response_timeout: args.response_timeout.into(),
            sessions: args.max_sessions as usize,
            session_idle: args.session_ttl.into(),
        };
        let judge = if live.no_check {
            None
        } else {
            let log = settings.open_log()?;
            let urls: Vec<_> = upstreams.iter().map(Upstream::url).collect();
            let guard = live.guard(settings.validator());
            Some(Judge::new(urls.join(" "), guard, report, log))
        };
        Ok(Self {
            judge,
            recorder,
            bounds,
        })
    }
}

/// The command that shows what was found again: a check of the recording, if there is one.
fn again(live: &LiveArgs) -> String {
    match &live.record {
        Some(path) => Run::default().again(&path.to_string_lossy(), ""),
        None => "mcp-assay gateway --record traffic.ndjson".to_owned(),
    }
}

fn upstreams(args: &GatewayArgs, table: &GatewayTable) -> anyhow::Result<Vec<Upstream>> {
    if let Some(url) = &args.upstream {
        let upstream = Upstream::new("", url).map_err(anyhow::Error::msg)?;
        return Ok(vec![upstream]);
    }
    if table.upstreams.is_empty() {
        bail!(
            "no server is named: give --upstream URL, or `[gateway.upstreams]` in mcp-assay.toml"
        );
    }
    Ok(table.upstreams.clone())
}

/// The exit code for what was found.
fn exit(summary: &Summary) -> Exit {
    match &summary.totals {
        Some(totals) if totals.block > 0 || totals.missing > 0 => Exit::Violations,
        _ => Exit::Clean,
    }
}
