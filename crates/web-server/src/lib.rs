//! The page of `wherefore open`: a server on loopback that hands out one page and answers its questions.
//!
//! Whoever can reach the server could read what the program held, so it trusts nobody who does not have the token of this start: not
//! other users of the machine, not other pages of the same browser (`guard.rs`).

mod ask;
mod chain;
mod failure;
mod files;
mod guard;
mod jobs;
mod judge;
mod runs;
mod sessions;
mod token;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Router, middleware};
use debugger::{Error, OpenRuns, Session};

use guard::Guard;
use sessions::Sessions;
use token::Token;

pub use files::has_page;
pub use guard::Framing;

/// What is served, and where.
pub struct Options {
    /// The folder of the user: the page shows the runs of the project around it.
    pub folder: PathBuf,
    /// The run that is shown first: its number or folder; nothing: the latest.
    pub run: Option<String>,
    /// 0: any that is free.
    pub port: u16,
    pub framing: Framing,
    /// Told of each run that is opened: its index may be missing.
    pub opened: Box<dyn Fn(&Session) + Send + Sync>,
}

/// Listens already, and answers once it is run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
    framing: Framing,
    sessions: Arc<Sessions>,
}

/// Why nothing is served.
#[derive(Debug)]
pub enum BindError {
    /// The run that is to be shown first is not there, or cannot be read.
    Run(Error),
    Port(io::Error),
}

impl From<io::Error> for BindError {
    fn from(error: io::Error) -> BindError {
        BindError::Port(error)
    }
}

impl Server {
    /// Opens the run, and listens.
    pub fn bind(options: Options) -> Result<Server, BindError> {
        let runs = OpenRuns::new(options.folder, options.run, options.opened);
        runs.of(None).map_err(BindError::Run)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let sessions = Arc::new(Sessions::new(runs));
        Ok(Server { listener, address, token: Token::random()?, framing: options.framing, sessions })
    }

    /// With the token: whoever has this address may ask.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.text())
    }

    /// Answers until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let guard = Arc::new(Guard::new(self.address, self.token, self.framing));
            axum::serve(listener, router(self.sessions, guard)).await
        })
    }
}

fn router(sessions: Arc<Sessions>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/api/ask", post(ask::ask))
        .route("/api/runs", get(runs::list))
        .route("/api/runs/{run}", get(runs::one))
        .route("/api/runs/{run}/again", post(jobs::record))
        .route("/api/runs/{run}/ask-again", post(jobs::ask))
        .route("/api/jobs/{job}", get(jobs::follow))
        .route("/api/jobs/{job}/cancel", post(jobs::cancel))
        .route("/api/runs/{run}/judge", post(judge::judge))
        .route("/api/runs/{run}/chain", get(chain::read).put(chain::write))
        .fallback(files::serve)
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(sessions)
}

/// The largest is a chain with its notes.
const LARGEST_REQUEST: usize = 4 << 20;
