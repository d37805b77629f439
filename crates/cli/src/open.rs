//! `wherefore open`: the page.

use std::process::{Command, ExitCode, Stdio};

use web_server::{BindError, Framing, Options, Server};

use crate::args::CodeArgs;
use crate::failure::{Failure, current_folder};
use crate::{ANSWERED, dashes, indexing, record, tell};

#[derive(clap::Args)]
pub struct OpenArgs {
    /// The run: its number or folder; the latest if left out
    #[arg(conflicts_with = "command")]
    pub run: Option<String>,
    /// Listen on this port of loopback; any that is free if left out
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Print the address, and open no browser
    #[arg(long)]
    pub no_browser: bool,
    /// For a panel of an editor: the page may be shown inside of it; opens no browser
    #[arg(long)]
    pub in_editor: bool,
    #[command(flatten)]
    pub code: CodeArgs,
    /// Record this command first, and open its run
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

pub fn run(args: OpenArgs) -> Result<ExitCode, Failure> {
    if !web_server::has_page() {
        return Err(Failure::could_not_run(
            "the page was not built: `cargo xtask build` builds it, where npm is installed",
        ));
    }
    let folder = current_folder()?;
    args.code.check(!args.command.is_empty())?;
    let run = match args.command.is_empty() {
        true => args.run.clone(),
        false => Some(record::recorded_for_questions(&args.command, &args.code, &folder)?),
    };
    let server = Server::bind(Options {
        folder,
        run,
        port: args.port,
        framing: if args.in_editor { Framing::Editor } else { Framing::Nobody },
        opened: Box::new(|session| {
            if session.needs_index() {
                indexing::start(session.folder());
            }
        }),
    })
    .map_err(|error| match error {
        BindError::Run(error) => dashes::perhaps_missing(error.into(), "open", args.run.as_deref()),
        BindError::Port(error) => Failure::could_not_run(format!("cannot listen on port {}: {error}", args.port)),
    })?;
    let url = server.url();
    crate::ask::print(&format!("{url}\n"))?;
    if !args.no_browser && !args.in_editor && !opened(&url) {
        tell::note("no browser could be started: open the address above");
    }
    tell::note("Ctrl-C ends it");
    server.run().map_err(|error| Failure::could_not_run(format!("the server ended: {error}")))?;
    Ok(ANSWERED)
}

/// Whether somebody took it: the browser that the person prefers.
fn opened(url: &str) -> bool {
    ["xdg-open", "open", "wslview"].into_iter().any(|program| {
        let mut command = Command::new(program);
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
