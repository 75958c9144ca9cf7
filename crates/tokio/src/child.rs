//! A child process as a transport of the official SDK, with the streams judged.

use std::future::Future;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::process::{Child, ChildStdout, Command};

use crate::io::{AssayRead, AssayWrite, assay_io};
use crate::options::Options;

/// How long a server may take to end when its input has ended.
const PATIENCE: Duration = Duration::from_secs(3);

/// Starts a server and talks to it, in place of rmcp's `TokioChildProcess`.
///
/// ```no_run
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_assay_tokio::{AssayChildProcess, Options};
/// use rmcp::ServiceExt;
/// use tokio::process::Command;
///
/// // before: TokioChildProcess::new(Command::new("server"))?
/// let client = ().serve(AssayChildProcess::new(Command::new("server"), Options::client())?).await?;
/// client.cancel().await?;
/// # Ok(())
/// # }
/// ```
pub struct AssayChildProcess {
    child: Child,
    transport: AsyncRwTransport<RoleClient, AssayRead<ChildStdout>, AssayWrite>,
}

impl AssayChildProcess {
    /// Starts a server. Its standard error is ours unless the command says otherwise; it is killed
    /// when this is dropped.
    ///
    /// # Errors
    ///
    /// The server cannot be started.
    pub fn new(mut command: Command, options: Options) -> io::Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the server has no pipes"));
        };
        let (read, write) = assay_io(stdout, stdin, options);
        let transport = AsyncRwTransport::new(read, write);
        Ok(Self { child, transport })
    }

    /// The id of the process, while it runs.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }
}

impl Transport<RoleClient> for AssayChildProcess {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.transport.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.transport.receive()
    }

    /// Ends the server's input, and the server if that does not.
    async fn close(&mut self) -> Result<(), io::Error> {
        self.transport.close().await?;
        match tokio::time::timeout(PATIENCE, self.child.wait()).await {
            Ok(ended) => ended.map(drop),
            Err(_) => self.child.kill().await,
        }
    }
}

impl std::fmt::Debug for AssayChildProcess {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("AssayChildProcess")
            .field("child", &self.child)
            .finish_non_exhaustive()
    }
}
