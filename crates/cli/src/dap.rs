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
    /// Clients of the port have to name this in `token` of launch and attach; a new one each time if left out
    #[arg(long, value_name = "TOKEN", env = "WHEREFORE_DAP_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Whoever can connect to the port may run programs: every user of this machine
    #[arg(long, requires = "port", conflicts_with = "token")]
    pub no_token: bool,
}

pub fn run(args: DapArgs) -> Result<ExitCode, Failure> {
    let failed =
        |error| Failure::could_not_run(format!("cannot listen on port {}: {error}", args.port.unwrap_or_default()));
    // A variable that is set to nothing names no token.
    let given = args.token.filter(|token| !token.is_empty());
    let is_given = given.is_some();
    let token = match args.port {
        // Over stdin and stdout there is nobody else.
        None => None,
        Some(_) if args.no_token => None,
        Some(_) => Some(given.map_or_else(dap_server::random_token, Ok).map_err(failed)?),
    };
    let shown = token.as_ref().filter(|_| !is_given).map_or_else(String::new, |token| format!("token {token}\n"));
    let options = Options {
        folder: current_folder()?,
        pages: Box::new(OfCommandLine),
        token,
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
    let server = Server::bind(port).map_err(failed)?;
    ask::print(&format!("listening on {}\n{shown}", server.address().map_err(failed)?))?;
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
