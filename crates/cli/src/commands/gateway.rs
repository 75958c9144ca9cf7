//! `gateway`: sets up the proxy of [`mcp_assay_gateway`], and shows the findings at the end.

use std::sync::Arc;

use anyhow::{Context, bail};
use mcp_assay::Policy;
use mcp_assay_gateway::{Gateway, Metrics, Options, Until, Upstream};
use mcp_assay_live::record::RecordWriter;
use mcp_assay_report::Context as Run;
use tokio::net::TcpListener;

use crate::args::{GatewayArgs, LiveArgs, UnknownToolsArg};
use crate::config::{ConfigFile, GatewayTable, Settings};
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::live::{Judge, Recorder, ReportFile, Shared, Summary, dropped};
use crate::output::{self, counted};
use crate::schema_override::Refresher;

const LISTEN: &str = "127.0.0.1:8808";

/// Serves until a signal comes.
pub(crate) fn gateway(args: &GatewayArgs) -> anyhow::Result<Exit> {
    let file = ConfigFile::find(&args.live.selection)?;
    let table = file
        .as_ref()
        .map(ConfigFile::gateway)
        .cloned()
        .unwrap_or_default();
    let upstreams = upstreams(args, &table)?;
    let mut parts = Parts::new(args, &upstreams)?;
    if let Some(size) = args.max_memory.or(table.max_memory) {
        parts.options.max_memory = size.0;
    }
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
    runtime.block_on(serve(address, args, upstreams, parts))
}

async fn serve(
    address: &str,
    args: &GatewayArgs,
    upstreams: Vec<Upstream>,
    parts: Parts,
) -> anyhow::Result<Exit> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("failed to listen on {address}"))?;
    let local = listener.local_addr().context("failed to listen")?;
    let urls: Vec<_> = upstreams.iter().map(Upstream::url).collect();
    let Parts {
        judge,
        recorder,
        records,
        metrics,
        options,
        refresher,
    } = parts;
    let mut gateway = Gateway::new(upstreams, options)?
        .metrics(metrics)
        .record_writer(records);
    if let Some(judge) = &judge {
        gateway = gateway.checker(Box::new(judge.clone()));
    }
    if let Some(recorder) = recorder.clone() {
        gateway = gateway.recording(Box::new(move |record| recorder.write(record)));
    }
    let mut interrupts = Interrupts::new().context("failed to serve")?;
    if let Some(refresher) = refresher {
        refresh_on_hangup(refresher).context("failed to serve")?;
    }
    for url in urls {
        output::say(&format!("{url} stands behind http://{local}"));
    }
    let ended = gateway
        .serve(listener, async || interrupts.next().await)
        .await?;
    if let Some(recorder) = &recorder {
        recorder.lock().close();
    }
    let mut summary = Summary {
        totals: None,
        notices: Vec::new(),
        trouble: Vec::new(),
    };
    if let Some(judge) = judge {
        let mut judge = judge.lock();
        judge.cut_sessions(&ended.unnamed_sessions);
        judge.finish();
        summary.totals = Some(judge.totals().clone());
        summary.notices = judge.notices();
    }
    let trouble = recorder.and_then(|recorder| recorder.lock().finish());
    summary.trouble.extend(trouble);
    if ended.unchecked > 0 {
        let what = counted(ended.unchecked, "message");
        summary.notices.push(format!(
            "{what} passed unchecked (not judged): compressed, checking fell behind, or no memory (--max-memory)"
        ));
    }
    for (cause, count, reason) in &ended.failures {
        let what = counted(*count, "request");
        let reason = mcp_assay_report::visible(reason);
        summary
            .notices
            .push(format!("{what} without an answer ({cause}): {reason}"));
    }
    if ended.refused_connections > 0 {
        let what = counted(ended.refused_connections, "connection");
        summary.notices.push(format!(
            "{what} refused: more than {} at the same time (--max-connections)",
            args.max_connections
        ));
    }
    if ended.evicted > 0 {
        summary.notices.push(format!(
            "{} sessions were forgotten before their end: more than {} at the same time (--max-sessions)",
            ended.evicted, args.max_sessions
        ));
    }
    summary.show(args.live.mode, args.quiet);
    Ok(exit(&summary))
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

#[cfg(windows)]
fn allow_many_files() {}

/// The parts that must be there before the first connection.
struct Parts {
    judge: Option<Shared<Judge>>,
    recorder: Option<Shared<Recorder>>,
    records: RecordWriter,
    metrics: Arc<Metrics>,
    options: Options,
    refresher: Option<Arc<Refresher>>,
}

impl Parts {
    fn new(args: &GatewayArgs, upstreams: &[Upstream]) -> anyhow::Result<Self> {
        let live = &args.live;
        let mut settings = Settings::of_live(live)?;
        if let Some(status) = args.http_status {
            settings.policy.refusal_status = status;
        }
        let metrics = Arc::new(Metrics::of_gateway());
        output::queue_notices(dropped(&metrics, "notices")).context("failed to start")?;
        let recorder = match &live.record {
            Some(path) => {
                let on_dropped = dropped(&metrics, "recording");
                let recorder = Recorder::create(path, settings.rotation, on_dropped)?;
                Some(Shared::new(recorder))
            }
            None => None,
        };
        let report = match &live.report {
            Some(path) => Some(ReportFile::create(
                path,
                live.report_format,
                again(live),
                dropped(&metrics, "report"),
            )?),
            None => None,
        };
        let options = options(args, &settings.policy);
        let judge = if live.no_check {
            None
        } else {
            let log = settings.open_live_log(dropped(&metrics, "log"))?;
            let urls: Vec<_> = upstreams.iter().map(Upstream::url).collect();
            let guard = live.guard(settings.validator());
            let mut judge = Judge::new(urls.join(" "), guard, report, log);
            judge.set_servers(upstreams.iter().map(|it| (it.prefix(), it.url())));
            Some(Shared::new(judge))
        };
        Ok(Self {
            judge,
            recorder,
            records: match settings.redactor {
                Some(redactor) => RecordWriter::redacting(redactor),
                None => RecordWriter::with_secrets(),
            },
            metrics,
            options,
            refresher: settings.refresher,
        })
    }
}

fn options(args: &GatewayArgs, policy: &Policy) -> Options {
    let mut options = Options::default();
    let message_limit = policy.limits.bytes;
    options.refusal_status = policy.refusal_status;
    options.message_limit = message_limit;
    options.body_limit = args.max_body.map_or(message_limit, |bytes| bytes as usize);
    if args.live.once {
        options.until = Until::SessionOver;
    }
    options.list_unknown_tools = args.live.unknown_tools == UnknownToolsArg::List;
    options.connect_timeout = args.connect_timeout.into();
    options.response_timeout = args.response_timeout.into();
    options.body_timeout = args.body_timeout.into();
    options.max_connections = args.max_connections as usize;
    options.max_sessions = args.max_sessions as usize;
    options.session_idle = args.session_ttl.into();
    options.grace = args.grace.into();
    options.allowed_hosts.clone_from(&args.allow_host);
    options.allowed_origins.clone_from(&args.allow_origin);
    options.certificates.clone_from(&args.upstream_ca);
    options
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
        return Ok(vec![Upstream::new("", url)?]);
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

/// Reads the definitions again on SIGHUP.
#[cfg(unix)]
fn refresh_on_hangup(refresher: Arc<Refresher>) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            refresher.wake();
        }
    });
    Ok(())
}

/// There is no such signal; the task holds the refresher, which reads at its intervals.
#[cfg(windows)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn refresh_on_hangup(refresher: Arc<Refresher>) -> std::io::Result<()> {
    tokio::spawn(async move {
        let _refresher = refresher;
        std::future::pending::<()>().await;
    });
    Ok(())
}
