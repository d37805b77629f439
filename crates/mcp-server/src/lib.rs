//! `wherefore mcp`: the Model Context Protocol, for coding agents. Tools are the questions of the façade, resources its runs and points.
//!
//! An agent reads with a budget: every answer is cut to so many tokens (`budget.rs`), most telling first, says where it goes on, and
//! names the next sensible calls (`next.rs`). It may run nothing unless the operator allowed it, and then only what lies in the
//! workspace (`workspace.rs`).

mod answer;
mod ask;
mod budget;
mod experiments;
mod hanging_up;
mod http;
mod judge;
mod lean;
mod next;
mod questions;
mod record;
mod resources;
mod runs;
mod schema;
mod server;
#[cfg(test)]
mod tests;
mod text;
mod tools;
mod workspace;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use debugger::Session;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::signal::ctrl_c;
use tokio::signal::unix::{SignalKind, signal};

pub use http::HttpServer;

use hanging_up::{Heard, Line};
use server::Agent;

/// What agents may do, and with what.
pub struct Options {
    /// Whose runs are asked about, and where programs may be run.
    pub workspace: PathBuf,
    /// Whether programs may be run at all.
    pub may_run: bool,
    /// Told of each run that is opened: its index may be missing.
    pub opened: Box<dyn Fn(&Session) + Send + Sync>,
}

/// Answers one agent on stdin and stdout, until it hangs up or somebody ends this process.
pub fn serve_stdio(options: Options) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let line = Line::open();
        let mut ended = signal(SignalKind::terminate())?;
        let serving = serve_on(options, rmcp::transport::io::stdio(), line.clone());
        tokio::select! {
            served = serving => served,
            _ = ended.recv() => {
                line.hang_up();
                Ok(())
            }
            interrupted = ctrl_c() => {
                line.hang_up();
                interrupted
            }
        }
    });
    // Programs that are to end get the time for it.
    runtime.shutdown_timeout(LAST_MOMENTS);
    served
}

const LAST_MOMENTS: Duration = Duration::from_secs(5);

/// Answers one agent that writes and reads here, until it hangs up.
pub async fn serve<R, W>(options: Options, (from_agent, to_agent): (R, W)) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve_on(options, (from_agent, to_agent), Line::open()).await
}

async fn serve_on<R, W>(options: Options, (from_agent, to_agent): (R, W), line: Line) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let agent = Agent::new(Shared::new(options)?, line.clone());
    match agent.serve((Heard::new(from_agent, line), to_agent)).await {
        Ok(service) => service.waiting().await.map(drop).map_err(io::Error::other),
        // It hung up before it said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// What all agents of a server share.
pub(crate) struct Shared {
    pub runs: debugger::OpenRuns,
    pub workspace: workspace::Workspace,
}

impl Shared {
    fn new(options: Options) -> io::Result<Arc<Shared>> {
        let workspace = workspace::Workspace::new(&options.workspace, options.may_run)?;
        let runs = debugger::OpenRuns::new(workspace.folder().into(), None, options.opened);
        Ok(Arc::new(Shared { runs, workspace }))
    }
}
