//! `wherefore dap`: runs in an editor.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use dap_server::{Options, Pages, Server};
use debugger::{Answer, FoundCall, QuestionShown};

use crate::ask::{self, Ink};
use crate::failure::{Failure, current_folder};
use crate::{ANSWERED, indexing, judge, tell};

#[derive(clap::Args)]
pub struct DapArgs {
    /// Listen on this port of loopback, 0 for any that is free; stdin and stdout if left out
    #[arg(long)]
    pub port: Option<u16>,
    /// Clients of the port have to name this in `token` of launch and attach; any of them may do either if left out
    #[arg(long, value_name = "TOKEN", env = "WHEREFORE_DAP_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
}

pub fn run(args: DapArgs) -> Result<ExitCode, Failure> {
    let options = Options {
        folder: current_folder()?,
        pages: Box::new(OfCommandLine),
        // Over stdin and stdout there is nobody else.
        token: args.token.filter(|_| args.port.is_some()),
        opened: Box::new(|session| {
            if session.needs_index() {
                indexing::start(session.folder());
            }
        }),
    };
    let Some(port) = args.port else {
        dap_server::serve(&Arc::new(options), io::BufReader::new(io::stdin()), io::stdout());
        return Ok(ANSWERED);
    };
    let failed = |error| Failure::could_not_run(format!("cannot listen on port {port}: {error}"));
    let server = Server::bind(port).map_err(failed)?;
    ask::print(&format!("listening on {}\n", server.address().map_err(failed)?))?;
    tell::note("Ctrl-C ends it");
    server.run(options).map_err(failed)?;
    Ok(ANSWERED)
}

/// The console shows what a terminal would.
struct OfCommandLine;

impl Pages for OfCommandLine {
    fn answer(&self, answer: &Answer) -> String {
        ask::text(answer)
    }

    fn question_of_judge(&self, question: &QuestionShown) -> String {
        judge::page::question(question, Ink::Plain, false)
    }

    fn found_by_judge(&self, found: &FoundCall) -> String {
        judge::page::found(found, Ink::Plain)
    }
}
