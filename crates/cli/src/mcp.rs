//! `wherefore mcp`: the questions for coding agents.

use std::path::PathBuf;
use std::process::ExitCode;

use mcp_server::{HttpServer, Options};

use crate::failure::{Failure, current_folder};
use crate::{ANSWERED, indexing, tell};

#[derive(clap::Args)]
pub struct McpArgs {
    /// The folder whose runs are asked about, and in which programs may be run; this one if left out
    #[arg(long, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// Agents may run and record commands of the workspace; without it they may only read recordings
    #[arg(long)]
    pub allow_run: bool,
    /// Serve HTTP on this port of loopback instead of stdin and stdout; 0: any that is free
    #[arg(long)]
    pub port: Option<u16>,
    /// The token that HTTP clients send, with --port; a new one each time if left out
    #[arg(long, value_name = "TOKEN", env = "WHEREFORE_MCP_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
}

pub fn run(args: McpArgs) -> Result<ExitCode, Failure> {
    let workspace = match args.workspace {
        Some(workspace) => workspace,
        None => current_folder()?,
    };
    let shown = workspace.display().to_string();
    let options = Options {
        workspace,
        may_run: args.allow_run,
        opened: Box::new(|session| {
            if session.needs_index() {
                indexing::start(session.folder());
            }
        }),
    };
    match args.port {
        None => {
            mcp_server::serve_stdio(options).map_err(|error| Failure::could_not_run(format!("{shown}: {error}")))?
        }
        Some(port) => {
            let server = HttpServer::bind(options, port, args.token)
                .map_err(|error| Failure::could_not_run(format!("port {port}, {shown}: {error}")))?;
            crate::ask::print(&format!("{}\nAuthorization: Bearer {}\n", server.url(), server.token()))?;
            tell::note("Ctrl-C ends it");
            server.run().map_err(|error| Failure::could_not_run(format!("the server ended: {error}")))?;
        }
    }
    Ok(ANSWERED)
}
